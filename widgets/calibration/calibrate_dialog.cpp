// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/calibration/calibrate_dialog.h"

#include "engine/base/error.h"
#include "engine/units/number_text.h"
#include "widgets/calibration/constants_tree.h"
#include "widgets/document/document.h"
#include "widgets/plots/notice_bar.h"
#include "widgets/plots/plot_view.h"
#include "widgets/theme/text_label.h"
#include "widgets/validation/filter_panel.h"
#include "widgets/validation/validation_words.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QLineEdit>
#include <QMessageBox>
#include <QMimeData>
#include <QProgressBar>
#include <QPushButton>
#include <QTableWidget>

namespace heteroscape::widgets {

void CalibrateDialog::openFile(const QString& path) {
    m_fitting.drop();
    m_reading.start([this, path, design = m_document->scenario(),
                     catalog = m_document->sharedCatalog()](JobRun&) -> Job::Show {
        return [this, path, source = readCalibration(path, design, catalog)] { take(path, source); };
    });
    showState();
}

void CalibrateDialog::take(const QString& path, std::shared_ptr<const CalibrationSource> source) {
    m_source = std::move(source);
    m_file = QFileInfo(path).fileName();
    m_notice->hide();
    m_outcome.reset();
    const auto groups = m_source->groups();
    std::size_t rows = 0;
    for (const auto& group : groups)
        rows += group.rows;
    m_fileName->setText(tr("%1, %2 rows").arg(m_file).arg(rows));
    m_passed->setText(m_source->passed().mid(0, 4).join(u'\n'));
    m_passed->setVisible(!m_source->passed().isEmpty());
    m_constants->setGroups(groups);
    fit();
}

void CalibrateDialog::fit() {
    if (!m_source)
        return;
    m_outcome.reset();
    m_constants->clearOutcome();
    m_warnings->hide();
    m_errors->setRowCount(0);
    CalibrationRequest request;
    request.constants = m_constants->checked();
    request.bounds = m_constants->bounds();
    // Bounds of what is not fitted are none of the fit's business.
    std::erase_if(request.bounds, [&](const auto& set) {
        return std::find(request.constants.begin(), request.constants.end(), set.key) ==
               request.constants.end();
    });
    request.loss.loss = static_cast<engine::Loss>(m_loss->currentIndex());
    request.loss.scale = m_scale->value() / 100.0;
    request.heldOutShare = m_heldOut->value() / 100.0;
    m_chosen->setText(tr("%1 of %2 constants").arg(request.constants.size()).arg(m_constants->possible()));
    if (request.constants.empty()) {
        m_fitting.drop();
        m_state->setText(tr("Check a constant to fit"));
        showState();
        return;
    }
    m_fitting.start([this, source = m_source, request](JobRun& run) -> Job::Show {
        auto outcome = source->run(
            request,
            [&](CalibrationProgress progress) {
                run.progress([this, progress = std::move(progress)] { showProgress(progress); });
            },
            run.stop());
        return [this, outcome = std::move(outcome)] { present(outcome); };
    });
    m_state->setText(tr("Fitting"));
    showState();
}

void CalibrateDialog::showProgress(const CalibrationProgress& progress) {
    m_state->setText(tr("Fitting: %1 steps, loss %2")
                         .arg(progress.steps)
                         .arg(QString::fromStdString(engine::shortText(progress.cost, 3))));
    m_plot->show();
    m_plot->setChart(calibrationChart(progress.points, m_source->unit()));
}

void CalibrateDialog::present(CalibrationOutcome outcome) {
    m_outcome = std::move(outcome);
    m_constants->setOutcome(*m_outcome);
    m_plot->show();
    m_plot->setChart(calibrationChart(m_outcome->points, m_source->unit()));
    m_warnings->setText(warnings());
    m_warnings->setVisible(!m_warnings->text().isEmpty());
    m_state->setText(m_outcome->converged ? tr("Converged, %1 steps").arg(m_outcome->steps)
                                          : tr("Ended after %1 steps").arg(m_outcome->steps));
    const auto add = [this](const QString& name, double before, double after) {
        const int row = m_errors->rowCount();
        m_errors->insertRow(row);
        const QStringList cells{name, errorPercent(before), errorPercent(after)};
        for (int column = 0; column < 3; ++column) {
            auto* item = new QTableWidgetItem(cells[column]);
            item->setTextAlignment(column > 0 ? Qt::AlignRight | Qt::AlignVCenter
                                              : Qt::AlignLeft | Qt::AlignVCenter);
            m_errors->setItem(row, column, item);
        }
    };
    const auto& of = *m_outcome;
    add(tr("Fitted, median"), of.fittedBefore.medianPercent, of.fittedAfter.medianPercent);
    add(tr("Fitted, 90 %"), of.fittedBefore.p90Percent, of.fittedAfter.p90Percent);
    if (of.heldAfter.rows > 0.0) {
        add(tr("Held out, median"), of.heldBefore.medianPercent, of.heldAfter.medianPercent);
        add(tr("Held out, 90 %"), of.heldBefore.p90Percent, of.heldAfter.p90Percent);
    }
    m_name->setText(of.name);
    m_name->setCursorPosition(0);
    m_name->setEnabled(!of.name.isEmpty());
    m_says->setText(tr("Figures will say: %1. One step to undo.").arg(of.says));
    showState();
}

QString CalibrateDialog::warnings() const {
    if (!m_outcome)
        return {};
    constexpr qsizetype kMost = 6;
    auto shown = m_outcome->warnings.mid(0, kMost);
    if (m_outcome->isWorse())
        shown.prepend(tr("Worse on the rows held out: %1 before, %2 after. More rows, or fewer constants.")
                          .arg(errorPercent(m_outcome->heldBefore.medianPercent),
                               errorPercent(m_outcome->heldAfter.medianPercent)));
    if (m_outcome->warnings.size() > kMost)
        shown << tr("%1 more in the report").arg(m_outcome->warnings.size() - kMost);
    return shown.join(u'\n');
}

void CalibrateDialog::showState() {
    const bool busy = isBusy();
    m_progress->setRange(0, busy ? 0 : 1);
    m_progress->setValue(m_outcome ? 1 : 0);
    m_again->setText(busy ? tr("Stop") : tr("Fit again"));
    m_again->setEnabled(m_source != nullptr);
    m_all->setEnabled(m_source != nullptr);
    m_says->setVisible(m_outcome.has_value());
    m_accept->setEnabled(m_outcome.has_value());
}

void CalibrateDialog::accept() {
    if (!m_outcome)
        return;
    if (m_outcome->isWorse() &&
        !confirm(tr("The model is worse on the rows that nothing was fitted on: %1 before, %2 after. Use it "
                    "nevertheless?")
                     .arg(errorPercent(m_outcome->heldBefore.medianPercent),
                          errorPercent(m_outcome->heldAfter.medianPercent))))
        return;
    try {
        const auto edit = m_outcome->edit(m_document->scenario(), m_name->text());
        const auto refusal = connect(m_document, &Document::refused, m_notice, &NoticeBar::showError);
        const bool done = m_document->perform(edit);
        disconnect(refusal);
        if (done)
            QDialog::accept();
    } catch (const engine::Error& error) {
        m_notice->showError(QString::fromStdString(error.what()));
    }
}

} // namespace heteroscape::widgets

#include "moc_calibrate_dialog.cpp"

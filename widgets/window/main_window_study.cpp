// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/window/main_window.h"

#include "engine/base/error.h"
#include "widgets/canvas/canvas_view.h"
#include "widgets/compare/compare_workspace.h"
#include "widgets/compare/designs_page.h"
#include "widgets/explain/hint_card.h"
#include "widgets/explore/explore_workspace.h"
#include "widgets/explore/plots/plot_form.h"
#include "widgets/inspector/number_edit.h"
#include "widgets/plots/export_button.h"
#include "widgets/plots/notice_bar.h"
#include "widgets/report/report_dialog.h"
#include "widgets/report/study_pictures.h"
#include "widgets/theme/plain_text.h"
#include "widgets/timeline/timeline_panel.h"
#include "widgets/timeline/timeline_view.h"
#include "widgets/window/bottom_dock.h"
#include "widgets/window/canvas_picture.h"
#include "widgets/window/command_registry.h"
#include "widgets/window/file_flow.h"
#include "widgets/window/largest_batch_dialog.h"
#include "widgets/window/measured_commands.h"
#include "widgets/window/status_line.h"

#include <QApplication>
#include <QDir>
#include <QFileDialog>

#include <algorithm>

namespace heteroscape::widgets {

void MainWindow::makeStudyCommands() {
    const auto add = m_commands->in(tr("Study"));
    add("study.setUp", tr("Set &up"), {}, "explore", [this] { setWorkspace(Workspace::Explore); });
    add("study.sweep", tr("S&weep the focused quantity"), Qt::Key_S, "sweep", [this] {
        if (const auto* field = qobject_cast<NumberEdit*>(QApplication::focusWidget()))
            sweep(field->path());
        else
            m_status->showMessage(tr("Click into a quantity first, then press S to sweep it."), 6000);
    });
    add("study.run", tr("&Run the study"), Qt::CTRL | Qt::Key_R, "play", [this] {
        setWorkspace(Workspace::Explore);
        m_explore->run();
    });
    add("study.cancel", tr("&Cancel the study"), {}, "stop", [this] { m_explore->cancel(); });
    add("study.largestBatch", tr("&Largest batch within limits\u2026"), {}, "", [this] {
        auto* dialog = new LargestBatchDialog(m_document, this);
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->open();
    });
    addMeasuredCommands(*m_commands, m_compare, [this] { setWorkspace(Workspace::Compare); });
    makeHints();
    for (const auto& figure : m_explore->figures()) {
        auto* action = m_commands->add(
            QStringLiteral("figure.") + QString::fromStdString(figure.id),
            QString::fromStdString(figure.paper),
            QString::fromStdString(figure.name).replace(u'&', QStringLiteral("&&")), {},
            [this, id = figure.id] { openStudy(id); }, QStringLiteral("explore"));
        action->setToolTip(plainTip(QString::fromStdString(figure.about)));
    }
}

void MainWindow::makeHints() {
    auto* card = new HintCard(m_document, m_canvas);
    card->hide();
    auto* show = m_commands->add(QStringLiteral("study.hints"), tr("Study"),
                                 tr("&Hints: what decides, what would help"), Qt::CTRL | Qt::Key_I, {},
                                 QStringLiteral("bulb"));
    show->setCheckable(true);
    connect(show, &QAction::toggled, card, &QWidget::setVisible);
    connect(show, &QAction::triggered, this, [this](bool on) {
        if (on)
            setWorkspace(Workspace::Design);
    });
    connect(card, &HintCard::closed, show, [this, show] {
        show->setChecked(false);
        m_canvas->setFocus();
    });
    connect(card, &HintCard::compareRequested, this, &MainWindow::compareWith);
    connect(card, &HintCard::sweepRequested, this, &MainWindow::sweep);
}

void MainWindow::compareWith(const QString& name, const engine::Scenario& design) {
    setWorkspace(Workspace::Compare);
    m_compare->setPage(CompareWorkspace::Page::Designs);
    m_compare->designsPage()->addDesign(name, design);
}

bool MainWindow::openStudy(const std::string& id) {
    const auto& figures = m_explore->figures();
    const auto figure =
        std::find_if(figures.begin(), figures.end(), [&id](const auto& one) { return one.id == id; });
    if (figure == figures.end())
        return false;
    const auto name = QString::fromStdString(figure->name);
    // Nothing is lost when nothing was changed; and saving must not write the figure's design over a user's
    // file.
    const bool replaces = m_document->isModified() && m_document->path().isEmpty();
    if (!replaces && !m_files->openPreset(figure->preset))
        return false;
    m_document->replaceScenario(figure->study.base, tr("Open %1").arg(name));
    m_canvas->camera().fitAll(); // and again when the window finds its size
    if (figure->study.axes.empty()) {
        setWorkspace(Workspace::Design);
        for (const auto& plot : figure->plots)
            if (plotForm(plot.kind).isTimeline() && plot.requests) {
                m_bottom->showPage(BottomDock::Page::Requests);
            } else if (plotForm(plot.kind).isTimeline()) {
                auto* timeline = m_bottom->timeline();
                timeline->compareWithout(plot.without);
                m_bottom->showPage(BottomDock::Page::Timeline);
                // Both steps as far as the canvas keeps half of the window.
                const int more = timeline->view()->sizeHint().height() - timeline->height();
                if (more > 0)
                    resizeDocks({m_bottom}, {std::min(m_bottom->height() + more, height() / 2)},
                                Qt::Vertical);
            }
        return true;
    }
    setWorkspace(Workspace::Explore);
    m_explore->openFigure(*figure);
    if (replaces)
        m_explore->notice()->showDone(
            tr("The design of “%1” is open now. Undo brings yours back.").arg(name));
    return true;
}

void MainWindow::sweep(const std::string& path) {
    setWorkspace(Workspace::Explore);
    m_explore->addAxis(QString::fromStdString(path));
}

void MainWindow::exportShown() {
    if (m_workspace == Workspace::Design) {
        exportPicture();
        return;
    }
    for (auto* button : workspaceWidget(m_workspace)->findChildren<ExportButton*>())
        if (button->isVisible() && button->isEnabled()) {
            button->setFocus();
            button->click();
            return;
        }
    m_status->showMessage(tr("There is nothing to export here yet."), 6000);
}

void MainWindow::makeReport() {
    std::vector<Picture> plots;
    if (const auto& study = m_explore->study())
        plots = studyPictures(study, m_explore->shownPlots());
    if (m_document->scenario().serving.isSimulated())
        m_status->showMessage(tr("Simulating the requests of the report\u2026"), 12000);
    m_report.start([this, design = m_document->scenario(), plots = std::move(plots)](JobRun&) -> Job::Show {
        const auto report = std::make_shared<DesignReport>(designReport(design, plots));
        return [this, report] { // the dialog runs events of its own
            QMetaObject::invokeMethod(
                this, [this, report] { showReport(*report); }, Qt::QueuedConnection);
        };
    });
}

void MainWindow::showReport(const DesignReport& report) {
    ReportDialog dialog(report, m_settings->lastFolder(), this);
    connect(&dialog, &ReportDialog::written, this,
            [this](const QString& path) { m_status->showMessage(tr("Wrote %1").arg(path), 6000); });
    dialog.exec();
}

void MainWindow::exportPicture() {
    const auto suggestion =
        QDir(m_settings->lastFolder()).filePath(m_document->title() + QStringLiteral(".png"));
    const auto path =
        QFileDialog::getSaveFileName(this, tr("Export a picture of the system"), suggestion,
                                     tr("PNG picture (*.png);;SVG drawing (*.svg);;PDF page (*.pdf)"));
    if (path.isEmpty())
        return;
    try {
        exportCanvas(*m_canvas, path);
        m_status->showMessage(tr("Wrote %1").arg(path), 6000);
    } catch (const engine::Error& error) {
        m_files->showError(tr("The picture cannot be written"), QString::fromStdString(error.what()));
    }
}

} // namespace heteroscape::widgets

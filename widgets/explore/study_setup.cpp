// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/study_setup.h"

#include "engine/base/error.h"
#include "engine/plotting/ticks.h"
#include "engine/units/number_text.h"
#include "widgets/document/serving_view.h"
#include "widgets/explore/axis_picker.h"
#include "widgets/explore/axis_row.h"
#include "widgets/explore/axis_values.h"
#include "widgets/plots/surface.h"
#include "widgets/theme/text_label.h"

#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace heteroscape::widgets {

namespace {

QString countText(std::size_t count) {
    return QString::fromStdString(engine::tickText(static_cast<double>(count)));
}

QString roundText(double value) {
    return QString::fromStdString(engine::shortText(value, 3));
}

} // namespace

StudySetup::StudySetup(Document* document, QWidget* parent)
    : QWidget(parent), m_document(document), m_axisColumn(new QVBoxLayout), m_picker(new AxisPicker(this)),
      m_add(new QPushButton(tr("Add axis"), this)),
      m_design(new TextLabel({}, TextSize::Caption, ColorRole::Muted, QFont::Normal, this)),
      m_points(new TextLabel({}, TextSize::Dense, ColorRole::Text2, QFont::Normal, this)),
      m_error(new TextLabel({}, TextSize::Caption, ColorRole::Error, QFont::Normal, this)),
      m_idle(new TextLabel({}, TextSize::Caption, ColorRole::Warning, QFont::Normal, this)),
      m_arrivals(new QPushButton(this)), m_run(new QPushButton(tr("Run"), this)),
      m_cancel(new QPushButton(tr("Cancel"), this)), m_bar(new QProgressBar(this)),
      m_status(new TextLabel({}, TextSize::Caption, ColorRole::Muted, QFont::Normal, this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    column->addWidget(new TextLabel(tr("Study"), TextSize::Body, ColorRole::Text, QFont::DemiBold, this));
    column->addWidget(m_design);
    column->addSpacing(2);
    m_axisColumn->setSpacing(4);
    column->addLayout(m_axisColumn);
    column->addWidget(m_add, 0, Qt::AlignLeft);
    column->addWidget(m_error);
    column->addWidget(m_idle);
    column->addWidget(m_arrivals, 0, Qt::AlignLeft);
    column->addWidget(m_points);
    column->addWidget(m_run);
    column->addWidget(m_cancel);
    column->addWidget(m_bar);
    column->addWidget(m_status);
    for (auto* label : {m_design, m_points, m_error, m_idle, m_status})
        label->setWordWrap(true);
    m_add->setProperty("flat", true);
    m_run->setProperty("primary", true);
    m_run->setObjectName(QStringLiteral("run"));
    m_cancel->setObjectName(QStringLiteral("cancel"));
    m_bar->setTextVisible(false);
    m_bar->setAccessibleName(tr("Progress of the study"));
    m_arrivals->setObjectName(QStringLiteral("arrivals"));
    m_error->hide();
    m_idle->hide();
    m_arrivals->hide();
    m_bar->hide();
    m_cancel->hide();
    m_status->hide();

    connect(m_run, &QPushButton::clicked, this, &StudySetup::runRequested);
    connect(m_cancel, &QPushButton::clicked, this, &StudySetup::cancelRequested);
    connect(m_arrivals, &QPushButton::clicked, this, [this] {
        if (m_arrivals->property("poisson").toBool())
            setArrivals(*m_document, engine::Arrivals::Poisson);
        else
            emit arrivalsRequested();
    });
    connect(m_picker, &AxisPicker::picked, this, &StudySetup::pickAxis);
    connect(m_add, &QPushButton::clicked, this, [this] {
        std::vector<std::string> taken;
        for (const auto& axis : axes())
            taken.push_back(axis.path);
        m_picker->open(m_document->scenario(), m_document->catalog(), taken, m_add);
    });
    const auto restyle = [this] {
        m_add->setIcon(Theme::instance().icon(QStringLiteral("plus"), ColorRole::Accent));
    };
    connect(&Theme::instance(), &Theme::changed, this, restyle);
    restyle();
    connect(m_document, &Document::reset, this, [this] { takeDocument(true); });
    connect(m_document, &Document::changed, this, [this] { takeDocument(false); });
    connect(m_document, &Document::titleChanged, this, [this] { m_design->setText(m_document->title()); });
    takeDocument(true);
}

void StudySetup::takeDocument(bool fresh) {
    m_design->setText(m_document->title());
    if (fresh)
        m_touched = false;
    if (m_touched) {
        check();
        return;
    }
    const auto wanted = defaultAxes(m_document->scenario());
    if (wanted != axes())
        setAxes(wanted);
    else
        check();
}

void StudySetup::setAxes(const std::vector<AxisText>& axes) {
    for (auto* row : m_rows) {
        row->hide();
        row->deleteLater();
    }
    m_rows.clear();
    for (const auto& axis : axes)
        addRow(axis);
    check();
}

void StudySetup::takeAxes(const std::vector<engine::Axis>& axes) {
    m_touched = true;
    std::vector<AxisText> texts;
    for (const auto& axis : axes)
        texts.push_back(axisText(axis));
    setAxes(texts);
}

std::vector<AxisText> StudySetup::axes() const {
    std::vector<AxisText> texts;
    for (const auto* row : m_rows)
        texts.push_back(row->text());
    return texts;
}

void StudySetup::addAxis(const QString& path) {
    const auto wanted = path.toStdString();
    for (auto* row : m_rows)
        if (row->text().path == wanted) {
            row->field()->setFocus();
            row->field()->selectAll();
            return;
        }
    std::string values;
    try {
        values = startingValues(m_document->scenario(), m_document->catalog(), wanted);
    } catch (const engine::Error&) {
        values.clear(); // the row itself says what is wrong with the path
    }
    m_touched = true;
    addRow({wanted, values});
    check();
    m_rows.back()->field()->setFocus();
    m_rows.back()->field()->selectAll();
}

void StudySetup::pickAxis(const QString& path) {
    addAxis(path);
    auto* row = m_rows.back();
    if (!row->isChoice() || row->text().values.find(',') != std::string::npos)
        return;
    layout()->activate(); // the row is new: its list opens where it will stand
    row->openChoices();
}

void StudySetup::addRow(const AxisText& axis) {
    auto* row = new AxisRow(axis, this);
    m_rows.push_back(row);
    m_axisColumn->addWidget(row);
    connect(row, &AxisRow::edited, this, [this] {
        m_touched = true;
        check();
    });
    connect(row, &AxisRow::removeRequested, this, [this, row] { removeRow(row); });
}

void StudySetup::removeRow(AxisRow* row) {
    m_touched = true;
    std::erase(m_rows, row);
    row->hide();
    row->deleteLater();
    check();
    m_add->setFocus();
}

void StudySetup::check() {
    m_study.reset();
    engine::Study study{m_document->title().toStdString(), m_document->scenario(), {}};
    bool whole = !m_rows.empty();
    QStringList lengths;
    for (auto* row : m_rows) {
        row->check(study.base, m_document->catalog());
        if (row->axis()) {
            study.axes.push_back(*row->axis());
            lengths << countText(row->axis()->values.size());
        } else
            whole = false;
    }
    QString error;
    if (whole)
        try {
            engine::checkStudy(study);
            m_points->setText(
                tr("%1 points: %2").arg(countText(study.pointCount()), lengths.join(QStringLiteral(" × "))));
            m_study = std::move(study);
        } catch (const engine::Error& problem) {
            error = QString::fromUtf8(problem.what());
        }
    if (!m_study)
        m_points->setText(m_rows.empty()
                              ? tr("Add an axis: a parameter of the design and the values it takes.")
                              : QString());
    m_points->setVisible(!m_points->text().isEmpty());
    m_error->setText(error);
    m_error->setVisible(!error.isEmpty());
    m_run->setEnabled(m_study.has_value() && !m_running);
    checkArrivals();
    emit changed();
}

void StudySetup::checkArrivals() {
    bool varies = false, random = false, served = false;
    for (const auto* row : m_rows) {
        const auto path = row->text().path;
        varies |= path == "serving.arrivals";
        random |= path == "serving.rate_req_s" || path == "serving.seed";
        served |= path.starts_with("serving.") && path != "serving.arrivals";
    }
    const auto arrivals = m_document->scenario().serving.arrivals;
    const bool steady = arrivals == engine::Arrivals::Steady;
    const bool idle = !varies && ((steady && served) || (random && arrivals != engine::Arrivals::Poisson));
    m_idle->setText(steady ? tr("Arrivals are steady: no request is simulated, so this axis changes nothing.")
                           : tr("Arrivals are not Poisson: rate and seed change nothing."));
    m_arrivals->setText(random ? tr("Use Poisson arrivals") : tr("Choose arrivals"));
    m_arrivals->setProperty("poisson", random);
    m_idle->setVisible(idle);
    m_arrivals->setVisible(idle);
}

std::optional<engine::Study> StudySetup::study() const {
    return m_study;
}

void StudySetup::setRunning(bool running) {
    const bool hadFocus = m_run->hasFocus() || m_cancel->hasFocus();
    m_running = running;
    m_run->setVisible(!running);
    m_cancel->setVisible(running);
    m_bar->setVisible(running);
    m_run->setEnabled(m_study.has_value() && !running);
    if (running) {
        m_bar->setRange(0, 1000);
        m_bar->setValue(0);
        showStatus(tr("Starting"));
    }
    if (hadFocus)
        (running ? m_cancel : m_run)->setFocus();
}

void StudySetup::showProgress(const engine::StudyProgress& progress) {
    if (progress.total > 0)
        m_bar->setValue(static_cast<int>(1000.0 * static_cast<double>(progress.done) /
                                         static_cast<double>(progress.total)));
    auto text = tr("%1 of %2 points").arg(countText(progress.done), countText(progress.total));
    if (progress.rate() > 0 && progress.done < progress.total)
        text +=
            tr(", %1 points/s, %2 s left").arg(roundText(progress.rate()), roundText(progress.secondsLeft()));
    showStatus(text);
}

void StudySetup::showDone(const engine::StudyRun& run) {
    const auto computed = countText(run.computed), reused = countText(run.reused);
    showStatus(run.cancelled
                   ? tr("Cancelled: %1 computed, %2 reused. Run goes on from there.").arg(computed, reused)
                   : tr("%1 computed, %2 reused, %3 s").arg(computed, reused, roundText(run.seconds)));
}

void StudySetup::showStatus(const QString& text) {
    m_status->setText(text);
    m_status->setVisible(!text.isEmpty());
}

} // namespace heteroscape::widgets

// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/study_tile.h"

#include "widgets/explore/parallel_view.h"
#include "widgets/explore/plot_controls.h"
#include "widgets/explore/plot_tile.h"
#include "widgets/explore/plot_words.h"
#include "widgets/explore/plots/plot_form.h"
#include "widgets/plots/chart_export.h"
#include "widgets/plots/plot_lines.h"
#include "widgets/plots/plot_pointer.h"
#include "widgets/plots/plot_view.h"
#include "widgets/theme/layouts.h"
#include "widgets/timeline/timeline_painter.h"
#include "widgets/timeline/timeline_text.h"
#include "widgets/timeline/timeline_view.h"

#include <QGuiApplication>
#include <QPushButton>
#include <QStackedWidget>
#include <QToolButton>

namespace heteroscape::widgets {

namespace {
constexpr int kControlsMargin = 20; // at both sides of the controls
} // namespace

StudyTile::StudyTile(const QString& metric, StudyMarks* marks, QWidget* parent)
    : PlotTile(parent), m_marks(marks), m_controls(new PlotControls(metric, this)),
      m_view(new PlotView(this)), m_pages(new QStackedWidget(this)),
      m_parallel(new ParallelView(marks, this)), m_step(new StepPage(m_pages)) {
    m_pages->addWidget(m_view);
    m_pages->addWidget(makeSteadyPage());
    m_pages->addWidget(m_parallel);
    m_pages->addWidget(m_step);
    auto* exports = new ExportButton(
        ExportButton::Picture(
            [this](const QString& path, const ImageSize& size) { writePicture(path, size); }),
        {{tr("Data of this plot (CSV)…"), QStringLiteral("csv"), [this] { return csv(); }}}, metric, this);
    auto* options = makeButton(QStringLiteral("settings"), tr("Plot options…"), "plotOptions");
    connect(options, &QToolButton::clicked, this, [this, options] { m_controls->openOptions(options); });
    m_choose = makeButton(QStringLiteral("chevron-down"), tr("Choose what is plotted"), "choosePlot");
    m_choose->setCheckable(true);
    m_choose->hide();
    connect(m_choose, &QToolButton::toggled, this, &StudyTile::showControls);
    m_fit = makeButton(QStringLiteral("fit"), tr("Show all data (Home)"));
    connect(m_fit, &QToolButton::clicked, m_view, &PlotView::fit);
    m_title->setElided(true);
    exports->offerExtents();
    auto* column = makeColumn(exports, {m_choose, options, m_fit});
    m_controls->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    column->addWidget(m_controls);
    column->addWidget(m_pages, 1);
    connect(m_controls, &PlotControls::changed, this, [this] {
        m_scrubbed.reset(); // of another plot; whoever scrubs is told by metricChanged()
        replot();
        emit metricChanged();
    });
    connect(m_parallel, &ParallelView::rowActivated, this, &StudyTile::rowActivated);
    for (const auto* job : {&m_bands, &m_later})
        connect(job, &Job::finished, this, &PlotTile::drawn);
    connectView();
    connectMarks();
}

void StudyTile::setCompact(bool compact) {
    m_compact = compact;
    showControls();
}

void StudyTile::showControls() {
    const bool wanted = !plotForm(plot().kind).isTimeline(); // a point has one step
    // Too narrow for them is too little room as well; asking for more would widen the window.
    const bool compact = m_compact || width() < m_controls->minimumSizeHint().width() + kControlsMargin;
    m_choose->setVisible(wanted && compact);
    m_controls->setVisible(wanted && (!compact || m_choose->isChecked()));
}

void StudyTile::resizeEvent(QResizeEvent* event) {
    PlotTile::resizeEvent(event);
    showControls();
}

void StudyTile::connectView() {
    connect(m_view, &PlotView::explainRequested, this, &StudyTile::explain);
    connect(m_view, &PlotView::pointHovered, this, [this](std::optional<ChartPoint> point) {
        if (!m_scrubbed)
            m_marks->hover(point ? m_chart->rowOf(*point) : std::nullopt);
    });
    connect(m_view, &PlotView::boxSelected, this, &StudyTile::brushBox);
    const auto& lines = m_view->pointer().lines();
    connect(&lines, &PlotLines::moving, this, [this](int line, double at) { moveLimit(line, at, false); });
    connect(&lines, &PlotLines::moved, this, [this](int line, double at) { moveLimit(line, at, true); });
    connect(m_view, &PlotView::pointClicked, this, [this](ChartPoint point) {
        const auto row = m_chart->rowOf(point);
        if (!row)
            return;
        const bool at_once = QGuiApplication::keyboardModifiers().testFlag(Qt::ControlModifier);
        if (!m_scrubbed)
            m_marks->select(row);
        if (at_once)
            m_scrubbed ? emit scenarioActivated(m_scrubbed->scenarioOf(*row)) : emit rowActivated(*row);
    });
    connect(m_view, &PlotView::pointActivated, this, [this](ChartPoint point) {
        if (const auto row = m_chart->rowOf(point))
            m_scrubbed ? emit scenarioActivated(m_scrubbed->scenarioOf(*row)) : emit rowActivated(*row);
    });
}

void StudyTile::connectMarks() {
    connect(m_marks, &StudyMarks::selectedChanged, this, &StudyTile::showSelected);
    connect(m_marks, &StudyMarks::baselineChanged, this, [this] { replot(); }); // in other numbers
    connect(m_marks, &StudyMarks::keptChanged, this, [this] {
        if (m_study && m_study == m_marks->study()) // another study: setStudy() follows
            refilterChart();
    });
    connect(m_marks, &StudyMarks::hoveredChanged, this, [this] {
        const auto row = m_scrubbed ? std::nullopt : m_marks->hovered();
        m_view->pointer().setHovered(row ? m_chart->pointOf(*row) : std::nullopt);
    });
    connect(&m_later, &Job::failed, this, [this](const QString& message) {
        m_drawn.reset();
        showWords(message);
    });
}

QWidget* StudyTile::makeSteadyPage() {
    auto* page = new QWidget(m_pages);
    auto* text = new TextLabel(tr("Arrivals are steady: choose others under Requests, then run the study."),
                               TextSize::Body, ColorRole::Text2, page);
    text->setWordWrap(true);
    text->setAlignment(Qt::AlignCenter);
    auto* choose = new QPushButton(tr("Choose arrivals"), page);
    choose->setObjectName(QStringLiteral("chooseArrivals"));
    connect(choose, &QPushButton::clicked, this, &StudyTile::arrivalsRequested);
    auto* column = widgets::makeColumn(page, {24, 8, 24, 8}, 10);
    column->addStretch(1);
    column->addWidget(text);
    column->addWidget(choose, 0, Qt::AlignHCenter);
    column->addStretch(1);
    return page;
}

TimelineView* StudyTile::timeline() const {
    return m_step->timeline();
}

bool StudyTile::isBusy() const {
    return m_bands.isBusy() || m_later.isBusy() || m_step->isBusy();
}

void StudyTile::writePicture(const QString& path, const ImageSize& size) const {
    if (m_pages->currentIndex() == kParallel)
        m_parallel->exportTo(path, size);
    else if (m_pages->currentIndex() == kTimeline)
        exportTimeline(timeline()->tracks(),
                       exportButton()->extent() == Extent::Shown ? timeline()->view() : timeline()->whole(),
                       path, size);
    else
        exportChart(exportButton()->extent() == Extent::Shown ? zoomedTo(m_view->chart(), m_view->view())
                                                              : m_view->chart(),
                    path, size);
}

QString StudyTile::csv() const {
    if (!m_study)
        return {};
    if (m_pages->currentIndex() == kParallel)
        return m_parallel->csv(true);
    if (m_pages->currentIndex() == kTimeline)
        return timelineCsv(timeline()->tracks());
    const auto& study = m_drawn ? m_drawn->study : m_scrubbed ? m_scrubbed : m_study;
    auto told = *m_chart;
    tellDesigns(told, *study, m_scrubbed ? m_scrubbedPlot : plot(), keptRows());
    if (exportButton()->extent() == Extent::Whole)
        return chartCsv(told.chart);
    told.chart.hidden = m_view->chart().hidden;
    return chartCsv(cutTo(std::move(told.chart), m_view->view()));
}

} // namespace heteroscape::widgets

#include "moc_study_tile.cpp"

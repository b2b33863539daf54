// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/study_tile.h"

#include "widgets/explore/parallel_view.h"
#include "widgets/explore/plot_controls.h"
#include "widgets/explore/plot_words.h"
#include "widgets/plots/chart_export.h"
#include "widgets/plots/export_button.h"
#include "widgets/plots/plot_view.h"
#include "widgets/theme/plain_text.h"
#include "widgets/timeline/timeline_export.h"
#include "widgets/timeline/timeline_text.h"
#include "widgets/timeline/timeline_view.h"

#include <QGuiApplication>
#include <QHBoxLayout>
#include <QPushButton>
#include <QScrollArea>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

namespace heteroscape::widgets {

namespace {
constexpr int kControlsMargin = 20; // at both sides of the controls
} // namespace

StudyTile::StudyTile(const QString& metric, StudyMarks* marks, QWidget* parent)
    : Surface(ColorRole::Surface, true, parent), m_marks(marks),
      m_title(new TextLabel({}, TextSize::Body, ColorRole::Text, QFont::DemiBold, this)),
      m_note(new TextLabel({}, TextSize::Caption, ColorRole::Muted, QFont::Normal, this)),
      m_controls(new PlotControls(metric, this)), m_view(new PlotView(this)),
      m_pages(new QStackedWidget(this)), m_parallel(new ParallelView(marks, this)),
      m_export(new ExportButton(
          ExportButton::Picture(
              [this](const QString& path, const ImageSize& size) { writePicture(path, size); }),
          {{tr("Data of this plot (CSV)…"), QStringLiteral("csv"), [this] { return csv(); }}}, metric,
          this)) {
    m_pages->addWidget(m_view);
    m_pages->addWidget(makeSteadyPage());
    m_pages->addWidget(m_parallel);
    m_pages->addWidget(makeTimelinePage());
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(12, 8, 8, 8);
    column->setSpacing(6);
    makeHead();
    m_controls->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    column->addWidget(m_controls);
    column->addWidget(m_pages, 1);
    connect(m_controls, &PlotControls::changed, this, [this] {
        m_scrubbed.reset(); // of another plot; whoever scrubs is told by metricChanged()
        replot();
        emit metricChanged();
    });
    connect(m_parallel, &ParallelView::rowActivated, this, &StudyTile::rowActivated);
    connectView();
    connectMarks();
}

void StudyTile::makeHead() {
    auto* options = makeButton(QStringLiteral("settings"), tr("Plot options…"));
    options->setObjectName(QStringLiteral("plotOptions"));
    connect(options, &QToolButton::clicked, this, [this, options] { m_controls->openOptions(options); });
    m_choose = makeButton(QStringLiteral("chevron-down"), tr("Choose what is plotted"));
    m_choose->setObjectName(QStringLiteral("choosePlot"));
    m_choose->setCheckable(true);
    m_choose->hide();
    connect(m_choose, &QToolButton::toggled, this, &StudyTile::showControls);
    m_fit = makeButton(QStringLiteral("fit"), tr("Show all data (Home)"));
    connect(m_fit, &QToolButton::clicked, m_view, &PlotView::fit);
    m_maximise = makeButton(QStringLiteral("maximise"), tr("Maximise this plot"));
    m_maximise->setObjectName(QStringLiteral("maximise"));
    connect(m_maximise, &QToolButton::clicked, this, &StudyTile::maximiseRequested);
    m_close = makeButton(QStringLiteral("close"), tr("Close this plot"));
    m_close->setObjectName(QStringLiteral("closeTile"));
    connect(m_close, &QToolButton::clicked, this, &StudyTile::closeRequested);
    m_export->setToolButtonStyle(Qt::ToolButtonIconOnly);
    m_export->setToolTip(tr("Export this plot"));
    m_title->setElided(true);
    m_note->setElided(true);
    auto* head = new QHBoxLayout;
    head->setSpacing(4);
    head->addWidget(m_title, 0);
    head->addWidget(m_note, 1);
    for (auto* button :
         std::initializer_list<QWidget*>{m_choose, options, m_fit, m_export, m_maximise, m_close})
        head->addWidget(button);
    static_cast<QVBoxLayout*>(layout())->addLayout(head);
}

void StudyTile::setMaximised(bool maximised) {
    const auto name = maximised ? tr("Show all plots") : tr("Maximise this plot");
    m_maximise->setToolTip(plainTip(name));
    m_maximise->setAccessibleName(name);
}

void StudyTile::setClosable(bool closable) {
    m_close->setEnabled(closable);
}

void StudyTile::setCompact(bool compact) {
    m_compact = compact;
    showControls();
}

void StudyTile::showControls() {
    const bool wanted = plot().kind != engine::PlotKind::Timeline; // a point has one step
    // Too narrow for them is too little room as well; asking for more would widen the window.
    const bool compact = m_compact || width() < m_controls->minimumSizeHint().width() + kControlsMargin;
    m_choose->setVisible(wanted && compact);
    m_controls->setVisible(wanted && (!compact || m_choose->isChecked()));
}

void StudyTile::resizeEvent(QResizeEvent* event) {
    Surface::resizeEvent(event);
    showControls();
}

void StudyTile::connectView() {
    connect(m_view, &PlotView::explainRequested, this, &StudyTile::explain);
    connect(m_view, &PlotView::pointHovered, this, &StudyTile::hoverPoint);
    connect(m_view, &PlotView::boxSelected, this, &StudyTile::brushBox);
    connect(m_view, &PlotView::pointClicked, this, [this](ChartPoint point) {
        const auto row = m_chart.rowOf(point);
        if (!row)
            return;
        const bool at_once = QGuiApplication::keyboardModifiers().testFlag(Qt::ControlModifier);
        if (!m_scrubbed)
            m_marks->select(row);
        if (at_once)
            m_scrubbed ? emit scenarioActivated(m_scrubbed->scenarioOf(*row)) : emit rowActivated(*row);
    });
    connect(m_view, &PlotView::pointActivated, this, [this](ChartPoint point) {
        if (const auto row = m_chart.rowOf(point))
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
    connect(m_marks, &StudyMarks::hoveredChanged, this, &StudyTile::showHovered);
}

QWidget* StudyTile::makeSteadyPage() {
    auto* page = new QWidget(m_pages);
    auto* text = new TextLabel(tr("Arrivals are steady: choose others under Requests, then run the study."),
                               TextSize::Body, ColorRole::Text2, QFont::Normal, page);
    text->setWordWrap(true);
    text->setAlignment(Qt::AlignCenter);
    auto* choose = new QPushButton(tr("Choose arrivals"), page);
    choose->setObjectName(QStringLiteral("chooseArrivals"));
    connect(choose, &QPushButton::clicked, this, &StudyTile::arrivalsRequested);
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(24, 8, 24, 8);
    column->setSpacing(10);
    column->addStretch(1);
    column->addWidget(text);
    column->addWidget(choose, 0, Qt::AlignHCenter);
    column->addStretch(1);
    return page;
}

QWidget* StudyTile::makeTimelinePage() {
    m_timelinePages = new QStackedWidget(m_pages);
    auto* scroll = new QScrollArea(m_timelinePages); // lanes keep their height in a low tile
    m_timeline = new TimelineView(scroll);
    scroll->setWidget(m_timeline);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setFrameShape(QFrame::NoFrame);
    m_noTimeline = new TextLabel({}, TextSize::Body, ColorRole::Text2, QFont::Normal, m_timelinePages);
    m_noTimeline->setWordWrap(true);
    m_noTimeline->setAlignment(Qt::AlignCenter);
    m_noTimeline->setMargin(16);
    m_timelinePages->addWidget(scroll);
    m_timelinePages->addWidget(m_noTimeline);
    connect(&m_later, &Job::failed, this, [this](const QString& message) {
        m_drawn.reset();
        m_chart = {};
        m_chart.chart.title = m_title->text();
        m_chart.chart.emptyText = message;
        m_view->setChart(m_chart.chart);
    });
    connect(&m_job, &Job::failed, this, [this](const QString& message) {
        m_noTimeline->setText(message);
        m_timelinePages->setCurrentIndex(1);
    });
    return m_timelinePages;
}

QToolButton* StudyTile::makeButton(const QString& icon, const QString& name) {
    auto* button = new QToolButton(this);
    button->setToolTip(plainTip(name));
    button->setAccessibleName(name);
    const auto restyle = [button, icon] { button->setIcon(Theme::instance().icon(icon)); };
    connect(&Theme::instance(), &Theme::changed, button, restyle);
    restyle();
    return button;
}

void StudyTile::writePicture(const QString& path, const ImageSize& size) const {
    if (m_pages->currentIndex() == kParallel)
        m_parallel->exportTo(path, size);
    else if (m_pages->currentIndex() == kTimeline)
        exportTimeline(m_timeline->tracks(), m_timeline->view(), path, size);
    else
        exportChart(m_view->chart(), path, size);
}

QString StudyTile::csv() const {
    if (!m_study)
        return {};
    if (m_pages->currentIndex() == kParallel)
        return m_parallel->csv();
    if (m_pages->currentIndex() == kTimeline)
        return timelineCsv(m_timeline->tracks());
    return chartCsv(m_chart.chart);
}

} // namespace heteroscape::widgets

// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/study_tile.h"

#include "widgets/explore/plot_controls.h"
#include "widgets/explore/plot_words.h"
#include "widgets/plots/export_button.h"
#include "widgets/plots/plot_view.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

namespace heteroscape::widgets {

StudyTile::StudyTile(const QString& metric, QWidget* parent)
    : Surface(ColorRole::Surface, true, parent),
      m_title(new TextLabel({}, TextSize::Body, ColorRole::Text, QFont::DemiBold, this)),
      m_note(new TextLabel({}, TextSize::Caption, ColorRole::Muted, QFont::Normal, this)),
      m_controls(new PlotControls(metric, this)), m_view(new PlotView(this)),
      m_pages(new QStackedWidget(this)),
      m_export(new ExportButton([this] { return m_view->chart(); },
                                {{tr("Data of this plot (CSV)…"), QStringLiteral("csv"),
                                  [this] { return m_study ? chartCsv(m_chart.chart) : QString(); }}},
                                metric, this)) {
    auto* options = makeButton(QStringLiteral("settings"), tr("Plot options…"));
    options->setObjectName(QStringLiteral("plotOptions"));
    connect(options, &QToolButton::clicked, this, [this, options] { m_controls->openOptions(options); });
    auto* fit = makeButton(QStringLiteral("fit"), tr("Show all data (Home)"));
    connect(fit, &QToolButton::clicked, m_view, &PlotView::fit);

    m_title->setElided(true);
    m_note->setElided(true);
    auto* head = new QHBoxLayout;
    head->setSpacing(6);
    head->addWidget(m_title, 0);
    head->addWidget(m_note, 1);
    head->addWidget(options);
    head->addWidget(fit);
    head->addWidget(m_export);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(12, 8, 8, 8);
    column->setSpacing(6);
    column->addLayout(head);
    column->addWidget(m_controls);
    m_pages->addWidget(m_view);
    m_pages->addWidget(makeSteadyPage());
    column->addWidget(m_pages, 1);

    connect(m_controls, &PlotControls::changed, this, [this] {
        replot();
        emit metricChanged();
    });
    connect(m_view, &PlotView::pointClicked, this, [this](ChartPoint point) {
        if (const auto row = m_chart.rowOf(point))
            emit rowClicked(*row);
    });
    connect(m_view, &PlotView::pointActivated, this, [this](ChartPoint point) {
        if (const auto row = m_chart.rowOf(point))
            emit rowActivated(*row);
    });
}

QWidget* StudyTile::makeSteadyPage() {
    auto* page = new QWidget(m_pages);
    auto* text =
        new TextLabel(tr("Arrivals are steady: choose Poisson, a backlog or a trace under Requests, then "
                         "run the study."),
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

QToolButton* StudyTile::makeButton(const QString& icon, const QString& name) {
    auto* button = new QToolButton(this);
    button->setToolTip(name);
    button->setAccessibleName(name);
    const auto restyle = [button, icon] { button->setIcon(Theme::instance().icon(icon)); };
    connect(&Theme::instance(), &Theme::changed, button, restyle);
    restyle();
    return button;
}

const engine::StudyPlot& StudyTile::plot() const {
    return m_controls->plot();
}

void StudyTile::setStudy(std::shared_ptr<const LoadedStudy> study) {
    const bool same = m_study && study && m_study->table.info.id == study->table.info.id;
    m_study = std::move(study);
    if (!same)
        m_row.reset();
    m_controls->setStudy(m_study);
    if (m_study)
        replot();
}

void StudyTile::setPlot(const engine::StudyPlot& plot) {
    m_controls->setPlot(plot);
    if (m_study)
        replot();
}

void StudyTile::replot() {
    if (m_study->table.info.axes.empty())
        return;
    m_chart = studyChart(*m_study, plot());
    m_title->setText(plotTitle(*m_study, plot()));
    m_note->setText(plotNote(*m_study, plot()));
    m_view->setChart(m_chart.chart);
    m_pages->setCurrentIndex(isSimulated(query().metric) && m_study->isSteady() ? 1 : 0);
    selectRow(m_row);
}

void StudyTile::selectRow(std::optional<std::size_t> row) {
    m_row = row;
    m_view->select(row ? m_chart.pointOf(*row) : std::nullopt);
}

} // namespace heteroscape::widgets

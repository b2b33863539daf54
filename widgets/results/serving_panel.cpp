// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/results/serving_panel.h"

#include "engine/exporters/timeline_export.h"
#include "engine/plotting/ticks.h"
#include "engine/timing/kernels/kernel_catalog.h"
#include "engine/validation/serving_validation.h"
#include "widgets/document/document.h"
#include "widgets/document/serving_view.h"
#include "widgets/explain/explanation_popup.h"
#include "widgets/plots/export_button.h"
#include "widgets/plots/notice_bar.h"
#include "widgets/plots/plot_view.h"
#include "widgets/plots/surface.h"
#include "widgets/requests/requests_start.h"
#include "widgets/results/latency_table.h"
#include "widgets/results/serving_facts.h"
#include "widgets/results/use_list.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/plain_text.h"
#include "widgets/theme/text_label.h"

#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QStackedWidget>

namespace heteroscape::widgets {

namespace {

constexpr int kLate = 300; // ms
constexpr int kWide = 880; // from here on what is busy has a column of its own
constexpr int kUseWidth = 236;
constexpr int kLeftWidth = 280; // less than the table wants: it scrolls then
constexpr int kPlotWidth = 200;

/// What was measured nearest to a design, with what the model gives for it, in words.
struct PublishedRun {
    std::size_t line = 0; ///< of its table
    QString words;
};
std::optional<PublishedRun> publishedNear(const engine::Scenario& design, const engine::Catalog& catalog,
                                          const std::stop_token& stop) {
    std::vector<engine::ServingTable> tables;
    for (const auto& file : engine::shippedServing(catalog.folder))
        tables.push_back(engine::readServing(file));
    const engine::GpuServers servers(catalog, engine::shippedKernels());
    const auto near = engine::nearServing(design, servers, tables, 1);
    if (near.empty())
        return {};
    const auto& run = near.front();
    auto words = ServingPanel::tr("Nearest published run: %1.")
                     .arg(QString::fromStdString(
                         engine::nearText(servers, engine::validateServing(servers, *run.row, stop))));
    QStringList differs;
    for (const auto& one : run.differs)
        differs << QString::fromStdString(one);
    if (!differs.isEmpty())
        words += u' ' + ServingPanel::tr("It had %1.").arg(differs.join(QStringLiteral("; ")));
    return PublishedRun{run.row->line, words};
}

QString countText(std::uint64_t value) {
    return QString::fromStdString(engine::tickText(static_cast<double>(value)));
}

} // namespace

ServingPanel::ServingPanel(SimulationRunner* runner, Document* document, QWidget* parent)
    : DockPage(parent), m_runner(runner), m_document(document),
      m_headline(new TextLabel(TextSize::Dense, ColorRole::Text, m_tools, QFont::DemiBold)),
      m_progressBox(new QWidget(m_tools)),
      m_progressText(new TextLabel(TextSize::Caption, ColorRole::Muted, m_progressBox)),
      m_progress(new QProgressBar(m_progressBox)) {
    setExport(new ExportButton(
                  [this] {
                      return m_export->extent() == Extent::Shown ? zoomedTo(m_plot->chart(), m_plot->view())
                                                                 : m_plot->chart();
                  },
                  {{tr("Data of this plot (CSV)\u2026"), QStringLiteral("csv"),
                    [this] {
                        return chartCsv(m_export->extent() == Extent::Shown
                                            ? cutTo(m_plot->chart(), m_plot->view())
                                            : m_plot->chart());
                    }},
                   {tr("Queue depth, every span (CSV)\u2026"), QStringLiteral("csv"),
                    [this] {
                        return m_shown ? QString::fromStdString(engine::queueDepthCsv(m_shown->serving))
                                       : QString();
                    }}},
                  QStringLiteral("queue"), m_tools),
              tr("Export the queue over time"));
    m_table = new LatencyTable(this);
    m_facts = new FactList(this);
    m_use = new UseList(this);
    m_publishedBox = new QWidget(this);
    m_published = new TextLabel(TextSize::Caption, ColorRole::Text2, m_publishedBox);
    m_published->setObjectName(QStringLiteral("publishedRun"));
    m_published->setWordWrap(true);
    auto* show = new QPushButton(tr("Show it among the measured"), m_publishedBox);
    show->setObjectName(QStringLiteral("showPublishedRun"));
    show->setProperty("flat", true);
    show->setToolTip(tr("Its times beside the model's; from there it opens as a design, and servers are "
                        "calibrated to measurements"));
    connect(show, &QPushButton::clicked, this, [this] { emit publishedRunRequested(m_publishedLine); });
    auto* published = makeColumn(m_publishedBox, {14, 6, 8, 0}, 2);
    published->addWidget(m_published);
    published->addWidget(show, 0, Qt::AlignLeft);
    m_publishedBox->hide();
    m_plot = new PlotView(this);
    explainCells(
        m_table,
        [this](const QModelIndex& index) -> std::optional<ExplainTarget> {
            const auto metric = LatencyTable::metricAt(index.row(), index.column());
            if (!metric || !m_shown)
                return {};
            return ExplainTarget{m_shown->scenario, std::string(engine::metricSpec(*metric).key)};
        },
        true);
    makeBar();
    m_pages->addWidget(makeResults());
    m_pages->addWidget(makeEmptyPage());
    m_late.setSingleShot(true);
    m_late.setInterval(kLate);
    connect(&m_late, &QTimer::timeout, this, [this] { dim(true); });
    connect(runner, &SimulationRunner::started, this, &ServingPanel::begin);
    connect(runner, &SimulationRunner::finished, this, &ServingPanel::finish);
    connect(runner, &SimulationRunner::progressed, this, [this](std::uint64_t done, std::uint64_t size) {
        m_progress->setValue(
            size > 0 ? static_cast<int>(1000.0 * static_cast<double>(done) / static_cast<double>(size)) : 0);
        m_progressText->setText(tr("Simulating: %1 of %2").arg(countText(done), countText(size)));
        if (!m_shown && m_runner->isBusy())
            m_reason->setText(m_progressText->text());
    });
    connect(document, &Document::reset, this, [this] { m_shown.reset(); }); // not of this design
    m_pages->setCurrentIndex(1);
    m_offers->hide();
    if (runner->isBusy())
        begin();
    refreshNow();
}

void ServingPanel::makeBar() {
    m_headline->setElided(true);
    m_headline->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    m_progress->setTextVisible(false);
    m_progress->setFixedSize(110, 6);
    m_progress->setRange(0, 1000);
    m_progress->setAccessibleName(tr("Progress of the simulation"));
    auto* box = makeRow(m_progressBox, {}, 8);
    box->addWidget(m_progressText);
    box->addWidget(m_progress);
    m_progressBox->hide();
    auto* row = makeBarRow(8);
    row->addWidget(m_headline, 1);
    row->addWidget(m_progressBox);
    row->addWidget(m_export);
}

QWidget* ServingPanel::makeResults() {
    auto* page = new Surface(ColorRole::Surface, false, m_pages);
    m_facts->setContentsMargins(14, 5, 8, 3);
    auto* left = new Surface(ColorRole::Surface, false);
    m_left = makeColumn(left);
    m_left->addWidget(m_table);
    m_left->addWidget(m_facts);
    m_left->addStretch(1);
    auto* leftArea = scrolled(left, page);
    leftArea->setMinimumWidth(kLeftWidth);
    leftArea->setMaximumWidth(m_table->sizeHint().width() +
                              leftArea->verticalScrollBar()->sizeHint().width());
    leftArea->setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded);
    leftArea->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Expanding);
    auto* middle = new Surface(ColorRole::Surface, false);
    makeColumn(middle, {0, 4, 0, 4})->addStretch(1);
    m_useArea = scrolled(middle, page);
    m_useArea->setFixedWidth(kUseWidth);
    m_plot->setMinimumSize(kPlotWidth, 100);

    auto* body = new QWidget(page);
    auto* row = makeRow(body, {0, 0, 4, 2}, 4);
    row->addWidget(leftArea, 100); // as wide as the table wants, before the plot gets more than it needs
    row->addWidget(m_useArea);
    row->addWidget(m_plot, 1);
    auto* column = makeColumn(page);
    column->addWidget(body, 1);
    m_veil = new Veil(body);
    place();
    return page;
}

QWidget* ServingPanel::makeEmptyPage() {
    auto* page = new Surface(ColorRole::Surface, false, m_pages);
    m_reason = new TextLabel(TextSize::Body, ColorRole::Text2, page);
    m_reason->setWordWrap(true);
    m_reason->setAlignment(Qt::AlignCenter);
    m_offers = new ArrivalOffers(m_document, page);
    auto* column = makeColumn(page, {24, 12, 24, 12}, 10);
    column->addStretch(1);
    column->addWidget(m_reason);
    column->addWidget(m_offers, 0, Qt::AlignHCenter);
    column->addStretch(1);
    return page;
}

void ServingPanel::place() {
    auto* column = static_cast<QVBoxLayout*>(m_useArea->widget()->layout());
    const bool wide = width() >= kWide;
    if (wide && column->indexOf(m_use) < 0) {
        column->insertWidget(0, m_use);
        column->insertWidget(1, m_publishedBox);
        m_useArea->show();
    } else if (!wide && m_left->indexOf(m_use) < 0) {
        m_left->insertWidget(2, m_use);
        m_left->insertWidget(3, m_publishedBox);
        m_useArea->hide();
    }
}

void ServingPanel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    place();
}

void ServingPanel::begin() {
    m_progress->setValue(0);
    m_progressText->setText(tr("Simulating"));
    m_late.start();
}

void ServingPanel::dim(bool dimmed) {
    m_progressBox->setVisible(dimmed);
    m_veil->setVisible(dimmed && m_shown);
    if (dimmed && !m_shown) { // there is nothing yet to leave standing
        m_reason->setText(tr("Simulating the requests"));
        m_offers->hide();
        m_pages->setCurrentIndex(1);
    }
}

bool ServingPanel::isDimmed() const {
    return m_veil->isVisibleTo(this);
}

void ServingPanel::finish() {
    m_late.stop();
    dim(false);
    follow();
}

bool ServingPanel::refresh() {
    if (m_runner->isBusy() && !m_runner->run())
        return false; // what is shown stays until there is something else to show
    const auto run = m_runner->run();
    m_pages->setCurrentIndex(run ? 0 : 1);
    m_export->setEnabled(run != nullptr);
    m_export->setVisible(run != nullptr);
    m_offers->setVisible(m_runner->isSteady());
    m_reason->setText(run ? QString() : m_runner->reason());
    if (m_runner->isSteady())
        m_reason->setText(m_reason->text() + QLatin1Char(' ') +
                          tr("Simulate its requests to see how long they wait and what the slowest take."));
    m_headline->setVisible(run != nullptr);
    if (run == m_shown)
        return true;
    m_shown = run;
    m_use->setRun(run);
    if (!run)
        return true;
    const auto& serving = run->scenario.serving;
    m_headline->setText(servingHeadline(*run));
    m_table->setResult(run->serving.result, serving.ttftLimit.value, serving.tpotLimit.value);
    m_facts->setFacts(servingFacts(*run));
    m_plot->setChart(queueChart(*run));
    lookForPublished();
    return true;
}

void ServingPanel::lookForPublished() {
    m_looking.start([this, run = m_shown, catalog = m_document->sharedCatalog()](JobRun& job) -> Job::Show {
        const auto found = publishedNear(run->scenario, *catalog, job.stop());
        return [this, found] {
            m_publishedBox->setVisible(found.has_value());
            m_published->setText(found ? found->words : QString());
            m_publishedLine = found ? found->line : 0;
        };
    });
}

std::vector<ServingFact> ServingPanel::facts() const {
    return m_shown ? servingFacts(*m_shown) : std::vector<ServingFact>();
}

QString ServingPanel::reason() const {
    return m_pages->currentIndex() == 1 ? m_reason->text() : QString();
}

} // namespace heteroscape::widgets

#include "moc_serving_panel.cpp"

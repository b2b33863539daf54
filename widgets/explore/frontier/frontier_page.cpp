// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/frontier/frontier_page.h"

#include "engine/base/parallel.h"
#include "engine/evaluation/evaluate.h"
#include "engine/frontier/frontier_detail.h"
#include "engine/timing/kernels/kernel_catalog.h"
#include "widgets/document/document.h"
#include "widgets/explore/frontier/frontier_bar.h"
#include "widgets/explore/frontier/frontier_charts.h"
#include "widgets/explore/frontier/frontier_side.h"
#include "widgets/explore/frontier/frontier_table.h"
#include "widgets/explore/run_row.h"
#include "widgets/glossary/glossary.h"
#include "widgets/plots/export_button.h"
#include "widgets/plots/notice_bar.h"
#include "widgets/plots/plot_lines.h"
#include "widgets/plots/plot_pointer.h"
#include "widgets/plots/plot_view.h"
#include "widgets/theme/plain_text.h"
#include "widgets/theme/text_label.h"

#include <QComboBox>
#include <QMenu>
#include <QProgressBar>
#include <QPushButton>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>
#include <chrono>
#include <numeric>

namespace heteroscape::widgets {

FrontierTab::FrontierTab(Document* document, QWidget* parent)
    : QWidget(parent), m_document(document), m_tools(new QWidget) {
    for (auto* holder : {static_cast<QWidget*>(this), m_tools}) {
        auto* column = new QVBoxLayout(holder);
        column->setContentsMargins(0, 0, 0, 0);
    }
}

FrontierPage* FrontierTab::page() {
    if (!m_page) {
        m_page = new FrontierPage(m_document, this);
        layout()->addWidget(m_page);
        m_tools->layout()->addWidget(m_page->tools());
        m_page->show(); // now: the layouts would do it by and by
        m_page->tools()->show();
        connect(m_page, &FrontierPage::openDesignRequested, this, &FrontierTab::openDesignRequested);
    }
    return m_page;
}

bool FrontierTab::isBusy() const {
    return isVisible() && m_page && m_page->isBusy();
}

void FrontierTab::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    page()->plot()->setFocus(Qt::OtherFocusReason);
}

namespace {

constexpr std::size_t kChunk = 96; ///< points between two looks at the clock
constexpr int kBarParts = 1000;

/// The chart without the names of its groups: the list of systems beside it has them.
Chart withoutNames(Chart chart) {
    for (auto& group : chart.cloud->groups)
        group.name.clear();
    return chart;
}

/// All points, far from each other one after the other: what is there at any time is all over the plot.
std::vector<std::size_t> scattered(std::size_t count) {
    std::vector<std::size_t> places;
    std::size_t step = std::max<std::size_t>(1, count * 618 / 1000);
    while (std::gcd(step, count) > 1)
        ++step;
    for (std::size_t i = 0, at = 0; i < count; ++i, at = (at + step) % count)
        places.push_back(at);
    return places;
}

QString csvOf(const FrontierView& view) {
    return QString::fromStdString(engine::frontierCsv(view.run->definition, view.run->points, view.onFront,
                                                      *view.details, view.run->measured));
}

QString nameOf(const FrontierView& view, std::size_t place) {
    return QString::fromStdString(view.systemOf(place).name) + QStringLiteral(": ") +
           frontierPointWords(view.point(place));
}

} // namespace

FrontierPage::FrontierPage(Document* document, QWidget* parent)
    : LatePage(parent), m_document(document), m_addMenu(new QMenu(this)),
      m_bar(new FrontierBar(document->catalog(), this)), m_side(new FrontierSide), m_plot(new PlotView(this)),
      m_best(new PlotView(this)), m_layouts(new PlotView(this)), m_rows(new FrontierTableModel(this)) {
    setExport(new ExportButton([this] { return m_named; },
                               {{tr("All points (CSV)\u2026"), QStringLiteral("csv"),
                                 [this] { return m_view ? csvOf(*m_view) : QString(); }}},
                               QStringLiteral("frontier"), this));
    setTerm(this, "study.frontier");
    makeTools();
    layOut();
    connectParts();
}

void FrontierPage::connectParts() {
    for (auto* job : {&m_running, &m_drawing, &m_looking, &m_opening})
        connect(job, &Job::failed, m_notice, &NoticeBar::showError);
    connect(&m_running, &Job::finished, this, [this] {
        m_again->setText(tr("Run again"));
        m_progress->hide();
    });
    const auto pick = [this](ChartPoint point) {
        const auto at = static_cast<std::size_t>(point.index);
        if (point.kind == ChartPoint::Kind::Cloud && m_view && point.index >= 0 && at < m_view->placed.size())
            choose(m_view->placed[at]);
    };
    connect(m_plot, &PlotView::pointClicked, this, pick);
    connect(m_plot, &PlotView::pointActivated, this, [this, pick](ChartPoint point) {
        pick(point);
        if (m_chosen)
            openPoint(*m_chosen);
    });
    const auto& lines = m_plot->pointer().lines();
    connect(&lines, &PlotLines::moving, this, [this](int line, double at) { moveLine(line, at, false); });
    connect(&lines, &PlotLines::moved, this, [this](int line, double at) { moveLine(line, at, true); });
    connect(m_side, &FrontierSide::openRequested, this, [this] { openPoint(*m_chosen); });
    connect(m_side, &FrontierSide::pinRequested, this, [this] { pinPoint(*m_chosen); });
    connect(m_side, &FrontierSide::systemToggled, this, [this](const QString& name, bool on) {
        auto shown = m_definition.shown;
        if (on)
            shown.off.erase(name.toStdString());
        else
            shown.off.insert(name.toStdString());
        changeShown(shown, on ? tr("Show %1 on the frontier").arg(name)
                              : tr("Put %1 away from the frontier").arg(name));
    });
    connect(m_side, &FrontierSide::likeForLikeRequested, this, [this] {
        auto shown = m_definition.shown;
        for (std::size_t i = 0; i < m_definition.systems.size(); ++i)
            if (m_view->isIdealSystem(i))
                shown.off.insert(m_definition.systems[i].name);
        changeShown(shown, tr("Like for like on the frontier"));
    });
    connect(m_side, &FrontierSide::systemRemoved, this, [this](const QString& name) {
        auto to = m_definition;
        std::erase_if(to.systems, [&](const auto& system) { return system.name == name.toStdString(); });
        to.shown.off.erase(name.toStdString());
        change(std::move(to), tr("Take %1 from the frontier").arg(name));
    });
    connect(m_side, &FrontierSide::limitsChanged, this, [this](const QString& which) {
        auto shown = m_definition.shown;
        m_side->putLimits(shown);
        changeShown(shown, tr("Set a limit of the frontier"), QStringLiteral("frontier.") + which);
    });
    connect(m_side, &FrontierSide::drawnChanged, this, [this] {
        m_drawn = m_side->drawn();
        refresh();
    });
    connect(m_bar, &FrontierBar::refused, m_notice, &NoticeBar::showError);
    connect(m_bar, &FrontierBar::changed, this, [this](const QString& which) {
        auto to = m_definition;
        m_bar->put(to);
        change(std::move(to), tr("Change what the frontier is of"), QStringLiteral("frontier.") + which);
    });
    m_addMenu->setObjectName(QStringLiteral("addDesign"));
    connect(m_addMenu, &QMenu::aboutToShow, this, &FrontierPage::fillAddMenu);
    connect(m_document, &Document::changed, this, &FrontierPage::follow);
}

void FrontierPage::run() {
    m_notice->hide();
    m_again->setText(tr("Cancel"));
    m_progress->setValue(0);
    m_progress->show();
    m_ranWith = frontierComputedPart(m_definition);
    m_status->setText(tr("Computing\u2026"));
    m_running.start([this, definition = m_definition,
                     catalog = m_document->sharedCatalog()](JobRun& run) -> Job::Show {
        const auto began = std::chrono::steady_clock::now();
        const engine::GpuServers servers(*catalog, engine::shippedKernels());
        auto now = std::make_shared<FrontierRun>();
        now->definition = definition;
        now->points = engine::frontierGrid(definition, *catalog, servers);
        now->measured = engine::frontierMeasured(definition, *catalog, servers);
        const auto take = [this](std::shared_ptr<const FrontierRun> part) {
            return [this, part = std::move(part)] {
                const bool another = !m_run || m_run->points.size() != part->points.size() ||
                                     m_run->definition.id != part->definition.id;
                if (another)
                    m_chosen.reset();
                m_run = part;
                m_details = std::make_shared<FrontierDetails>();
                showProgress(part->done, part->points.size());
                refresh();
            };
        };
        const auto places = scattered(now->points.size());
        for (std::size_t at = 0; at < places.size() && !run.isStopped(); at += kChunk) {
            const auto count = std::min(kChunk, places.size() - at);
            engine::answerFrontier(now->points, std::span(places).subspan(at, count), definition, *catalog,
                                   servers, engine::coreCount(), run.stop());
            now->done = at + count;
            if (now->done < places.size())
                run.progress(take(std::make_shared<FrontierRun>(*now)));
        }
        now->done = static_cast<std::size_t>(std::count_if(
            now->points.begin(), now->points.end(), [](const auto& point) { return !point.isPending(); }));
        now->seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
        return take(std::move(now));
    });
}

void FrontierPage::cancel() {
    m_running.cancel();
}

void FrontierPage::showProgress(std::size_t done, std::size_t total) {
    m_progress->setValue(total > 0 ? static_cast<int>(kBarParts * done / total) : 0);
    m_status->setText(m_run->seconds > 0 && done == total
                          ? tr("%1 points in %2 s").arg(countText(total)).arg(m_run->seconds, 0, 'f', 1)
                          : tr("%1 of %2 points").arg(countText(done), countText(total)));
}

void FrontierPage::refresh() {
    if (!m_run)
        return;
    m_drawing.start([this, run = m_run, choice = FrontierChoice{m_definition.shown, m_drawn},
                     details = m_details](JobRun&) -> Job::Show {
        auto view = frontierView(run, choice, details);
        return [this, view, plot = frontierChart(view), best = bestAtSpeedChart(*view),
                layouts = layoutsOnFrontChart(*view)] { present(view, plot, best, layouts); };
    });
}

void FrontierPage::present(std::shared_ptr<const FrontierView> view, Chart plot, const Chart& best,
                           const Chart& layouts) {
    const bool keep = m_view && m_view->run->definition.id == view->run->definition.id &&
                      m_view->choice.shown.axis == view->choice.shown.axis &&
                      m_view->choice.shown.along == view->choice.shown.along &&
                      m_view->run->done == view->run->done;
    m_view = std::move(view);
    m_side->setView(m_view, m_shipped);
    m_rows->setView(m_view);
    m_table->resizeColumnsToContents();
    m_named = std::move(plot);
    m_plot->setChart(withoutNames(m_named), keep);
    m_best->setChart(best);
    m_layouts->setChart(layouts);
    QStringList words{tr("%1 on the fronts").arg(countText(m_view->rows.size()))};
    if (m_view->beyond > 0)
        words << tr("%1 beyond a limit").arg(countText(m_view->beyond));
    if (m_view->without > 0)
        words << tr("%1 without an answer").arg(countText(m_view->without));
    m_bar->setCount(words.join(QStringLiteral(", ")));
    if (m_chosen && (*m_chosen >= m_run->points.size() || !m_view->point(*m_chosen).answered()))
        m_chosen.reset();
    showChosen();
    lookAtFronts();
}

void FrontierPage::lookAtFronts() {
    std::vector<std::size_t> places;
    for (const auto place : m_view->rows)
        if (!m_view->detail(place))
            places.push_back(place);
    if (places.empty() || !m_view->run->isDone() || m_view->run != m_run || m_view->details != m_details)
        return;
    m_looking.start([this, run = m_run, known = m_details, places,
                     catalog = m_document->sharedCatalog()](JobRun& job) -> Job::Show {
        const engine::GpuServers servers(*catalog, engine::shippedKernels());
        const auto found = engine::frontierDetails(run->points, places, run->definition, *catalog, servers,
                                                   engine::coreCount(), job.stop());
        auto all = std::make_shared<FrontierDetails>(*known);
        for (std::size_t i = 0; i < places.size(); ++i)
            (*all)[places[i]] = found[i];
        return [this, run, all = std::move(all)] {
            if (run != m_run)
                return;
            m_details = all;
            refresh();
        };
    });
}

void FrontierPage::choose(std::size_t point) {
    if (!m_view || point >= m_view->run->points.size() || !m_view->point(point).answered())
        return;
    m_chosen = point;
    showChosen();
}

void FrontierPage::showChosen() {
    const auto place =
        m_chosen ? std::find(m_view->placed.begin(), m_view->placed.end(), *m_chosen) : m_view->placed.end();
    m_plot->select(place == m_view->placed.end()
                       ? std::nullopt
                       : std::optional(ChartPoint{0, static_cast<int>(place - m_view->placed.begin()),
                                                  ChartPoint::Kind::Cloud}));
    const int row = m_chosen ? m_rows->rowOf(*m_chosen) : -1;
    if (row < 0)
        m_table->clearSelection();
    else if (m_table->currentIndex().row() != row || !m_table->selectionModel()->hasSelection())
        m_table->selectRow(row);
    m_side->showPoint(m_chosen);
}

void FrontierPage::withDesign(std::size_t point, std::function<void(const PointDesign&)> take) {
    if (!m_view || point >= m_view->run->points.size())
        return;
    m_opening.start([view = m_view, point, catalog = m_document->sharedCatalog(),
                     take = std::move(take)](JobRun&) -> Job::Show {
        const engine::GpuServers servers(*catalog, engine::shippedKernels());
        PointDesign found;
        found.name = nameOf(*view, point);
        found.design = engine::frontierScenario(view->run->definition, view->point(point), *catalog, servers);
        found.metrics = engine::evaluate(found.design).metrics;
        return [take, found = std::move(found)] { take(found); };
    });
}

void FrontierPage::openPoint(std::size_t point) {
    withDesign(point, [this](const PointDesign& found) {
        auto design = found.design;
        design.takeKept(m_document->scenario()); // it stays with what is open
        emit openDesignRequested(design, found.name);
    });
}

void FrontierPage::pinPoint(std::size_t point) {
    withDesign(point, [this](const PointDesign& found) {
        m_document->pins().add(found.name, found.design, found.metrics);
        m_notice->showDone(tr("Pinned: %1").arg(found.name));
    });
}

} // namespace heteroscape::widgets

#include "moc_frontier_page.cpp"

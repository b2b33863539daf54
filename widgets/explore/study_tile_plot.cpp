// SPDX-License-Identifier: GPL-3.0-or-later
// What a tile draws.
#include "widgets/explore/study_tile.h"

#include "engine/evaluation/rates.h"
#include "widgets/explain/explanation_popup.h"
#include "widgets/explore/parallel_view.h"
#include "widgets/explore/plot_controls.h"
#include "widgets/explore/plot_tile.h"
#include "widgets/explore/plot_words.h"
#include "widgets/explore/plots/plot_form.h"
#include "widgets/explore/scrub.h"
#include "widgets/explore/study_plot.h"
#include "widgets/explore/study_plot_parts.h"
#include "widgets/jobs/job.h"
#include "widgets/plots/plot_view.h"

#include <QStackedWidget>
#include <QToolButton>

#include <algorithm>
#include <cmath>
#include <utility>

namespace heteroscape::widgets {

namespace {

/// Whether a chart is made on another thread: its designs are evaluated, or its points are many.
bool isDrawnLater(const LoadedStudy& study, engine::PlotKind kind) {
    constexpr std::size_t kManyPoints = 20000;
    return plotForm(kind).evaluates() || study.table.rows() > kManyPoints;
}

/// Which of an axis's places 0, 1, 2… is nearest to a value.
std::optional<double> placeOf(const LoadedStudy& study, const std::string& path, double value) {
    const auto values = axisValues(study, path);
    const auto nearest = std::min_element(values.begin(), values.end(), [value](double a, double b) {
        return std::fabs(a - value) < std::fabs(b - value);
    });
    return nearest == values.end() ? std::nullopt
                                   : std::optional(static_cast<double>(nearest - values.begin()));
}

/// What notes on a plot are kept under: its kind and what it has across and upwards.
std::string noteKeyOf(const engine::StudyPlot& plot) {
    auto key = std::string(plotForm(plot.kind).label) + ": ";
    for (const auto& metric : plot.metrics.empty() ? std::vector{plot.query.metric} : plot.metrics)
        key += metric + ", ";
    return key + "over " + plot.query.x + (plot.query.gain == engine::GainOver{} ? "" : ", as a gain") +
           (plot.query.baseline ? ", as a ratio" : "");
}

} // namespace

const engine::StudyPlot& StudyTile::plot() const {
    return m_controls->plot();
}

void StudyTile::setStudy(std::shared_ptr<const LoadedStudy> study) {
    const bool same = m_study && study && m_study->table.info.id == study->table.info.id;
    m_study = std::move(study);
    m_scrubbed.reset();
    m_controls->setStudy(m_study);
    if (m_study)
        replot(same);
    else {
        m_bands.drop();
        m_step->drop();
        m_later.drop();
    }
}

void StudyTile::setPlot(const engine::StudyPlot& plot) {
    m_scrubbed.reset();
    m_controls->setPlot(plot);
    if (m_study)
        replot();
}

void StudyTile::setPoint(std::optional<std::size_t> row) {
    if (row == m_row)
        return;
    m_row = row;
    if (m_study && plotForm(plot().kind).isTimeline())
        drawTimeline();
}

void StudyTile::showScrubbed(std::shared_ptr<const LoadedStudy> study, const engine::StudyPlot& plot,
                             bool thinned) {
    if (!plotForm(plot.kind).isChart())
        return; // they show the stored points
    m_scrubbed = std::move(study);
    m_scrubbedPlot = plot;
    m_thinned = thinned;
    replot();
}

void StudyTile::showStored() {
    if (!m_scrubbed)
        return;
    m_scrubbed.reset();
    if (m_study)
        replot();
}

void StudyTile::showPosition(std::vector<engine::HeldAxis> moved, std::vector<engine::HeldAxis> others) {
    m_moved = std::move(moved);
    m_held = std::move(others);
    ChartPosition at;
    const auto& chart = m_chart->chart;
    const auto& query = plot().query;
    const auto& study = m_scrubbed ? m_scrubbed : m_study;
    const auto* points = chart.cloud ? chart.cloud->points.get() : nullptr;
    if (study && points && points->x.size() == study->table.rows()) // else the picture is on its way
        at.points = rowsAtSliders(*study, m_moved, m_held, [points](std::size_t row) {
            return std::isfinite(points->x[row]) && std::isfinite(points->y[row]);
        });
    else if (m_study && plotForm(plot().kind).isCut())
        for (const auto& [path, value] : m_moved) {
            if (path == query.x)
                at.x = chart.xNames().empty() ? std::optional(value) : placeOf(*m_study, path, value);
            else if (path == query.curve && chart.heatMap)
                at.y = placeOf(*m_study, path, value);
            else if (const auto place = path == query.curve ? placeOf(*m_study, path, value) : std::nullopt)
                at.curve =
                    curveName(*m_study, query, axisValues(*m_study, path)[static_cast<std::size_t>(*place)]);
        }
    m_view->setPosition(at);
}

void StudyTile::showWords(const QString& words) {
    StudyChart chart;
    chart.chart.title = m_title->text();
    chart.chart.emptyText = words;
    m_chart = std::move(chart);
    m_view->setChart(m_chart->chart);
}

/// What is filtered out is not known of points that are not stored.
const engine::RowMask* StudyTile::keptRows() const {
    return m_scrubbed || m_marks->kept().empty() ? nullptr : &m_marks->kept();
}

void StudyTile::refilterChart() {
    const auto kind = plot().kind;
    if (m_scrubbed || m_study->table.info.axes.empty() || !plotForm(kind).isChart())
        return;
    auto shown = plot();
    shown.query.baseline = m_marks->baseline();
    if (isDrawnLater(*m_study, kind)) {
        drawLater(m_study, shown, true);
        return;
    }
    if (shown.bands && !bandsReady(*m_study, shown, keptRows())) {
        if (plotForm(kind).isOfEveryPoint()) // of other fronts; curves have theirs on the way
            prepareBandsOf(m_study, shown);
        else
            shown.bands = false;
    }
    m_chart.change(
        [&](StudyChart& chart) { refilter(chart, *m_study, shown, keptRows(), &m_marks->limits()); });
    m_view->setChart(m_chart->chart, true);
    showSelected();
}

void StudyTile::replot(bool keepView) {
    if (!m_study || (m_study->table.info.axes.empty() && !plotForm(plot().kind).isOfDesigns()))
        return;
    const auto kind = plot().kind;
    const auto& form = plotForm(kind);
    if (!isDrawnLater(m_scrubbed ? *m_scrubbed : *m_study, kind)) {
        m_later.drop();
        m_drawn.reset();
    }
    showControls();
    m_fit->setEnabled(form.isChart());
    if (form.isTimeline())
        drawTimeline();
    else if (!form.isChart())
        drawParallel();
    else
        drawChart(m_scrubbed ? *m_scrubbed : *m_study, m_scrubbed ? m_scrubbedPlot : plot(), keepView);
}

void StudyTile::drawChart(const LoadedStudy& study, const engine::StudyPlot& wanted, bool keepView) {
    auto shown = wanted;
    shown.query.baseline = m_marks->baseline();
    m_view->notes().setPlot(noteKeyOf(shown));
    m_title->setText(plotTitle(study, shown));
    QStringList notes{plotNote(study, shown)};
    if (m_scrubbed)
        notes << (m_scrubbed->store.empty() ? tr("scrubbed, not stored") : tr("scrubbed"));
    if (m_scrubbed && m_thinned)
        notes << tr("of some values of its axes");
    notes.removeAll(QString());
    m_note->setText(notes.join(QStringLiteral("; ")));
    m_pages->setCurrentIndex(isSimulated(shown.query.metric) && study.isSteady() ? kSteady : kChart);
    if (isDrawnLater(study, shown.kind)) {
        drawLater(study.shared_from_this(), shown, keepView);
        return;
    }
    auto drawn = shown;
    const bool ready = !shown.bands || bandsReady(study, shown, keptRows());
    drawn.bands =
        shown.bands && (ready || plotForm(shown.kind).isOfEveryPoint()); // of fronts as far as known
    const engine::Shared<StudyChart> chart(studyChart(study, drawn, keptRows(), &m_marks->limits()));
    if (!ready && !m_bandsAsked)
        prepareBandsOf(study.shared_from_this(), shown);
    present(chart, chart->chart, keepView);
}

void StudyTile::present(engine::Shared<StudyChart> chart, Chart drawn, bool keepView) {
    // What showed all shows all of what is there now. The chart before may be of a million points.
    letGoOf(m_view->setChart(std::move(drawn), keepView && !m_view->view().whole));
    letGoOf(std::exchange(m_chart, std::move(chart)));
    showSelected();
    showPosition(std::move(m_moved), std::move(m_held)); // among what is drawn now
}

/// What is shown stays until the new picture is there, if it is of the same kind and study.
void StudyTile::drawLater(std::shared_ptr<const LoadedStudy> study, const engine::StudyPlot& plot,
                          bool keepView) {
    const auto isLike = [](const Drawn& drawn, const Drawn& wanted) {
        return drawn.plot.kind == wanted.plot.kind &&
               drawn.study->table.info.id == wanted.study->table.info.id;
    };
    Drawn wanted{std::move(study), plot};
    if (!m_drawn || !isLike(*m_drawn, wanted)) {
        m_drawn.reset();
        showWords(plotForm(plot.kind).evaluates() ? tr("Evaluating the designs") : tr("Drawing"));
    }
    const auto* rows = keptRows();
    // What stays of a cloud while it is brushed is not placed anew.
    auto before = m_drawn == wanted ? std::optional(m_chart) : std::nullopt;
    m_later.start([this, wanted = std::move(wanted), before = std::move(before), keepView, isLike,
                   kept = rows ? std::optional(*rows) : std::nullopt,
                   limits = m_marks->limits()](JobRun& run) -> Job::Show {
        const auto* mask = kept ? &*kept : nullptr;
        StudyChart chart;
        if (before && (*before)->chart.cloud) {
            chart = **before;
            refilter(chart, *wanted.study, wanted.plot, mask, &limits);
        } else {
            chart = studyChart(*wanted.study, wanted.plot, mask, &limits, run.stop());
        }
        auto drawn = std::make_shared<Chart>(chart.chart); // the view's own: copied here, it may be large
        return [this, wanted, keepView, isLike, drawn, chart = engine::Shared<StudyChart>(std::move(chart))] {
            if (wanted.study != (m_scrubbed ? m_scrubbed : m_study))
                return; // another picture is on its way
            const bool keep = keepView && m_drawn && isLike(*m_drawn, wanted);
            m_drawn = wanted;
            present(chart, std::move(*drawn), keep);
        };
    });
}

void StudyTile::prepareBandsOf(std::shared_ptr<const LoadedStudy> study, const engine::StudyPlot& plot) {
    const auto* rows = keptRows();
    m_bands.start([this, study = std::move(study), plot,
                   kept = rows ? std::optional(*rows) : std::nullopt](JobRun& run) -> Job::Show {
        prepareBands(*study, plot, run.stop(), kept ? &*kept : nullptr);
        return [this, study] {
            if (study != (m_scrubbed ? m_scrubbed : m_study))
                return;
            m_bandsAsked = true; // what is not there now has no bands
            replot(true);
            m_bandsAsked = false;
        };
    });
}

void StudyTile::drawParallel() {
    std::vector<std::string> columns;
    for (const auto& axis : m_study->table.info.axes)
        columns.push_back(axis.path);
    columns.insert(columns.end(), plot().metrics.begin(), plot().metrics.end());
    m_title->setText(plot().title.empty() ? tr("Parallel coordinates")
                                          : QString::fromStdString(plot().title));
    m_note->setText(tr("drag along an axis to filter"));
    m_parallel->setAccessibleName(m_title->text());
    m_parallel->setColumns(std::move(columns));
    m_pages->setCurrentIndex(kParallel);
}

void StudyTile::drawTimeline() {
    m_title->setText(plot().title.empty() ? tr("Step timeline") : QString::fromStdString(plot().title));
    m_pages->setCurrentIndex(kTimeline);
    const auto row = m_row && *m_row < m_study->table.rows() ? m_row : std::nullopt;
    m_note->setText(row ? m_study->nameOf(*row) : QString());
    m_step->showStep(*m_study, row, plot().without);
}

void StudyTile::showSelected() {
    const auto row = m_scrubbed ? std::nullopt : m_marks->selected();
    m_view->select(row ? m_chart->pointOf(*row) : std::nullopt);
}

void StudyTile::explain(ChartPoint point, QPoint globalAt) {
    const auto& study = m_scrubbed ? m_scrubbed : m_study;
    const auto row = m_chart->rowOf(point);
    // Of several metrics the first, of a scatter plot the one upwards.
    const auto& metrics = plot().metrics;
    auto metric = plotForm(plot().kind).isCloud() && metrics.size() > 1 ? metrics[1] : query().metric;
    if (const auto like = engine::rateLike(metric))
        metric = std::string(engine::metricSpec(*like).key);
    if (!engine::findMetric(metric))
        metric = "latency_s"; // of breakdowns and rooflines, and what metrics of nodes lead to
    if (study && row)
        ExplanationPopup::show(study->scenarioOf(*row), metric, globalAt, this);
}

void StudyTile::moveLimit(int line, double at, bool done) {
    auto limits = m_marks->limits();
    for (const auto& [place, limit, most] : m_chart->limitLines)
        if (static_cast<int>(place) == line && limit < limits.size()) {
            (most ? limits[limit].most : limits[limit].least) = at;
            done ? m_marks->setLimits(std::move(limits)) : m_marks->tryLimits(std::move(limits));
            return;
        }
}

void StudyTile::brushBox(const QRectF& box) {
    if (m_scrubbed || !m_study)
        return;
    if (box.isNull()) { // a click beside everything
        m_marks->clearBrush();
        return;
    }
    const auto brushed = plotForm(plot().kind).brushed;
    if (!brushed)
        return;
    auto stretches = brushed(*m_study, plot(), box);
    // What is read as a ratio is brushed in ratios.
    for (auto& stretch : stretches)
        if (const auto& baseline = m_marks->baseline();
            baseline && baseline->metrics.contains(stretch.column))
            for (auto* end : {&stretch.least, &stretch.most})
                *end *= baseline->metrics.at(stretch.column);
    m_marks->brush(std::move(stretches));
}

} // namespace heteroscape::widgets

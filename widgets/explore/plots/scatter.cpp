// SPDX-License-Identifier: GPL-3.0-or-later
// Scatter plots of a study: every row is a point.
#include "engine/base/error.h"
#include "engine/plotting/pareto.h"
#include "engine/units/number_text.h"
#include "widgets/document/metric_text.h"
#include "widgets/explore/plot_words.h"
#include "widgets/explore/plots/fronts.h"
#include "widgets/explore/study_plot_parts.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace heteroscape::widgets {

namespace {

constexpr std::size_t kHues = 8;      // of groups that are told apart by hue
constexpr std::size_t kMostNamed = 8; // shades in the legend
constexpr std::size_t kMostGroups = 250;
constexpr std::size_t kInHeading = 2; // axes that name a point; what they are is clear from their values

void addGroups(StudyChart& out, CloudPoints& points, const LoadedStudy& study, const std::string& axis) {
    auto& cloud = *out.chart.cloud;
    if (axis.empty()) {
        cloud.groups = {{QString(), ChartColor::series(0)}};
        return;
    }
    const auto& column = *study.table.find(axis);
    const auto values = axisValues(study, axis);
    const auto count = std::min(values.size(), kMostGroups);
    points.group.resize(study.table.rows());
    for (std::size_t row = 0; row < points.group.size(); ++row) {
        const auto at = std::lower_bound(values.begin(), values.end(), column.values[row]) - values.begin();
        points.group[row] = static_cast<std::uint8_t>(
            values.size() <= kMostGroups ? static_cast<std::size_t>(at)
                                         : static_cast<std::size_t>(at) * (kMostGroups - 1) / values.size());
    }
    points.groupValue = [weak = study.weak_from_this(), axis](std::size_t row) {
        const auto held = weak.lock();
        if (!held || row >= held->table.rows())
            return QString();
        const auto& own = *held->table.find(axis);
        return own.isChoice() ? curveName(*held, own, own.values[row])
                              : QString::fromStdString(engine::exactText(own.values[row]));
    };
    const bool shades = !column.isChoice() && values.size() > 4;
    const auto step = (count + kMostNamed - 1) / kMostNamed;
    cloud.unnamed = values.size();
    for (std::size_t i = 0; i < count; ++i) {
        const double value = values[values.size() <= kMostGroups ? i : i * values.size() / kMostGroups];
        const bool named = !shades || i % step == 0 || i + 1 == count;
        cloud.unnamed -= named ? 1 : 0;
        cloud.groups.push_back(
            {named ? curveName(study, column, value) : QString(),
             shades ? ChartColor::shade(static_cast<double>(i) /
                                        static_cast<double>(std::max<std::size_t>(1, count - 1)))
                    : ChartColor::series(static_cast<int>(i % kHues))});
    }
    out.chart.legendTitle = isSwitch(column.names) ? QString() : columnLabel(column);
}

/// What names a point, from its study as long as that is there.
auto factsOf(const LoadedStudy& study) {
    return [weak = study.weak_from_this()](std::size_t row) {
        std::vector<std::pair<QString, QString>> facts;
        const auto held = weak.lock();
        if (!held || row >= held->table.rows())
            return facts;
        for (const auto& axis : held->table.info.axes) {
            const auto& column = *held->table.find(axis.path);
            const bool names = facts.size() < kInHeading && column.isChoice() && !isSwitch(column.names);
            facts.emplace_back(names ? QString() : QString::fromStdString(column.label),
                               held->textWithUnit(column, column.values[row]));
        }
        if (const auto* truth = held->table.find("truth"))
            facts.emplace_back(QString::fromStdString(truth->label), held->text(*truth, truth->values[row]));
        return facts;
    };
}

/// The points that may be on the front: those that are not beaten by the best of a stretch that is better
/// across. Of a million points it leaves a few hundred to sort.
std::vector<std::size_t> candidates(const ChartCloud& cloud, int betterX, int betterY) {
    constexpr std::size_t kStretches = 4096;
    const auto& points = *cloud.points;
    std::vector<std::size_t> found;
    if (points.xExtremes.empty())
        return found;
    const double least = points.xExtremes.front(), most = points.xExtremes.back();
    const double scale = most > least ? static_cast<double>(kStretches - 1) / (most - least) : 0;
    constexpr double kNothing = -std::numeric_limits<double>::infinity();
    constexpr std::uint16_t kNowhere = 0xffff;
    const auto* kept = cloud.kept.empty() ? nullptr : cloud.kept.data();
    std::vector<double> best(kStretches + 1, kNothing); // of y, above all that is before a stretch
    std::vector<std::uint16_t> stretches(points.x.size(), kNowhere); // the best across first
    for (std::size_t i = 0; i < stretches.size(); ++i) {
        const double x = points.x[i], y = points.y[i];
        if ((kept && !kept[i]) || !std::isfinite(x) || !std::isfinite(y))
            continue;
        const auto stretch = static_cast<std::uint16_t>((betterX < 0 ? x - least : most - x) * scale);
        stretches[i] = stretch;
        if (betterY * y > best[stretch + 1U])
            best[stretch + 1U] = betterY * y;
    }
    for (std::size_t i = 1; i < best.size(); ++i)
        best[i] = std::max(best[i], best[i - 1]);
    for (std::size_t i = 0; i < stretches.size(); ++i)
        if (stretches[i] != kNowhere && betterY * points.y[i] > best[stretches[i]])
            found.push_back(i);
    return found;
}

std::vector<std::size_t> frontOf(const ChartCloud& cloud, const std::vector<std::string>& metrics) {
    const auto& points = *cloud.points;
    const bool three = metrics.size() > 2 && !points.size.empty();
    const int betterX = directionOf(metrics[0]), betterY = directionOf(metrics[1]);
    std::vector<std::size_t> rows;
    if (three) {
        for (std::size_t i = 0; i < points.x.size(); ++i)
            if (cloud.isKept(i) && std::isfinite(points.x[i]) && std::isfinite(points.y[i]))
                rows.push_back(i);
    } else {
        rows = candidates(cloud, betterX, betterY);
    }
    const auto take = [&rows](const std::vector<double>& from) {
        std::vector<double> values;
        values.reserve(rows.size());
        for (const auto row : rows)
            values.push_back(from[row]);
        return values;
    };
    const auto x = take(points.x), y = take(points.y),
               size = three ? take(points.size) : std::vector<double>();
    std::vector<engine::Objective> objectives{{x, betterX}, {y, betterY}};
    if (three)
        objectives.push_back({size, directionOf(metrics[2])});
    std::vector<std::size_t> front;
    for (const auto i : engine::paretoFront(objectives))
        front.push_back(rows[i]);
    std::stable_sort(front.begin(), front.end(),
                     [&points](auto a, auto b) { return points.x[a] < points.x[b]; });
    return front;
}

/// A limit of what lies across or upwards as a line that can be moved.
void addLimitLine(StudyChart& out, const engine::Limit& limit, std::size_t place, bool most, bool vertical) {
    const double at = most ? limit.most : limit.least;
    if (!std::isfinite(at))
        return;
    auto& chart = out.chart;
    const auto& axis = vertical ? chart.x : chart.y;
    ChartReference line;
    line.label = PlotWords::tr("limit: %1")
                     .arg(withUnit(QString::fromStdString(engine::shortText(at * axis.shown.factor, 3)),
                                   unitOf(axis.shownLabel())));
    line.at = at;
    line.color = ChartColor::role(ColorRole::Error);
    line.dash = ChartDash::Solid;
    line.vertical = vertical;
    line.pill = line.movable = true;
    line.outside = most ? 1 : -1;
    out.limitLines.push_back({chart.references.size(), place, most});
    chart.references.push_back(std::move(line));
}

/// What a plot is read against: a baseline, limits, a goal.
void addReferences(StudyChart& out, const PlotDrawing& of) {
    auto& chart = out.chart;
    chart.references.clear();
    out.limitLines.clear();
    const auto& plot = of.plot;
    if (plot.query.baseline) {
        for (const bool vertical : {false, true})
            chart.references.push_back({.label = vertical ? QString() : baselineName(*plot.query.baseline),
                                        .at = 1.0,
                                        .color = ChartColor::role(ColorRole::Baseline),
                                        .vertical = vertical});
        return; // limits are no ratios
    }
    for (std::size_t i = 0; i < of.limits.size(); ++i)
        for (std::size_t axis = 0; axis < std::min<std::size_t>(2, plot.metrics.size()); ++axis)
            if (of.limits[i].column == plot.metrics[axis])
                for (const bool most : {false, true})
                    addLimitLine(out, of.limits[i], i, most, axis == 0);
    if (plot.goal > 0)
        chart.references.push_back({.label = PlotWords::tr("goal: %1")
                                                 .arg(withUnit(QString::fromStdString(engine::shortText(
                                                                   plot.goal * chart.x.shown.factor, 3)),
                                                               unitOf(chart.x.shownLabel()))),
                                    .at = plot.goal,
                                    .color = ChartColor::role(ColorRole::Muted),
                                    .vertical = true,
                                    .pill = true});
}

/// What was measured of the same, on the same axes.
void addMeasured(StudyChart& out, const LoadedStudy& study, const engine::StudyPlot& plot) {
    constexpr double kMeasuredPoint = 9.0; // px
    auto& chart = out.chart;
    chart.marks.clear();
    const auto* column = plot.query.curve.empty() ? nullptr : study.table.find(plot.query.curve);
    for (const auto& measured : study.measured) {
        const auto valueOf = [&](const std::string& metric) {
            const auto found = measured.values.find(metric);
            return found == measured.values.end() ? engine::kUnset : found->second;
        };
        const double x = valueOf(plot.metrics[0]), y = valueOf(plot.metrics[1]);
        if (!plot.measured || plot.query.baseline || !std::isfinite(x) || !std::isfinite(y))
            continue;
        ChartMark mark;
        mark.name = PlotWords::tr("Measured: %1").arg(measured.name);
        mark.x = x;
        mark.y = y;
        mark.diameter = kMeasuredPoint;
        std::size_t group = 0;
        if (column && column->isChoice())
            group = static_cast<std::size_t>(
                std::find(column->names.begin(), column->names.end(), measured.group) -
                column->names.begin());
        if (group < chart.cloud->groups.size()) {
            mark.shape = chart.cloud->groups[group].marker;
            mark.color = chart.cloud->groups[group].color;
        }
        mark.readOut = measured.facts;
        chart.marks.push_back(std::move(mark));
    }
}

/// Level where nothing better is reached yet, then straight to the next point.
void addSteps(ChartCloud& cloud, int betterX) {
    for (const auto i : cloud.front) {
        const double x = cloud.points->x[i], y = cloud.points->y[i];
        if (!cloud.frontX.empty()) {
            cloud.frontX.push_back(betterX < 0 ? x : cloud.frontX.back());
            cloud.frontY.push_back(betterX < 0 ? cloud.frontY.back() : y);
        }
        cloud.frontX.push_back(x);
        cloud.frontY.push_back(y);
    }
}

void drawCloud(StudyChart& out, const LoadedStudy& study, const engine::StudyPlot& plot) {
    auto& chart = out.chart;
    for (const auto& metric : plot.metrics)
        if (!study.table.find(metric))
            throw engine::Error(engine::ErrorCode::NotFound, "study \"" + study.table.info.name + "\"",
                                "it has no column \"" + metric + "\"", {});
    const auto& upwards = plot.metrics.size() > 1 ? plot.metrics[1] : plot.metrics[0];
    chart.x.label = metricLabel(study, plot.query, plot.metrics[0]);
    chart.y.label = metricLabel(study, plot.query, upwards);
    chart.x.shown = metricUnit(study, plot.query, plot.metrics[0]);
    chart.y.shown = metricUnit(study, plot.query, upwards);
    chart.x.log = plot.logAcross;
    chart.y.log = plot.logValues;
    auto points = std::make_shared<CloudPoints>();
    points->x = rowValues(study, plot.query, plot.metrics[0]);
    points->y = rowValues(study, plot.query, upwards);
    chart.cloud.emplace();
    if (plot.metrics.size() > 2) {
        points->size = rowValues(study, plot.query, plot.metrics[2]);
        points->sizeExtremes = CloudPoints::extremes(points->size);
        if (points->sizeExtremes.empty())
            points->size.clear();
        chart.cloud->sizeLabel = metricLabel(study, plot.query, plot.metrics[2]);
        chart.cloud->shownSize = metricUnit(study, plot.query, plot.metrics[2]);
    }
    points->xExtremes = CloudPoints::extremes(points->x);
    points->yExtremes = CloudPoints::extremes(points->y);
    points->facts = factsOf(study);
    addGroups(out, *points, study, plot.query.curve);
    if (study.truths.areIdealAmongOthers())
        for (const double truth : study.table.find("truth")->values)
            chart.cloud->pale.push_back(truth == static_cast<double>(engine::Truth::Ideal) ? 1 : 0);
    chart.cloud->points = std::move(points);
}

/// What it keeps, its front and its optimum.
void filterCloud(StudyChart& out, const engine::StudyPlot& plot, const engine::RowMask* kept) {
    auto& chart = out.chart;
    auto& cloud = *chart.cloud;
    const auto& points = *cloud.points;
    cloud.kept = kept && kept->size() == points.x.size() ? *kept : engine::RowMask();
    cloud.front.clear();
    cloud.frontX.clear();
    cloud.frontY.clear();
    chart.stars.clear();
    if (plot.pareto && plot.metrics.size() > 1) {
        cloud.front = frontOf(cloud, plot.metrics);
        if (plot.metrics.size() == 2)
            addSteps(cloud, directionOf(plot.metrics[0]));
        cloud.frontLabel = cloud.front.size() == 1
                               ? PlotWords::tr("Pareto front, one design")
                               : PlotWords::tr("Pareto front, %1 designs").arg(cloud.front.size());
        if (const auto ideal = std::count_if(cloud.front.begin(), cloud.front.end(),
                                             [&](std::size_t row) { return cloud.isPale(row); });
            ideal > 0)
            cloud.frontLabel = PlotWords::tr("%1, %2 of them ideal").arg(cloud.frontLabel).arg(ideal);
    }
    if (!plot.optimum || plot.metrics.size() < 2)
        return;
    const int better = directionOf(plot.metrics[1]);
    std::optional<std::size_t> best;
    for (const auto i : cloud.front) // the best upwards is on it
        if (!best || better * points.y[i] > better * points.y[*best])
            best = i;
    for (std::size_t i = 0; cloud.front.empty() && i < points.x.size(); ++i)
        if (cloud.isKept(i) && std::isfinite(points.x[i]) && std::isfinite(points.y[i]) &&
            (!best || better * points.y[i] > better * points.y[*best]))
            best = i;
    if (best)
        chart.stars.push_back(
            {.label = withUnit(
                 QString::fromStdString(engine::shortText(points.y[*best] * chart.y.shown.factor, 3)),
                 plot.query.baseline ? QStringLiteral("×") : unitOf(chart.y.shownLabel())),
             .x = points.x[*best],
             .y = points.y[*best]});
}

} // namespace

void settleScatter(engine::StudyPlot& plot, const engine::StudyTable& table);
/// A metric across, another upwards, at most one more as the size. The one upwards is, if the table has it,
/// what is gained or paid for the first.
void settleScatter(engine::StudyPlot& plot, const engine::StudyTable& table) {
    std::vector<std::string> metrics;
    const auto take = [&](const std::string& key) {
        const auto* column = table.find(key);
        const bool there =
            column && (table.partial || std::any_of(column->values.begin(), column->values.end(),
                                                    [](double v) { return std::isfinite(v); }));
        if (metrics.size() < 2 && there && std::find(metrics.begin(), metrics.end(), key) == metrics.end())
            metrics.push_back(key);
    };
    metrics.push_back(plot.metrics.front());
    if (plot.metrics.size() > 1)
        metrics.push_back(plot.metrics[1]);
    for (const char* key : {"throughput_tok_s", "latency_s", "tpot_s"})
        take(key);
    if (metrics.size() < 2) // nothing else is there: against itself, a line
        metrics.push_back(metrics.front());
    if (plot.metrics.size() > 2)
        metrics.push_back(plot.metrics[2]);
    plot.metrics = std::move(metrics);
}

namespace {

QString scatterTitle(const LoadedStudy& study, PlotForm::Plot plot) {
    if (plot.metrics.size() < 2)
        return {};
    const auto label = [&](std::size_t i) {
        return QString::fromStdString(study.table.find(plot.metrics[i])->label);
    };
    return PlotWords::tr("%1 against %2").arg(label(1), inSentence(label(0)));
}

bool refilterScatter(StudyChart& drawn, const PlotDrawing& of) {
    if (!drawn.chart.cloud)
        return false;
    filterCloud(drawn, of.plot, of.kept);
    if (of.plot.groupFronts)
        addFronts(drawn, of.study, of.plot, of.kept);
    addReferences(drawn, of);
    addMeasured(drawn, of.study, of.plot);
    return true;
}

void drawScatter(StudyChart& out, const PlotDrawing& of) {
    drawCloud(out, of.study, of.plot);
    refilterScatter(out, of);
}

Stretches brushedScatter(const LoadedStudy&, PlotForm::Plot plot, const QRectF& box) {
    Stretches stretches{{plot.query.metric, box.left(), box.right()}};
    if (plot.metrics.size() > 1)
        brushMetric(stretches, plot, plot.metrics[1], box);
    return stretches;
}

} // namespace

extern const PlotForm scatterForm;
const PlotForm scatterForm{.label = QT_TRANSLATE_NOOP("heteroscape::widgets::StudyTile", "Scatter"),
                           .shows = PlotForm::Shows::Points,
                           .curves = QT_TRANSLATE_NOOP("heteroscape::widgets::StudyTile", "Colour"),
                           .by = QT_TRANSLATE_NOOP("heteroscape::widgets::StudyTile", "by"),
                           .metrics = 2,
                           .marks = {&engine::StudyPlot::logAcross, &engine::StudyPlot::logValues,
                                     &engine::StudyPlot::optimum, &engine::StudyPlot::pareto,
                                     &engine::StudyPlot::groupFronts, &engine::StudyPlot::frontsOnly,
                                     &engine::StudyPlot::bands, &engine::StudyPlot::measured},
                           .title = scatterTitle,
                           .settle = settleScatter,
                           .draw = drawScatter,
                           .refilter = refilterScatter,
                           .brushed = brushedScatter};

} // namespace heteroscape::widgets

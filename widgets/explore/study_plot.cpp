// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/study_plot.h"

#include "engine/base/error.h"
#include "widgets/document/truth_text.h"
#include "widgets/explore/plot_words.h"
#include "widgets/explore/plots/plot_form.h"
#include "widgets/explore/study_plot_parts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

// Curves as a table, and why a place of it has no value.
namespace heteroscape::widgets {

namespace {

constexpr std::size_t kMostExplained = 256; ///< rows of a plot that are evaluated again

const double kNone = std::numeric_limits<double>::quiet_NaN();

std::size_t positionOf(const std::vector<double>& values, double value) {
    return static_cast<std::size_t>(std::lower_bound(values.begin(), values.end(), value) - values.begin());
}

LoadedStudy::Obstacle obstacleOf(const LoadedStudy& study, const engine::SeriesQuery& query,
                                 std::size_t row) {
    if (row == StudyChart::kNoRow)
        return {PlotWords::tr("Not computed yet")};
    if (study.table.find("feasible")->values[row] != 1.0)
        return study.obstacle(row);
    return {!query.meanOver.empty() ? PlotWords::tr("A point of the mean is not feasible")
            : !query.gain.axis.empty()
                ? PlotWords::tr("The base of the gain is not feasible, or a quantity is "
                                "not set")
                : PlotWords::tr("It needs a quantity that is not set")};
}

} // namespace

Grid gridOf(const LoadedStudy& study, const engine::SeriesQuery& query) {
    Grid grid{axisValues(study, query.x),
              query.curve.empty() ? std::vector{kNone} : axisValues(study, query.curve),
              {},
              {}};
    if (!query.cases.empty()) {
        grid.curves.resize(query.cases.size());
        std::iota(grid.curves.begin(), grid.curves.end(), 0.0);
    }
    grid.values.assign(grid.curves.size(), std::vector<double>(grid.columns.size(), kNone));
    grid.rows.assign(grid.curves.size(), std::vector<std::size_t>(grid.columns.size(), StudyChart::kNoRow));
    for (const auto& series : engine::studySeries(study.table, query)) {
        const bool several = !query.curve.empty() || !query.cases.empty();
        const auto row = several ? positionOf(grid.curves, series.curveValue) : 0;
        for (std::size_t i = 0; i < series.x.size(); ++i) {
            const auto column = positionOf(grid.columns, series.x[i]);
            grid.values[row][column] = series.y[i];
            grid.rows[row][column] = series.rows[i];
        }
    }
    return grid;
}

QString gapReason(const LoadedStudy& study, const engine::SeriesQuery& query, std::size_t row) {
    return obstacleOf(study, query, row).reason;
}

QString Gaps::reason(std::size_t row) {
    const auto [at, isNew] = m_known.try_emplace(row);
    if (!isNew || m_known.size() > kMostExplained)
        return at->second;
    const auto obstacle = obstacleOf(m_study, m_query, row);
    m_doNotFit += obstacle.memory ? 1 : 0;
    return at->second = obstacle.reason;
}

QString Gaps::word() const {
    return !m_known.empty() && m_doNotFit == m_known.size() ? PlotWords::tr("does not fit") : QString();
}

namespace {

const engine::Axis* axisOf(const engine::StudyTable& table, const std::string& path) {
    for (const auto& axis : table.info.axes)
        if (axis.path == path)
            return &axis;
    return nullptr;
}

bool holds(const engine::Axis& axis, double value) {
    return std::find(axis.values.begin(), axis.values.end(), value) != axis.values.end();
}

bool isThere(const engine::HeldAxis& held, const engine::StudyTable& table) {
    const auto* axis = axisOf(table, held.first);
    return axis && holds(*axis, held.second);
}

/// Cases stand in place of an axis of curves; what is across cannot be part of them.
void settleCases(engine::StudyPlot& plot, const engine::StudyTable& table) {
    auto& query = plot.query;
    const bool fits = plotForm(plot.kind).combines && !query.inCases(query.x);
    std::erase_if(query.cases, [&](const engine::SeriesCase& one) {
        return !fits || !std::all_of(one.at.begin(), one.at.end(),
                                     [&](const auto& held) { return isThere(held, table); });
    });
    if (!query.cases.empty())
        query.curve.clear();
}

void dropUnknown(std::vector<std::string>& metrics, const engine::StudyTable& table) {
    std::erase_if(metrics, [&table](const auto& key) {
        const auto* column = table.find(key);
        return !column || !isMetric(*column);
    });
}

} // namespace

engine::StudyPlot firstPlot(const engine::StudyTable& table, const std::string& wanted) {
    engine::StudyPlot plot;
    const auto* column = table.find(wanted);
    const bool known = column && std::any_of(column->values.begin(), column->values.end(),
                                             [](double value) { return std::isfinite(value); });
    const std::string metric = known ? wanted : "latency_s";
    const auto& axes = table.info.axes;
    plot.query.x = axes.empty() ? "" : axes[0].path;
    plot.query.curve = axes.size() > 1 ? axes[1].path : "";
    plot.query.metric = metric;
    plot.metrics = {metric};
    plot.optimum = true;
    return plot;
}

void settle(engine::StudyPlot& plot, const engine::StudyTable& table, HeldValues& held) {
    auto& query = plot.query;
    const auto& axes = table.info.axes;
    if (!axisOf(table, query.x)) {
        const auto other = std::find_if(axes.begin(), axes.end(),
                                        [&](const auto& axis) { return axis.path != query.curve; });
        query.x = other == axes.end() ? "" : other->path;
    }
    if (!axisOf(table, query.curve) || query.curve == query.x)
        query.curve.clear();
    const auto& form = plotForm(plot.kind);
    if (!form.isCut()) {
        query.gain = {};
        query.meanOver.clear();
        query.cases.clear();
        plot.rightMetrics.clear();
    }
    if (!form.curves)
        query.curve.clear();
    dropUnknown(plot.metrics, table);
    dropUnknown(plot.rightMetrics, table);
    if (plot.metrics.empty())
        plot.metrics = {std::string(engine::metricSpecs().front().key)};
    if (form.settle)
        form.settle(plot, table);
    settleCases(plot, table);
    query.metric = plot.metrics.front();
    if (!isThere({query.gain.axis, query.gain.value}, table))
        query.gain = {};
    std::erase_if(query.gain.further, [&](const auto& other) { return !isThere(other, table); });
    std::erase_if(query.meanOver, [&](const auto& path) {
        return !axisOf(table, path) || path == query.x || path == query.curve || query.inCases(path);
    });
    for (const auto& [path, value] : query.fixed)
        held[path] = value;
    query.fixed.clear();
    if (form.isOfEveryPoint())
        return;
    for (const auto& axis : axes) {
        const bool averaged =
            std::find(query.meanOver.begin(), query.meanOver.end(), axis.path) != query.meanOver.end();
        if (axis.path == query.x || axis.path == query.curve || query.inCases(axis.path) || averaged)
            continue;
        auto& value = held.try_emplace(axis.path, axis.values.front()).first->second;
        if (!holds(axis, value))
            value = axis.values.front();
        if (axis.path == query.gain.axis && query.gain.further.empty() &&
            value == query.gain.value) // the gain over itself is 1
            value = *std::find_if(axis.values.rbegin(), axis.values.rend() - 1,
                                  [&query](double other) { return other != query.gain.value; });
        query.fixed.emplace_back(axis.path, value);
    }
}

namespace {

std::optional<ChartPoint> found(const std::vector<std::vector<std::size_t>>& rows, std::size_t row,
                                ChartPoint::Kind kind) {
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (const auto at = std::find(rows[i].begin(), rows[i].end(), row); at != rows[i].end())
            return ChartPoint{static_cast<int>(i), static_cast<int>(at - rows[i].begin()), kind};
    return {};
}

/// Sizes and counts double from one to the next, whatever values a study gives them.
bool doubles(const engine::StudyColumn& column) {
    static constexpr std::array kUnits{"B", "kB", "KB", "MB", "GB"};
    return column.name.ends_with(".count") ||
           std::find(kUnits.begin(), kUnits.end(), column.unit) != kUnits.end();
}

/// Doublings, and anything over two decades, are read best on a log axis.
bool wantsLog(const engine::StudyColumn& column, const std::vector<double>& values) {
    if (values.size() < 2 || !(values.front() > 0))
        return false;
    const double span = values.back() / values.front(), step = values[1] / values[0];
    bool even = values.size() >= 4 && step >= 1.5; // a constant factor from one to the next
    for (std::size_t i = 1; i < values.size(); ++i)
        even = even && std::fabs(values[i] / values[i - 1] / step - 1) < 1e-6;
    return span >= 100 || even ||
           (values.size() >= 4 && span >= 8 && (doubles(column) || engine::logBase(values) == 2));
}

/// Curves and bars of ideal designs alone stand pale beside others, and say so.
void paleIdeal(StudyChart& out, const LoadedStudy& study) {
    if (!study.truths.areIdealAmongOthers())
        return;
    const auto mark = [&](const std::vector<std::size_t>& rows, ChartColor& color, QString& name) {
        const auto stands = [](std::size_t row) { return row != StudyChart::kNoRow; };
        if (std::none_of(rows.begin(), rows.end(), stands) ||
            std::any_of(rows.begin(), rows.end(),
                        [&](std::size_t row) { return stands(row) && !study.isIdeal(row); }))
            return;
        color = ChartColor::role(kIdealInk);
        if (!name.isEmpty())
            name = PlotWords::tr("%1, ideal").arg(name);
    };
    auto& chart = out.chart;
    for (std::size_t i = 0; i < std::min(chart.lines.size(), out.lineRows.size()); ++i)
        mark(out.lineRows[i], chart.lines[i].color, chart.lines[i].name);
    for (std::size_t i = 0; chart.bars && i < std::min(chart.bars->series.size(), out.areaRows.size()); ++i)
        mark(out.areaRows[i], chart.bars->series[i].color, chart.bars->series[i].name);
}

} // namespace

std::optional<std::size_t> StudyChart::rowOf(ChartPoint point) const {
    if (point.kind == ChartPoint::Kind::Cloud)
        return chart.cloud && point.index >= 0 ? std::optional(static_cast<std::size_t>(point.index))
                                               : std::nullopt;
    if (point.kind == ChartPoint::Kind::Point && point.line < 0) {
        const auto mark = static_cast<std::size_t>(point.index);
        return point.index >= 0 && mark < markRows.size() && markRows[mark] != kNoRow
                   ? std::optional(markRows[mark])
                   : std::nullopt;
    }
    const auto& rows = point.kind == ChartPoint::Kind::Point ? lineRows : areaRows;
    const auto line = static_cast<std::size_t>(point.line), index = static_cast<std::size_t>(point.index);
    if (point.line < 0 || point.index < 0 || line >= rows.size() || index >= rows[line].size() ||
        rows[line][index] == kNoRow)
        return {};
    return rows[line][index];
}

std::optional<ChartPoint> StudyChart::pointOf(std::size_t row) const {
    if (chart.cloud) {
        const auto& points = *chart.cloud->points;
        return row < points.x.size() && std::isfinite(points.x[row]) && std::isfinite(points.y[row])
                   ? std::optional(ChartPoint{0, static_cast<int>(row), ChartPoint::Kind::Cloud})
                   : std::nullopt;
    }
    if (const auto at = std::find(markRows.begin(), markRows.end(), row); at != markRows.end())
        return ChartPoint{-1, static_cast<int>(at - markRows.begin())};
    if (const auto point = found(lineRows, row, ChartPoint::Kind::Point))
        return point;
    return found(areaRows, row, chart.heatMap ? ChartPoint::Kind::Cell : ChartPoint::Kind::Bar);
}

std::vector<double> axisValues(const LoadedStudy& study, const std::string& path) {
    const auto* axis = study.axis(path);
    if (!axis)
        throw engine::Error(engine::ErrorCode::NotFound, "study \"" + study.table.info.name + "\"",
                            "it has no axis \"" + path + "\"", {});
    auto values = axis->values;
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end()); // of a list some come again
    return values;
}

ChartAxis namedAxis(const LoadedStudy& study, const engine::StudyColumn& column) {
    ChartAxis axis;
    axis.label = columnLabel(column);
    for (const double value : axisValues(study, column.name))
        axis.categories.push_back(study.text(column, value));
    const auto lastWord = [](const QString& name) { return name.mid(name.lastIndexOf(u' ')); };
    const auto shared = axis.categories.empty() ? QString() : lastWord(axis.categories.front());
    const bool all = std::all_of(axis.categories.begin(), axis.categories.end(), [&](const QString& name) {
        return name.size() > shared.size() && lastWord(name) == shared;
    });
    if (axis.categories.size() < 2 || !all || !shared.startsWith(u' '))
        return axis;
    for (auto& name : axis.categories)
        name.chop(shared.size());
    axis.label += u':' + shared;
    return axis;
}

ChartAxis chartAxis(const LoadedStudy& study, const engine::StudyColumn& column) {
    if (column.isChoice())
        return namedAxis(study, column);
    ChartAxis axis;
    axis.label = columnLabel(column);
    const auto values = axisValues(study, column.name);
    axis.log = wantsLog(column, values);
    axis.base = doubles(column) ? 2 : engine::logBase(values);
    axis.integer = std::all_of(values.begin(), values.end(), [](double v) { return v == std::floor(v); });
    return axis;
}

StudyChart studyChart(const LoadedStudy& study, const engine::StudyPlot& plot, const engine::RowMask* kept,
                      const std::vector<engine::Limit>* limits, const std::stop_token& stop) {
    StudyChart out;
    auto& chart = out.chart;
    const auto* x = study.table.find(plot.query.x);
    const auto& form = plotForm(plot.kind);
    if (!form.isCloud() && !(x == nullptr && plot.query.x.empty() && form.evaluates()))
        axisValues(study, plot.query.x); // throws when it is not there
    chart.title = plotTitle(study, plot);
    if (plot.title.empty() && !form.isCloud() && x)
        chart.title = PlotWords::tr("%1 over %2").arg(chart.title, QString::fromStdString(x->label));
    chart.emptyText =
        PlotWords::tr("No point here is feasible, or the metric needs a quantity that is not set");
    (form.draw ? form.draw : addLines)(out,
                                       {study, plot, kept, limits ? *limits : study.table.info.limits, stop});
    if (chart.heatMap || form.evaluates())
        return out;
    paleIdeal(out, study);
    if (plot.query.baseline && !form.isCloud())
        chart.references.push_back({.label = baselineName(*plot.query.baseline),
                                    .at = 1.0,
                                    .color = ChartColor::role(ColorRole::Baseline)});
    const auto unit = unitOf(chart.y.shownLabel());
    static constexpr std::array kDashes{ChartDash::Dashed, ChartDash::DashDotted, ChartDash::Dotted};
    for (std::size_t i = 0; i < plot.references.size(); ++i) {
        const auto& reference = plot.references[i];
        const auto value =
            withUnit(QString::fromStdString(engine::tickText(reference.value * chart.y.shown.factor)), unit);
        chart.references.push_back(
            {.label = QStringLiteral("%1 %2").arg(QString::fromStdString(reference.label), value),
             .at = reference.value,
             .color = ChartColor::role(ColorRole::Text2),
             .dash = kDashes[i % kDashes.size()]});
    }
    return out;
}

void refilter(StudyChart& drawn, const LoadedStudy& study, const engine::StudyPlot& plot,
              const engine::RowMask* kept, const std::vector<engine::Limit>* limits) {
    const auto& form = plotForm(plot.kind);
    const std::stop_token none;
    if (!form.refilter ||
        !form.refilter(drawn, {study, plot, kept, limits ? *limits : study.table.info.limits, none}))
        drawn = studyChart(study, plot, kept, limits);
}

} // namespace heteroscape::widgets

// SPDX-License-Identifier: GPL-3.0-or-later
// Bars and heat maps of a study.
#include "widgets/explore/plot_words.h"
#include "widgets/explore/study_plot_parts.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>

namespace heteroscape::widgets {

namespace {

constexpr double kPalest = 0.72;            ///< share of the background in the first of ordered bars
constexpr std::size_t kMostExplained = 256; ///< rows of a plot that are evaluated again

const double kNone = std::numeric_limits<double>::quiet_NaN();

std::size_t positionOf(const std::vector<double>& values, double value) {
    return static_cast<std::size_t>(std::lower_bound(values.begin(), values.end(), value) - values.begin());
}

/// Series as a table: a row a curve, a column a value of x; NaN and kNoRow where there is no point.
struct Grid {
    std::vector<double> columns;
    std::vector<double> curves; ///< NaN when there is no axis of curves
    std::vector<std::vector<double>> values;
    std::vector<std::vector<std::size_t>> rows;
};

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

/// What is stacked as shares of its bar, in %.
void takeShares(std::vector<Grid>& stack) {
    for (std::size_t r = 0; r < stack.front().values.size(); ++r)
        for (std::size_t c = 0; c < stack.front().columns.size(); ++c) {
            double sum = 0;
            for (const auto& grid : stack)
                sum += std::isfinite(grid.values[r][c]) ? grid.values[r][c] : 0;
            for (auto& grid : stack)
                grid.values[r][c] *= 100 / sum;
        }
}

/// Whether a part of a stack is seen anywhere: one that is not needs no entry in the legend.
bool isSeen(const Grid& grid) {
    return std::any_of(grid.values.begin(), grid.values.end(), [](const auto& row) {
        return std::any_of(row.begin(), row.end(), [](double v) { return std::isfinite(v) && v != 0; });
    });
}

/// Eight hues, then the same ones hatched; neighbours differ in both lightness and fill.
void styleStacked(ChartBarSeries& series, std::size_t part) {
    constexpr std::size_t kHues = 8;
    series.color = ChartColor::series(static_cast<int>(part % kHues));
    series.fill = (part + part / kHues) % 2 ? ChartFill::Hatched : ChartFill::Solid;
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

void addBars(StudyChart& out, const LoadedStudy& study, const engine::StudyPlot& plot,
             const engine::RowMask* kept) {
    const auto& x = *study.table.find(plot.query.x);
    const auto* curve = plot.query.curve.empty() ? nullptr : study.table.find(plot.query.curve);
    const bool several = curve || !plot.query.cases.empty();
    auto& chart = out.chart;
    chart.x = namedAxis(study, x);
    chart.y.label = valueLabel(study, plot);
    chart.y.shown = valueUnit(study, plot);
    chart.y.log = plot.logValues && !plot.shares;
    ChartBars bars;
    bars.reason = PlotWords::tr("Not feasible, or it needs a quantity that is not set");
    bars.writeValues = plot.values;
    const bool stacked = plot.metrics.size() > 1;
    std::vector<Grid> stack;
    std::vector<std::string> parts;
    for (const auto& metric : plot.metrics) {
        auto query = plot.query;
        query.metric = metric;
        if (auto grid = gridOf(study, query); !stacked || isSeen(grid)) {
            stack.push_back(std::move(grid));
            parts.push_back(metric);
        }
    }
    if (stack.empty()) { // nothing is there yet: the first stands for all
        stack.push_back(gridOf(study, plot.query));
        parts.push_back(plot.query.metric);
    }
    if (plot.shares)
        takeShares(stack);
    Gaps gaps(study, plot.query);
    for (std::size_t part = 0; part < stack.size(); ++part) {
        const auto& grid = stack[part];
        const auto count = grid.curves.size();
        for (std::size_t i = 0; i < count; ++i) {
            ChartBarSeries series{.name = {},
                                  .bar = static_cast<int>(i),
                                  .values = grid.values[i],
                                  .color = ChartColor::series(0)};
            if (stacked) {
                series.name = QString::fromStdString(study.table.find(parts[part])->label);
                styleStacked(series, part);
            } else if (several) {
                series.name = curveName(study, plot.query, grid.curves[i]);
                if (curve && isSwitch(curve->names))
                    series.color = curve->text(grid.curves[i]) == "true"
                                       ? ChartColor::series(0)
                                       : ChartColor::role(ColorRole::Baseline);
                else if (!curve || curve->isChoice()) // names are kept apart by hue, numbers by shade
                    series.color = ChartColor::series(static_cast<int>(i));
                else
                    series.tint = count > 1 ? kPalest * static_cast<double>(count - 1 - i) /
                                                  static_cast<double>(count - 1)
                                            : 0;
            }
            for (std::size_t c = 0; c < series.values.size(); ++c) {
                const bool missing = std::none_of(stack.begin(), stack.end(), [i, c](const auto& one) {
                    return std::isfinite(one.values[i][c]); // a bar that lacks only a part is drawn
                });
                if (kept)
                    series.muted.push_back(isFilteredOut(kept, grid.rows[i][c]) ? 1 : 0);
                series.reasons.push_back(missing ? gaps.reason(grid.rows[i][c]) : QString());
            }
            bars.series.push_back(std::move(series));
            out.areaRows.push_back(grid.rows[i]);
        }
        if (part == 0 && stacked && several)
            for (const double value : grid.curves)
                bars.names.push_back(curveName(study, plot.query, value));
    }
    bars.missing = gaps.word();
    if (curve && stacked)
        bars.title = columnLabel(*curve);
    else if (curve)
        chart.legendTitle = columnLabel(*curve);
    chart.bars = std::move(bars);
}

void addHeatMap(StudyChart& out, const LoadedStudy& study, const engine::StudyPlot& plot,
                const engine::RowMask* kept, const std::vector<engine::Limit>& limits) {
    const auto& x = *study.table.find(plot.query.x);
    const auto& y = *study.table.find(plot.query.curve);
    auto& chart = out.chart;
    const auto grid = gridOf(study, plot.query);
    ChartHeatMap map;
    if (x.isChoice())
        chart.x = namedAxis(study, x);
    else {
        chart.x.label = columnLabel(x);
        map.x = grid.columns;
    }
    if (y.isChoice())
        chart.y = namedAxis(study, y);
    else {
        chart.y.label = columnLabel(y);
        map.y = grid.curves;
    }
    map.z = grid.values;
    map.label = valueLabel(study, plot);
    map.shown = valueUnit(study, plot);
    map.reason = PlotWords::tr("Not feasible");
    map.better = plot.optimum ? betterOf(plot) : 0;
    Gaps gaps(study, plot.query);
    bool allTheSame = true; // then one word stands for all: "does not fit"
    std::set<QString> words;
    for (std::size_t r = 0; r < grid.rows.size(); ++r) {
        auto* filtered = kept ? &map.filtered.emplace_back(grid.rows[r].size()) : nullptr;
        for (std::size_t c = 0; c < grid.rows[r].size(); ++c)
            if (!std::isfinite(map.z[r][c])) {
                if (allTheSame) {
                    gaps.reason(grid.rows[r][c]);
                    allTheSame = !gaps.word().isEmpty();
                }
            } else if (isFilteredOut(kept, grid.rows[r][c])) {
                map.z[r][c] = kNone;
                (*filtered)[c] = 1;
                if (words.size() < 2) // the numbers may differ, the limit is what counts
                    words.insert(filterReason(study, limits, grid.rows[r][c]));
            }
    }
    map.missing = allTheSame ? gaps.word() : QString();
    if (words.size() == 1)
        map.filteredWord = *words.begin();
    map.reasonOf = [weak = study.weak_from_this(), query = plot.query, rows = grid.rows,
                    filtered = map.filtered, limits](engine::Cell cell) {
        const auto held = weak.lock();
        if (!held || cell.row >= rows.size() || cell.column >= rows[cell.row].size())
            return QString();
        const auto row = rows[cell.row][cell.column];
        return !filtered.empty() && filtered[cell.row][cell.column] ? filterReason(*held, limits, row)
                                                                    : gapReason(*held, query, row);
    };
    if (plot.contours) {
        const auto scale = map.scale();
        map.contours = engine::contourLines(map.z, engine::contourLevels(scale, map.log), map.log);
    }
    out.areaRows = grid.rows;
    chart.heatMap = std::move(map);
}

} // namespace heteroscape::widgets

// SPDX-License-Identifier: GPL-3.0-or-later
// Bars and heat maps of a study.
#include "widgets/explore/plot_words.h"
#include "widgets/explore/study_plot_parts.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <limits>

namespace heteroscape::widgets {

namespace {

class Words {
    Q_DECLARE_TR_FUNCTIONS(heteroscape::widgets::StudyTile)
};

constexpr double kPalest = 0.72;             ///< share of the background in the first of ordered bars
constexpr std::size_t kMostExplained = 1000; ///< cells whose reason is worked out

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
    grid.values.assign(grid.curves.size(), std::vector<double>(grid.columns.size(), kNone));
    grid.rows.assign(grid.curves.size(), std::vector<std::size_t>(grid.columns.size(), StudyChart::kNoRow));
    for (const auto& series : engine::studySeries(study.table, query)) {
        const auto row = query.curve.empty() ? 0 : positionOf(grid.curves, series.curveValue);
        for (std::size_t i = 0; i < series.x.size(); ++i) {
            const auto column = positionOf(grid.columns, series.x[i]);
            grid.values[row][column] = series.y[i];
            grid.rows[row][column] = series.rows[i];
        }
    }
    return grid;
}

QString whyNot(const LoadedStudy& study, const engine::SeriesQuery& query, std::size_t row) {
    if (row == StudyChart::kNoRow)
        return Words::tr("Not computed yet");
    const auto* feasible = study.table.find("feasible");
    if (feasible->values[row] == 1.0)
        return query.meanOver.empty() ? Words::tr("It needs a figure that is not set")
                                      : Words::tr("A point of the mean is not feasible");
    return study.whyNot(row);
}

} // namespace

void addBars(StudyChart& out, const LoadedStudy& study, const engine::StudyPlot& plot) {
    const auto& x = *study.table.find(plot.query.x);
    const auto* curve = plot.query.curve.empty() ? nullptr : study.table.find(plot.query.curve);
    auto& chart = out.chart;
    chart.x = namedAxis(study, x);
    chart.y.label = valueLabel(study, plot);
    chart.y.log = plot.logValues;
    ChartBars bars;
    bars.reason = Words::tr("Not feasible, or it needs a figure that is not set");
    const bool stacked = plot.metrics.size() > 1;
    for (std::size_t metric = 0; metric < plot.metrics.size(); ++metric) {
        auto query = plot.query;
        query.metric = plot.metrics[metric];
        const auto grid = gridOf(study, query);
        const auto count = grid.curves.size();
        for (std::size_t i = 0; i < count; ++i) {
            ChartBarSeries series{.name = {},
                                  .bar = static_cast<int>(i),
                                  .values = grid.values[i],
                                  .color = ChartColor::series(0)};
            if (stacked) {
                series.name = QString::fromStdString(study.table.find(query.metric)->label);
                series.color = ChartColor::series(metric == 0 ? 0 : static_cast<int>(metric) + 3);
                series.fill = metric % 2 ? ChartFill::Hatched : ChartFill::Solid;
            } else if (curve) {
                series.name = curveName(study, *curve, grid.curves[i]);
                if (isSwitch(curve->names))
                    series.color = curve->text(grid.curves[i]) == "true"
                                       ? ChartColor::series(0)
                                       : ChartColor::role(ColorRole::Baseline);
                else if (curve->isChoice()) // names are kept apart by hue, numbers by shade
                    series.color = ChartColor::series(static_cast<int>(i));
                else
                    series.tint = count > 1 ? kPalest * static_cast<double>(count - 1 - i) /
                                                  static_cast<double>(count - 1)
                                            : 0;
            }
            bars.series.push_back(std::move(series));
            out.areaRows.push_back(grid.rows[i]);
        }
        if (metric == 0 && stacked && curve)
            for (const double value : grid.curves)
                bars.names.push_back(curveName(study, *curve, value));
    }
    if (curve && stacked)
        bars.title = columnLabel(*curve);
    else if (curve)
        chart.legendTitle = columnLabel(*curve);
    chart.bars = std::move(bars);
}

void addHeatMap(StudyChart& out, const LoadedStudy& study, const engine::StudyPlot& plot) {
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
    map.reason = Words::tr("Not feasible");
    map.better = plot.optimum ? betterOf(plot) : 0;
    std::size_t explained = 0;
    for (std::size_t r = 0; r < grid.rows.size(); ++r) {
        auto& reasons = map.reasons.emplace_back(grid.rows[r].size());
        for (std::size_t c = 0; c < reasons.size(); ++c)
            if (!std::isfinite(map.z[r][c]) && explained < kMostExplained) {
                reasons[c] = whyNot(study, plot.query, grid.rows[r][c]);
                ++explained;
            }
    }
    out.areaRows = grid.rows;
    chart.heatMap = std::move(map);
}

} // namespace heteroscape::widgets

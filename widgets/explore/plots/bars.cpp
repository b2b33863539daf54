// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/plot_words.h"
#include "widgets/explore/plots/plot_form.h"
#include "widgets/explore/study_plot_parts.h"

#include <algorithm>
#include <cmath>

namespace heteroscape::widgets {

namespace {

constexpr double kPalest = 0.72; ///< share of the background in the first of ordered bars

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

void drawBars(StudyChart& out, const PlotDrawing& of) {
    const auto& study = of.study;
    const auto& plot = of.plot;
    const auto* kept = of.kept;
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
            if (part == 0) // the others of a stack are of the same points
                series.status = statusOf(study, kept, grid.rows[i]);
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

/// What the metric is the sum of, as far as the study has it.
void drawStack(StudyChart& out, const PlotDrawing& of) {
    auto plot = of.plot;
    if (const auto* metric = engine::findMetric(plot.query.metric)) {
        std::vector<std::string> parts;
        for (const auto part : engine::partsOf(metric->metric))
            if (of.study.table.find(std::string(engine::metricSpec(part).key)))
                parts.emplace_back(engine::metricSpec(part).key);
        if (!parts.empty())
            plot.metrics = std::move(parts);
    }
    drawBars(out, {of.study, plot, of.kept, of.limits, of.stop});
    out.chart.y.label = valueLabel(of.study, of.plot);
}

} // namespace

extern const PlotForm stackedForm;
const PlotForm stackedForm{
    .label = QT_TRANSLATE_NOOP("heteroscape::widgets::StudyTile", "Stacked"),
    .entry = QT_TRANSLATE_NOOP("heteroscape::widgets::StudyTile", "Stacked by what it is made of"),
    .curves = QT_TRANSLATE_NOOP("heteroscape::widgets::StudyTile", "Bars"),
    .by = QT_TRANSLATE_NOOP("heteroscape::widgets::StudyTile", "by"),
    .combines = true,
    .marks = {&engine::StudyPlot::shares, &engine::StudyPlot::values},
    .settle =
        [](engine::StudyPlot& plot, const engine::StudyTable& table) {
            plot.metrics.resize(1);
            const auto* metric = engine::findMetric(plot.metrics.front()); // one that has parts
            const std::string energy(engine::metricSpec(engine::Metric::EnergyPerToken).key);
            if ((!metric || engine::partsOf(metric->metric).empty()) && table.find(energy))
                plot.metrics = {energy};
        },
    .draw = drawStack};

extern const PlotForm barsForm;
const PlotForm barsForm{
    .label = QT_TRANSLATE_NOOP("heteroscape::widgets::StudyTile", "Bars"),
    .curves = QT_TRANSLATE_NOOP("heteroscape::widgets::StudyTile", "Bars"),
    .by = QT_TRANSLATE_NOOP("heteroscape::widgets::StudyTile", "by"),
    .combines = true,
    .further = QT_TRANSLATE_NOOP("heteroscape::widgets::StudyTile", "Stacked on it"),
    .marks = {&engine::StudyPlot::logValues, &engine::StudyPlot::shares, &engine::StudyPlot::values},
    .draw = drawBars,
    .brushed = [](const LoadedStudy& study, PlotForm::Plot plot, const QRectF& box) {
        Stretches stretches;
        brushPlaces(stretches, study, plot.query.x, box.left(), box.right());
        if (plot.metrics.size() == 1 && !plot.shares)
            brushMetric(stretches, plot, plot.query.metric, box);
        return stretches;
    }};

} // namespace heteroscape::widgets

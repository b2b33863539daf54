// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/plot_words.h"
#include "widgets/explore/plots/plot_form.h"
#include "widgets/explore/study_plot_parts.h"

#include <cmath>
#include <limits>
#include <memory>
#include <set>

namespace heteroscape::widgets {

void addHeatMap(StudyChart& out, const PlotDrawing& of) {
    const auto& study = of.study;
    const auto& plot = of.plot;
    const auto* kept = of.kept;
    const auto& limits = of.limits;
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
                map.z[r][c] = std::numeric_limits<double>::quiet_NaN();
                (*filtered)[c] = 1;
                if (words.size() < 2) // the numbers may differ, the limit is what counts
                    words.insert(filterReason(study, limits, grid.rows[r][c]));
            }
    }
    map.missing = allTheSame ? gaps.word() : QString();
    if (words.size() == 1)
        map.filteredWord = *words.begin();
    // Shared: charts are copied, and these may be a million.
    map.reasonOf = [weak = study.weak_from_this(), query = plot.query,
                    shared = std::make_shared<const decltype(grid.rows)>(grid.rows),
                    filteredOut = std::make_shared<const decltype(map.filtered)>(map.filtered),
                    limits](engine::Cell cell) {
        const auto& rows = *shared;
        const auto& filtered = *filteredOut;
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
    map.range = map.scale(); // of a million cells it is looked for once
    out.areaRows = grid.rows;
    chart.heatMap = std::move(map);
}

extern const PlotForm heatMapForm;
const PlotForm heatMapForm{.label = QT_TRANSLATE_NOOP("heteroscape::widgets::StudyTile", "Heat map"),
                           .curves = QT_TRANSLATE_NOOP("heteroscape::widgets::StudyTile", "Upwards"),
                           .by = QT_TRANSLATE_NOOP("heteroscape::widgets::StudyTile", "and"),
                           .marks = {&engine::StudyPlot::optimum, &engine::StudyPlot::contours},
                           .settle =
                               [](engine::StudyPlot& plot, const engine::StudyTable& table) {
                                   auto& query = plot.query;
                                   for (const auto& axis : table.info.axes)
                                       if (axis.path != query.x && query.curve.empty())
                                           query.curve = axis.path;
                                   if (query.curve.empty())
                                       plot.kind = plotForms().front().kind; // one axis cannot make a map
                               },
                           .draw = addHeatMap,
                           .brushed =
                               [](const LoadedStudy& study, PlotForm::Plot plot, const QRectF& box) {
                                   Stretches stretches;
                                   brushPlaces(stretches, study, plot.query.x, box.left(), box.right());
                                   brushPlaces(stretches, study, plot.query.curve, box.top(), box.bottom());
                                   return stretches;
                               }};

} // namespace heteroscape::widgets

// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/plots/plot_form.h"
#include "widgets/explore/study_plot_parts.h"
#include "widgets/roofline/roofline_chart.h"

namespace heteroscape::widgets {

namespace {

constexpr std::size_t kMostRooflines = 24; ///< designs: more cannot be told apart

void drawRoofline(StudyChart& out, const PlotDrawing& of) {
    const auto& study = of.study;
    std::vector<engine::Roofline> all;
    RooflineOptions options;
    std::vector<std::size_t> rowOf; // of each roofline
    const auto across = rowsAcross(study, of.plot.query);
    const auto step = (across.size() + kMostRooflines - 1) / kMostRooflines;
    for (std::size_t i = 0; i < across.size(); i += step) {
        checkStop(of);
        if (!isFeasible(study, across[i].row)) // what does not run reaches no roof
            continue;
        const auto scenario = study.scenarioOf(across[i].row);
        auto some = engine::rooflines(scenario);
        for (auto& ceilings : rooflineCeilings(scenario, some))
            options.ceilings.push_back(std::move(ceilings));
        for (auto& one : some) {
            all.push_back(std::move(one));
            options.designs.push_back(across[i].name);
            rowOf.push_back(across[i].row);
        }
    }
    const auto title = out.chart.title, empty = out.chart.emptyText;
    out.chart = rooflineChart(all, options);
    out.chart.title = title;
    out.chart.emptyText = empty;
    for (const auto& point : rooflinePoints(all))
        if (point.drawable() && point.operatorIndex == RooflinePoint::kWholeStep)
            out.markRows.push_back(rowOf[point.roofline]);
}

} // namespace

extern const PlotForm rooflineForm;
const PlotForm rooflineForm{.label = QT_TRANSLATE_NOOP("heteroscape::widgets::StudyTile", "Roofline"),
                            .name = QT_TRANSLATE_NOOP("heteroscape::widgets::StudyTile", "Roofline"),
                            .shows = PlotForm::Shows::Designs,
                            .draw = drawRoofline};

} // namespace heteroscape::widgets

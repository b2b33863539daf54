// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/scrub.h"

#include "engine/plotting/cut.h"
#include "engine/scenario/parameters.h"
#include "engine/study_run/evaluate_study.h"
#include "widgets/explore/plots/plot_form.h"

#include <algorithm>

namespace heteroscape::widgets {

namespace {

/// An axis at one value, which need not be one of its own.
void hold(engine::Axis& axis, double value) {
    if (axis.isChoice()) {
        const auto position = static_cast<std::size_t>(value);
        axis.names = {axis.names.at(position)};
        axis.edits = {axis.edits.at(position)};
    }
    axis.values = {value};
}

} // namespace

std::optional<ScrubCut> scrubCut(const engine::Study& study, const engine::StudyPlot& plot,
                                 const std::vector<engine::HeldAxis>& moved) {
    const auto& form = plotForm(plot.kind);
    if (!form.isChart())
        return {};
    const bool all = form.isOfEveryPoint(); // it shows every point, wherever axes are held
    ScrubCut cut{study, plot};
    auto& query = cut.plot.query;
    bool changed = false;
    for (const auto& [path, value] : moved) {
        const auto axis = std::find_if(cut.study.axes.begin(), cut.study.axes.end(),
                                       [&name = path](const auto& one) { return one.path == name; });
        if (axis == cut.study.axes.end()) {
            const auto figure = engine::resolveQuantity(cut.study.base, path);
            figure.access(cut.study.base) = {value * figure.spec.scale, engine::Provenance::User, {}};
            changed = true;
            continue;
        }
        const auto held = std::find_if(query.fixed.begin(), query.fixed.end(),
                                       [&name = path](const auto& one) { return one.first == name; });
        if (all || held == query.fixed.end() || query.gain.names(path))
            continue;
        held->second = value;
        hold(*axis, value);
        changed = true;
    }
    std::erase_if(cut.study.nodeMetrics, [&](const auto& metric) {
        return std::find(plot.metrics.begin(), plot.metrics.end(), metric) == plot.metrics.end() &&
               std::find(plot.rightMetrics.begin(), plot.rightMetrics.end(), metric) ==
                   plot.rightMetrics.end();
    });
    if (!all)
        cut.study = engine::cutStudy(cut.study, query);
    if (!changed || cut.study.pointCount() > kMostScrubbed)
        return {};
    return cut;
}

std::shared_ptr<const LoadedStudy> evaluateScrub(const ScrubCut& cut, const LoadedStudy& whole,
                                                 const engine::Catalog& catalog,
                                                 const std::stop_token& stop) {
    auto metrics = cut.plot.metrics; // what is drawn, of some sixty
    metrics.insert(metrics.end(), cut.plot.rightMetrics.begin(), cut.plot.rightMetrics.end());
    auto table = engine::evaluateStudy(cut.study, stop, metrics);
    auto definition = cut.study;
    // Positions are those on the whole axis: so must be the names.
    for (std::size_t i = 0; i < definition.axes.size(); ++i)
        if (const auto* axis = whole.axis(definition.axes[i].path); axis && axis->isChoice()) {
            definition.axes[i].names = axis->names;
            definition.axes[i].edits = axis->edits;
            table.columns[i].names = axis->names;
        }
    table.info.axes = definition.axes;
    table.info.id = whole.table.info.id;
    return asLoaded(std::move(table), std::move(definition), catalog);
}

} // namespace heteroscape::widgets

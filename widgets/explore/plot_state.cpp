// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/plot_state.h"

#include "widgets/explore/plots/plot_form.h"

#include <algorithm>
#include <cmath>

namespace heteroscape::widgets {

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
        return !column || column->isAxis || column->name == "feasible";
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

} // namespace heteroscape::widgets

// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/scrub.h"

#include "engine/plotting/cut.h"
#include "engine/plotting/grid_rows.h"
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

/// As many of its values as wanted, at least two, evenly: the first and the last are among them.
void thin(engine::Axis& axis, std::size_t count) {
    const auto keep = [count](auto& values) {
        if (values.size() <= count)
            return;
        for (std::size_t i = 1; i < count; ++i) // places only rise
            values[i] = values[i * (values.size() - 1) / (count - 1)];
        values.resize(count);
    };
    keep(axis.values);
    keep(axis.names);
    keep(axis.edits);
}

/// Halves what the plot runs over, the longest first, until no more than `most` points are left. False: they
/// were no more.
bool thinTo(engine::Study& study, const engine::SeriesQuery* query, std::size_t most) {
    const auto before = study.pointCount();
    while (study.pointCount() > most) {
        engine::Axis* longest = nullptr;
        for (auto& axis : study.axes)
            if ((!query || axis.path == query->x || axis.path == query->curve) && axis.values.size() > 2 &&
                (!longest || axis.values.size() > longest->values.size()))
                longest = &axis;
        if (!longest)
            break;
        const auto half = (longest->values.size() + 1) / 2;
        for (auto& axis : study.axes)
            if (&axis == longest || study.isList) // of a list all columns are as long
                thin(axis, half);
    }
    return study.pointCount() < before;
}

/// The rows of a whole grid that a cut is made of, in its order; nothing where it has others.
std::optional<std::vector<std::size_t>> storedRows(const ScrubCut& cut, const LoadedStudy& whole) {
    const auto grid = engine::wholeGrid(whole.table);
    if (!cut.sameBase || !grid || whole.table.partial || cut.study.isList)
        return {};
    std::vector<std::size_t> rows{0};
    for (std::size_t i = 0; i < grid->size(); ++i) {
        const auto& [axis, stride] = (*grid)[i];
        std::vector<std::size_t> further;
        further.reserve(rows.size() * cut.study.axes[i].values.size());
        std::vector<std::size_t> steps;
        auto from = axis->values.begin();
        for (const double value : cut.study.axes[i].values) { // in the order of the whole axis
            from = std::find(from, axis->values.end(), value);
            if (from == axis->values.end())
                return {};
            steps.push_back(static_cast<std::size_t>(from - axis->values.begin()) * stride);
        }
        for (const auto row : rows)
            for (const auto step : steps)
                further.push_back(row + step);
        rows = std::move(further);
    }
    return rows;
}

/// Those rows of a table, of its metrics only the ones named.
engine::StudyTable rowsOf(const engine::StudyTable& table, const std::vector<std::size_t>& rows,
                          const std::vector<std::string>& metrics) {
    engine::StudyTable out;
    out.info = table.info;
    out.info.points = out.info.done = rows.size();
    out.boundNames = table.boundNames;
    for (const auto& column : table.columns) {
        auto& some = out.columns.emplace_back(
            engine::StudyColumn{column.name, column.label, column.unit, column.isAxis, {}, column.names});
        const bool wanted = column.isAxis || column.name == "feasible" ||
                            std::find(metrics.begin(), metrics.end(), column.name) != metrics.end();
        if (!wanted || column.values.empty())
            continue;
        some.values.reserve(rows.size());
        for (const auto row : rows)
            some.values.push_back(column.values[row]);
    }
    out.bounds.reserve(rows.size());
    for (const auto row : rows)
        out.bounds.push_back(table.bounds[row]);
    out.partial = true;
    return out;
}

} // namespace

std::optional<ScrubCut> scrubCut(const engine::Study& study, const engine::StudyPlot& plot,
                                 const std::vector<engine::HeldAxis>& moved, std::size_t most) {
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
            cut.study.base.change([&](engine::Scenario& base) {
                figure.access(base) = {value * figure.spec.scale, engine::Provenance::User, {}};
            });
            changed = true;
            cut.sameBase = false;
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
    if (!changed)
        return {};
    cut.thinned = thinTo(cut.study, all ? nullptr : &query, most);
    if (cut.study.pointCount() > kMostScrubbed)
        return {};
    return cut;
}

std::shared_ptr<const LoadedStudy> scrubbedPoints(const ScrubCut& cut, const LoadedStudy& whole,
                                                  const engine::Catalog& catalog,
                                                  const std::stop_token& stop) {
    auto metrics = cut.plot.metrics; // what is drawn, of some sixty
    metrics.insert(metrics.end(), cut.plot.rightMetrics.begin(), cut.plot.rightMetrics.end());
    const auto stored = storedRows(cut, whole);
    auto table =
        stored ? rowsOf(whole.table, *stored, metrics) : engine::evaluateStudy(cut.study, stop, metrics);
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
    return asLoaded(std::move(table), std::move(definition), catalog, stored ? whole.store : std::string());
}

} // namespace heteroscape::widgets

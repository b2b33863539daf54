// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/scrub.h"

#include "engine/plotting/cut.h"
#include "engine/plotting/grid_rows.h"
#include "engine/scenario/parameters.h"
#include "engine/study_run/evaluate_study.h"
#include "widgets/explore/plots/plot_form.h"

#include <algorithm>
#include <cmath>
#include <numeric>

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
        if (!column.isAxis && column.isChoice())
            continue;
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

/// An axis whose slider is somewhere.
class SliderAxis {
public:
    SliderAxis(const engine::StudyColumn& column, const engine::Axis& axis, double at, bool moved)
        : m_values(axis.values), m_rows(column.values.data()), m_at(at), m_moved(moved),
          m_choice(column.isChoice()) {
        const auto [least, most] = std::minmax_element(m_values.begin(), m_values.end());
        m_share = *most > *least ? 1 / (*most - *least) : 0;
        if (m_moved)
            m_at = *std::min_element(m_values.begin(), m_values.end(),
                                     [this](double a, double b) { return away(a) < away(b); });
    }

    bool isMoved() const { return m_moved; }
    bool isAt(std::size_t row) const { return !m_moved || m_rows[row] == m_at; }
    double awayOf(std::size_t row) const { return away(m_rows[row]); }
    /// The places of at most so many of its values, the nearest first; of a slider that was moved one.
    std::vector<std::size_t> nearest(std::size_t most) const {
        std::vector<std::size_t> places(m_values.size());
        std::iota(places.begin(), places.end(), std::size_t{0});
        const auto count = std::min(m_moved ? 1 : most, places.size());
        std::partial_sort(
            places.begin(), places.begin() + static_cast<std::ptrdiff_t>(count), places.end(),
            [this](std::size_t a, std::size_t b) { return away(m_values[a]) < away(m_values[b]); });
        places.resize(count);
        return places;
    }

private:
    /// As a share of the axis: all of them count alike.
    double away(double value) const {
        return m_choice ? (value == m_at ? 0 : 1) : std::fabs(value - m_at) * m_share;
    }

    const std::vector<double>& m_values;
    const double* m_rows; ///< the value of each
    double m_at, m_share = 0;
    bool m_moved, m_choice;
};

/// The rows of a whole grid at the sliders that were moved: at most so many, those nearest to the others.
std::vector<std::size_t> gridRows(const std::vector<engine::GridAxis>& grid,
                                  const std::vector<SliderAxis>& axes, std::size_t most) {
    std::vector<std::vector<std::size_t>> places;
    std::size_t count = 1;
    for (const auto& axis : axes)
        count *= places.emplace_back(axis.nearest(most)).size();
    while (count > most) {
        auto& longest = *std::max_element(places.begin(), places.end(),
                                          [](const auto& a, const auto& b) { return a.size() < b.size(); });
        count /= longest.size();
        longest.resize((longest.size() + 1) / 2);
        count *= longest.size();
    }
    std::vector<std::size_t> rows{0};
    for (std::size_t i = 0; i < grid.size(); ++i) {
        std::vector<std::size_t> further;
        for (const auto row : rows)
            for (const auto place : places[i])
                further.push_back(row + place * grid[i].stride);
        rows = std::move(further);
    }
    return rows;
}

} // namespace

std::vector<std::size_t> rowsAtSliders(const LoadedStudy& study, const std::vector<engine::HeldAxis>& moved,
                                       const std::vector<engine::HeldAxis>& others,
                                       const std::function<bool(std::size_t)>& isSeen, std::size_t most) {
    constexpr std::size_t kLookedAt = 64; // rows for each that is marked: not all of them are seen
    const auto& table = study.table;
    std::vector<SliderAxis> axes;
    for (const auto& axis : table.info.axes) {
        const auto isOf = [&axis](const auto& held) { return held.first == axis.path; };
        const auto own = std::find_if(moved.begin(), moved.end(), isOf);
        const auto other = std::find_if(others.begin(), others.end(), isOf);
        const auto* column = table.find(axis.path);
        if (!column || axis.values.empty())
            return {};
        axes.emplace_back(*column, axis,
                          own != moved.end()      ? own->second
                          : other != others.end() ? other->second
                                                  : axis.values.front(),
                          own != moved.end());
    }
    if (std::none_of(axes.begin(), axes.end(), [](const auto& axis) { return axis.isMoved(); }))
        return {};
    std::vector<std::pair<double, std::size_t>> nearest; // a heap, what is farthest away on top
    const auto take = [&](std::size_t row) {
        if (!isSeen(row))
            return;
        std::pair found(0.0, row);
        for (const auto& axis : axes)
            found.first += axis.awayOf(row);
        if (nearest.size() == most && found > nearest.front())
            return;
        if (nearest.size() == most) {
            std::pop_heap(nearest.begin(), nearest.end());
            nearest.pop_back();
        }
        nearest.push_back(found);
        std::push_heap(nearest.begin(), nearest.end());
    };
    if (const auto grid = engine::wholeGrid(table)) {
        for (const auto row : gridRows(*grid, axes, kLookedAt * most))
            take(row);
    } else {
        for (std::size_t row = 0; row < table.rows(); ++row) // a million times
            if (std::all_of(axes.begin(), axes.end(), [row](const auto& axis) { return axis.isAt(row); }))
                take(row);
    }
    std::sort_heap(nearest.begin(), nearest.end());
    std::vector<std::size_t> rows;
    for (const auto& [away, row] : nearest)
        rows.push_back(row);
    return rows;
}

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

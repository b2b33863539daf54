// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/error.h"
#include "engine/search/search_method.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <pagmo/algorithm.hpp>
#include <pagmo/algorithms/nsga2.hpp>
#include <pagmo/population.hpp>
#include <pagmo/problem.hpp>
#include <random>
#include <unordered_map>

namespace heteroscape::engine {

namespace {

using Vector = pagmo::vector_double;
using Clock = std::chrono::steady_clock;

/// What pagmo's problem and its copies share: each point is evaluated and counted once.
class Looked {
public:
    Looked(const SearchProblem& problem, const SearchOptions& options)
        : m_problem(problem), m_options(options), m_space(problem), m_walker(problem, m_space, options.stop),
          m_state(SearchTally(problem, m_space)) {}

    const SearchSpace& space() const { return m_space; }
    const SearchTally& tally() const { return m_state.tally; }
    std::size_t goals() const { return m_problem.goals.size(); }
    bool isDone() const {
        return m_options.stop.stop_requested() || m_known.size() >= m_options.evaluations ||
               m_known.size() >= m_space.size();
    }

    std::size_t placeOf(const Vector& x) const {
        std::size_t place = 0;
        for (std::size_t i = 0; i < x.size(); ++i) {
            const auto length = m_space.walked().axes[i].values.size();
            const auto position = static_cast<std::size_t>(std::max(0.0, std::round(x[i])));
            place = place * length + std::min(position, length - 1);
        }
        return place;
    }

    /// To be minimised. Beyond kBroken: a design that breaks something, by how much.
    const Vector& fitness(const Vector& x) {
        const auto place = placeOf(x);
        if (const auto known = m_known.find(place); known != m_known.end())
            return known->second;
        if (isDone()) // nothing more is looked at: worse than all that was
            return m_beyond = Vector(goals(), 4.0 * kBroken);
        const auto& point = look(place);
        if (m_options.stop.stop_requested() && m_problem.study.base->serving.isSimulated())
            return m_beyond = Vector(goals(), 4.0 * kBroken); // it may have been cut off
        m_state.tally.offer(point);
        m_state.done = m_state.tally.points();
        if (m_options.soFar)
            remember(point);
        report();
        Vector values(goals(), 3.0 * kBroken);
        if (point.runs) {
            double missed = 0.0;
            for (std::size_t i = 0; i < point.limited.size(); ++i)
                missed += missOf(m_problem.study.limits[i], point.limited[i]);
            for (std::size_t g = 0; g < values.size(); ++g)
                values[g] = missed > 0.0 || std::isnan(point.goals[g])
                                ? kBroken * (1.0 + missed / (1.0 + missed))
                                : -m_problem.goals[g].better * point.goals[g];
            if (std::isinf(missed))
                values.assign(goals(), 2.0 * kBroken);
        }
        return m_known.emplace(place, std::move(values)).first->second;
    }

private:
    static constexpr double kBroken = 1e200;

    const SearchProblem& m_problem;
    const SearchOptions& m_options;
    SearchSpace m_space;
    SearchWalker m_walker;
    SearchState m_state;
    std::unordered_map<std::size_t, Vector> m_known;
    Vector m_beyond;
    SearchedPoint m_replayed;
    std::vector<std::size_t> m_positions;
    const Clock::time_point m_start = Clock::now();
    Clock::time_point m_told = m_start;
    Clock::time_point m_reported = m_start;

    /// The point at a place: evaluated, or as it was seen before the search was stopped. It goes the same way
    /// again, as it depends on nothing but its seed and what it sees.
    const SearchedPoint& look(std::size_t place) {
        const auto next = m_state.done;
        if (!m_options.from || next >= m_options.from->looked.size())
            return m_walker.at(place);
        const auto& seen = m_options.from->looked[next];
        if (m_space.placeOf(seen.ordinal) != place)
            throwInvalid("search", "it cannot go on from where it was: it would look at other points",
                         "Begin it anew");
        const auto& axes = m_space.walked().axes;
        m_positions.resize(axes.size());
        for (auto i = axes.size(); i-- > 0; place /= axes[i].values.size())
            m_positions[i] = place % axes[i].values.size();
        return m_replayed = {seen.ordinal, m_positions, seen.runs,
                             std::span(seen.goals).first(m_problem.goals.size()), seen.limited};
    }

    void remember(const SearchedPoint& point) {
        LookedPoint seen{point.ordinal, point.runs, {}, {}};
        if (point.runs) {
            std::copy(point.goals.begin(), point.goals.end(), seen.goals.begin());
            seen.limited.assign(point.limited.begin(), point.limited.end());
        }
        m_state.looked.push_back(std::move(seen));
    }

    void report() {
        const auto now = Clock::now();
        if (m_options.progress && now - m_reported >= std::chrono::milliseconds(100)) {
            m_reported = now;
            m_options.progress({m_state.done, std::min<std::uint64_t>(m_options.evaluations, m_space.size()),
                                m_state.tally.frontSize(),
                                std::chrono::duration<double>(now - m_start).count()});
        }
        if (m_options.soFar && now - m_told >= m_options.stateEvery)
            tellState();
    }

public:
    void tellState() {
        m_told = Clock::now();
        if (m_options.soFar)
            m_options.soFar(std::make_shared<const SearchState>(m_state));
    }
};

/// The problem as pagmo knows it: whole positions on the walked axes that have more than one value.
struct PositionProblem {
    std::shared_ptr<Looked> looked;
    std::vector<std::size_t> axes;

    Vector fitness(const Vector& x) const {
        Vector whole(looked->space().walked().axes.size(), 0.0);
        for (std::size_t i = 0; i < axes.size(); ++i)
            whole[axes[i]] = x[i];
        return looked->fitness(whole);
    }
    std::pair<Vector, Vector> get_bounds() const {
        Vector upper;
        for (const auto axis : axes)
            upper.push_back(static_cast<double>(looked->space().walked().axes[axis].values.size() - 1));
        return {Vector(upper.size(), 0.0), upper};
    }
    Vector::size_type get_nobj() const { return std::max<std::size_t>(2, looked->goals()); }
    Vector::size_type get_nix() const { return axes.size(); }
};

/// NSGA-II wants two objectives at least: a single one stands twice.
struct PaddedProblem : PositionProblem {
    Vector fitness(const Vector& x) const {
        auto values = PositionProblem::fitness(x);
        if (values.size() == 1)
            values.push_back(values.front());
        return values;
    }
};

class EvolutionarySearch final : public SearchMethod {
public:
    EvolutionarySearch()
        : SearchMethod(
              "evolutionary", "Evolutionary (NSGA-II)",
              "Breeds designs from the best so far; for grids that are too large to look at whole.") {}

    SearchTally run(const SearchProblem& problem, const SearchOptions& options) const override {
        checkProblem(problem);
        if (options.evaluations == 0)
            throwInvalid("evaluations", "0 are allowed", "Allow at least one");
        auto looked = std::make_shared<Looked>(problem, options);
        PaddedProblem positions;
        positions.looked = looked;
        for (std::size_t i = 0; i < looked->space().walked().axes.size(); ++i)
            if (looked->space().walked().axes[i].values.size() > 1)
                positions.axes.push_back(i);
        if (positions.axes.empty() || looked->space().size() <= options.evaluations) {
            lookAtAll(*looked);
        } else {
            breed(positions, *looked, options);
        }
        if (options.stop.stop_requested()) {
            looked->tellState();
            throw Error(ErrorCode::Cancelled, "search", "cancelled", {});
        }
        return looked->tally();
    }

private:
    static void lookAtAll(Looked& looked) {
        const auto& axes = looked.space().walked().axes;
        Vector x(axes.size());
        for (std::size_t place = 0; place < looked.space().size() && !looked.isDone(); ++place) {
            auto rest = place;
            for (auto i = axes.size(); i-- > 0; rest /= axes[i].values.size())
                x[i] = static_cast<double>(rest % axes[i].values.size());
            looked.fitness(x);
        }
    }

    static void breed(const PaddedProblem& positions, const Looked& looked, const SearchOptions& options) {
        const pagmo::problem bred(positions);
        const auto bounds = bred.get_bounds();
        // Some tens of generations of what may be looked at, a multiple of four as the method wants it.
        const auto size = static_cast<std::size_t>(
            4.0 * std::clamp(std::round(static_cast<double>(options.evaluations) / 30.0 / 4.0), 2.0, 60.0));
        pagmo::population population(bred, 0, options.seed);
        population.push_back(bounds.first); // the two corners, then at random
        population.push_back(bounds.second);
        std::mt19937 random(options.seed);
        while (population.size() < size) {
            Vector x;
            for (std::size_t i = 0; i < bounds.second.size(); ++i)
                x.push_back(
                    static_cast<double>(random() % (static_cast<std::uint64_t>(bounds.second[i]) + 1)));
            population.push_back(x);
        }
        std::uint64_t before = 0;
        unsigned idle = 0;
        for (unsigned generation = 0; !looked.isDone() && idle < 40; ++generation) {
            // Neighbours on an axis are alike: children near their parents, one position in each moved.
            const pagmo::algorithm nsga2(
                pagmo::nsga2(1, 0.9, 10.0, std::min(1.0, 1.5 / static_cast<double>(bounds.second.size())),
                             20.0, options.seed + generation));
            population = nsga2.evolve(population);
            idle = looked.tally().points() == before ? idle + 1 : 0; // nothing new is found any more
            before = looked.tally().points();
        }
    }
};

} // namespace

const SearchMethod& evolutionarySearch() {
    static const EvolutionarySearch kind;
    return kind;
}

} // namespace heteroscape::engine

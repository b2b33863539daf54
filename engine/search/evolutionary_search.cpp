// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/error.h"
#include "engine/search/search_method.h"
#include "engine/search/search_walker.h"

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

/// What pagmo's problem and its copies share: each point is evaluated and counted once.
class Looked {
public:
    Looked(const SearchProblem& problem, const SearchOptions& options)
        : m_problem(problem), m_options(options), m_space(problem), m_validity(m_space.walked()),
          m_walker(problem, m_space, m_validity, options.stop), m_tally(problem, m_space) {}

    const SearchSpace& space() const { return m_space; }
    const SearchTally& tally() const { return m_tally; }
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
        const auto& point = m_walker.at(place);
        m_tally.offer(point);
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
    PointValidity m_validity;
    SearchWalker m_walker;
    SearchTally m_tally;
    std::unordered_map<std::size_t, Vector> m_known;
    Vector m_beyond;
    const std::chrono::steady_clock::time_point m_start = std::chrono::steady_clock::now();

    void report() const {
        if (m_options.progress && m_known.size() % 256 == 0)
            m_options.progress(
                {m_known.size(), std::min<std::uint64_t>(m_options.evaluations, m_space.size()),
                 m_tally.front().size(),
                 std::chrono::duration<double>(std::chrono::steady_clock::now() - m_start).count()});
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
        if (options.stop.stop_requested())
            throw Error(ErrorCode::Cancelled, "search", "cancelled", {});
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

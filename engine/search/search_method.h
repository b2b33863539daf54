// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/kind.h"
#include "engine/evaluation/step_cache.h"
#include "engine/search/search_tally.h"
#include "engine/study/point_validity.h"

#include <array>
#include <chrono>
#include <functional>
#include <memory>
#include <stop_token>
#include <utility>
#include <vector>

namespace heteroscape::engine {

/// Evaluates points of a search, one after the other. One a thread; a copy is independent.
class SearchWalker {
public:
    /// All of them outlive the walker.
    SearchWalker(const SearchProblem& problem, const SearchSpace& space, std::stop_token stop);

    /// The point at a place; valid until the next call.
    const SearchedPoint& at(std::size_t place);
    const Evaluation& evaluation() const { return m_evaluation; } ///< of that point, where it runs
    const Scenario& scenario() const { return *m_scenario; }

private:
    const SearchSpace& m_space;
    std::stop_token m_stop;
    PointSetter m_setter;
    PointValidity m_validity;
    StepCache m_steps;
    Evaluation m_evaluation;
    std::vector<PointColumn> m_goals;
    std::vector<PointColumn> m_limited;
    std::vector<char> m_isFeasible; ///< limits that are about running at all
    std::vector<double> m_values;   ///< of goals, then of limits
    const Scenario* m_scenario = nullptr;
    SearchedPoint m_point;
};

struct SearchProgress {
    std::uint64_t done = 0;
    std::uint64_t total = 0; ///< points, or evaluations that may be used
    std::size_t front = 0;   ///< designs on the front so far, where it is known
    double seconds = 0.0;
};

/// What an evolutionary search saw at one point.
struct LookedPoint {
    std::uint64_t ordinal = 0;
    bool runs = false;
    std::array<double, kMaxGoals> goals{};
    std::vector<double> limited; ///< of each limit; both only where it runs

    bool operator==(const LookedPoint&) const = default;
};

/// How far a search is. One that goes on from there comes to the same, to the last byte, as one that was
/// never stopped.
struct SearchState {
    explicit SearchState(SearchTally found) : tally(std::move(found)) {}
    std::uint64_t done = 0; ///< of the shard's points, in the order of the walk; or evaluations
    SearchTally tally;
    std::vector<LookedPoint> looked{}; ///< evolutionary: what was seen, in order
};

struct SearchOptions {
    PointShard shard{};
    int jobs = 0;                       ///< threads; 0: all cores
    std::uint64_t evaluations = 10'000; ///< at most, of methods that do not look at every point
    std::uint32_t seed = 1;
    std::stop_token stop{};
    std::function<void(const SearchProgress&)> progress{}; ///< on the calling thread, a few times a second
    std::shared_ptr<const SearchState> from{};             ///< goes on from there; of this very search
    /// Where it stands, on the calling thread: every `stateEvery`, and once when it is stopped.
    std::function<void(const std::shared_ptr<const SearchState>&)> soFar{};
    std::chrono::milliseconds stateEvery{500};
};

/// A way to find the best designs of a problem. Each is one object in a file of its own, listed in
/// search_method.cpp.
class SearchMethod : public Kind {
public:
    using Kind::Kind;

    /// Whether parts of it can be done apart and put together.
    virtual bool canShard() const { return false; }
    /// Checks the problem and searches. The same options give the same, whatever the number of threads and
    /// however often it was stopped and went on. Throws Error (InvalidInput, NotFound for a bad problem or a
    /// state that is none of its own; Cancelled).
    virtual SearchTally run(const SearchProblem& problem, const SearchOptions& options) const = 0;
};

Registry<SearchMethod>& searchMethods();

/// Every point, in blocks by several threads, in memory that does not grow with their number.
const SearchMethod& exhaustiveSearch();
/// NSGA-II (Deb, Pratap, Agarwal and Meyarivan, IEEE Trans. Evol. Comput. 2002) over positions on the axes,
/// numbers and choices alike, by pagmo; a design that breaks a limit is worse than any that does not, and the
/// more it breaks the worse. The tally is of all that it looked at; each point counts once.
const SearchMethod& evolutionarySearch();

} // namespace heteroscape::engine

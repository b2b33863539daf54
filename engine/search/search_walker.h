// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/evaluation/step_cache.h"
#include "engine/search/search_tally.h"
#include "engine/study/point_validity.h"

#include <stop_token>

namespace heteroscape::engine {

/// Evaluates points of a search, one after the other. One a thread; a copy is independent.
class SearchWalker {
public:
    /// All of them outlive the walker.
    SearchWalker(const SearchProblem& problem, const SearchSpace& space, const PointValidity& validity,
                 std::stop_token stop);

    /// The point at a place; valid until the next call.
    const SearchedPoint& at(std::size_t place);
    const Evaluation& evaluation() const { return m_evaluation; } ///< of that point, where it runs
    const Scenario& scenario() const { return *m_scenario; }

private:
    const SearchSpace& m_space;
    const PointValidity& m_validity;
    std::stop_token m_stop;
    PointSetter m_setter;
    StepCache m_steps;
    Evaluation m_evaluation;
    std::vector<PointColumn> m_goals;
    std::vector<PointColumn> m_limited;
    std::vector<char> m_isFeasible; ///< limits that are about running at all
    std::vector<double> m_values;   ///< of goals, then of limits
    const Scenario* m_scenario = nullptr;
    SearchedPoint m_point;

    bool simulatePoint();
};

} // namespace heteroscape::engine

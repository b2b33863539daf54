// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/search/search_method.h"

#include "engine/evaluation/evaluate.h"
#include "engine/evaluation/simulate.h"

#include <utility>

namespace heteroscape::engine {

SearchWalker::SearchWalker(const SearchProblem& problem, const SearchSpace& space, std::stop_token stop)
    : m_space(space), m_stop(std::move(stop)), m_setter(space.walked()) {
    for (const auto& goal : problem.goals)
        m_goals.emplace_back(space.walked(), goal.column);
    for (const auto& limit : problem.study.limits) {
        const bool feasible = limit.column == "feasible";
        m_isFeasible.push_back(feasible);
        m_limited.emplace_back(space.walked(), feasible ? "devices" : limit.column);
    }
    m_values.resize(m_goals.size() + m_limited.size());
}

const SearchedPoint& SearchWalker::at(std::size_t place) {
    m_scenario = &m_setter.at(place);
    m_point.positions = m_setter.positions();
    m_point.ordinal = m_space.ordinal(m_point.positions);
    m_point.runs = false;
    if (!m_validity.of(m_setter))
        return m_point;
    m_steps.setKeys(m_setter.stepKeys(), m_setter.graphKeys());
    evaluateInto(*m_scenario, m_evaluation, m_steps);
    simulateInto(*m_scenario, m_evaluation, {.stop = m_stop});
    m_point.runs = m_evaluation.feasible;
    if (!m_point.runs)
        return m_point;
    std::size_t next = 0;
    for (const auto& goal : m_goals)
        m_values[next++] = goal.at(*m_scenario, m_evaluation, m_point.positions);
    for (std::size_t i = 0; i < m_limited.size(); ++i)
        m_values[next++] =
            m_isFeasible[i] ? 1.0 : m_limited[i].at(*m_scenario, m_evaluation, m_point.positions);
    m_point.goals = {m_values.data(), m_goals.size()};
    m_point.limited = {m_values.data() + m_goals.size(), m_limited.size()};
    return m_point;
}

Registry<SearchMethod>& searchMethods() {
    static Registry<SearchMethod> kinds("search method", {&exhaustiveSearch(), &evolutionarySearch()});
    return kinds;
}

} // namespace heteroscape::engine

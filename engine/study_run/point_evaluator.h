// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/evaluation/step_cache.h"
#include "engine/study/point_validity.h"
#include "engine/study/study_table.h"

#include <array>
#include <mutex>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace heteroscape::engine {

/// The different bounds met in a run, numbered. Thread-safe.
class BoundNames {
public:
    std::uint32_t number(const std::string& name);
    std::vector<std::string> names() const;

private:
    mutable std::mutex m_mutex;
    std::vector<std::string> m_names;
};

/// What a study keeps of a point.
struct EvaluatedPoint {
    bool feasible = false;
    std::uint32_t bound = 0;                    ///< BoundNames::number() of boundKey()
    std::array<double, kMetricCount> metrics{}; ///< in the shown unit of each; NaN: none
    std::vector<double> nodeMetrics{};          ///< Study::nodeMetrics, in their shown units; NaN: none
};

/// Turns ordinals into answers: one evaluation a point for all that a study keeps of it. One a thread; copies
/// share what does not change.
class PointEvaluator {
public:
    /// `stop` ends a simulation early, whose answer then means nothing. `metrics`: the positions of those
    /// that are put into an answer, the others keep what they were; empty: all. `nodeMetrics`: paths
    /// (metric_path.h).
    PointEvaluator(const PointSetter& setter, const PointValidity& validity, BoundNames& names,
                   std::stop_token stop = {}, std::vector<std::size_t> metrics = {},
                   std::vector<std::string> nodeMetrics = {});

    ScenarioKey key(std::size_t ordinal) { return scenarioKeyBytes(m_setter.at(ordinal)); }
    void evaluate(std::size_t ordinal, EvaluatedPoint& point);
    /// The metrics of nodes alone, where the rest is known: no request is simulated.
    void evaluateNodes(std::size_t ordinal, std::vector<double>& nodeMetrics);

private:
    struct KnownBound {
        std::size_t node;
        std::size_t link;
        Phase phase;
        Bound bound;
        std::uint32_t number;
    };

    const Scenario& evaluateAt(std::size_t ordinal);
    void readNodes(const Scenario& scenario, std::vector<double>& nodeMetrics) const;
    std::uint32_t boundNumber(const Scenario& scenario);
    bool simulatePoint(const Scenario& scenario);

    PointSetter m_setter;
    const PointValidity& m_validity;
    BoundNames& m_names;
    std::stop_token m_stop;
    std::vector<std::size_t> m_metrics;
    std::vector<std::string> m_nodeMetrics;
    Evaluation m_evaluation;
    StepCache m_steps;
    std::vector<KnownBound> m_known; ///< so that no text is made for each point
};

/// How a metric of a node is called, by a point that has it; without the node's name where an axis exchanges
/// the node.
NodeMetricName nodeMetricName(const Study& study, const std::string& metric, std::size_t ordinal);

} // namespace heteroscape::engine

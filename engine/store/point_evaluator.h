// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/evaluation/step_cache.h"
#include "engine/store/store.h"
#include "engine/study/point_validity.h"

#include <mutex>
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

/// Turns ordinals into rows. One a thread; copies share what does not change.
class PointEvaluator {
public:
    /// `stop` ends a simulation early, whose row then means nothing. `metrics`: the positions of those that
    /// are put into a row, the others keep what they were; empty: all.
    PointEvaluator(const PointSetter& setter, const PointValidity& validity, BoundNames& names,
                   std::stop_token stop = {}, std::vector<std::size_t> metrics = {});

    void setKey(PointRow& row) { row.key = scenarioKeyBytes(m_setter.at(row.ordinal)); }
    void evaluate(PointRow& row);

private:
    struct KnownBound {
        std::size_t node;
        std::size_t link;
        Phase phase;
        Bound bound;
        std::uint32_t number;
    };

    std::uint32_t boundNumber(const Scenario& scenario);
    bool simulatePoint(const Scenario& scenario);

    PointSetter m_setter;
    const PointValidity& m_validity;
    BoundNames& m_names;
    std::stop_token m_stop;
    std::vector<std::size_t> m_metrics;
    Evaluation m_evaluation;
    StepCache m_steps;
    std::vector<KnownBound> m_known; ///< so that no text is made for each point
};

} // namespace heteroscape::engine

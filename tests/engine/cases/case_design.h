// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/evaluation/simulate.h"
#include "engine/scenario/edit.h"

#include <optional>
#include <string>

namespace heteroscape::engine::test {

/// A design of a case. It is evaluated when something of it is asked for, and once until it changes.
class CaseDesign {
public:
    explicit CaseDesign(Scenario scenario) : m_scenario(std::move(scenario)) {}

    void set(const std::string& path, const std::string& text); ///< as evaluate --set does
    void remove(const std::string& id);                         ///< a node with its links, or a link

    /// A metric or number of the design in its shown unit, NaN where it is not set; of a link also
    /// traffic_gbps and utilisation, of a node fits (1 or 0), as evaluate --json has them. Requests are
    /// simulated where the metric is one of theirs.
    double value(const std::string& path);

    /// "reason": why it cannot run or be simulated. "bound": as boundKey(). "findings", "findings at
    /// <subject>": a line each, "error layout_divides at nodes.gpu.dp: message. remedy". "explanation
    /// <metric>". "refusal <path> = <text>": what set() says against it. Else a choice or switch by its path.
    std::string text(const std::string& subject);

    /// Why it is not feasible, or not infeasible: no metric but price and area is set then. Empty: it is.
    std::string problemOf(bool feasible);

private:
    Scenario m_scenario;
    std::optional<Evaluation> m_evaluation;
    std::optional<ServingEvaluation> m_serving;

    void apply(const GraphEdit& edit);
    const Evaluation& evaluation();
    void simulateOnce();
};

} // namespace heteroscape::engine::test

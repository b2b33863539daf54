// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/scenario/scenario.h"
#include "engine/schedule/compiled_phase.h"

namespace heteroscape::engine {

/// The guesses of a decode step that speculates with a model of its own: g decode steps of the draft, of all
/// requests at their contexts, one after the other on the devices that share a replica of the served model
/// (see draftDesign()). Its reading of prompts is not timed, as that of layers that guess is not. Source:
/// moe_parallel, section 8.
class DraftSteps {
public:
    /// The node speculates with a draft model (see hasDraft()).
    DraftSteps(const Scenario& scenario, const Node& node);
    DraftSteps(const DraftSteps&) = delete;
    DraftSteps& operator=(const DraftSteps&) = delete;

    double guesses() const { return m_guesses; }
    const CompiledPhase& one() const { return m_phase; } ///< guess
    StepCost cost(double firstContext, double lastContext) const;
    Term explain(Contexts contexts, double context) const; ///< that cost at one

private:
    Scenario m_design;
    const Node& m_node;
    Machine m_machine;
    CompiledPhase m_phase;
    double m_guesses;
};

} // namespace heteroscape::engine

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/schedule/draft_steps.h"

#include "engine/techniques/speculation.h"

namespace heteroscape::engine {

DraftSteps::DraftSteps(const Scenario& scenario, const Node& node)
    : m_design(draftDesign(scenario, node)), m_node(*m_design.findNode(node.id)),
      m_machine(machineOf(m_design, m_node)), m_phase(m_design, m_node, Phase::Decode, m_machine, nullptr),
      m_guesses(speculationOf(scenario).guesses) {}

StepCost DraftSteps::cost(double firstContext, double lastContext) const {
    auto cost = m_phase.cost(firstContext, lastContext);
    cost.scale(m_guesses);
    return cost;
}

Term DraftSteps::explain(Contexts contexts, double context) const {
    Term guess;
    m_phase.at(context,
               [&](const CompiledPhase& phase) { guess = phase.step().explainWithin(contexts, context); });
    return (Term::counted("Guesses", m_guesses, measures::count, "techniques.speculation.guesses") *
            guess.named("A step of " + m_design.model.name, measures::milliseconds))
        .named("Guesses of the draft model", measures::milliseconds);
}

} // namespace heteroscape::engine

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/schedule/compiled_phase.h"

#include "engine/techniques/apply.h"

namespace heteroscape::engine {

namespace {

/// The graph itself, after its techniques: a step is timed with them.
const OperatorGraph& afterTechniques(OperatorGraph& graph, const Scenario& scenario, const Node& node) {
    applyTechniques(graph, scenario, node, graph.shape().phase);
    return graph;
}

const LayerFlows* flowsOf(const Offloading* offloading, Phase phase) {
    return offloading ? &offloading->flows(phase) : nullptr;
}

} // namespace

Machine machineOf(const Scenario& scenario, const Node& node) {
    Collective collective;
    collective.devices = tensorParallel(node);
    collective.convention = node.runtime->allReduce;
    if (collective.devices > 1.0)
        if (const auto* link = collectiveLink(scenario, node)) {
            collective.bandwidth = link->type.bandwidth.value;
            collective.latency = link->type.latency.value;
            collective.link = &link->type;
        }
    return {node.device, *node.runtime, collective};
}

StepShape phaseShape(const Scenario& scenario, const Node& node, Phase phase) {
    const auto& workload = scenario.workload;
    StepShape shape;
    shape.phase = phase;
    shape.queryTokens = phase == Phase::Prefill ? workload.promptTokens.value : 1.0;
    shape.batch = workload.batch.value;
    shape.maxTokens = workload.promptTokens.value + workload.outputTokens.value;
    shape.devices = tensorParallel(node);
    shape.style = node.runtime->operators;
    return shape;
}

double representativeKeys(const Workload& workload, Phase phase) {
    const double prompt = workload.promptTokens.value;
    return phase == Phase::Prefill ? prompt : prompt + 0.5 * (workload.outputTokens.value + 1.0);
}

CompiledPhase::CompiledPhase(const Scenario& scenario, const Node& node, Phase phase, const Machine& machine,
                             const Offloading* offloading)
    : CompiledPhase(scenario, node, phaseShape(scenario, node, phase), machine, offloading) {}

CompiledPhase::CompiledPhase(const Scenario& scenario, const Node& node, const StepShape& shape,
                             const Machine& machine, const Offloading* offloading)
    : m_graph(scenario.model, shape), m_machine(machine),
      m_step(afterTechniques(m_graph, scenario, node), machine, shape.phase,
             flowsOf(offloading, shape.phase)) {}

CompiledPhase::CompiledPhase(const OperatorGraph& graph, const Machine& machine, const Offloading* offloading)
    : m_graph(graph), m_machine(machine), m_step(m_graph, machine, phase(), flowsOf(offloading, phase())) {}

StepCost CompiledPhase::cost(const Workload& workload) const {
    const double prompt = workload.promptTokens.value;
    return phase() == Phase::Prefill ? m_step.cost(prompt, prompt)
                                     : m_step.cost(prompt + 1.0, prompt + workload.outputTokens.value);
}

double CompiledPhase::totalSeconds(const StepCost& cost, const Workload& workload) const {
    const double prompt = workload.promptTokens.value;
    return phase() == Phase::Prefill ? cost.at(prompt)
                                     : cost.sumOverDecode(prompt, workload.outputTokens.value);
}

double CompiledPhase::totalSeconds(const Workload& workload) const {
    return totalSeconds(cost(workload), workload);
}

Term CompiledPhase::explainTotal(const Workload& workload) const {
    const double prompt = workload.promptTokens.value;
    return phase() == Phase::Prefill ? m_step.explain(prompt)
                                     : m_step.explainDecode(prompt, workload.outputTokens.value);
}

double CompiledPhase::collectiveBytes(const Operator& op) const {
    return op.payload * m_machine.activationBytes * m_machine.collective.trafficFactor();
}

double CompiledPhase::collectiveBytes() const {
    const double factor = m_machine.collective.trafficFactor();
    double bytes = 0.0;
    if (factor > 0.0)
        for (const auto& op : m_graph.operators())
            bytes += op.repeat * op.payload * m_machine.activationBytes * factor;
    return bytes;
}

} // namespace heteroscape::engine

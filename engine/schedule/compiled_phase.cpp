// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/schedule/compiled_phase.h"

#include "engine/techniques/apply.h"

#include <algorithm>
#include <cmath>

namespace heteroscape::engine {

namespace {

/// The graph itself, after its techniques: a step is timed with them.
const OperatorGraph& afterTechniques(OperatorGraph& graph, const Scenario& scenario, const Node& node) {
    applyTechniques(graph, scenario, node, graph.shape().phase);
    return graph;
}

/// The stages of a pipeline: null for a batch that is one microbatch.
std::unique_ptr<const Microbatches> othersOf(const Scenario& scenario, const Node& node, StepShape shape,
                                             const Machine& machine) {
    const double count = shape.layout.microbatches;
    if (!shape.allStages || count <= 1.0)
        return nullptr;
    shape.allStages = false;
    OperatorGraph stage(scenario.model, shape);
    return std::make_unique<const Microbatches>(afterTechniques(stage, scenario, node), machine, shape.phase,
                                                count);
}

const LayerFlows* flowsOf(const Offloading* offloading, Phase phase) {
    return offloading ? &offloading->flows(phase) : nullptr;
}

} // namespace

Machine machineOf(const Scenario& scenario, const Node& node) {
    Collective collective;
    collective.devices = tensorParallel(node);
    collective.stage = collective.devices / node.pp.valueOr(1.0);
    collective.convention = node.runtime->allReduce;
    if (collective.devices > 1.0)
        if (const auto* link = collectiveLink(scenario, node)) {
            collective.bandwidth = link->type.bandwidth.value;
            collective.latency = link->type.latency.value;
            collective.link = &link->type;
            if (const auto* network = networkLink(scenario, node))
                collective.network = {link->type.domain.value, network->type.bandwidth.value,
                                      network->type.latency.value, &network->type};
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
    if (!scenario.model.isUniform()) {
        shape.layout = layoutOf(node);
        shape.allStages = shape.layout.pp > 1.0;
        // No microbatch is without a request of each rank.
        auto& microbatches = shape.layout.microbatches;
        microbatches = std::min(microbatches, std::max(1.0, std::floor(shape.batch / shape.layout.dp)));
        shape.context = representativeKeys(workload, phase);
        shape.weightBytes = node.runtime->weightBits.value / 8.0;
        shape.kvBytes = node.runtime->kvBits.value / 8.0;
    }
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
    : m_scenario(&scenario), m_node(&node), m_graph(scenario.model, shape), m_machine(machine),
      m_step(afterTechniques(m_graph, scenario, node), machine, shape.phase, flowsOf(offloading, shape.phase),
             othersOf(scenario, node, shape, machine)) {}

CompiledPhase::CompiledPhase(const OperatorGraph& graph, const Machine& machine, const Offloading* offloading)
    : m_graph(graph), m_machine(machine), m_step(m_graph, machine, phase(), flowsOf(offloading, phase())) {}

namespace {

StepShape about(StepShape shape, double context) {
    shape.context = context;
    return shape;
}

} // namespace

/// Layered models are not offloaded.
CompiledPhase::CompiledPhase(const CompiledPhase& other, double context)
    : CompiledPhase(*other.m_scenario, *other.m_node, about(other.m_graph.shape(), context),
                    other.m_machine) {}

StepCost CompiledPhase::cost(const Workload& workload) const {
    const double prompt = workload.promptTokens.value;
    return phase() == Phase::Prefill ? m_step.cost(prompt, prompt)
                                     : cost(prompt + 1.0, prompt + workload.outputTokens.value);
}

template <class Visit>
void CompiledPhase::forContexts(double firstKeys, double lastKeys, Visit visit) const {
    const auto& model = m_graph.model();
    if (model.isUniform() || !m_scenario) {
        visit(*this, firstKeys, lastKeys);
        return;
    }
    for (double first = firstKeys; first <= lastKeys;) {
        double last = lastKeys;
        for (const auto& group : model.groups)
            if (const double limit = group.attention->limit(group.figures); limit >= first && limit < last)
                last = std::floor(limit);
        at(first, [&](const CompiledPhase& phase) { visit(phase, first, last); });
        first = last + 1.0;
    }
}

bool CompiledPhase::holdsAt(double keys) const {
    const double context = m_graph.shape().context;
    if (!m_scenario || phase() == Phase::Prefill)
        return true; // as it was made
    const auto& groups = m_graph.model().groups;
    return std::all_of(groups.begin(), groups.end(), [&](const LayerGroup& group) {
        const double limit = group.attention->limit(group.figures);
        return (keys <= limit) == (context <= limit);
    });
}

StepCost CompiledPhase::cost(double firstKeys, double lastKeys) const {
    StepCost cost;
    double end = 0.0;
    forContexts(firstKeys, lastKeys, [&](const CompiledPhase& part, double first, double last) {
        const auto stretch = part.m_step.cost(first, last);
        if (end > 0.0)
            cost.append(end, stretch);
        else
            cost = stretch;
        end = last;
    });
    return cost;
}

SegmentSeconds CompiledPhase::segmentSeconds(double keys) const {
    SegmentSeconds seconds;
    at(keys, [&](const CompiledPhase& part) { seconds = part.m_step.segmentSeconds(keys); });
    return seconds;
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
    if (phase() == Phase::Prefill)
        return m_step.explain(prompt);
    std::vector<Term> stretches;
    forContexts(prompt + 1.0, prompt + workload.outputTokens.value,
                [&](const CompiledPhase& part, double first, double last) {
                    stretches.push_back(part.m_step.explainDecode(first - 1.0, last - first + 1.0));
                });
    return stretches.size() == 1 ? stretches.front()
                                 : sum("Decode of all output tokens", measures::seconds, stretches);
}

double CompiledPhase::deviceShare() const {
    const auto& shape = m_graph.shape();
    return shape.allStages ? shape.layout.microbatches / shape.layout.pp : 1.0;
}

double CompiledPhase::collectiveBytes(const Operator& op) const {
    return op.payload * m_machine.activationBytes * m_machine.collective.trafficFactor(op);
}

SentBytes CompiledPhase::collectiveBytes() const {
    SentBytes bytes;
    if (m_machine.collective.devices > 1.0)
        for (const auto& op : m_graph.operators()) {
            const auto sent = m_machine.collective.sent(op, 1.0);
            const double payload = op.repeat * op.payload * m_machine.activationBytes;
            bytes.near += payload * sent.near;
            bytes.far += payload * sent.far;
        }
    const double share = deviceShare();
    return {share * bytes.near, share * bytes.far};
}

} // namespace heteroscape::engine

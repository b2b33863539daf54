// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/schedule/step.h"

#include "engine/schedule/draft_steps.h"

#include <algorithm>
#include <cmath>

namespace heteroscape::engine {

Step::Step(const OperatorGraph& graph, const Machine& machine, Phase phase, const LayerFlows* flows,
           std::unique_ptr<const Microbatches> others, std::unique_ptr<const SplitLayers> split,
           std::unique_ptr<const StageNodes> stages, std::unique_ptr<const DraftSteps> draft)
    : m_graph(graph), m_flows(flows), m_others(std::move(others)), m_stages(std::move(stages)),
      m_split(std::move(split)), m_draft(std::move(draft)) {
    timePhase(m_timing, graph, machine, phase);
}

Step::~Step() = default;

/// The chains of all layers, one line each in their order.
StepCost Step::chainCost(double keys) const {
    StepCost cost;
    for (const auto& chain : m_flows->chains())
        cost.add(chain.boundAt(keys), chain.seconds() * m_graph.model().layers.value);
    return cost;
}

StepCost Step::cost(double firstKeys, double lastKeys) const {
    if (!m_draft)
        return verified(firstKeys, lastKeys);
    const auto verifies = verified(firstKeys, lastKeys);
    const auto guesses = m_draft->cost(firstKeys, lastKeys);
    return StepCost::overStretches(
        firstKeys, lastKeys,
        [&](double keys) { return std::min(verifies.stretchEnd(keys), guesses.stretchEnd(keys)); },
        [&](double keys) {
            const auto own = verifies.tangentAt(keys);
            const auto draft = guesses.tangentAt(keys);
            return std::pair(own + draft, (own.value < draft.value ? guesses : verifies).boundAt(keys));
        });
}

StepCost Step::verified(double firstKeys, double lastKeys) const {
    if (m_split)
        return m_split->cost(firstKeys, lastKeys);
    if (m_stages)
        return m_stages->cost(firstKeys, lastKeys);
    auto own = ownCost(firstKeys, lastKeys);
    return m_others ? m_others->cost(std::move(own), firstKeys, lastKeys) : own;
}

StepCost Step::ownCost(double firstKeys, double lastKeys) const {
    auto operators = m_timing->cost(firstKeys, lastKeys);
    if (!m_flows)
        return operators;
    const double layers = m_graph.model().layers.value;
    const auto serial = m_flows->serial.seconds() * layers;
    if (m_flows->besideOperators) {
        for (const auto& chain : m_flows->chains())
            operators.add(chain.boundAt(firstKeys), chain.seconds() * layers);
        operators.delay(serial.at(firstKeys)); // weights: the same at every context
        return operators;
    }
    // The operators left on the device do not see the context: offloadAttention() took those that do.
    const double own = operators.at(firstKeys);
    const auto ownBound = operators.boundAt(firstKeys);
    StepCost cost;
    if (m_flows->chains().empty()) {
        const bool waits = serial.at(firstKeys) > own;
        cost.add(waits ? m_flows->serial.boundAt(firstKeys) : ownBound, serial + Affine{own, 0.0});
        return cost;
    }
    for (const auto& chain : m_flows->chains()) {
        const auto seconds = chain.seconds() * layers;
        cost.add(seconds.at(firstKeys) > own ? chain.boundAt(firstKeys) : ownBound,
                 seconds + serial + Affine{own, 0.0});
    }
    return cost;
}

WorkSeconds Step::decodeParts(double prompt, double tokens) const {
    WorkSeconds parts{};
    const auto operators = m_timing->cost(prompt + 1.0, prompt + tokens);
    parts[static_cast<std::size_t>(Work::Operator)] = operators.sumOverDecode(prompt, tokens);
    if (!m_flows)
        return parts;
    const double layers = m_graph.model().layers.value;
    const auto take = [&](const FlowChain& chain, double first, double last) {
        for (const auto& flow : chain.flows())
            parts[static_cast<std::size_t>(flow.work)] +=
                (last - first + 1.0) * layers * flow.seconds.at(0.5 * (first + last));
    };
    take(m_flows->serial, prompt + 1.0, prompt + tokens);
    if (!m_flows->chains().empty())
        chainCost(prompt + 1.0).forEachPiece(prompt, tokens, [&](std::size_t i, double first, double last) {
            take(m_flows->chains()[i], first, last);
        });
    return parts;
}

void Step::operatorTimes(double keys, std::span<OperatorTime> out) const {
    ownTimes(keys, out);
    if (!m_others && !m_split && !m_stages && !m_draft)
        return;
    const double share = cost(keys, keys).at(keys) / ownCost(keys, keys).at(keys);
    for (auto& time : out.first(m_graph.operators().size()))
        time.seconds *= share;
}

void Step::ownTimes(double keys, std::span<OperatorTime> out) const {
    m_timing->operatorTimes(keys, out);
    if (!m_flows)
        return;
    const auto operators = m_graph.operators();
    double own = 0.0;
    for (std::size_t i = 0; i < operators.size(); ++i)
        own += out[i].seconds;
    const auto whole = ownCost(keys, keys);
    const double wait = whole.at(keys) - own;
    if (wait <= 0.0)
        return;
    for (std::size_t i = 0; i < operators.size(); ++i) {
        if (m_flows->besideOperators) { // all of them wait for what runs beside
            out[i].seconds *= 1.0 + wait / own;
            out[i].bound = whole.boundAt(keys);
        } else if (operators[i].kind == OperatorKind::Attention ||
                   operators[i].kind == OperatorKind::Scores) { // stands for all of attention
            out[i] = {wait, whole.boundAt(keys)};
        }
    }
}

SegmentSeconds Step::segmentSeconds(double keys) const {
    if (m_split)
        return {m_split->layerSeconds(keys), 0.0, m_split->headSeconds(keys)};
    std::array<OperatorTime, OperatorGraph::kCapacity> times;
    ownTimes(keys, times);
    SegmentSeconds seconds;
    const auto operators = m_graph.operators();
    for (std::size_t i = 0; i < operators.size(); ++i) {
        auto& part = operators[i].segment == Segment::Attention ? seconds.attention
                     : operators[i].segment == Segment::Ffn     ? seconds.ffn
                                                                : seconds.head;
        // Layers that differ: a mean one.
        part += times[i].seconds /
                (operators[i].segment == Segment::Head ? operators[i].repeat : m_graph.model().layers.value);
    }
    return seconds;
}

std::vector<ScheduleBlock> Step::blocks(double keys) const {
    auto blocks = m_split ? m_split->blocks(keys) : m_flows ? offloadedBlocks(keys) : m_timing->blocks(keys);
    if (m_draft) {
        const auto guesses = m_draft->cost(keys, keys);
        const double one = guesses.at(keys) / m_draft->guesses();
        blocks.push_back({Segment::Head,
                          m_draft->guesses(),
                          one,
                          {{Lane::Compute, Work::Draft, 0, 0.0, one, 0.0, guesses.boundAt(keys)}}});
    }
    if (m_others || m_stages)
        if (const double wait = verified(keys, keys).at(keys) - ownCost(keys, keys).at(keys); wait > 0.0)
            blocks.push_back({Segment::Head,
                              1.0,
                              wait,
                              {{Lane::Compute, Work::Pipeline, 0, 0.0, wait, 0.0, Bound::None}}});
    return blocks;
}

std::vector<StageTime> Step::stageTimes(double keys) const {
    if (m_stages)
        return m_stages->stageTimes(keys);
    return m_graph.shape().allStages ? heteroscape::engine::stageTimes(*m_timing, m_graph, keys)
                                     : std::vector<StageTime>{};
}

/// One block a layer: operators before attention, the chains side by side, the operators after it; or all
/// operators beside the chains. What is left of the serial flows comes last.
std::vector<ScheduleBlock> Step::offloadedBlocks(double keys) const {
    std::array<OperatorTime, OperatorGraph::kCapacity> times;
    m_timing->operatorTimes(keys, times);
    const auto operators = m_graph.operators();
    const double layers = m_graph.model().layers.value;
    ScheduleBlock layer{Segment::Attention, layers, 0.0, {}};
    ScheduleBlock head{Segment::Head, 1.0, 0.0, {}};
    const auto runChain = [&](const FlowChain& chain, double start) {
        for (const auto& flow : chain.flows()) {
            const double end = start + flow.seconds.at(keys);
            if (end > start)
                layer.segments.push_back(
                    {flow.lane, flow.work, 0, start, end, flow.bytes.at(keys), flow.bound});
            start = end;
        }
        return start;
    };
    const auto runChains = [&](double start) {
        double end = start;
        for (const auto& chain : m_flows->chains())
            end = std::max(end, runChain(chain, start));
        return end;
    };
    std::size_t i = 0;
    if (!m_flows->besideOperators) {
        for (; i < operators.size() && !operators[i].offloaded; ++i)
            layer.append(operators[i], i, times[i]);
        layer.seconds = runChains(layer.seconds);
    }
    for (; i < operators.size(); ++i)
        (operators[i].segment == Segment::Head ? head : layer).append(operators[i], i, times[i]);
    if (m_flows->besideOperators)
        layer.seconds = std::max(layer.seconds, runChains(0.0));
    layer.seconds = runChain(m_flows->serial, layer.seconds);
    std::vector<ScheduleBlock> blocks{std::move(layer)};
    if (head.seconds > 0.0)
        blocks.push_back(std::move(head));
    return blocks;
}

} // namespace heteroscape::engine

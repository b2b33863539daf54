// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/techniques/l2_prefetch.h"

#include "engine/scenario/diagnostics.h"
#include "engine/scenario/layout.h"
#include "engine/scenario/technique_targets.h"
#include "engine/techniques/built_in.h"
#include "engine/techniques/graph_pass.h"

#include <algorithm>
#include <array>

namespace heteroscape::engine {

namespace {

/// First in, first out, each operator once.
class BreadthFirst {
public:
    void visit(OperatorSet operators) {
        operators.forEach([this](std::size_t i) {
            if (!m_visited.contains(i)) {
                m_visited.insert(i);
                m_queue[m_end++] = i;
            }
        });
    }
    bool empty() const { return m_begin == m_end; }
    std::size_t next() { return m_queue[m_begin++]; }

private:
    OperatorSet m_visited;
    std::array<std::size_t, OperatorGraph::kCapacity> m_queue; ///< not initialised: read up to m_end
    std::size_t m_begin = 0;
    std::size_t m_end = 0;
};

const std::array<KindParameter, 1> kParameters{{
    {{"budget", "Share of L2", "", 1, 1e-3, 1, false, true,
      "Share of the L2 capacity that prefetched weights and KV cache may take together."},
     1.0},
}};

const std::array<KindOption, 2> kOptions{{
    {"weights", "Prefetch weights", "Prefetch the weights of matrix multiplications.", true},
    {"kv", "Prefetch KV cache", "Prefetch the KV cache that decode attention reads.", true},
}};

class L2Prefetch final : public Technique, public GraphPass {
public:
    L2Prefetch()
        : Technique("l2_prefetch", "L2 prefetch",
                    "While devices wait for an allreduce, the weights and the KV cache of what follows are "
                    "read into L2 (PRESERVE, Algorithm 1).") {}

    std::span<const KindParameter> parameters() const override { return kParameters; }
    std::span<const KindOption> options() const override { return kOptions; }

    std::string refusalAt(const TechniqueTargets&, const Node& node) const override {
        if (auto refusal = refusalWithoutRuntime(node); !refusal.empty())
            return refusal;
        const auto& name = node.shownName();
        if (!node.device.l2Capacity.isSet())
            return name + " has no L2 that is known: set its capacity first";
        if (!concerns(*node.runtime))
            return node.runtime->name + " on " + name + " does not see L2: choose a fused runtime first";
        if (tensorParallel(node) <= 1.0)
            return "The devices of " + name +
                   " share no replica, so there is no allreduce to prefetch under: give it tensor "
                   "parallelism first";
        return {};
    }
    std::string refusalAt(const TechniqueTargets& targets, const Link& link) const override {
        for (const auto* node : targets.reducedOver(link))
            if (canPrefetch(*node))
                return {};
        return "No allreduce that L2 prefetch could hide under crosses this link: drop it on the link of "
               "devices that share the model";
    }
    bool concerns(const Runtime& runtime) const override { return runtime.seesL2(); }
    bool suits(const Scenario& scenario) const override {
        return std::any_of(scenario.nodes.begin(), scenario.nodes.end(), canPrefetch);
    }
    bool changesStepOf(const Scenario&, const Node& node) const override { return canPrefetch(node); }
    void check(const Scenario& scenario, TierMap&, std::vector<Diagnostic>& found) const override {
        const auto& settings = scenario.techniques[*this];
        if (!settings.isOn(kPrefetchWeights) && !settings.isOn(kPrefetchKv))
            found.push_back({Severity::Note, "techniques.l2_prefetch.weights",
                             "L2 prefetch has nothing to prefetch", "Switch on weights, KV cache or both"});
        if (!suits(scenario))
            found.push_back(
                {Severity::Note, "techniques.l2_prefetch.enabled",
                 "L2 prefetch changes nothing: it needs devices with an L2 that share one replica, "
                 "and a runtime that sees L2",
                 "Set a node's replicas below its count, and choose a runtime with fused operators"});
        for (const auto& node : scenario.nodes)
            if (canPrefetch(node) && isLayered(scenario.model, node) && layoutOf(node).tp <= 1.0)
                found.push_back(
                    {Severity::Note, "techniques.l2_prefetch.enabled",
                     "L2 prefetch changes nothing on " + node.shownName() +
                         ": without tensor parallelism no allreduce stands before weights of the same layer, "
                         "and what follows the combine of experts is the next layer",
                     "Give each rank of attention several devices (fewer dp), or switch L2 prefetch off"});
    }
    TechniqueAxis studyAxis(const Scenario&, const Node& node) const override {
        return canPrefetch(node) ? TechniqueAxis{"enabled", "false,true"} : TechniqueAxis{};
    }

    const GraphPass* pass() const override { return this; }
    std::string_view name() const override { return id(); }
    bool actsOn(const PassContext& context) const override { return canPrefetch(context.node); }
    void apply(OperatorGraph& graph, const PassContext& context) const override {
        const auto& settings = context.scenario.techniques[*this];
        const auto& runtime = *context.node.runtime;
        insertPrefetches(graph, {context.node.device.l2Capacity.value * settings[kL2Budget],
                                 runtime.weightBits.value / 8.0, runtime.kvBits.value / 8.0,
                                 settings.isOn(kPrefetchWeights), settings.isOn(kPrefetchKv)});
    }
    bool maySet(OperatorMark mark) const override { return mark == OperatorMark::Prefetched; }
    bool readsOneNode() const override { return true; }
};

} // namespace

const Technique& l2Prefetch() {
    static const L2Prefetch kind;
    return kind;
}

bool canPrefetch(const Node& node) {
    return node.runtime && l2Prefetch().concerns(*node.runtime) && node.device.l2Capacity.isSet() &&
           tensorParallel(node) > 1.0;
}

bool prefetches(const Scenario& scenario, const Node& node) {
    return scenario.techniques.isOn(l2Prefetch()) && canPrefetch(node);
}

double l2Need(const Operator& op, const L2PrefetchRule& rule) {
    return op.storedWeights() * rule.weightBytes + op.kvAllocated * rule.kvBytes;
}

void insertPrefetches(OperatorGraph& graph, const L2PrefetchRule& rule) {
    const auto operators = graph.operators();
    std::array<OperatorSet, OperatorGraph::kCapacity> children;
    for (std::size_t to = 0; to < operators.size(); ++to)
        for (std::size_t from = 0; from < to; ++from)
            if (operators[to].inputs.contains(from))
                children[from].insert(to);

    for (std::size_t start = 0; start < operators.size(); ++start) {
        if (!isCollective(operators[start].kind))
            continue;
        BreadthFirst search;
        search.visit(children[start]);
        double taken = 0.0;
        while (!search.empty()) {
            const auto at = search.next();
            auto& op = operators[at];
            if (isCollective(op.kind))
                break;
            const bool counts = op.kind == OperatorKind::Linear      ? rule.weights
                                : op.kind == OperatorKind::Attention ? rule.kv
                                                                     : false;
            if (counts) {
                const double need = l2Need(op, rule);
                taken += need;
                if (taken >= rule.budget)
                    break;
                if (need > 0.0) { // attention of prefill keeps K and V on the chip: nothing to read ahead
                    op.prefetched = true;
                    op.l2Left = rule.budget - taken;
                }
            }
            search.visit(children[at]);
        }
    }
}

} // namespace heteroscape::engine

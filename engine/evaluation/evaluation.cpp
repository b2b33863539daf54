// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluation/evaluation.h"

#include "engine/scenario/node_fields.h"

#include <algorithm>

namespace heteroscape::engine {

namespace {

double powerOf(Phase phase, const Device& device, double) {
    return powerIn(phase, device);
}
Term powerOf(Phase phase, const Device& device, const Term&) {
    return explainPower(phase, device);
}

template <class V>
V mean(const Scenario& scenario, std::span<const BusySharesOf<V>> busy) {
    using N = Numbers<V>;
    using std::max;
    const auto watts = [](const V& power, std::string_view name) {
        return N::named(power, name, measures::watts);
    };
    V power{};
    for (std::size_t i = 0; i < scenario.nodes.size(); ++i) {
        const auto& node = scenario.nodes[i];
        const auto& device = node.device;
        const V idle = N::named(max(V{}, N::counted("All of the time", 1.0, measures::percent, "definition") -
                                             busy[i].prefill - busy[i].decode),
                                "Share of time idle", measures::percent);
        V each{};
        if (valueOf(busy[i].prefill) > 0.0)
            each = each + watts(busy[i].prefill * powerOf(Phase::Prefill, device, V{}), "In prefill");
        if (valueOf(busy[i].decode) > 0.0)
            each = each + watts(busy[i].decode * powerOf(Phase::Decode, device, V{}), "In decode");
        if (valueOf(idle) > 1e-12 && !(isFabric(device.kind) && !device.powerIdle.isSet()))
            each = each + watts(idle * N::quantity(deviceFields, device, &Device::powerIdle),
                                "Idle"); // unset makes the sum unknown, never smaller
        power = power + N::named(N::quantity(nodeFields, node, &Node::count) * watts(each, "Power of one"),
                                 node.shownName(), measures::watts);
    }
    return power;
}

} // namespace

double meanPower(const Scenario& scenario, std::span<const BusyShares> busy) {
    return mean<double>(scenario, busy);
}

Term meanPower(const Scenario& scenario, std::span<const BusySharesOf<Term>> busy) {
    return mean<Term>(scenario, busy);
}

std::string boundKey(const Scenario& scenario, const Evaluation& evaluation) {
    const auto& bound = evaluation.bound;
    if (!evaluation.feasible || bound.node >= scenario.nodes.size())
        return "none";
    if (bound.link < scenario.links.size())
        return scenario.links[bound.link].id.value + " " + std::string(boundName(Bound::Network));
    return scenario.nodes[bound.node].id.value + " " + std::string(phaseName(bound.phase)) + " " +
           std::string(boundName(bound.bound));
}

std::string boundLabel(const Scenario& scenario, const Evaluation& evaluation) {
    const auto& bound = evaluation.bound;
    if (!evaluation.feasible || bound.node >= scenario.nodes.size())
        return "none";
    if (bound.link < scenario.links.size()) {
        const auto& link = scenario.links[bound.link];
        return scenario.findNode(link.from)->shownName() + " to " + scenario.findNode(link.to)->shownName() +
               ": " + std::string(boundLabel(Bound::Network));
    }
    return scenario.nodes[bound.node].shownName() + ": " + std::string(phaseName(bound.phase)) + ", " +
           std::string(boundLabel(bound.bound));
}

} // namespace heteroscape::engine

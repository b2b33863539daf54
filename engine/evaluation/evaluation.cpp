// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluation/evaluation.h"

namespace heteroscape::engine {

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

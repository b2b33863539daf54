// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluation/evaluation.h"

#include "engine/scenario/node_fields.h"
#include "engine/units/number_text.h"

#include <algorithm>

namespace heteroscape::engine {

namespace {

template <class V>
V leastZero(const V& share) {
    using std::max;
    return max(V{}, share);
}

/// Calls works(phase, share of time) for what a node does, waits(share) for the rest.
template <class V, class Works, class Waits>
void forShares(const Device& device, const BusySharesOf<V>& busy, Works works, Waits waits) {
    using N = Numbers<V>;
    if (valueOf(busy.prefill) > 0.0)
        works(Phase::Prefill, busy.prefill);
    if (valueOf(busy.decode) > 0.0)
        works(Phase::Decode, busy.decode);
    const V idle = N::named(leastZero<V>(N::counted("All of the time", 1.0, measures::percent, "definition") -
                                         busy.prefill - busy.decode),
                            "Share of time idle", measures::percent);
    if (valueOf(idle) > 1e-12 && !(isFabric(device.kind) && !device.powerIdle.isSet()))
        waits(idle); // unset makes the sum unknown, never smaller
}

const PhaseRates& phaseOf(const NodeRates& rates, Phase phase) {
    return phase == Phase::Prefill ? rates.prefill : rates.decode;
}

} // namespace

std::vector<NodeRates> ratesOf(std::span<const NodeEvaluation> nodes) {
    std::vector<NodeRates> rates;
    rates.reserve(nodes.size());
    for (const auto& node : nodes)
        rates.push_back({node.prefill.rates, node.decode.rates});
    return rates;
}

namespace {

/// `drawnBy(node, phase)`: what one device of a node draws in a phase.
template <class DrawnBy>
double meanPowerOf(const Scenario& scenario, DrawnBy drawnBy, std::span<const BusyShares> busy,
                   PowerParts* parts, PowerBand* band) {
    double power = 0.0;
    PowerParts sums{};
    PowerBand spread{0.0, 0.0, 0.0};
    for (std::size_t i = 0; i < scenario.nodes.size(); ++i) {
        const auto& device = scenario.nodes[i].device;
        const double count = scenario.nodes[i].count.value;
        double each = 0.0;
        forShares<double>(
            device, busy[i],
            [&](Phase phase, double share) {
                const auto& drawn = drawnBy(i, phase);
                each += share * drawn.total;
                for (std::size_t term = 0; term < kPowerTerms; ++term)
                    sums[term] += count * share * drawn.watts[term];
                const double watts = count * share * drawn.total;
                spread.sigma += watts * drawn.sigma;
                spread.down += watts * drawn.down;
                spread.up += watts * drawn.up;
            },
            [&](double share) {
                const double watts = share * idlePower(device);
                each += watts;
                sums[static_cast<std::size_t>(PowerTerm::Idle)] += count * watts;
                spread.sigma += count * watts; // who takes longer for all waits longer as well
            });
        power += count * each;
    }
    if (parts)
        *parts = sums;
    if (band)
        *band = {spread.sigma / power, spread.down / power, spread.up / power};
    return power;
}

} // namespace

double meanPower(const Scenario& scenario, std::span<const NodeRates> rates, std::span<const BusyShares> busy,
                 PowerParts* parts, PowerBand* band) {
    return meanPowerOf(
        scenario,
        [&](std::size_t node, Phase phase) {
            return phasePower(scenario.nodes[node].device, phase, phaseOf(rates[node], phase));
        },
        busy, parts, band);
}

double meanPower(const Scenario& scenario, std::span<const DrawnPower> drawn,
                 std::span<const BusyShares> busy, PowerParts& parts) {
    return meanPowerOf(
        scenario,
        [&](std::size_t node, Phase phase) -> const PhasePower& {
            return drawn[node][static_cast<std::size_t>(phase)];
        },
        busy, &parts, nullptr);
}

Term meanPower(const Scenario& scenario, std::span<const NodeRates> rates,
               std::span<const BusySharesOf<Term>> busy) {
    Term power;
    for (std::size_t i = 0; i < scenario.nodes.size(); ++i) {
        const auto& node = scenario.nodes[i];
        Term each;
        forShares<Term>(
            node.device, busy[i],
            [&](Phase phase, const Term& share) {
                each =
                    each + (share * explainPhasePower(node.device, phase, phaseOf(rates[i], phase)))
                               .named(phase == Phase::Prefill ? "In prefill" : "In decode", measures::watts);
            },
            [&](const Term& share) {
                each = each + (share * explainIdlePower(node.device)).named("Idle", measures::watts);
            });
        power = power + (Numbers<Term>::quantity(nodeFields, node, &Node::count) *
                         each.named("Power of one", measures::watts))
                            .named(node.shownName(), measures::watts);
    }
    return power;
}

std::optional<Scenario> atOnce(const Scenario& scenario, const Evaluation& evaluation) {
    if (!(evaluation.atOnce < scenario.workload.batch.value))
        return {};
    auto fewer = scenario;
    fewer.workload.batch.value = evaluation.atOnce;
    return fewer;
}

std::string letInText(const Scenario& scenario, const Evaluation& evaluation) {
    const double batch = scenario.workload.batch.value;
    if (!(evaluation.atOnce < batch))
        return {};
    return plainText(evaluation.atOnce) + " of " + plainText(batch) +
           (evaluation.cacheIsFull ? " requests fit in the KV cache at once"
                                   : " requests are served at once, as many as the server takes") +
           "; the others are let in later";
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

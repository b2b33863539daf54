// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/document/serving_view.h"

#include "engine/scenario/diagnostics.h"
#include "engine/scenario/runtime_choice.h"
#include "engine/scenario/tiers.h"
#include "engine/serving/simulation.h"
#include "engine/techniques/built_in.h"
#include "widgets/document/document.h"
#include "widgets/document/simulation_runner.h"

#include <cmath>

namespace heteroscape::widgets {

namespace {

constexpr double kProposedLoad = 0.7;
constexpr auto kProposal = "0.7 of the request rate of the closed form";

/// Nobody gave it: the quantity that every design starts with, or a proposal from before.
bool isOpen(const engine::Quantity& rate, std::string_view key) {
    return rate == engine::Serving()[key] || rate.source == kProposal;
}

} // namespace

SimulationRunner* simulationOf(Document* document) {
    auto* known = document->findChild<SimulationRunner*>();
    return known ? known : new SimulationRunner(document);
}

engine::Quantity proposedRate(const Document& document) {
    const auto& evaluation = document.evaluation();
    const double most = evaluation.metric(engine::Metric::RequestRate);
    if (!evaluation.feasible || !(most > 0.0))
        return {};
    return {QString::number(kProposedLoad * most, 'g', 2).toDouble(), engine::Provenance::Assumed, kProposal};
}

bool setArrivals(Document& document, const engine::ArrivalKind* arrivals) {
    auto serving = document.scenario().serving;
    serving.batching = &engine::batchingUnder(document.scenario(), *arrivals);
    serving.arrivals = arrivals;
    if (const auto key = arrivals->rateKey(); !key.empty())
        if (const auto rate = proposedRate(document); rate.isSet() && isOpen(serving[key], key))
            serving[key] = rate;
    return document.perform(engine::SetServing{std::move(serving)});
}

std::vector<const engine::ArrivalKind*> readyArrivals() {
    auto kinds = engine::simulatedArrivals();
    std::erase_if(kinds, [](const engine::ArrivalKind* kind) {
        std::vector<engine::Diagnostic> findings;
        kind->check(engine::Serving(), findings);
        return engine::hasErrors(findings);
    });
    return kinds;
}

std::uint32_t defaultStage(const Document& document) {
    const auto& scenario = *document.results().scenario;
    const auto& nodes = document.evaluation().nodes;
    engine::ServingSystem system;
    system.assist = scenario.techniques.isOn(engine::gpuAssist());
    system.preempt = scenario.techniques[engine::gpuAssist()].isOn(engine::kPreempt);
    for (std::size_t i = 0; i < scenario.nodes.size(); ++i) {
        const auto& node = scenario.nodes[i];
        if (engine::effectiveRole(scenario, node) != engine::Role::Decode || !node.runtime)
            continue;
        const bool evaluated = document.evaluation().feasible && i < nodes.size();
        const double activeReplicas =
            evaluated && engine::offloads(node) ? nodes[i].offload.activeReplicas : engine::replicas(node);
        engine::ServingPool pool;
        pool.role = engine::Role::Decode;
        pool.replicas = static_cast<std::uint32_t>(activeReplicas);
        pool.batch = static_cast<std::uint32_t>(scenario.workload.batch.valueOr(1.0));
        system.pools.push_back(pool);
    }
    return engine::defaultStage(system);
}

QString words(std::string_view text) {
    return QString::fromUtf8(text);
}

} // namespace heteroscape::widgets

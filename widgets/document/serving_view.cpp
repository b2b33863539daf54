// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/document/serving_view.h"

#include "engine/base/error.h"
#include "engine/scenario/tiers.h"
#include "engine/serving/simulation.h"
#include "engine/techniques/gpu_assist.h"
#include "widgets/document/document.h"
#include "widgets/document/simulation_runner.h"

#include <QCoreApplication>

#include <cmath>

namespace heteroscape::widgets {

namespace {

constexpr double kProposedLoad = 0.7;
constexpr auto kProposal = "0.7 of the request rate of the closed form";

QString tr(const char* text) {
    return QCoreApplication::translate("heteroscape::widgets::Serving", text);
}

/// Nobody gave it: the figure that every design starts with, or a proposal from before.
bool isOpen(const engine::Figure& rate) {
    return rate == engine::Serving().rate || rate.source == kProposal;
}

} // namespace

SimulationRunner* simulationOf(Document* document) {
    auto* known = document->findChild<SimulationRunner*>();
    return known ? known : new SimulationRunner(document);
}

engine::Figure proposedRate(const Document& document) {
    const auto& evaluation = document.evaluation();
    const double most = evaluation.metric(engine::Metric::RequestRate);
    if (!evaluation.feasible || !(most > 0.0))
        return {};
    return {QString::number(kProposedLoad * most, 'g', 2).toDouble(), engine::Provenance::Assumed, kProposal};
}

bool setArrivals(Document& document, engine::Arrivals arrivals) {
    engine::SetServing edit{document.scenario().serving};
    edit.serving.arrivals = arrivals;
    if (const auto rate = proposedRate(document);
        arrivals == engine::Arrivals::Poisson && rate.isSet() && isOpen(edit.serving.rate))
        edit.serving.rate = rate;
    return document.perform(edit);
}

QString setTrace(Document& document, const QString& path) {
    try {
        document.perform(
            engine::setEdit(document.scenario(), document.catalog(), "serving.trace", path.toStdString()));
    } catch (const engine::Error& error) {
        return QString::fromStdString(error.what());
    }
    return {};
}

std::uint32_t defaultStage(const Document& document) {
    const auto& scenario = document.evaluatedScenario();
    const auto& nodes = document.evaluation().nodes;
    engine::ServingSystem system;
    system.assist = scenario.techniques.isOn(engine::gpuAssist());
    system.preempt = scenario.techniques[engine::gpuAssist()].isOn(engine::kPreempt);
    for (std::size_t i = 0; i < scenario.nodes.size(); ++i) {
        const auto& node = scenario.nodes[i];
        if (engine::effectiveRole(scenario, node) != engine::Role::Decode || !node.runtime)
            continue;
        const bool evaluated = document.evaluation().feasible && i < nodes.size();
        const double copies =
            evaluated && engine::offloads(node) ? nodes[i].offload.copies : engine::replicas(node);
        engine::ServingPool pool;
        pool.role = engine::Role::Decode;
        pool.servers = static_cast<std::uint32_t>(copies);
        pool.batch = static_cast<std::uint32_t>(scenario.workload.batch.valueOr(1.0));
        system.pools.push_back(pool);
    }
    return engine::defaultStage(system);
}

QString arrivalsName(engine::Arrivals arrivals) {
    switch (arrivals) {
    case engine::Arrivals::Steady:
        return tr("Steady");
    case engine::Arrivals::Backlog:
        return tr("Backlog");
    case engine::Arrivals::Poisson:
        return tr("Poisson");
    case engine::Arrivals::Trace:
        break;
    }
    return tr("Trace");
}

QString arrivalsText(engine::Arrivals arrivals) {
    switch (arrivals) {
    case engine::Arrivals::Steady:
        return tr(
            "There is always another request waiting. Nothing is simulated: the figures are those of the "
            "closed form.");
    case engine::Arrivals::Backlog:
        return tr("All requests are there at the start. The simulation runs until the last is served.");
    case engine::Arrivals::Poisson:
        return tr("Requests come at random and independently of each other, at a mean rate. Waiting times "
                  "show.");
    case engine::Arrivals::Trace:
        break;
    }
    return tr("Requests come as recorded in a CSV file, each with its own prompt and output length.");
}

} // namespace heteroscape::widgets

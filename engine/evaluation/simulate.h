// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/evaluation/evaluate.h"
#include "engine/evaluation/evaluation.h"
#include "engine/serving/simulation.h"

namespace heteroscape::engine {

/// What one node did in a simulation: shares of the time of each of its devices.
struct ServingNode {
    double prefillBusy = 0.0;
    double decodeBusy = 0.0;
    double transferBusy = 0.0;  ///< slots taken by KV caches on their way; nothing is computed
    double kvTokens = 0.0;      ///< KV cache that one replica has room for, tokens
    std::uint32_t replicas = 0; ///< replicas at work

    double busy() const { return prefillBusy + decodeBusy; }
};

/// A simulation of a scenario's requests.
struct ServingEvaluation {
    std::string reason; ///< why there is none; empty: there is one
    ServingResult result;
    std::vector<std::size_t> poolNodes; ///< node of each pool of the result
    std::vector<ServingNode> nodes;     ///< parallel to scenario.nodes
    std::vector<LinkEvaluation> links;  ///< parallel to scenario.links, mean over the simulated time
    std::vector<NodeRates> rates;       ///< parallel to scenario.nodes: of the work that was done
    double power = kUnset;              ///< W, mean
    PowerParts powerParts{};            ///< what it is made of
    std::uint32_t stage = 0;            ///< the stage depth that was used
    double price = kUnset;              ///< USD of the system
    BillOf<double> bill;                ///< of a second, at that power

    bool ran() const { return reason.empty(); }
};

/// Simulates the requests of a scenario that validate() finds no errors in, by its arrivals, batching and
/// techniques; `evaluation` is its own. Steady arrivals are taken as a backlog. Limits of TTFT and TPOT come
/// from the scenario. Pure; see simulateServing() for time and memory.
///
/// A node's replicas are replicas of up to workload.batch requests. KV cache for prompt and output
/// is set aside in what device memory leaves beside the weights; a request waits when it does not fit. A
/// request that is prefilled and waits for a decode node is kept by the first host or switch on its way, as
/// far as that has a memory (host_memory_gib; not set: endless), or by the device that prefilled it where the
/// way is direct. Runtimes that offload take static batches, each laid out for itself. Collectives and what
/// is offloaded cross links in proportion to the tokens worked on.
ServingEvaluation simulate(const Scenario& validScenario, const Evaluation& evaluation,
                           const SimulationOptions& options = {});

/// The metrics of a simulation into an evaluation of the same scenario.
void setServingMetrics(const ServingEvaluation& serving, Evaluation& evaluation);
/// Both, as a study stores it: a design whose full batch does not fit runs where it can serve fewer requests
/// at a time. Leaves an evaluation alone whose scenario says that nothing is simulated.
void simulateInto(const Scenario& validScenario, Evaluation& evaluation,
                  const SimulationOptions& options = {});
/// How one of them comes about from what the simulation counted.
Term explainServingMetric(const Scenario& scenario, const ServingEvaluation& serving, Metric which);

/// What a lane of the timeline is called.
struct ServingLaneName {
    std::string title; ///< "A100 80GB", "U280 3": the node, and which of its copies
    std::string place; ///< of replicas with a batch: "prefill", "slot 2"; else empty
};
ServingLaneName servingLaneName(const Scenario& scenario, const ServingEvaluation& serving, std::size_t lane);

} // namespace heteroscape::engine

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/evaluation/evaluation.h"
#include "engine/evaluation/metric.h"
#include "engine/scenario/layout_moves.h"

#include <stop_token>
#include <vector>

namespace heteroscape::engine {

/// What lies in the memory of one device of a node, B; of a pipeline, of its fullest stage. What must fit is
/// NodeEvaluation::neededBytes(): working space and reserve among it where the node sets its reserve.
struct DeviceMemory {
    double attention = 0.0; ///< weights of attention
    double experts = 0.0;   ///< weights of routed and shared experts
    double others = 0.0;    ///< dense networks, routers, embedding, LM head
    double draft = 0.0;     ///< weights of a model that guesses tokens
    double kv = 0.0;        ///< with its caches
    double working = 0.0;   ///< activations and buffers; layered models, or where they must fit. Source:
                            ///< moe_parallel, section 6
    double reserve = 0.0;   ///< what a server keeps besides: the node's, else of layered models the usual one
    double capacity = 0.0;
    double requests = 1.0; ///< whose caches a device holds
    bool mustFit = false;  ///< working space and reserve too

    double weights() const { return attention + experts + others + draft; }
    double needed() const { return weights() + kv + (mustFit ? working + reserve : 0.0); } ///< what must fit
    double used() const { return weights() + kv + working + reserve; }
    double perRequest() const { return kv / requests; }
};

/// Of an accelerator that offloads nothing, by its evaluation. The parts of the weights are shared out as
/// rankElements() counts them (a uniform model's as its elements() do) and add up to the evaluation's.
DeviceMemory deviceMemory(const Scenario& scenario, const Node& node, const NodeEvaluation& evaluation);

/// What a scenario comes to with one layout of a node.
struct RankedLayout {
    CopiedLayout laid;
    double value = 0.0;        ///< of the metric that they are ranked by, SI; unset where it does not run
    double throughput = 0.0;   ///< tok/s; unset where it does not run
    double timePerToken = 0.0; ///< s
    double bytes = 0.0;        ///< B on each device that must fit
    bool fits = false;         ///< and the design runs
};

/// The layouts of a node in the order of a metric. All of them share out the same devices, and each copy
/// serves the same workload. They have as many replicas as the node says, or any number where it leaves that
/// open.
struct LayoutRanking {
    Metric metric = Metric::Throughput;
    std::vector<RankedLayout> best; ///< of those that fit, the best first
    std::size_t valid = 0;          ///< layouts that were to be tried
    std::size_t fit = 0;            ///< of them those that fit
    RankedLayout now;               ///< the node's present layout
    bool complete = true;           ///< false: stopped before all were tried

    /// The best one where it beats the present one by more than `share` of it, or where that does not run;
    /// else null.
    const RankedLayout* better(double share) const;
};

/// Evaluates every layout that layoutsOf() has for the node, with each number of replicas that divides its
/// devices where the node leaves that open, and keeps the `most` best. Metrics that neither more nor less of
/// is better rank as they stand, the larger first. Pure and thread-safe; one evaluation a layout.
LayoutRanking rankLayouts(const Scenario& scenario, const NodeId& node, Metric metric, std::size_t most,
                          const std::stop_token& stop = {});

} // namespace heteroscape::engine

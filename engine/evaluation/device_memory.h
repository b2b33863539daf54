// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/evaluation/evaluation.h"

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

} // namespace heteroscape::engine

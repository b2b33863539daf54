// SPDX-License-Identifier: GPL-3.0-or-later
// The techniques that ship with the engine; those that say more have a header of their own.
#pragma once

#include "engine/operators/operator_graph.h"
#include "engine/scenario/scenario.h"
#include "engine/scenario/technique.h"
#include "engine/techniques/l2_prefetch.h"
#include "engine/techniques/near_storage.h"
#include "engine/techniques/speculation.h"

#include <cstddef>

namespace heteroscape::engine {

/// Why no technique of a step can act on a node: it is no accelerator, or has no runtime. Empty otherwise.
inline std::string refusalWithoutRuntime(const Node& node) {
    if (!isAccelerator(node.device.kind))
        return node.shownName() + " runs no part of the model: drop it on an accelerator";
    return node.runtime ? std::string() : node.shownName() + " has no runtime: choose one first";
}

/// Load merging (GLITCHES section IV-C, "data prefetching"; "prefetch ratio M" there): one load instruction
/// fetches the operands of M compute instructions. Acts in decode, on runtimes that merge loads.
const Technique& loadMerging();
inline constexpr std::size_t kMergeRatio = 0; ///< M

/// Whether it is on and acts on decode steps of this node.
bool mergesLoads(const Scenario& scenario, const Node& node);

/// Its pass: one load fetches the weights, and one the meta-data, of `ratio` successive compute instructions
/// of every linear operator, lm_head included. KV loads are not merged. ratio >= 1.
void mergeLoads(OperatorGraph& graph, double ratio);

// gpuAssist(): prefill nodes decode too when they would otherwise wait (the work-conserving policy).
inline constexpr std::size_t kPreempt = 0; ///< option: such a decode stops at a token boundary for a prefill

// disaggregation() is declared in technique.h: roles depend on it.
inline constexpr std::size_t kStageDepth = 0; ///< requests; unset: see defaultStage()

/// True where requests can go one way or another: there are several accelerators.
bool hasSeveralAccelerators(const Scenario& scenario);

struct Layout;
struct Model;

/// How tokens spread over the experts of a mixture: popularity, imbalance of ranks, experts kept twice. Off:
/// every expert is as popular. Source: moe_parallel, section 4.5.
const Technique& unevenExperts();

enum UnevenParameter : std::size_t { kExpertSkew, kExpertImbalance, kRedundantExperts };

/// Pairs of a token and an expert on the busiest of `ranks` ranks over what chance alone gives it; 1 where
/// the technique is off.
double busiestRankFactor(const Scenario& scenario, const Model& model, double tokens, double ranks);

/// Slots of experts that are kept twice over the experts of a layer; 0 where it is off, or one rank has all.
double redundantShare(const Scenario& scenario, const Model& model, const Layout& layout);

} // namespace heteroscape::engine

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/scenario/link_flow.h"
#include "engine/scenario/scenario.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

namespace heteroscape::engine {

/// The technique by which accelerators of several nodes are one pipeline
/// (techniques/pipeline_over_nodes.cpp).
const Technique& pipelineOverNodes();
inline constexpr std::size_t kFirstLayers = 0; ///< its parameter

/// A node's part of a pipeline that runs through several.
struct StageNode {
    std::size_t node = 0;           ///< index
    double layers = 0.0;            ///< of the model, whole
    std::vector<std::size_t> links; ///< to the next, of the last back to the first, in the order of travel
};

/// The nodes of the pipeline, in their order, while the technique is on: every accelerator with a runtime and
/// a part in the work. Empty where there are fewer than two. The first has as many layers as the technique is
/// told, or as all have in proportion to the devices that share a replica; the others share the rest so. A
/// way that no link leads has none.
std::vector<StageNode> stagePoolOf(const Scenario& scenario);
/// Whether the node is one of them, and one after the first.
bool isLaterStage(const Scenario& scenario, const Node& node);

/// The node whose work another shares: attention for networks, the first of a pipeline for later stages; the
/// node itself otherwise.
std::size_t leaderOf(const Scenario& scenario, std::size_t node);

/// Two nodes that serve a model together: of every layer one does attention, the other the feed-forward
/// networks. The activations cross the drawn links between them. Source: moe_parallel, section 13.
struct SplitPool {
    std::size_t attention = 0; ///< indices of nodes
    std::size_t ffn = 0;
    std::vector<std::size_t> links; ///< from the first to the second, in the order of travel
};

/// The links from a node to the nearest one that `isEnd`, in the order of travel, over what passes on; empty
/// where there is none.
std::vector<std::size_t> wayOver(const LinkGraph& graph, std::size_t start,
                                 const std::function<bool(std::size_t)>& isEnd);

/// The pool that a node with the role attention or ffn is part of: each attention node, in their order, takes
/// the nearest node for networks that none before it took, over links through hosts and switches. Nothing
/// where there is none left. The node is one of the scenario.
std::optional<SplitPool> splitPoolOf(const Scenario& scenario, const Node& node);

/// B that cross a drawn link, in one way and of one of its parallel ones, where every device of the
/// attention node sends or takes `attention` B and every one of the other node `ffn`.
double splitLinkBytes(const Scenario& scenario, const SplitPool& pool, std::size_t link, double attention,
                      double ffn);

} // namespace heteroscape::engine

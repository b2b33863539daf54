// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/scenario/scenario.h"

#include <cstddef>
#include <vector>

namespace heteroscape::engine {

/// The technique by which accelerators of several nodes are one pipeline (techniques/stages_on_nodes.cpp).
const Technique& stagesOnNodes();
inline constexpr std::size_t kFirstLayers = 0; ///< its parameter

/// A node's part of a pipeline that runs through several.
struct StageNode {
    std::size_t node = 0;           ///< index
    double layers = 0.0;            ///< of the model, whole
    std::vector<std::size_t> links; ///< to the next, of the last back to the first, in the order of travel
};

/// The nodes of the pipeline, in their order, while the technique is on: every accelerator with a runtime and
/// a part in the work. Empty where there are fewer than two. The first has as many layers as the technique is
/// told, or as all have in proportion to the devices that share a copy; the others share the rest so. A way
/// that no link leads has none.
std::vector<StageNode> stagePoolOf(const Scenario& scenario);
/// Whether the node is one of them, and one after the first.
bool isLaterStage(const Scenario& scenario, const Node& node);

/// The node whose work another shares: attention for networks, the first of a pipeline for later stages; the
/// node itself otherwise.
std::size_t leaderOf(const Scenario& scenario, std::size_t node);

} // namespace heteroscape::engine

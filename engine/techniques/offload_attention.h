// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/techniques/graph_pass.h"

namespace heteroscape::engine {

/// Takes decode's attention off the device: everything that touches the KV cache is marked as offloaded and
/// costs nothing there. Where it runs instead, and what crosses the links, is said by LayerFlows. It belongs
/// to runtimes that offload and has no switch.
void offloadAttention(OperatorGraph& graph);

const GraphPass& offloadAttentionPass();

} // namespace heteroscape::engine

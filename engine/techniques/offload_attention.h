// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/operators/operator_graph.h"

namespace heteroscape::engine {

/// Takes decode's attention off the device: everything that touches the KV cache is marked as offloaded and
/// costs nothing there. Where it runs instead, and what crosses the links, is said by LayerFlows.
void offloadAttention(OperatorGraph& graph);

} // namespace heteroscape::engine

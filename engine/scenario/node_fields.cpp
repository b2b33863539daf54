// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scenario/node_fields.h"

#include <array>

namespace heteroscape::engine {

namespace {

const std::array<Field<Node>, 2> kFields{{
    {{"count", "Count", "", 1, 1, 100000, true, true, "How many of this device work side by side."},
     &Node::count},
    {{"replicas", "Replicas", "", 1, 1, 100000, true, false,
      "Copies of the model among the node's devices: count / replicas devices share one by tensor "
      "parallelism. Not set: every device holds its own."},
     &Node::replicas},
}};

} // namespace

std::span<const Field<Node>> nodeFields() {
    return kFields;
}

} // namespace heteroscape::engine

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scenario/node_fields.h"

#include <array>

namespace heteroscape::engine {

namespace {

const std::array<Field<Node>, 1> kFields{{
    {{"count", "Count", "", 1, 1, 100000, true, true, "How many of this device work side by side."},
     &Node::count},
}};

} // namespace

std::span<const Field<Node>> nodeFields() {
    return kFields;
}

} // namespace heteroscape::engine

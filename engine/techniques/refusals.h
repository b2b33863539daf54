// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/scenario/scenario.h"

namespace heteroscape::engine {

/// Why no technique of a step can act on a node: it is no accelerator, or has no runtime. Empty otherwise.
inline std::string refusalWithoutRuntime(const Node& node) {
    if (!isAccelerator(node.device.kind))
        return node.shownName() + " runs no part of the model: drop it on an accelerator";
    return node.runtime ? std::string() : node.shownName() + " has no runtime: choose one first";
}

} // namespace heteroscape::engine

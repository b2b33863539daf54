// SPDX-License-Identifier: GPL-3.0-or-later
// The techniques that ship with the engine. Who needs one alone includes its own header.
#pragma once

#include "engine/scenario/scenario.h"
#include "engine/techniques/disaggregation.h"
#include "engine/techniques/gpu_assist.h"
#include "engine/techniques/l2_prefetch.h"
#include "engine/techniques/load_merging.h"
#include "engine/techniques/near_storage.h"
#include "engine/techniques/speculation.h"

namespace heteroscape::engine {

/// Why no technique of a step can act on a node: it is no accelerator, or has no runtime. Empty otherwise.
inline std::string refusalWithoutRuntime(const Node& node) {
    if (!isAccelerator(node.device.kind))
        return node.shownName() + " runs no part of the model: drop it on an accelerator";
    return node.runtime ? std::string() : node.shownName() + " has no runtime: choose one first";
}

} // namespace heteroscape::engine

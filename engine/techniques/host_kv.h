// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/scenario/technique.h"

namespace heteroscape::engine {

/// Keep a share of the KV cache in host memory, for attention on the CPU, beside X cache and CSDs.
const Technique& hostKv();
inline constexpr std::size_t kHostShare = 0; ///< of the tokens; unset: the one that makes a step shortest

} // namespace heteroscape::engine

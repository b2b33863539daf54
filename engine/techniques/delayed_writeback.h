// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/scenario/technique.h"

namespace heteroscape::engine {

/// Keep new K and V in host memory and spill them together, off the critical path (INF2, section 4.2). With
/// attention near storage.
const Technique& delayedWriteback();
inline constexpr std::size_t kSpillInterval = 0; ///< decode steps between spills, c

} // namespace heteroscape::engine

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/scenario/technique.h"

namespace heteroscape::engine {

/// Keep a share of the layers' inputs X in host memory instead of K and V on storage; the accelerator makes
/// K and V anew and attends to them (INF2, section 4.3). With attention near storage.
const Technique& xCache();
inline constexpr std::size_t kXShare = 0; ///< of the tokens; unset: as much as balances accelerator and CSDs

} // namespace heteroscape::engine

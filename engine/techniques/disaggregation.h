// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/scenario/technique.h"

namespace heteroscape::engine {

// disaggregation() is declared in technique.h: roles depend on it.
inline constexpr std::size_t kStageDepth = 0; ///< requests; unset: see defaultStage()

/// True where requests can go one way or another: there are several accelerators.
bool hasSeveralAccelerators(const Scenario& scenario);

} // namespace heteroscape::engine

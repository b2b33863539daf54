// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/timing/machine.h"

namespace heteroscape::engine {

/// Timing model `roofline` for a whole step:
///   seconds = max(FLOPs / (peak FLOP/s x e_c), bytes / (peak B/s x e_m)),
/// e_c and e_m the runtime's efficiencies in this phase. The sums are taken before the maximum, as the
/// efficiencies are calibrated on whole steps. Source: Williams et al., CACM 2009; GLITCHES section III-B.
StepCost rooflineCost(const OperatorGraph& graph, const Machine& machine, Phase phase);

} // namespace heteroscape::engine

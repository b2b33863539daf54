// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/timing/timing_model.h"

namespace heteroscape::engine {

/// Timing model `launch_floor`: roofline, but a step is never shorter than launching its kernels takes:
///   seconds = max(floor, roofline) + collectives.
/// Source: eager GPU decode in GLITCHES Table I, 24.26 ms on the A100 whatever the context.
/// The floor is one quantity of the runtime; it is not scaled with the number of layers.
const TimingModel& launchFloorModel();

} // namespace heteroscape::engine

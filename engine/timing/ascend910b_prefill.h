// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/timing/timing_model.h"

namespace heteroscape::engine {

/// Timing model `ascend910b_prefill`: the prefill beside which the decode layers of ascend910b_measured were
/// calibrated: l2_panel with everything prefetched that fits L2 (Algorithm 1, whether the technique is on or
/// not), free communication and no LM head. Source: PRESERVE section 5, read so that its Table 1 comes out.
const TimingModel& ascend910bPrefillModel();

} // namespace heteroscape::engine

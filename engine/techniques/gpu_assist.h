// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/scenario/technique.h"

namespace heteroscape::engine {

// gpuAssist(): prefill nodes decode too when they would otherwise wait (the work-conserving policy).
inline constexpr std::size_t kPreempt = 0; ///< option: such a decode stops at a token boundary for a prefill

} // namespace heteroscape::engine

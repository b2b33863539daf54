// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace heteroscape::engine {

enum class Phase { Prefill, Decode };

std::string_view phaseName(Phase phase); ///< "prefill", "decode"

} // namespace heteroscape::engine

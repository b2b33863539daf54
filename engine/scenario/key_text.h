// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/scenario/scenario.h"

namespace heteroscape::engine {

/// The key of a design for people: 32 hexadecimal digits, in the order of its bytes.
std::string keyText(const ScenarioKey& key);

} // namespace heteroscape::engine

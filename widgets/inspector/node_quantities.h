// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/device.h"

#include <string_view>

namespace heteroscape::widgets {

/// The section of the inspector in which a quantity of a device stands.
enum class QuantityGroup { Compute, Memory, L2, Cost, Die };
QuantityGroup quantityGroup(std::string_view key);

/// Whether a quantity of a device is worth a row although nobody set it.
bool quantityMatters(std::string_view key, engine::DeviceKind kind);

} // namespace heteroscape::widgets

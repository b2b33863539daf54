// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/device.h"

#include <string_view>

namespace heteroscape::widgets {

/// The section of the inspector in which a figure of a device stands.
enum class FigureGroup { Compute, Memory, L2, Cost, Die };
FigureGroup figureGroup(std::string_view key);

/// Whether a figure of a device is worth a row although nobody set it.
bool figureMatters(std::string_view key, engine::DeviceKind kind);

} // namespace heteroscape::widgets

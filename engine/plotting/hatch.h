// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/plotting/label_placement.h"

#include <vector>

namespace heteroscape::engine {

/// Rising lines at 45° that hatch a box, `spacing` apart along x, cut off at its edges. They continue over
/// boxes side by side. Lines rather than a pattern: they keep their look in every file format and size.
std::vector<PlotSegment> hatchLines(const PlotBox& box, double spacing);

} // namespace heteroscape::engine

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <vector>

namespace heteroscape::engine {

enum class Spacing { Linear, Log };

/// `count` (at least 2) numbers from `from` to `to`, both among them exactly, evenly apart on a linear or a
/// logarithmic scale (then both above 0), each rounded to 15 digits. Whole ones are rounded, and each is
/// there once, so that there may be fewer. Downwards when `to` lies below.
std::vector<double> spacedValues(double from, double to, std::size_t count, Spacing spacing, bool whole);

} // namespace heteroscape::engine

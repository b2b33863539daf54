// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plotting/name_fit.h"

#include <cmath>
#include <cstddef>
#include <numbers>

namespace heteroscape::engine {

NameFit fitNames(const std::vector<double>& widths, double height, double pitch, double gap) {
    bool level = true;
    for (std::size_t i = 1; i < widths.size(); ++i)
        level = level && (widths[i - 1] + widths[i]) / 2 + gap <= pitch;
    if (level)
        return {};
    if (pitch >= height * std::numbers::sqrt2)
        return {NameFit::Way::Slanted, 1};
    if (pitch >= height)
        return {NameFit::Way::Upright, 1};
    if (!(pitch > 0))
        return {NameFit::Way::Upright, static_cast<int>(widths.size())};
    return {NameFit::Way::Upright, static_cast<int>(std::ceil(height / pitch))};
}

} // namespace heteroscape::engine

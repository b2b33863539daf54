// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

namespace heteroscape::engine {

/// How names stand along an axis so that none overlap.
struct NameFit {
    enum class Way { Level, Slanted, Upright };
    Way way = Way::Level;
    int every = 1; ///< only every so many-th name has room
    bool operator==(const NameFit&) const = default;
};

/// Names of the given widths and one height, `pitch` apart, any unit: level when neighbours keep `gap`
/// between them, else slanted by 45°, else upright, else not all of them.
NameFit fitNames(const std::vector<double>& widths, double height, double pitch, double gap);

} // namespace heteroscape::engine

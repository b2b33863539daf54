// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/plotting/row_filter.h"

#include <cstdint>
#include <string>
#include <vector>

namespace heteroscape::engine {

/// One axis of parallel coordinates: a column of the study.
struct ParallelAxis {
    std::string column;
    double lower = 0.0, upper = 1.0; ///< of the values there are
    bool log = false;
    std::vector<std::uint16_t> places; ///< of each row, 0..kParallelPlaces-1; kNoPlace: no value

    double share(double value) const;   ///< where a value lies, 0..1
    double valueAt(double share) const; ///< the value there
};
inline constexpr std::uint16_t kParallelPlaces = 256;
inline constexpr std::uint16_t kNoPlace = 0xffff;

/// How many rows go from one place of an axis to one of the next: what is drawn in place of a line a row, so
/// that a picture of a million rows costs as much as one of a thousand.
struct ParallelBundle {
    std::uint16_t from = 0, to = 0;
    std::uint32_t kept = 0, all = 0; ///< rows
};

/// The axis of a column; logarithmic when its values are above zero and span over two decades.
ParallelAxis parallelAxis(const StudyTable& table, const std::string& column);

/// The bundles between two neighbouring axes, by `from`, then `to`. A row without a value in either has none.
std::vector<ParallelBundle> parallelBundles(const ParallelAxis& left, const ParallelAxis& right,
                                            const RowMask& kept);

} // namespace heteroscape::engine

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/timing/kernels/kernel_catalog.h"
#include "engine/validation/measured_table.h"

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace heteroscape::engine {

/// How much of a predicted time hangs on one figure of the device.
struct TimeShare {
    std::string_view figure; ///< "tensor peaks", "memory bandwidth", ...
    double percent = 0.0;    ///< faster for each per cent more of it: -d ln(time) / d ln(figure)
};

/// The figures of the device that the predicted time of a row hangs on, the largest share first, then what
/// none of them shortens as "starts and waits": the rest of 100 %. Central differences over 1 % either way.
/// Throws as predictRow().
std::vector<TimeShare> timeShares(const KernelCatalog& catalog, const MeasuredRow& row);

/// The numbers that say what was measured in a row ("m", "batch", ...) and are not empty, with their text.
std::vector<std::pair<std::string_view, std::string_view>> shapeOf(const MeasuredRow& row);

/// A row's kernel over one number of its shape, everything else as it is.
struct RowSeries {
    std::string_view column;         ///< empty: the row has no number to go along
    std::vector<double> at, modelUs; ///< of the model, rising
    std::vector<double> measuredAt;  ///< of rows that are like it but for this number, it among them
    std::vector<double> measuredUs;  ///< parallel
};

/// Along the number by which most of the rows differ from it that are else alike; where there are none, the
/// first of rows, keys, bytes and batch that it has. The model from a sixteenth to sixteen times the row's
/// own number, within the column's range; where it has no answer the point is left out.
RowSeries seriesOf(const KernelCatalog& catalog, std::span<const MeasuredRow> rows, const MeasuredRow& row);

/// What the kernel models give for a measured row, with the cache footprint of the loop that it was measured
/// in. Throws Error (NotFound, InvalidInput) that says why where there is no answer: an operation, device,
/// kernel or precision without constants, a cell that is needed and empty.
KernelTime predictRow(const KernelCatalog& catalog, const MeasuredRow& row);

/// The constants that a row is timed with.
struct ConstantsPlace {
    std::string family;               ///< its file's name: "gemm"
    std::vector<std::string> names;   ///< in the order of the family's keys, with the row's own framework
    std::vector<std::string> answers; ///< of the entry that there is: another framework's may stand in
};

/// Throws Error as predictRow() does for what has no constants, and for a framework that is none.
ConstantsPlace constantsPlace(const KernelCatalog& catalog, const MeasuredRow& row);

} // namespace heteroscape::engine

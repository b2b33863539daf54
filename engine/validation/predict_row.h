// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/timing/kernels/kernel_catalog.h"
#include "engine/validation/measured_table.h"

#include <string>
#include <vector>

namespace heteroscape::engine {

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

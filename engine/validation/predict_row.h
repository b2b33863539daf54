// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/timing/kernels/kernel_catalog.h"
#include "engine/validation/measured_table.h"

namespace heteroscape::engine {

/// What the kernel models give for a measured row, with the cache footprint of the loop that it was measured
/// in. Throws Error (NotFound, InvalidInput) that says why where there is no answer: an operation, device,
/// kernel or precision without constants, a cell that is needed and empty.
KernelTime predictRow(const KernelCatalog& catalog, const MeasuredRow& row);

} // namespace heteroscape::engine

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/timing/kernels/kernel_catalog.h"
#include "engine/validation/measured_table.h"

namespace heteroscape::engine {

/// What a plain roofline gives for a measured row, us: the larger of FLOPs / peak and bytes / memory rate, of
/// collectives the bytes of a ring over the link, of an all-to-all what crosses link or network; no start, no
/// share below 1 (silicon_kernels.md, section 8; moe_parallel.md, section 10). It is what a model is to be
/// better than, never an answer. Throws Error as predictRow() does for an unknown operation, device or kernel
/// and for an empty cell.
double rooflineUs(const KernelCatalog& catalog, const MeasuredRow& row);

} // namespace heteroscape::engine

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

// The shape of the kernel that a measured row is about, as its model takes it: columns of
// silicon_kernels.md, section 10, and moe_parallel.md, section 9.1. Each throws Error (InvalidInput) naming a
// column that is needed and empty.

GemmShape measuredGemm(const MeasuredRow& row);
AttentionContextShape measuredContext(const MeasuredRow& row);
AttentionGenerationShape measuredGeneration(const MeasuredRow& row);
double measuredCastBytes(const MeasuredRow& row); ///< read in bf16 and written in fp8
double measuredCopyBytes(const MeasuredRow& row); ///< read and written
/// The row's own format, else the one that its kernel was measured in. Throws also for one that is none.
const MoeFormat& measuredMoeFormat(const KernelCatalog& catalog, const MoeConstants& constants,
                                   const MeasuredRow& row);
/// Pairs and experts of the measured rank as recorded, else worked out from the routing.
MoeShape measuredMoe(const MoeConstants& constants, const MeasuredRow& row);
MlaDecodeShape measuredMlaDecode(const MeasuredRow& row);
MlaPrefillShape measuredMlaPrefill(const MeasuredRow& row);
MlaAbsorptionShape measuredMlaAbsorption(const MeasuredRow& row);
DeepEpShape measuredDeepEp(const MeasuredRow& row);
NvlinkAllToAllShape measuredNvlink(const MeasuredRow& row);
/// A kernel of a layer with a state.
struct MeasuredLinear {
    LinearAttentionOp op;
    bool decodes = false;
    LinearAttentionShape shape;
};
MeasuredLinear measuredLinear(const MeasuredRow& row);
EncoderAttentionShape measuredEncoder(const MeasuredRow& row);

/// A module with its phase ("context", "generation", "dense"), of a model of silicon_more.md, sections B1,
/// B2.
struct MeasuredModule {
    std::string_view phase;
    ModuleWidths widths;
    ModuleStep step;
};
MeasuredModule measuredModule(const MeasuredRow& row);

bool isDispatch(const MeasuredRow& row);       ///< not a combine
bool isInLowPrecision(const MeasuredRow& row); ///< of an all-to-all

} // namespace heteroscape::engine

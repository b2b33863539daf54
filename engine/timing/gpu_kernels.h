// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/timing/timing_model.h"

namespace heteroscape::engine {

/// Timing models `gpu_kernels_<framework>`: a step as the sum of its kernels, each timed by a model that was
/// fitted on measurements of that framework (silicon_kernels.md, sections 2 to 6 and 11; what becomes of an
/// operator: step_kernels.h). Each kernel's time has its launch from a CUDA graph in it; where kernels are
/// launched by the host a step takes at least kernels x host time per launch, a parameter.
///
/// GEMM precision: 16-bit weights bf16; 8 bits int8_wo with 16-bit activations, else sq on Ampere, fp8_block,
/// fp8_static or fp8 by the switches; 4 bits int4_wo with 16-bit activations, nvfp4 with 4. A KV cache of 8
/// bits is fp8. Figures are the device's, constants those of the GPU that its `kernels` names; S, f
/// and rates per clock that the device does not set are that GPU's, and peaks follow (device_peaks.h); a peak
/// that is edited leaves them alone (section 1).
///
/// Over a decode attention is smooth in the context but not affine: contexts are cut where 1024 + context
/// has grown by half, and in each stretch a line goes through the two points whose mean is that of all
/// contexts for a cubic (context_stretch.h). The sum is within 1e-4. Latent attention walks keys in blocks of
/// 64: stretches are cut at whole blocks, each of which counts at its middle. A decode is explained by these
/// lines.
///
/// Collectives are those of the drawn link's kind, at its rate. PCIe's constants count in its raw rate, of
/// which a large transfer, and so a drawn link, gets 0.75; those of PCIe 4 are of a server whose cards go
/// through the host, those of PCIe 5 stand for peers (LinkType::peer), of whose server nothing else is known.
///
/// Layered models, and mixtures of equal layers by their layeredForm(): layered_step_kernels.h. What has no
/// constants on a device is refused with what is missing.
const TimingModel& gpuKernelsTrtllm();
const TimingModel& gpuKernelsSglang();
const TimingModel& gpuKernelsVllm();
const TimingModel& gpuKernelsBest(); ///< of each operator the fastest of the three

/// Why a model of steps as they were measured, fused and on the device, does not take a runtime; none: it
/// does.
std::optional<TimingKind::Refusal> refusalUnlessFused(const TimingModel& model, const Runtime& runtime);

} // namespace heteroscape::engine

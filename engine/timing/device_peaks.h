// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/device.h"
#include "engine/catalog/term.h"

namespace heteroscape::engine {

struct Gpu;

// Peaks of a device whose SMs, clock or rates per clock are edited (silicon_kernels.md, section 1:
// peak = S x FLOPs per clock x f). What a device does not set is that of the GPU whose kernels were measured.
// A peak with a source of its own follows: it is scaled by SMs and clock over those of that GPU, or made anew
// where its rate per clock is set. A peak that was set by hand or calibrated stays.

/// The GPU that a device names; null where it names none that is known.
const Gpu* measuredGpu(const Device& device);

/// One of peakFp16, peakInt8, peakFp8, peakFp4, op/s; NaN where nothing says it.
double devicePeak(const Device& device, Quantity Device::*peak);
/// How it comes about.
Term explainDevicePeak(const Device& device, Quantity Device::*peak);

} // namespace heteroscape::engine

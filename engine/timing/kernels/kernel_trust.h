// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/timing/kernels/constants_table.h"
#include "engine/timing/kernels/gpu.h"
#include "engine/timing/kernels/kernel_time.h"

namespace heteroscape::engine {

/// How far the times of one entry's kernels are expected to be off on a device: the errors on rows that its
/// constants were not fitted on.
struct KernelTrust {
    float percent = std::numeric_limits<float>::quiet_NaN();    ///< median, within what was measured
    float farPercent = std::numeric_limits<float>::quiet_NaN(); ///< 90th percentile: beyond it
    Evidence evidence = Evidence::Beyond;

    /// A time with this; `inside`: its shape lies within what was measured.
    KernelTime of(KernelTime time, bool inside = true) const {
        time.evidence = inside ? evidence : Evidence::Beyond;
        time.errorPercent = time.evidence == Evidence::Beyond ? farPercent : percent;
        return time;
    }
    /// The same of an entry that stands in for what was not measured.
    KernelTrust standIn() const { return {percent, farPercent, Evidence::Beyond}; }
};

/// Of an entry's errors those of the device itself; where there are none, or the device's figures are edited,
/// the largest of them, of another device. `linked`: of kernels between devices, whose link counts beside
/// their figures. `part`: which of the entry's kernels.
KernelTrust trustIn(std::span<const HeldOutError> heldOut, const Gpu& gpu, bool linked = false,
                    std::string_view part = {});

} // namespace heteroscape::engine

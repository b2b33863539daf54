// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/timing/kernels/kernel_trust.h"

#include <algorithm>

namespace heteroscape::engine {

KernelTrust trustIn(std::span<const HeldOutError> heldOut, const Gpu& gpu, bool linked,
                    std::string_view part) {
    const bool edited = gpu.edited || (linked && gpu.linkEdited);
    KernelTrust worst;
    for (const auto& error : heldOut) {
        if (!part.empty() && error.of != part)
            continue;
        const KernelTrust trust{static_cast<float>(error.medianPercent), static_cast<float>(error.p90Percent),
                                error.what == "device" ? Evidence::AnotherDevice : Evidence::Interpolated};
        if (error.what == kCalibratedError || (!edited && error.device == gpu.id))
            return trust;
        // A comparison with NaN is false: the first is taken.
        if (!(trust.percent <= worst.percent)) {
            worst.percent = trust.percent;
            worst.evidence = Evidence::AnotherDevice;
        }
        if (!(trust.farPercent <= worst.farPercent))
            worst.farPercent = trust.farPercent;
    }
    return worst;
}

} // namespace heteroscape::engine

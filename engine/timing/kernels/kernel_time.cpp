// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/timing/kernels/kernel_time.h"

#include "engine/timing/kernels/kernel_catalog.h"

#include <algorithm>
#include <cmath>

namespace heteroscape::engine {

namespace {

/// Tensor FLOPs of an SM in a clock.
double flopPerClock(const GpuFigures& figures) {
    return figures.peak(Rate::Bf16) * 1e3 / (figures.sms * figures.clockGhz);
}

/// Whether its SMs have less than half of the tensor cores of any that an entry was held against: what tiles
/// cost there says little of them.
bool isUnlike(const Gpu& gpu, std::span<const HeldOutError> heldOut) {
    constexpr double kAlike = 0.5;
    double least = std::numeric_limits<double>::infinity();
    for (const auto& error : heldOut)
        for (const auto& other : shippedKernels().gpus)
            if (other.id == error.device)
                least = std::min(least, flopPerClock(other.figures));
    return std::isfinite(least) && flopPerClock(gpu.figures) < kAlike * least;
}

} // namespace

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
    return isUnlike(gpu, heldOut) ? worst.standIn() : worst;
}

std::string_view kernelBoundName(KernelBound bound) {
    static constexpr std::array<std::string_view, kKernelBounds> names{
        "launch", "tensor", "exponentials", "operands", "memory", "waves", "latency", "link", "network"};
    return names[static_cast<std::size_t>(bound)];
}

double powerNorm(double p, double a, double b, double c) {
    const double most = std::max({a, b, c});
    if (most <= 0.0)
        return 0.0;
    const auto share = [&](double x) { return x <= 0.0 ? 0.0 : x == most ? 1.0 : std::pow(x / most, p); };
    return most * std::pow(share(a) + share(b) + share(c), 1.0 / p);
}

} // namespace heteroscape::engine

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/term.h"
#include "engine/timing/kernels/constants_table.h"
#include "engine/timing/kernels/gpu.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>

namespace heteroscape::engine {

/// What the largest part of a kernel's time is spent on.
enum class KernelBound : std::uint8_t {
    Launch,       ///< start and fill, whatever the shape: t_0
    Tensor,       ///< tensor cores
    Exponentials, ///< special function units, in attention
    Operands,     ///< bytes that one SM can load or digest
    Memory,       ///< HBM or GDDR
    Waves,        ///< SMs that stand idle: too few blocks, or a last wave that is not full
    Latency,      ///< steps that wait for each other: K steps, splits, units of work, hops
    Link,         ///< NVLink or PCIe
    Network,      ///< between nodes
};
inline constexpr std::size_t kKernelBounds = 9;

/// "launch", "tensor", ...
std::string_view kernelBoundName(KernelBound bound);

struct KernelTime {
    double us = 0.0; ///< microseconds, as the specification has it
    KernelBound bound = KernelBound::Launch;
    // How far it may be off (kernel_trust.h), where that was asked of who knows the entry:
    Evidence evidence = Evidence::None;
    float errorPercent = std::numeric_limits<float>::quiet_NaN();
};

/// The parts that a time is made of, for its bound: the largest of them. A norm of several terms goes to its
/// largest term as a whole.
class KernelParts {
public:
    void add(KernelBound bound, double us) { m_us[static_cast<std::size_t>(bound)] += us; }
    /// The first of the largest.
    KernelBound largest() const {
        std::size_t largest = 0;
        for (std::size_t i = 1; i < m_us.size(); ++i)
            if (m_us[i] > m_us[largest])
                largest = i;
        return static_cast<KernelBound>(largest);
    }

private:
    std::array<double, kKernelBounds> m_us{};
};

/// (a^p + b^p + c^p)^(1/p) of numbers from 0, p from 1; 1 adds them up, a large p gives the largest.
double powerNorm(double p, double a, double b, double c = 0.0);

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

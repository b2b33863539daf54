// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/json.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace heteroscape::engine {

/// Class of a tensor core rate; int8 runs at the rate of fp8.
enum class Rate { Bf16, Fp8, Fp4 };
inline constexpr std::size_t kRates = 3;

/// What a kernel model is told of a device (silicon_kernels.md, section 1).
struct GpuFigures {
    double sms = 0.0;                    ///< S: streaming multiprocessors enabled
    double clockGhz = 0.0;               ///< f: SM clock that the dense bf16 peak implies
    std::array<double, kRates> tflops{}; ///< peak_c: dense tensor peaks by Rate, TFLOP/s; 0: none
    double hbmTbs = 0.0;                 ///< BW, TB/s
    double l2Mb = 0.0;                   ///< L2, MB of 1e6 bytes
    double mufuClk = 0.0;                ///< X: exponentials per clock and SM
    double linkGbs = 0.0;                ///< LK: link of one GPU, one direction, GB/s
    double networkGbs = 0.0;             ///< to other nodes, one direction, GB/s
    double linkUs = 10.0;                ///< of a small collective over the link, us: as NVLink's preset
    double networkUs = 25.0;             ///< of one over the network: as InfiniBand's

    double peak(Rate rate) const { return tflops[static_cast<std::size_t>(rate)]; }
    /// HBM: bytes of memory per us.
    double memoryBytesPerUs() const { return hbmTbs * 1e6; }
    /// FLOPs per us of the whole device at its peak.
    double flopPerUs(Rate rate) const { return peak(rate) * 1e6; }

    /// A hypothetical device: other SMs or clock, with every peak scaled by the product of both ratios.
    GpuFigures withSms(double count, double clock) const;
    bool operator==(const GpuFigures&) const = default;
};

/// What constants of kernels go by.
struct Architecture {
    std::string id;                    ///< "hopper"
    std::string name;                  ///< "Hopper"
    std::array<bool, kRates> native{}; ///< by Rate: what its tensor cores multiply; INT8 all of them do
    std::vector<std::string> standIns; ///< whose constants serve where it has none, best first
    bool multiplies(Rate rate) const { return native[static_cast<std::size_t>(rate)]; }
};

/// A device whose kernels can be timed: measured itself, or of an architecture of which another was.
struct Gpu {
    std::string id;   ///< "h100_sxm"
    std::string arch; ///< whose constants: "hopper"
    std::string link; ///< whose constants: "nvlink4"
    GpuFigures figures;
    double perNode = 8.0;    ///< GPUs that its NVLink, or its host, joins
    bool edited = false;     ///< its figures are not those of the device that was measured
    bool linkEdited = false; ///< nor is its link
    bool operator==(const Gpu&) const = default;
};

std::string_view rateName(Rate rate);  ///< "bf16"
std::string_view rateLabel(Rate rate); ///< "BF16"
Rate readRate(JsonObject& object, std::string_view key);

/// Reads an architecture of presets/kernels/gpus.json. Throws Error naming key.
Architecture readArchitecture(const Json& json, const std::string& where);

/// Reads an entry of presets/kernels/gpus.json; the clock follows from the bf16 peak. Throws Error naming
/// key.
Gpu readGpu(const Json& json, const std::string& where);

/// Bytes touched between two uses of the same data where it comes from memory each time.
inline constexpr double kCold = std::numeric_limits<double>::infinity();

/// res(F, h): share of a footprint of F bytes that a cache of h x L2 still holds (section 1). In 0..1.
inline double residency(double footprintBytes, double usableShare, double l2Mb) {
    return std::clamp(2.0 * (1.0 - footprintBytes / (usableShare * l2Mb * 1e6)), 0.0, 1.0);
}

/// ceil(a / b) of whole numbers below 2^53, without a call: a quotient that is not whole does not round to
/// one.
inline double ceilDivided(double a, double b) {
    const double quotient = a / b;
    const auto whole = static_cast<double>(static_cast<long long>(quotient));
    return whole < quotient ? whole + 1.0 : whole;
}

} // namespace heteroscape::engine

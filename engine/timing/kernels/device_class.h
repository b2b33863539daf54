// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/device.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace heteroscape::engine {

// Times of devices that nobody measured, from what other makers' devices reached of their peaks, with the
// spread over makers, devices, software and rows. Constants: presets/classes/makers.json. Source of all
// equations: silicon_more.md, part A.

/// A maker, or one of its lines, whose devices are taken to be alike.
struct MakerClass {
    std::string id;                   ///< "nvidia_ws"
    std::string vendor;               ///< as Device::vendor names it
    std::string type;                 ///< kind of device; empty: any
    std::vector<std::string> kernels; ///< measured GPUs (Device::kernels); empty: any
};

/// What a kernel takes: t = t_0 + sqrt((a / e_c)^2 + (b / e_m)^2), a and b its arithmetic and its bytes at
/// the published peaks.
struct ClassTheta {
    double startUs = 0.0; ///< t_0, us
    double compute = 1.0; ///< e_c
    double memory = 1.0;  ///< e_m; of an allreduce the share of the link
};

enum class ClassKernel { Gemm16, Gemm8, AttentionContext, AttentionGeneration, AllReduce };
inline constexpr std::size_t kClassKernels = 5;

/// One row of section A2.
struct ClassPrior {
    ClassTheta mean;                            ///< over makers
    ClassTheta sdVendor, sdDevice, sdFramework; ///< of the logarithms
    double sdRow = 0.0;
    struct OfClass {
        std::string id;
        ClassTheta theta;
    };
    std::vector<OfClass> classes;

    const ClassTheta* find(std::string_view classId) const; ///< null: not in the table
};

/// A figure with the band that 80 % lie in.
struct ClassBand {
    double median = 0.0;
    double low = 0.0;
    double high = 0.0;
};
inline constexpr double kBandWidth = 1.2816; ///< standard deviations from the median to either end of 80 %

/// How the arithmetic of a whole step is done.
enum class StepFormat {
    Bf16,
    EightBit, ///< FP8 or INT8
    Fp4,
    Unpacked ///< weights of fewer bits than what they are multiplied with, in 16 bits
};
inline constexpr std::size_t kStepFormats = 4;

/// Published figures of a device; SI.
struct ClassFigures { ///< NaN: not published
    double peak16;
    double peak8;
    double peak4; ///< NaN: that of 8 bits
    double bandwidth;
    // Shares of them that its own kernels tell; NaN: those of the rule.
    double compute16 = std::numeric_limits<double>::quiet_NaN();
    double compute8 = compute16;
    double memory = compute16;

    double peak(StepFormat format) const;
};
ClassFigures classFigures(const Device& device);

/// What a step runs at (section A3): F_e, B_e, alpha_e, tau, seq.
struct ClassRates {
    double flops = 0.0;        ///< FLOP/s
    double bytes = 0.0;        ///< B/s
    double link = 0.0;         ///< share of a link's bandwidth
    double collective = 0.0;   ///< s, to start one
    double layer = 0.0;        ///< s
    double sequence = 0.0;     ///< s, of each that decodes
    double launchTokens = 0.0; ///< new tokens that the host launches a layer's kernels for once

    /// s of the host for a step of `layers`.
    double host(double layers, double sequences, double promptTokens) const {
        return layer * layers * std::max(1.0, promptTokens / launchTokens) + sequence * sequences;
    }
    /// s of a collective that takes its link `transfer` s at its peak.
    double collectiveSeconds(double transfer) const { return collective + transfer / link; }
};

/// The rule for a whole step.
struct ClassStepRule {
    double slack = 1.0;                         ///< k
    ClassRates peaks;                           ///< per peak: tau, seq, alpha, beta, e_m in their places
    std::array<double, kStepFormats> compute{}; ///< e_c
    double sdVendor = 0.0, sdDevice = 0.0, sdRow = 0.0;
    struct OfClass {
        std::string id;
        double factor; ///< of the time
    };
    std::vector<OfClass> classes;

    ClassRates rates(const ClassFigures& figures, StepFormat format) const;
    bool knows(std::string_view classId) const;
    double factor(std::string_view classId) const; ///< 1 of a class of which no whole run was measured
    double sd(std::string_view classId) const;     ///< of the logarithm of a step's time
    ClassBand band(double seconds, std::string_view classId) const;
};

struct MakerClasses {
    std::vector<MakerClass> classes;
    std::array<ClassPrior, kClassKernels> kernels;
    ClassStepRule step;
    std::uint64_t fingerprint = 0;

    /// The class of a device; empty: no maker that is known.
    std::string_view of(const Device& device) const;
    const ClassPrior& prior(ClassKernel kernel) const { return kernels[static_cast<std::size_t>(kernel)]; }
    /// us of one kernel: a and b in us at the peaks; of an allreduce b = 2 (P - 1) / P bytes over the link.
    ClassBand kernelUs(ClassKernel kernel, double a, double b, std::string_view classId = {}) const;
};

/// Reads <presets>/classes/makers.json. Throws Error naming file and key.
MakerClasses loadMakerClasses(const std::string& presetsFolder);
/// Those of this installation, read when first asked for. Any thread.
const MakerClasses& shippedClasses();

} // namespace heteroscape::engine

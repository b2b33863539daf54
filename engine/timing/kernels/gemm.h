// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/timing/kernels/constants_table.h"
#include "engine/timing/kernels/gpu.h"
#include "engine/timing/kernels/kernel_time.h"

#include <array>
#include <cstddef>
#include <span>
#include <string_view>

namespace heteroscape::engine {

/// Constants by architecture: t_0 in us, r_e in bytes per clock and SM, the others are shares.
struct ElementwiseConstants {
    double start = 0.0, memoryShare = 0.0, bytesPerClock = 0.0, cacheShare = 0.0;

    static constexpr std::array<std::string_view, 1> kKeys{"arch"};
    static std::span<const ConstantField<ElementwiseConstants>> fields();
};

/// A streaming kernel (silicon_kernels.md, section 6), bytes = read + written:
///   t = t_0 + bytes max((1 - res(F, h_e)) / (HBM e_m), 1 / (S r_e f 1000))
/// Measured as a cast from bf16 to fp8; norms, activations, rotary embeddings by their bytes are an
/// assumption. F: bytes touched since the input was produced.
KernelTime elementwiseTime(const GpuFigures& gpu, const ElementwiseConstants& constants, double bytes,
                           double footprintBytes = kCold);

/// How the operands of a GEMM are kept: bytes an element of x and w, and the rate of their product.
struct GemmPrecision {
    std::string_view id; ///< "bfloat16", "fp8_block", ...
    double bytesX;
    double bytesW;
    Rate rate;
    bool integer = false;    ///< products of INT8, which every tensor core has, at the rate of FP8
    bool weightOnly = false; ///< weights are unpacked to 16 bits on their way
};

/// The precisions of section 2; null for another name.
std::span<const GemmPrecision> gemmPrecisions();
const GemmPrecision* findGemmPrecision(std::string_view id);

/// Constants of an architecture, framework and precision. Times in us, lambda in ns per k element, b_sm in
/// bytes per clock and SM, the others are shares.
struct GemmConstants {
    double launch = 0.0, tensorShare = 0.0, memoryShare = 0.0, tile = 0.0, bytesPerClock = 0.0;
    double quantized = 0.0; ///< kappa: weight of whole waves
    double split = 0.0, cacheShare = 0.0;
    double castUs = 0.0;     ///< t_q: quantization of the activations, its start
    double castPasses = 0.0; ///< q_b: bytes of memory traffic for each element of x
    double lambda = 0.0;

    static constexpr std::array<std::string_view, 3> kKeys{"arch", "framework", "precision"};
    static std::span<const ConstantField<GemmConstants>> fields();
};

/// Output tiles that a library chooses from.
struct GemmTiles {
    struct Tile {
        double bm = 0.0, bn = 0.0;
    };
    std::array<Tile, 16> tiles{};
    std::size_t count = 0;
};

/// y[m,n] = x[m,k] w[n,k]^T; whole numbers from 1.
struct GemmShape {
    double m = 1, n = 1, k = 1;
};

/// A GEMM (silicon_kernels.md, section 2):
///   t_mem = (W (1 - res(F, h_w)) + A + C) / (HBM e_m)
///   whole = max(wk work, k lambda / 1000) + t_tile wk         one block of threads for each output tile
///   split = w work + t_tile max(w, 1) + t_split               K spread evenly over all SMs
///   t     = t_launch + sqrt(min(whole, split)^2 + t_mem^2) + t_q + m k q_b / HBM
/// with w = ceil(m/bm) ceil(n/bn) / S, work = k max(2 bm bn / R, (bm b_x + bn b_w) / B),
/// wk = kappa ceil(w) + (1 - kappa) max(w, 1), over a menu of tiles. Fits in us; see
/// presets/kernels/gemm.json. Prepared once for a device; time() allocates nothing and may be called from any
/// thread.
class GemmKernel {
public:
    /// The device must have a peak for the precision's rate.
    GemmKernel(const GpuFigures& gpu, const GemmConstants& constants, const GemmPrecision& precision,
               const GemmTiles& tiles);

    /// `footprintBytes`: touched between two uses of the weights. `producerQuantizes`: what writes x writes
    /// it in the low precision, t_q and q_b are dropped.
    KernelTime time(const GemmShape& shape, double footprintBytes = kCold,
                    bool producerQuantizes = false) const;

private:
    struct Tile {
        std::size_t row = 0, column = 0; ///< of m_heights, m_widths
        double work = 0.0;               ///< us per unit of k
        bool operands = false;           ///< bound by their supply, not by the tensor cores
    };
    struct TileTime {
        double waves, wholeWaves, whole, split;
    };
    std::array<Tile, 16> m_tiles{};
    std::array<double, 16> m_heights{}, m_widths{}; ///< bm and bn of the menu, each once
    std::size_t m_count = 0, m_heightCount = 0, m_widthCount = 0;
    GemmConstants m_constants;
    GemmPrecision m_precision;
    double m_sms, m_l2Mb, m_memory;

    TileTime tileTime(double tiles, double work, double alone) const;
    KernelBound computeBound(const Tile& tile, const TileTime& times, double work) const;
};

/// F of the loop that measured rows come from, by the framework whose constants are used (section 2).
double gemmLoopFootprint(std::string_view framework, const GemmPrecision& precision, const GpuFigures& gpu,
                         const GemmShape& shape);

} // namespace heteroscape::engine

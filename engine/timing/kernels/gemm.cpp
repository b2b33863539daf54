// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/timing/kernels/gemm.h"

#include <algorithm>
#include <cmath>

namespace heteroscape::engine {

namespace {

constexpr std::array<ConstantField<ElementwiseConstants>, 4> kElementwiseFields{{
    {"t_0", &ElementwiseConstants::start, 0, 1e4},
    {"e_m", &ElementwiseConstants::memoryShare, 1e-6, 2},
    {"r_e", &ElementwiseConstants::bytesPerClock, 1e-6, 1e6},
    {"h_e", &ElementwiseConstants::cacheShare, 1e-6, 1e3},
}};

} // namespace

std::span<const ConstantField<ElementwiseConstants>> ElementwiseConstants::fields() {
    return kElementwiseFields;
}

KernelTime elementwiseTime(const GpuFigures& gpu, const ElementwiseConstants& c, double bytes,
                           double footprintBytes) {
    const double held = footprintBytes == kCold ? 0.0 : residency(footprintBytes, c.cacheShare, gpu.l2Mb);
    const double memory = bytes * (1 - held) / (gpu.memoryBytesPerUs() * c.memoryShare);
    const double operands = bytes / (gpu.sms * c.bytesPerClock * gpu.clockGhz * 1e3);
    const double body = std::max(memory, operands);
    const auto bound = c.start >= body      ? KernelBound::Launch
                       : memory >= operands ? KernelBound::Memory
                                            : KernelBound::Operands;
    return {c.start + body, bound};
}

namespace {

constexpr std::array<GemmPrecision, 7> kGemmPrecisions{{
    {"bfloat16", 2, 2, Rate::Bf16},
    {"fp8", 1, 1, Rate::Fp8},
    {"fp8_block", 1, 1, Rate::Fp8},
    {"sq", 1, 1, Rate::Fp8, true},
    {"nvfp4", 0.5625, 0.5625, Rate::Fp4}, // 4 bits and one byte of scale for 16
    {"int8_wo", 2, 1, Rate::Bf16, false, true},
    {"int4_wo", 2, 0.5, Rate::Bf16, false, true},
}};

constexpr std::array<ConstantField<GemmConstants>, 11> kGemmFields{{
    {"t_launch", &GemmConstants::launch, 0, 1e4},
    {"e_c", &GemmConstants::tensorShare, 1e-6, 2},
    {"e_m", &GemmConstants::memoryShare, 1e-6, 2},
    {"t_tile", &GemmConstants::tile, 0, 1e4},
    {"b_sm", &GemmConstants::bytesPerClock, 1e-6, 1e6},
    {"kappa", &GemmConstants::quantized, 0, 1},
    {"t_split", &GemmConstants::split, 0, 1e6},
    {"h_w", &GemmConstants::cacheShare, 1e-6, 1e3},
    {"t_q", &GemmConstants::castUs, 0, 1e4},
    {"q_b", &GemmConstants::castPasses, 0, 1e4},
    {"lambda", &GemmConstants::lambda, 0, 1e4},
}};

/// The place of a value among the first `count`, behind which it is put when it is not there.
std::size_t placeOf(double value, std::array<double, 16>& values, std::size_t& count) {
    const auto found =
        static_cast<std::size_t>(std::find(values.begin(), values.begin() + count, value) - values.begin());
    if (found == count)
        values[count++] = value;
    return found;
}

} // namespace

std::span<const GemmPrecision> gemmPrecisions() {
    return kGemmPrecisions;
}

const GemmPrecision* findGemmPrecision(std::string_view id) {
    const auto found = std::find_if(kGemmPrecisions.begin(), kGemmPrecisions.end(),
                                    [&](const GemmPrecision& precision) { return precision.id == id; });
    return found == kGemmPrecisions.end() ? nullptr : &*found;
}

std::span<const ConstantField<GemmConstants>> GemmConstants::fields() {
    return kGemmFields;
}

GemmKernel::GemmKernel(const GpuFigures& gpu, const GemmConstants& constants, const GemmPrecision& precision,
                       const GemmTiles& tiles)
    : m_count(tiles.count), m_constants(constants), m_precision(precision), m_sms(gpu.sms), m_l2Mb(gpu.l2Mb),
      m_memory(gpu.memoryBytesPerUs()) {
    const double flop = gpu.flopPerUs(precision.rate) / gpu.sms * constants.tensorShare;
    const double loaded = constants.bytesPerClock * gpu.clockGhz * 1e3;
    for (std::size_t i = 0; i < m_count; ++i) {
        const auto [bm, bn] = tiles.tiles[i];
        const double tensor = 2.0 * bm * bn / flop;
        const double operands = (bm * precision.bytesX + bn * precision.bytesW) / loaded;
        m_tiles[i] = {placeOf(bm, m_heights, m_heightCount), placeOf(bn, m_widths, m_widthCount),
                      std::max(tensor, operands), operands > tensor};
    }
}

GemmKernel::TileTime GemmKernel::tileTime(double tiles, double work, double alone) const {
    const auto& c = m_constants;
    const double w = tiles / m_sms;
    const double started = std::max(w, 1.0);
    const double wk =
        c.quantized > 0.0 ? c.quantized * ceilDivided(tiles, m_sms) + (1.0 - c.quantized) * started : started;
    return {w, wk, std::max(wk * work, alone) + c.tile * wk, w * work + c.tile * started + c.split};
}

KernelTime GemmKernel::time(const GemmShape& shape, double footprintBytes, bool producerQuantizes) const {
    const auto& c = m_constants;
    std::array<double, 16> rows, columns; // tiles along m and n
    for (std::size_t i = 0; i < m_heightCount; ++i)
        rows[i] = ceilDivided(shape.m, m_heights[i]);
    for (std::size_t i = 0; i < m_widthCount; ++i)
        columns[i] = ceilDivided(shape.n, m_widths[i]);
    const double alone = shape.k * c.lambda * 1e-3;
    const auto timeOf = [&](const Tile& tile) {
        return tileTime(rows[tile.row] * columns[tile.column], shape.k * tile.work, alone);
    };
    double compute = std::numeric_limits<double>::infinity();
    std::size_t best = 0;
    for (std::size_t i = 0; i < m_count; ++i) {
        const auto times = timeOf(m_tiles[i]);
        const double least = std::min(times.whole, times.split);
        if (least < compute) {
            compute = least;
            best = i;
        }
    }
    const double weights = shape.n * shape.k * m_precision.bytesW;
    const double held = footprintBytes == kCold ? 0.0 : residency(footprintBytes, c.cacheShare, m_l2Mb);
    const double memory =
        (weights * (1.0 - held) + shape.m * shape.k * m_precision.bytesX + 2.0 * shape.m * shape.n) /
        (m_memory * c.memoryShare);
    const double body = std::sqrt(compute * compute + memory * memory);
    KernelParts parts;
    double us = c.launch + body;
    parts.add(KernelBound::Launch, c.launch);
    if (!producerQuantizes) {
        const double pass = shape.m * shape.k * c.castPasses / m_memory;
        us += c.castUs + pass;
        parts.add(KernelBound::Launch, c.castUs);
        parts.add(KernelBound::Memory, pass);
    }
    const auto& tile = m_tiles[best];
    const auto times = timeOf(tile);
    const double work = shape.k * tile.work;
    const double idle = // tensor cores on rows that nobody asked for are no compute that limits
        tile.operands ? 0.0 : times.waves * work * (1.0 - shape.m / (rows[tile.row] * m_heights[tile.row]));
    parts.add(memory >= compute - idle ? KernelBound::Memory : computeBound(tile, times, work), body);
    return {us, parts.largest()};
}

KernelBound GemmKernel::computeBound(const Tile& tile, const TileTime& times, double work) const {
    KernelParts parts;
    parts.add(tile.operands ? KernelBound::Operands : KernelBound::Tensor, times.waves * work);
    if (times.split < times.whole) {
        parts.add(KernelBound::Latency, times.split - times.waves * work);
    } else {
        parts.add(KernelBound::Waves, (times.wholeWaves - times.waves) * work);
        parts.add(KernelBound::Latency, times.whole - times.wholeWaves * work);
    }
    return parts.largest();
}

double gemmLoopFootprint(std::string_view framework, const GemmPrecision& precision, const GpuFigures& gpu,
                         const GemmShape& shape) {
    const double weights = shape.n * shape.k * precision.bytesW;
    const double rest = shape.m * shape.k * precision.bytesX + 2.0 * shape.m * shape.n;
    if (framework == "trtllm")
        return std::clamp(std::ceil(gpu.l2Mb * 1e6 / weights), 1.0, 5.0) * weights + rest;
    if (framework == "sglang")
        return 6.0 * (weights + rest);
    return (precision.id == "nvfp4" ? 1.0 : 6.0) * weights + rest;
}

} // namespace heteroscape::engine

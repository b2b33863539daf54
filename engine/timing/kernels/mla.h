// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/timing/kernels/constants_table.h"
#include "engine/timing/kernels/gpu.h"
#include "engine/timing/kernels/kernel_time.h"

namespace heteroscape::engine {

/// Widths of latent attention, by default DeepSeek-V3's.
struct LatentWidths {
    double rank = 512;  ///< r_kv
    double rotary = 64; ///< r
    double head = 128;  ///< n: a query or key head without its rotary part
    double value = 128; ///< v
};

/// Constants by architecture, framework and cache type: t0 and split in us, the others shares.
struct MlaDecodeConstants {
    double start = 0.0, memoryShare = 0.0, tensorShare = 0.0, passes = 0.0, overlap = 1.0, headFloor = 1.0,
           split = 0.0;

    static constexpr std::array<std::string_view, 3> kKeys{"arch", "framework", "kv"};
    static std::span<const ConstantField<MlaDecodeConstants>> fields();
};

/// Of a kernel that does not split the keys over SMs: t0 in us, the time of a key in ns.
struct MlaSerialConstants {
    double start = 0.0, keyNs = 0.0, waves = 0.0, headsPerBlock = 1.0, overlap = 1.0;

    static constexpr std::array<std::string_view, 3> kKeys{"arch", "framework", "kv"};
    static std::span<const ConstantField<MlaSerialConstants>> fields();
};

/// `cached` tokens of each of `batch` requests; heads of one device (times 1 + g under speculation).
struct MlaDecodeShape {
    double batch = 1, cached = 1, heads = 1;
    double kvBytes = 2;
    LatentWidths widths;
};

/// Latent attention in decode, absorbed (moe_parallel.md, section 9.3), S' = S rounded up to 64, W = 2 r_kv +
/// r:
///   t = t0 + ((b S' (r_kv + r) kv / (eta C_mem))^p + (2 b S' max(h, floor) W / (eps C_bf16))^p)^(1/p)
///     + ca b h W 2 / C_mem + split min(1, S/256)
KernelTime mlaDecodeTime(const GpuFigures& gpu, const MlaDecodeConstants& constants,
                         const MlaDecodeShape& shape);
/// The same with S' as given.
KernelTime mlaDecodeTime(const GpuFigures& gpu, const MlaDecodeConstants& constants,
                         const MlaDecodeShape& shape, double paddedKeys);
inline constexpr double kLatentKeyBlock = 64.0; ///< S is rounded up to it

/// The same where one block walks all keys of a request, on Ampere:
///   t = t0 + S ns (1 + (c b max(1, h/hb) / processors)^p)^(1/p)
KernelTime mlaSerialDecodeTime(const GpuFigures& gpu, const MlaSerialConstants& constants,
                               const MlaDecodeShape& shape);

/// Constants by architecture, framework and cache type: t0 in us, the time of a key in ns, the others shares.
struct MlaPrefillConstants {
    double start = 0.0, tensorShare = 0.0, passes = 0.0, keyNs = 0.0, overlap = 1.0;
    bool absorbed = false; ///< the form that was measured

    static constexpr std::array<std::string_view, 3> kKeys{"arch", "framework", "kv"};
    static std::span<const ConstantField<MlaPrefillConstants>> fields();
    static void readMore(MlaPrefillConstants& constants, JsonObject& entry);
};

/// `tokens` new tokens of each of `batch` requests after `cached` ones; heads of one device.
struct MlaPrefillShape {
    double batch = 1, tokens = 1, cached = 0, heads = 1;
    double kvBytes = 2;
    LatentWidths widths;
};

/// Latent attention in prefill (section 9.3), naive (x = n + r, y = v, z = 2) or absorbed (x = r_kv + r,
/// y = r_kv, z = 1):
///   t = t0 + ((2 b (q P + q (q + 128)/2) h (x + y) / (eps C_bf16))^p + (ca a / C_mem)^p + (ns (P +
///   q))^p)^(1/p) a = b q (h (x + y) z 2 + (r_kv + r) kv) + b P h (x + y) 2 naive, b P (r_kv + r) kv absorbed
/// Measured without cached tokens.
KernelTime mlaPrefillTime(const GpuFigures& gpu, const MlaPrefillConstants& constants,
                          const MlaPrefillShape& shape);

/// Constants by architecture, framework, format and step ("pre", "post"): t0 in us, the others shares.
struct MlaAbsorptionConstants {
    double start = 0.0, memoryShare = 0.0, tensorShare = 0.0, overlap = 1.0;

    static constexpr std::array<std::string_view, 4> kKeys{"arch", "framework", "format", "step"};
    static std::span<const ConstantField<MlaAbsorptionConstants>> fields();
};

/// The batched product before or after attention in the absorbed form, `heads` of one device.
struct MlaAbsorptionShape {
    double tokens = 1, heads = 1;
    double rank = 512, head = 128; ///< r_kv; n before, v after
    bool fp8 = false;              ///< with its quantization, at twice the bf16 peak; else bf16
};

/// An absorption product (section 9.3):
///   t = t0 + (((h r_kv n beta + t h (r_kv + n) 2)/(eta C_mem))^p + (2 t h r_kv n/(eps C))^p)^(1/p)
KernelTime mlaAbsorptionTime(const GpuFigures& gpu, const MlaAbsorptionConstants& constants,
                             const MlaAbsorptionShape& shape);

} // namespace heteroscape::engine

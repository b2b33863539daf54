// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/timing/kernels/constants_table.h"
#include "engine/timing/kernels/gpu.h"
#include "engine/timing/kernels/kernel_time.h"
#include "engine/timing/kernels/mla.h"

#include <variant>

namespace heteroscape::engine {

// Sparse attention that was measured as a module: all of one layer from its input to its output projection
// (silicon_more.md, sections B1 and B2).

/// Constants by architecture, framework, module ("dsa", "csa", "hca"), cache type ("any" where one was
/// measured) and phase ("context", "generation", "dense"): times in us, the others multiples of the time at
/// peak.
struct ModuleConstants {
    double start = 0.0, tensor = 0.0, memory = 0.0, index = 0.0, attend = 0.0, cache = 0.0, scan = 0.0,
           rows = 0.0, indexStart = 0.0, narrowStart = 0.0, pickStart = 0.0, longStart = 0.0;
    bool launchedApart = false; ///< kernel by kernel, bound by the host

    static constexpr std::array<std::string_view, 5> kKeys{"arch", "framework", "module", "kv", "phase"};
    static std::span<const ConstantField<ModuleConstants>> fields();
    static void readMore(ModuleConstants& constants, JsonObject& entry);
};

/// Latent attention with an index, by default that of DeepSeek-V3.2 ("dsa").
struct DsaWidths {
    double hidden = 7168, queryRank = 1536;
    LatentWidths latent;
    double indexHeads = 64, indexSize = 128; ///< heads 0: another layer's index picks
    double kept = 2048;                      ///< keys that are left to a query
};

/// Attention of DeepSeek-V4, by default the Pro's: entries of `ratio` tokens of which an index leaves `kept`
/// ("csa", 4), all of them ("hca", 128; kept 0), or none (ratio 0: its window alone).
struct CompressedWidths {
    double hidden = 7168, queryRank = 1536;
    double ratio = 4, kept = 1024;
};

using ModuleWidths = std::variant<DsaWidths, CompressedWidths>;
std::string_view moduleName(const ModuleWidths& widths); ///< in the table of constants

/// `batch` requests of one rank, which has `heads` heads, with `tokens` new tokens each (1 where it decodes)
/// after `cached` ones.
struct ModuleStep {
    bool decodes = false;
    bool dense = false; ///< DSA: prompts within the kept keys, unfolded and without an index
    double batch = 1, tokens = 1, cached = 0, heads = 1;
    double kvBytes = 2;     ///< DSA alone: that of DeepSeek-V4 is in FP8
    double weightBytes = 2; ///< of the projections
    Rate rate = Rate::Bf16; ///< of the projections
};

/// With T = batch x tokens; c, m, i, a, b, g of the text, us at peak:
///   host = t_0 + t_i [an index runs] + t_q [weights below 16 bits] + t_s [it picks]
///          + t_l [from 98304 tokens]
///   gpu  = sqrt((k_c c)^2 + (k_m m)^2) + k_i i + k_a a + k_b b + k_s g + k_e 2 T h/BW
///   t    = host + gpu, or (host^4 + gpu^4)^(1/4) where kernels are launched one by one
/// Source: silicon_more.md, sections B1 and B2.
KernelTime moduleTime(const GpuFigures& gpu, const ModuleConstants& constants, const ModuleWidths& widths,
                      const ModuleStep& step);

inline constexpr double kFewestModuleTokens = 16.0; ///< of a prompt
/// Throws Error (InvalidInput) for what was not measured and is not like what was: fewer than 8 heads, more
/// than 256 requests of a decode, fewer tokens of a prompt. `where` names the constants' file.
void checkModuleStep(const ModuleStep& step, const std::string& where);

/// The first of the contexts behind `keys` from which on a decode takes other kernels or work; infinite:
/// none.
double nextModuleTurn(const ModuleWidths& widths, double keys);

} // namespace heteroscape::engine

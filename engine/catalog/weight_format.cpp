// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/catalog/weight_format.h"

#include "engine/base/error.h"

namespace heteroscape::engine {

namespace {

// Scales: FP8 blocks one fp32 for 128 x 128; MXFP8 one E8M0 for 32; NVFP4 one E4M3 for 16; MXFP4 one E8M0 for
// 32; groups of int4 one bf16 each.
constexpr std::array<WeightFormat, 9> kFormats{{
    {"bf16", "BF16", 2.0},
    {"fp8", "FP8", 1.0},
    {"int8", "INT8", 1.0},
    {"fp8_block", "FP8 in blocks of 128 x 128", 1.0 + 4.0 / (128.0 * 128.0)},
    {"mxfp8", "MXFP8", 1.0 + 1.0 / 32.0},
    {"nvfp4", "NVFP4", 0.5 + 1.0 / 16.0},
    {"mxfp4", "MXFP4", 0.5 + 1.0 / 32.0},
    {"int4_g128", "INT4 in groups of 128", 0.5 + 2.0 / 128.0},
    {"int4_g32", "INT4 in groups of 32", 0.5 + 2.0 / 32.0},
}};

constexpr const WeightFormat* kBf16 = &kFormats[0];

constexpr WeightRecipe layersIn(std::string_view id, std::string_view label, std::string_view about,
                                const WeightFormat* attention, const WeightFormat* ffn,
                                const WeightFormat* experts) {
    return {id, label, about, {attention, ffn, experts, ffn, kBf16, kBf16, kBf16}};
}
constexpr WeightRecipe allIn(std::string_view id, std::string_view label, std::string_view about,
                             const WeightFormat* format) {
    return layersIn(id, label, about, format, format, format);
}

constexpr std::array<WeightRecipe, 8> kRecipes{{
    allIn("bf16", "BF16", "Every weight in BF16.", kBf16),
    allIn("fp8", "FP8", "The layers' weights in FP8.", &kFormats[1]),
    allIn("fp8_block", "FP8 blocks", "The layers' weights in FP8 with a scale for each block of 128 x 128.",
          &kFormats[3]),
    allIn("nvfp4", "NVFP4", "The layers' weights in NVFP4.", &kFormats[5]),
    layersIn("nvfp4_moe", "NVFP4 FFN", "Feed-forward networks and experts in NVFP4, attention in BF16.",
             kBf16, &kFormats[5], &kFormats[5]),
    layersIn("mxfp4_moe", "MXFP4 experts", "Experts in MXFP4, the rest in BF16.", kBf16, kBf16, &kFormats[6]),
    allIn("int4_g128", "INT4", "The layers' weights in INT4, in groups of 128.", &kFormats[7]),
    layersIn("int4_g32_moe", "INT4 experts", "Experts in INT4, in groups of 32, the rest in BF16.", kBf16,
             kBf16, &kFormats[8]),
}};

} // namespace

std::string_view modelPartLabel(ModelPart part) {
    constexpr std::array<std::string_view, kModelPartCount> labels{
        "attention", "dense FFN", "experts", "shared experts", "router", "embedding", "LM head"};
    return labels[static_cast<std::size_t>(part)];
}

std::span<const WeightFormat> weightFormats() {
    return kFormats;
}

std::span<const WeightRecipe> weightRecipes() {
    return kRecipes;
}

const WeightRecipe& weightRecipe(std::string_view id, const std::string& where) {
    std::string known;
    for (const auto& recipe : kRecipes) {
        if (recipe.id == id)
            return recipe;
        known.append(known.empty() ? "" : ", ").append(recipe.id);
    }
    throwInvalid(where, "no recipe \"" + std::string(id.substr(0, 80)) + "\" of weights",
                 "Known are " + known);
}

} // namespace heteroscape::engine

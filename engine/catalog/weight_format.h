// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>

namespace heteroscape::engine {

/// What the weights of a model belong to: checkpoints keep each in a format of its own.
enum class ModelPart { Attention, Dense, Experts, Shared, Router, Embedding, Head };
inline constexpr std::size_t kModelPartCount = 7;
std::string_view modelPartLabel(ModelPart part); ///< "attention", "dense FFN", "experts", ...

/// How a weight is stored.
struct WeightFormat {
    std::string_view id;    ///< "fp8_block"
    std::string_view label; ///< "FP8 in blocks of 128 x 128"
    double bytes;           ///< B an element, its share of scales and zeros included
};

/// The formats of a checkpoint, part by part. Listed in weight_format.cpp; compared by address.
struct WeightRecipe {
    std::string_view id;    ///< "mxfp4_moe": in JSON, as the `weights` of a model
    std::string_view label; ///< "MXFP4 experts"
    std::string_view about;
    std::array<const WeightFormat*, kModelPartCount> formats;

    const WeightFormat& of(ModelPart part) const { return *formats[static_cast<std::size_t>(part)]; }
};

std::span<const WeightFormat> weightFormats();
/// Router, embedding and head stay bf16 in all of them, as in every released checkpoint that was looked at.
std::span<const WeightRecipe> weightRecipes();

/// Throws Error (InvalidInput) at `where`, naming those that there are.
const WeightRecipe& weightRecipe(std::string_view id, const std::string& where);

} // namespace heteroscape::engine

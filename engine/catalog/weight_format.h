// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace heteroscape::engine {

/// What the weights of a model belong to: checkpoints keep each in a format of its own.
enum class ModelPart { Attention, Dense, Experts, Shared, Router, Embedding, Head };
inline constexpr std::size_t kModelPartCount = 7;
std::string_view modelPartLabel(ModelPart part); ///< "attention", "dense FFN", "experts", ...

struct WeightFormat;
struct WeightShare {
    const WeightFormat* format;
    double share; ///< of the elements of a part
};

/// How weights are stored. Lives as long as the program and is compared by address.
struct WeightFormat {
    std::string_view id;             ///< "fp8_block"; of several the one of most elements
    std::string_view label;          ///< "FP8 in blocks of 128 x 128"
    double bytes;                    ///< B an element, its share of scales and zeros included
    std::vector<WeightShare> shares; ///< of several, the largest first; empty: of one
};

/// bf16, fp8, fp8_block, fp8_b<rows>x<columns>, mxfp8, nvfp4, mxfp4, nf4, nf4_dq; int<bits> with a scale a
/// row, int<bits>_g<size> with a scale of 2 B for each group of a row, behind that _z where zero points of
/// the same bits are stored too, _b where biases of 2 B are. Throws Error (InvalidInput) at `where`.
const WeightFormat& weightFormat(std::string_view id, const std::string& where);

/// One format for a part whose matrices have several; shares add up to 1.
const WeightFormat& mixedFormat(std::vector<WeightShare> shares);

/// The formats of a checkpoint, part by part. Compared by address: the same formats are one recipe.
struct WeightRecipe {
    std::string_view id;    ///< "mxfp4_moe"; of one without a name what tells it apart
    std::string_view label; ///< "MXFP4 experts"
    std::string_view about;
    std::array<const WeightFormat*, kModelPartCount> formats;

    const WeightFormat& of(ModelPart part) const { return *formats[static_cast<std::size_t>(part)]; }
};

/// Those with a name: router, embedding and head stay bf16 in all of them.
std::span<const WeightRecipe> weightRecipes();
/// Throws Error (InvalidInput) at `where`, naming those that there are.
const WeightRecipe& weightRecipe(std::string_view id, const std::string& where);
/// The recipe of these formats, whether it has a name or not.
const WeightRecipe& weightRecipe(const std::array<const WeightFormat*, kModelPartCount>& formats);

/// "fp8", or by part where it has no name: {"experts": "nvfp4", "attention": {"bf16": 0.4, "nvfp4": 0.6}};
/// parts that are left out are bf16.
nlohmann::json writeRecipe(const WeightRecipe& recipe);
const WeightRecipe& readRecipe(const nlohmann::json& json, const std::string& where);

} // namespace heteroscape::engine

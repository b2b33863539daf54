// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scenario/served_weights.h"

#include "engine/scenario/runtime_choice.h"
#include "engine/units/number_text.h"

#include <algorithm>
#include <cmath>

namespace heteroscape::engine {

namespace {

constexpr std::string_view kWhere = "weight_bits";
constexpr double kMostInteger = 8.0, kBf16Bits = 16.0;

const WeightFormat& ofWidth(double bits) {
    const auto whole = [](double width) -> const WeightFormat& {
        return weightFormat(width > kMostInteger ? "bf16" : "int" + plainText(width), std::string(kWhere));
    };
    if (bits >= kBf16Bits)
        return whole(kBf16Bits);
    const double low = std::min(std::floor(bits), kMostInteger);
    const double high = low < kMostInteger ? low + 1.0 : kBf16Bits;
    if (bits == low)
        return whole(low);
    const double share = (bits - low) / (high - low);
    return mixedFormat({{&whole(low), 1.0 - share}, {&whole(high), share}});
}

} // namespace

const WeightRecipe& recipeAt(const WeightRecipe& checkpoint, double bits) {
    const auto* bf16 = &weightFormat("bf16", std::string(kWhere));
    const auto at = [bits](const WeightFormat& own) {
        return std::floor(8.0 * own.bytes) == bits ? &own : &ofWidth(bits);
    };
    auto formats = checkpoint.formats;
    if (std::all_of(formats.begin(), formats.end(), [&](const auto* format) { return format == bf16; })) {
        for (const auto part :
             {ModelPart::Attention, ModelPart::Dense, ModelPart::Experts, ModelPart::Shared})
            formats[static_cast<std::size_t>(part)] = at(*bf16);
        return weightRecipe(formats);
    }
    for (auto& format : formats) {
        auto shares = format->shares;
        for (auto& one : shares)
            one.format = one.format == bf16 ? bf16 : at(*one.format);
        if (!shares.empty())
            format = &mixedFormat(std::move(shares));
        else if (format != bf16)
            format = at(*format);
    }
    return weightRecipe(formats);
}

const WeightRecipe* servedWeights(const Model& model, const Node& node) {
    if (!model.weights || !node.runtime || node.runtime->weightBits.provenance != Provenance::User ||
        timedByKernels(*node.runtime))
        return model.weights;
    return &recipeAt(*model.weights, node.runtime->weightBits.value);
}

} // namespace heteroscape::engine

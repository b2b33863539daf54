// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/catalog/weight_format.h"

#include "engine/base/error.h"
#include "engine/base/json.h"
#include "engine/units/number_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <deque>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>

namespace heteroscape::engine {

namespace {

// Scales: FP8 blocks one fp32 for 128 x 128; MXFP8 one E8M0 for 32; NVFP4 one E4M3 for 16; MXFP4 one E8M0 for
// 32; groups of int4 one bf16 each; NF4 one fp32 for 64 (Dettmers et al., arXiv:2305.14314), or, quantized
// twice, one byte for 64 and one fp32 for 256 of these.
const std::array<WeightFormat, 11> kFormats{{
    {"bf16", "BF16", 2.0, {}},
    {"fp8", "FP8", 1.0, {}},
    {"int8", "INT8", 1.0, {}},
    {"fp8_block", "FP8 in blocks of 128 x 128", 1.0 + 4.0 / (128.0 * 128.0), {}},
    {"mxfp8", "MXFP8", 1.0 + 1.0 / 32.0, {}},
    {"nvfp4", "NVFP4", 0.5 + 1.0 / 16.0, {}},
    {"mxfp4", "MXFP4", 0.5 + 1.0 / 32.0, {}},
    {"int4_g128", "INT4 in groups of 128", 0.5 + 2.0 / 128.0, {}},
    {"int4_g32", "INT4 in groups of 32", 0.5 + 2.0 / 32.0, {}},
    {"nf4", "NF4", 0.5 + 4.0 / 64.0, {}},
    {"nf4_dq", "NF4, scales quantized too", 0.5 + 1.0 / 64.0 + 4.0 / (64.0 * 256.0), {}},
}};

const WeightFormat* const kBf16 = &kFormats[0];
constexpr std::array<std::string_view, kModelPartCount> kPartKeys{
    "attention", "dense", "experts", "shared", "router", "embedding", "head"};

WeightRecipe layersIn(std::string_view id, std::string_view label, std::string_view about,
                      const WeightFormat* attention, const WeightFormat* ffn, const WeightFormat* experts) {
    return {id, label, about, {attention, ffn, experts, ffn, kBf16, kBf16, kBf16}};
}
WeightRecipe allIn(std::string_view id, std::string_view label, std::string_view about,
                   const WeightFormat* format) {
    return layersIn(id, label, about, format, format, format);
}

const std::array<WeightRecipe, 8>& namedRecipes() {
    static const std::array<WeightRecipe, 8> recipes{{
        allIn("bf16", "BF16", "Every weight in BF16.", kBf16),
        allIn("fp8", "FP8", "The layers' weights in FP8.", &kFormats[1]),
        allIn("fp8_block", "FP8 blocks",
              "The layers' weights in FP8 with a scale for each block of 128 x 128.", &kFormats[3]),
        allIn("nvfp4", "NVFP4", "The layers' weights in NVFP4.", &kFormats[5]),
        layersIn("nvfp4_moe", "NVFP4 FFN", "Feed-forward networks and experts in NVFP4, attention in BF16.",
                 kBf16, &kFormats[5], &kFormats[5]),
        layersIn("mxfp4_moe", "MXFP4 experts", "Experts in MXFP4, the rest in BF16.", kBf16, kBf16,
                 &kFormats[6]),
        allIn("int4_g128", "INT4", "The layers' weights in INT4, in groups of 128.", &kFormats[7]),
        layersIn("int4_g32_moe", "INT4 experts", "Experts in INT4, in groups of 32, the rest in BF16.", kBf16,
                 kBf16, &kFormats[8]),
    }};
    return recipes;
}

/// What is made while the program runs: texts and what points to them stay where they are.
struct Made {
    std::mutex mutex;
    std::deque<std::string> texts;
    std::deque<WeightFormat> formats;
    std::deque<WeightRecipe> recipes;

    std::string_view keep(std::string text) { return texts.emplace_back(std::move(text)); }
};

Made& made() {
    static auto* all = new Made; // formats are compared by address until the program ends
    return *all;
}

/// Takes a whole number from `least` to `most` off the front of `text`.
std::optional<double> takeNumber(std::string_view& text, int least, int most) {
    int value = 0;
    const auto end = std::from_chars(text.data(), text.data() + text.size(), value);
    if (end.ec != std::errc() || value < least || value > most || text.starts_with('0'))
        return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end.ptr - text.data()));
    return value;
}

/// Takes bits of a weight, in the mean, off the front: 4, or 4.25; from 1 to 8, without needless digits.
std::optional<double> takeBits(std::string_view& text) {
    double bits = 0.0;
    const auto* begin = text.data();
    const auto end = std::from_chars(begin, begin + text.size(), bits, std::chars_format::fixed);
    const auto length = static_cast<std::size_t>(end.ptr - begin);
    if (end.ec != std::errc() || !(bits >= 1.0 && bits <= 8.0) || text.substr(0, length) != plainText(bits))
        return std::nullopt;
    text.remove_prefix(length);
    return bits;
}

bool take(std::string_view& text, std::string_view start) {
    if (!text.starts_with(start))
        return false;
    text.remove_prefix(start.size());
    return true;
}

constexpr int kMostGroup = 1 << 20;
constexpr double kScaleBytes = 2.0;

/// A format whose id says its figures; without a place yet.
std::optional<std::pair<std::string, double>> spelledOut(std::string_view id) {
    if (take(id, "fp8_b")) {
        const auto rows = takeNumber(id, 1, kMostGroup);
        const bool by = rows && take(id, "x");
        const auto columns = by ? takeNumber(id, 1, kMostGroup) : std::nullopt;
        if (!columns || !id.empty())
            return std::nullopt;
        return std::pair("FP8 in blocks of " + plainText(*rows) + " x " + plainText(*columns),
                         1.0 + 4.0 / (*rows * *columns));
    }
    const auto bits = take(id, "int") ? takeBits(id) : std::nullopt;
    if (!bits)
        return std::nullopt;
    auto label = "INT" + plainText(*bits);
    double bytes = *bits / 8.0;
    if (id.empty())
        return std::pair(label, bytes);
    const auto group = take(id, "_g") ? takeNumber(id, 1, kMostGroup) : std::nullopt;
    if (!group)
        return std::nullopt;
    label += " in groups of " + plainText(*group);
    bytes += kScaleBytes / *group;
    if (take(id, "_z")) {
        label += " with zero points";
        bytes += *bits / 8.0 / *group;
    } else if (take(id, "_b")) {
        label += " with biases";
        bytes += kScaleBytes / *group;
    }
    return id.empty() ? std::optional(std::pair(label, bytes)) : std::nullopt;
}

Json writeFormat(const WeightFormat& format) {
    if (format.shares.empty())
        return format.id;
    Json shares = Json::object();
    for (const auto& [one, share] : format.shares)
        shares[std::string(one->id)] = share;
    return shares;
}

const WeightFormat& readFormat(const Json& json, const std::string& where) {
    if (json.is_string())
        return weightFormat(json.get<std::string>(), where);
    if (!json.is_object() || json.empty() || json.size() > 16)
        throwInvalid(where, "is no format", R"(Write "fp8", or {"fp8": 0.6, "bf16": 0.4})");
    std::vector<WeightShare> shares;
    double sum = 0.0;
    for (const auto& [id, share] : json.items()) {
        const double value = share.is_number() ? share.get<double>() : NAN;
        if (!(value > 0.0 && value <= 1.0))
            throwInvalid(where + "." + id.substr(0, 80), "is no share", "Give more than 0 and at most 1");
        shares.push_back({&weightFormat(id, where), value});
        sum += value;
    }
    if (std::fabs(sum - 1.0) > 1e-6)
        throwInvalid(where, "has shares that add up to " + plainText(sum), "Let them add up to 1");
    return mixedFormat(std::move(shares));
}

Json byPart(const std::array<const WeightFormat*, kModelPartCount>& formats) {
    Json json = Json::object();
    for (std::size_t i = 0; i < formats.size(); ++i)
        if (formats[i] != kBf16)
            json[std::string(kPartKeys[i])] = writeFormat(*formats[i]);
    return json;
}

/// "experts NVFP4, attention BF16 and NVFP4": parts of one format together.
std::string labelOf(const std::array<const WeightFormat*, kModelPartCount>& formats) {
    std::string text;
    for (const auto part : {ModelPart::Experts, ModelPart::Dense, ModelPart::Shared, ModelPart::Attention,
                            ModelPart::Embedding, ModelPart::Head}) {
        const auto* format = formats[static_cast<std::size_t>(part)];
        if (format != kBf16)
            text.append(text.empty() ? "" : ", ")
                .append(modelPartLabel(part))
                .append(" ")
                .append(format->label);
    }
    return text;
}

} // namespace

std::string_view modelPartLabel(ModelPart part) {
    constexpr std::array<std::string_view, kModelPartCount> labels{
        "attention", "dense FFN", "experts", "shared experts", "router", "embedding", "LM head"};
    return labels[static_cast<std::size_t>(part)];
}

const WeightFormat& weightFormat(std::string_view id, const std::string& where) {
    for (const auto& format : kFormats)
        if (format.id == id)
            return format;
    const auto figures = spelledOut(id);
    if (!figures) {
        std::string known;
        for (const auto& format : kFormats)
            known.append(known.empty() ? "" : ", ").append(format.id);
        throwInvalid(where, "no format \"" + std::string(id.substr(0, 80)) + "\" of weights",
                     "Known are " + known + ", int8_g128, int4_g64_z and their like");
    }
    auto& all = made();
    const std::lock_guard lock(all.mutex);
    for (const auto& format : all.formats)
        if (format.id == id && format.shares.empty())
            return format;
    const auto kept = all.keep(std::string(id));
    return all.formats.emplace_back(WeightFormat{kept, all.keep(figures->first), figures->second, {}});
}

const WeightFormat& mixedFormat(std::vector<WeightShare> shares) {
    std::stable_sort(shares.begin(), shares.end(), [](const WeightShare& a, const WeightShare& b) {
        return a.share != b.share ? a.share > b.share : a.format->id < b.format->id;
    });
    if (shares.size() == 1)
        return *shares.front().format;
    double bytes = 0.0;
    std::string label;
    for (const auto& [format, share] : shares) {
        bytes += share * format->bytes;
        label.append(label.empty() ? "" : " and ").append(format->label);
    }
    auto& all = made();
    const std::lock_guard lock(all.mutex);
    for (const auto& format : all.formats)
        if (std::equal(format.shares.begin(), format.shares.end(), shares.begin(), shares.end(),
                       [](const WeightShare& a, const WeightShare& b) {
                           return a.format == b.format && a.share == b.share;
                       }))
            return format;
    const auto id = shares.front().format->id;
    return all.formats.emplace_back(WeightFormat{id, all.keep(std::move(label)), bytes, std::move(shares)});
}

std::span<const WeightRecipe> weightRecipes() {
    return namedRecipes();
}

const WeightRecipe& weightRecipe(std::string_view id, const std::string& where) {
    std::string known;
    for (const auto& recipe : weightRecipes()) {
        if (recipe.id == id)
            return recipe;
        known.append(known.empty() ? "" : ", ").append(recipe.id);
    }
    throwInvalid(where, "no recipe \"" + std::string(id.substr(0, 80)) + "\" of weights",
                 "Known are " + known);
}

const WeightRecipe& weightRecipe(const std::array<const WeightFormat*, kModelPartCount>& formats) {
    for (const auto& recipe : weightRecipes())
        if (recipe.formats == formats)
            return recipe;
    auto& all = made();
    const std::lock_guard lock(all.mutex);
    for (const auto& recipe : all.recipes)
        if (recipe.formats == formats)
            return recipe;
    const auto id = all.keep(byPart(formats).dump());
    const auto label = all.keep(labelOf(formats));
    const auto about =
        all.keep("Weights of a checkpoint by part: " + std::string(label) + "; the rest BF16.");
    return all.recipes.emplace_back(WeightRecipe{id, label, about, formats});
}

Json writeRecipe(const WeightRecipe& recipe) {
    const auto named = weightRecipes();
    const bool hasName = &recipe >= named.data() && &recipe < named.data() + named.size();
    return hasName ? Json(recipe.id) : byPart(recipe.formats);
}

const WeightRecipe& readRecipe(const Json& json, const std::string& where) {
    if (json.is_string())
        return weightRecipe(json.get<std::string>(), where);
    if (!json.is_object())
        throwInvalid(where, "is " + std::string(jsonTypeName(json)) + ", not the name of a recipe",
                     "Give a name such as fp8, or the format of each part");
    std::array<const WeightFormat*, kModelPartCount> formats;
    formats.fill(kBf16);
    for (const auto& [key, value] : json.items()) {
        const auto part = std::find(kPartKeys.begin(), kPartKeys.end(), key);
        if (part == kPartKeys.end())
            throwInvalid(where + "." + key.substr(0, 80), "is no part of a model",
                         "Parts are attention, dense, experts, shared, router, embedding, head");
        formats[static_cast<std::size_t>(part - kPartKeys.begin())] =
            &readFormat(value, where + "." + std::string(*part));
    }
    return weightRecipe(formats);
}

} // namespace heteroscape::engine

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/catalog/hugging_face_weights.h"

#include "engine/base/error.h"
#include "engine/base/json.h"
#include "engine/catalog/config_reader.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <nlohmann/json.hpp>

namespace heteroscape::engine {

namespace {

constexpr std::array kQuantizedParts{ModelPart::Attention, ModelPart::Dense, ModelPart::Experts,
                                     ModelPart::Shared};
constexpr double kMostBits = 64;

/// How quantized weights are written: numbers of `bits`, with a scale for `group` of them, or for a block.
struct Packing {
    std::string_view type; ///< "int", "float"
    double bits;
    double group;        ///< of one row; 0: no groups
    bool blocks = false; ///< 128 x 128
    std::string_view format;
};

constexpr std::array kPackings{
    Packing{"float", 8, 0, true, "fp8_block"},  Packing{"float", 8, 0, false, "fp8"},
    Packing{"float", 8, 32, false, "mxfp8"},    Packing{"float", 4, 16, false, "nvfp4"},
    Packing{"float", 4, 32, false, "mxfp4"},    Packing{"int", 8, 0, false, "int8"},
    Packing{"int", 4, 128, false, "int4_g128"}, Packing{"int", 4, 32, false, "int4_g32"}};

[[noreturn]] void refuseWeights(const ConfigReader& config, std::string_view key, const std::string& what) {
    throwInvalid(
        config.place(key), "the weights are " + what + ", for which there is no recipe",
        "Known are fp8 (blocks of 128 x 128 or none), mxfp4, compressed-tensors, modelopt (FP8, NVFP4), "
        "awq and gptq (4 bits in groups of 128); or leave quantization_config out");
}

std::string shortened(const std::string& text) {
    return "\"" + text.substr(0, 80) + "\"";
}

std::string_view formatOf(const ConfigReader& config, std::string_view key, const Packing& packing) {
    for (const auto& known : kPackings)
        if (known.type == packing.type && known.bits == packing.bits && known.group == packing.group &&
            known.blocks == packing.blocks)
            return known.format;
    refuseWeights(config, key,
                  std::string(packing.type.substr(0, 80)) + " of " +
                      std::to_string(static_cast<int>(packing.bits)) + " bits in groups of " +
                      std::to_string(static_cast<int>(packing.group)));
}

/// True for blocks of 128 x 128, false without blocks.
bool hasBlocks(const ConfigReader& config, std::string_view key) {
    const auto* block = config.list(key);
    if (!block)
        return false;
    if (*block != Json::array({128, 128}))
        refuseWeights(config, key, "in blocks that are not 128 x 128");
    return true;
}

/// -1 and null: no groups.
double groupOf(const ConfigReader& config, std::string_view keys) {
    const double size = config.whole(keys, -1, 1 << 20);
    return std::isnan(size) || size < 0.0 ? 0.0 : size;
}

std::string_view fromFp8(const ConfigReader& config) {
    return hasBlocks(config, "weight_block_size") ? "fp8_block" : "fp8";
}

std::string_view fromMxfp4(const ConfigReader&) {
    return "mxfp4";
}

std::string_view fromModelOpt(const ConfigReader& config) {
    const auto algorithm = config.text("quant_algo");
    if (algorithm == "NVFP4")
        return "nvfp4";
    if (algorithm == "FP8")
        return "fp8";
    refuseWeights(config, "quant_algo", "of the sort " + shortened(algorithm));
}

double bitsOf(const ConfigReader& config, std::string_view keys) {
    const double bits = config.whole(keys, 1, kMostBits);
    if (std::isnan(bits))
        throwInvalid(config.place(keys.substr(0, keys.find(' '))), "missing", "A config.json states it");
    return bits;
}

std::string_view fromIntegers(const ConfigReader& config) {
    return formatOf(config, "bits",
                    {"int", bitsOf(config, "bits w_bit"), groupOf(config, "group_size"), false, {}});
}

/// Several groups must agree.
std::string_view fromCompressedTensors(const ConfigReader& config) {
    constexpr std::string_view key = "config_groups";
    const auto* groups = config.find(key);
    if (!groups || !groups->is_object() || groups->empty())
        refuseWeights(config, key, "in no groups");
    std::string_view format;
    for (const auto& [name, group] : groups->items()) {
        const auto where = config.place(key) + "." + name.substr(0, 80);
        if (!group.is_object() || !group.contains("weights") || !group["weights"].is_object())
            throwInvalid(where + ".weights", "missing", "A config.json states it");
        const ConfigReader weights(group["weights"], where + ".weights");
        const auto type = weights.text("type");
        const auto of = formatOf(weights, "num_bits",
                                 {type,
                                  bitsOf(weights, "num_bits"),
                                  groupOf(weights, "group_size"),
                                  hasBlocks(weights, "block_structure"),
                                  {}});
        if (!format.empty() && of != format)
            refuseWeights(config, key, "in groups of different formats");
        format = of;
    }
    return format;
}

struct Method {
    std::string_view name;
    std::string_view (*format)(const ConfigReader&);
    bool expertsOnly = false;
};

constexpr std::array kMethods{Method{"fp8", fromFp8},
                              Method{"mxfp4", fromMxfp4, true},
                              Method{"compressed-tensors", fromCompressedTensors},
                              Method{"modelopt", fromModelOpt},
                              Method{"modelopt_fp4", fromModelOpt},
                              Method{"awq", fromIntegers},
                              Method{"gptq", fromIntegers}};

/// The part that a module's name or pattern is in; false: none that is quantized.
bool partOf(std::string_view module, ModelPart& part) {
    const bool matrix = module.find("_proj") != std::string_view::npos;
    const auto has = [&](std::string_view word) { return module.find(word) != std::string_view::npos; };
    const auto isOrHolds = [&](std::string_view word) {
        return module.ends_with(word) || (matrix && has(word));
    };
    if (isOrHolds("shared_expert") || isOrHolds("shared_experts") || isOrHolds("share_expert"))
        part = ModelPart::Shared;
    else if (isOrHolds("experts"))
        part = ModelPart::Experts;
    else if (isOrHolds("attn"))
        part = ModelPart::Attention;
    else if (isOrHolds("mlp"))
        part = ModelPart::Dense;
    else
        return false;
    return true;
}

/// "model.layers.21.self_attn*": of one layer only.
bool namesLayer(std::string_view module) {
    const auto at = module.find("layers.");
    return at != std::string_view::npos && at + 7 < module.size() &&
           std::isdigit(static_cast<unsigned char>(module[at + 7]));
}

double layersWith(const Model& model, ModelPart part) {
    return part == ModelPart::Attention ? model.layers.value
           : part == ModelPart::Dense   ? model.layers.value - model.mixtureLayers()
                                        : model.mixtureLayers();
}

/// Layers whose weights of each part are left as they were. A module that is one matrix of a part counts a
/// third of a layer.
std::array<double, kModelPartCount> keptLayers(const ConfigReader& config, const Model& model) {
    std::array<double, kModelPartCount> kept{};
    for (const auto* key : {"modules_to_not_convert", "ignored_layers", "ignore", "exclude_modules"}) {
        const auto* list = config.list(key);
        for (const auto& entry : list ? *list : Json::array()) {
            auto module = entry.is_string() ? entry.get<std::string>() : std::string();
            module.erase(module.find_last_not_of("*.$") + 1);
            ModelPart part{};
            if (!partOf(module, part))
                continue;
            const bool one =
                module.find("_proj") != std::string::npos && module.find('(') == std::string::npos;
            kept[static_cast<std::size_t>(part)] +=
                (one ? 1.0 / 3.0 : 1.0) * (namesLayer(module) ? 1.0 : layersWith(model, part));
        }
    }
    return kept;
}

} // namespace

const WeightRecipe* readHuggingFaceWeights(const ConfigReader& config, const ConfigReader& whole,
                                           const Model& model) {
    constexpr std::string_view key = "quantization_config";
    const auto& holder = config.find(key) ? config : whole;
    const auto* json = holder.find(key);
    if (!json || json->is_null())
        return nullptr;
    if (!json->is_object())
        throwInvalid(holder.place(key), "expected an object, found " + std::string(jsonTypeName(*json)));
    const ConfigReader quantization(*json, holder.place(key));
    const auto name = quantization.text("quant_method");
    const auto* method = std::find_if(kMethods.begin(), kMethods.end(),
                                      [&](const Method& known) { return known.name == name; });
    if (method == kMethods.end())
        refuseWeights(quantization, "quant_method", "quantized by " + shortened(name));
    const auto format = method->format(quantization);
    const auto kept = keptLayers(quantization, model);
    std::array<std::string_view, kQuantizedParts.size()> wanted;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        const auto part = kQuantizedParts[i];
        const bool keeps = method->expertsOnly && model.isMixture()
                               ? part != ModelPart::Experts
                               : 2.0 * kept[static_cast<std::size_t>(part)] > layersWith(model, part);
        wanted[i] = keeps ? "bf16" : format;
    }
    std::string parts;
    for (const auto& recipe : weightRecipes()) {
        bool fits = true;
        parts.clear();
        for (std::size_t i = 0; i < wanted.size(); ++i)
            if (model.elements(kQuantizedParts[i]) > 0.0) {
                fits = fits && recipe.of(kQuantizedParts[i]).id == wanted[i];
                parts.append(parts.empty() ? "" : ", ")
                    .append(modelPartLabel(kQuantizedParts[i]))
                    .append(" in ")
                    .append(wanted[i]);
            }
        if (fits)
            return &recipe;
    }
    refuseWeights(holder, key, parts);
}

} // namespace heteroscape::engine

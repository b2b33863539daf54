// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/catalog/hugging_face_layers.h"

#include "engine/base/error.h"
#include "engine/base/json.h"
#include "engine/catalog/config_reader.h"
#include "engine/catalog/hugging_face_family.h"
#include "engine/units/number_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

namespace heteroscape::engine {

namespace {

using Sorts = std::vector<LayerSort>;

constexpr double kMostOfList = 1 << 20; // layers, tokens of a window

struct LayerType {
    std::string_view name;
    LayerSort sort;
};

constexpr std::array kLayerTypes{LayerType{"full_attention", LayerSort::Full},
                                 LayerType{"attention", LayerSort::Full},
                                 LayerType{"deepseek_sparse_attention", LayerSort::Full},
                                 LayerType{"sliding_attention", LayerSort::Windowed},
                                 LayerType{"chunked_attention", LayerSort::Windowed},
                                 LayerType{"compressed_sparse_attention", LayerSort::Light},
                                 LayerType{"heavily_compressed_attention", LayerSort::Heavy},
                                 LayerType{"minimax_m3_sparse", LayerSort::Light},
                                 LayerType{"block_sparse_attention", LayerSort::Light},
                                 LayerType{"linear_attention", LayerSort::Recurrent},
                                 LayerType{"mamba", LayerSort::Recurrent},
                                 LayerType{"mamba2", LayerSort::Recurrent},
                                 LayerType{"conv", LayerSort::Recurrent}};

[[noreturn]] void refuseLayerType(const ConfigReader& config, std::string_view key, const Json& type) {
    const auto text = type.is_string() ? type.get<std::string>() : std::string(jsonTypeName(type));
    throwInvalid(
        config.place(key),
        "the model needs layers of the type \"" + text.substr(0, 80) + "\", which this program does not have",
        "Describe them as layer_groups of a model entry (show model qwen3-next-80b-a3b --json is one), "
        "or choose a model without them");
}

void checkListLength(const ConfigReader& config, std::string_view key, std::size_t entries, double layers,
                     bool mayBeLonger) {
    const auto count = static_cast<double>(entries);
    if (count < layers || (count > layers && !mayBeLonger))
        throwInvalid(config.place(key),
                     "has " + plainText(count) + " entries where the model has " + plainText(layers) +
                         " layers",
                     "Give one for each layer");
}

constexpr std::string_view kTypeKeys = "layer_types layers_block_type";

Sorts sortsByType(const ConfigReader& config, const HuggingFaceLayers& layers, const Json& types,
                  double count) {
    const auto key = config.nameOf(kTypeKeys);
    checkListLength(config, key, types.size(), count, layers.longer);
    Sorts sorts;
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
        const auto* known = std::find_if(kLayerTypes.begin(), kLayerTypes.end(),
                                         [&](const LayerType& type) { return types[i] == type.name; });
        if (known == kLayerTypes.end() || (known->sort == LayerSort::Recurrent && !layers.linear) ||
            (known->sort == LayerSort::Windowed && layers.window.empty() && !layers.ordinary) ||
            ((known->sort == LayerSort::Light || known->sort == LayerSort::Heavy) && !layers.ordinary) ||
            (known->name == "deepseek_sparse_attention" && layers.indexHeads == 0.0))
            refuseLayerType(config, key, types[i]);
        sorts.push_back(layers.fullLast && i + 1 == static_cast<std::size_t>(count) ? LayerSort::Full
                                                                                    : known->sort);
    }
    return sorts;
}

Sorts sortsByNumber(const ConfigReader& config, const HuggingFaceLayers& layers, const Json& pattern,
                    double count) {
    checkListLength(config, layers.pattern, pattern.size(), count, layers.longer);
    Sorts sorts;
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
        if (pattern[i] != 0 && pattern[i] != 1)
            throwInvalid(config.place(layers.pattern) + "[" + std::to_string(i) + "]",
                         "is neither 0 (full attention) nor 1 (with a window)");
        sorts.push_back(pattern[i] == 1 ? LayerSort::Windowed : LayerSort::Full);
    }
    return sorts;
}

/// Where no list says it.
Sorts sortsByRule(const ConfigReader& config, const HuggingFaceLayers& layers, double count) {
    const auto other = layers.linear ? LayerSort::Recurrent : LayerSort::Windowed;
    Sorts sorts(static_cast<std::size_t>(count), other);
    if (!layers.fullFirst.empty()) {
        double full = config.whole(layers.fullFirst, 0, kMostOfList);
        full = std::min(std::isnan(full) ? layers.classPeriod : full, count);
        std::fill_n(sorts.begin(), static_cast<std::ptrdiff_t>(full), LayerSort::Full);
        return sorts;
    }
    double period = layers.period.empty() ? NAN : config.whole(layers.period, 1, kMostOfList);
    if (std::isnan(period))
        period = layers.classPeriod;
    if (!(period > 0.0) && !layers.pattern.empty())
        throwInvalid(config.place(layers.pattern), "missing", "A config.json states it");
    for (std::size_t i = 0; period > 0.0 && i < sorts.size(); ++i)
        if (std::fmod(static_cast<double>(i + 1), period) == 0.0 ||
            (layers.fullLast && i + 1 == sorts.size()))
            sorts[i] = LayerSort::Full;
    return sorts;
}

/// Layers by a list of numbers of them; `base`: that of the first.
void markListed(const ConfigReader& config, std::string_view key, std::size_t base, LayerSort sort,
                Sorts& sorts) {
    const auto* list = config.list(key);
    for (const auto& entry : list ? *list : Json::array()) {
        const double at = entry.is_number() ? entry.get<double>() - static_cast<double>(base) : NAN;
        if (!(at >= 0.0) || at >= static_cast<double>(sorts.size()) || at != std::floor(at))
            throwInvalid(config.place(key), entry.dump().substr(0, 80) + " is no layer of the model",
                         "Give numbers from " + std::to_string(base) + " to " +
                             std::to_string(base + sorts.size() - 1));
        sorts[static_cast<std::size_t>(at)] = sort;
    }
}

/// Marks of what a list of one number a layer says: where it is `value`.
void markByValue(const ConfigReader& config, std::string_view key, double value, LayerSort sort,
                 Sorts& sorts) {
    const auto* list = config.list(key);
    if (!list)
        return;
    checkListLength(config, key, list->size(), static_cast<double>(sorts.size()), true);
    for (std::size_t i = 0; i < sorts.size(); ++i)
        if ((*list)[i] == value)
            sorts[i] = sort;
}

/// "LLLG", over and over: L with a window, G without.
void markByLetters(const ConfigReader& config, std::string_view key, Sorts& sorts) {
    const auto letters = config.text(key);
    for (std::size_t i = 0; !letters.empty() && i < sorts.size(); ++i)
        sorts[i] = letters[i % letters.size()] == 'L' ? LayerSort::Windowed : LayerSort::Full;
}

/// Full layers among those with a state: every so manieth.
void markPeriod(const ConfigReader& config, Sorts& sorts) {
    const double period = config.whole("attn_layer_period", 1, kMostOfList);
    const double offset = config.whole("attn_layer_offset", 0, kMostOfList);
    const double size = config.whole("layer_group_size", 1, kMostOfList);
    const auto count = static_cast<double>(sorts.size());
    for (std::size_t i = 0; i < sorts.size(); ++i) {
        const auto at = static_cast<double>(i);
        const bool jamba =
            period >= 1.0 && std::fmod(at, period) == std::fmod(std::isnan(offset) ? 0.0 : offset, period);
        const bool ling =
            size >= 1.0 && (std::fmod(at + 1.0, size) == 0.0 || at >= std::floor(count / size) * size);
        if (jamba || ling)
            sorts[i] = LayerSort::Full;
    }
}

/// Layers of an architecture that no table names, by any list that says what they are.
Sorts ordinarySorts(const ConfigReader& config, const HuggingFaceLayers& layers, double count,
                    double window) {
    const bool periodic = !config.text("sliding_window_pattern").empty();
    if (window > 0.0 && !layers.linear && !periodic && !config.has("compress_ratios"))
        return sortsByRule(config, layers, count);
    const auto initial =
        layers.linear && !config.has("full_attention_interval") ? LayerSort::Recurrent : LayerSort::Full;
    Sorts sorts = layers.linear && initial == LayerSort::Full
                      ? sortsByRule(config, layers, count)
                      : Sorts(static_cast<std::size_t>(count), initial);
    markPeriod(config, sorts);
    markListed(config, "attn_layer_indices full_attn_idxs", 0, LayerSort::Full, sorts);
    markListed(config, "linear_attn_config.full_attn_layers", 1, LayerSort::Full, sorts);
    markListed(config, "cross_attention_layers", 0, LayerSort::Crossed, sorts);
    markByValue(config, "attn_type_list", 1, LayerSort::Full, sorts);
    markByValue(config, "sparse_attention_config.sparse_attention_freq", 1, LayerSort::Light, sorts);
    markByLetters(config, "sliding_window_pattern", sorts);
    if (const auto* ratios = config.list("compress_ratios")) {
        checkListLength(config, "compress_ratios", ratios->size(), count, true);
        for (std::size_t i = 0; i < sorts.size(); ++i)
            sorts[i] = huggingFaceSort((*ratios)[i].is_number() ? (*ratios)[i].get<double>() : 0.0);
    }
    return sorts;
}

/// Layers that attend to what the index of one before them picked (GLM-5.2), by any of the keys for it.
void markSharedIndices(const ConfigReader& config, Sorts& sorts) {
    const auto share = [&](std::size_t i) {
        if (sorts[i] == LayerSort::Full)
            sorts[i] = LayerSort::Shared;
    };
    if (const auto* types = config.list("indexer_types")) {
        checkListLength(config, "indexer_types", types->size(), static_cast<double>(sorts.size()), true);
        for (std::size_t i = 0; i < sorts.size(); ++i)
            if ((*types)[i] == "shared")
                share(i);
        return;
    }
    const auto pattern = config.text("index_topk_pattern");
    const double every = config.whole("index_topk_freq", 1, kMostOfList);
    const double offset = config.whole("index_skip_topk_offset", 0, kMostOfList);
    for (std::size_t i = 0; i < sorts.size(); ++i) {
        const double at = static_cast<double>(i) + 1.0 - (std::isnan(offset) ? 1.0 : offset);
        if (pattern.empty() ? every > 1.0 && std::fmod(std::max(at, 0.0), every) != 0.0
                            : i < pattern.size() && pattern[i] == 'S')
            share(i);
    }
}

Sorts sortsOf(const ConfigReader& config, const HuggingFaceLayers& layers, double count, double window) {
    Sorts sorts;
    const auto* pattern = layers.pattern.empty() ? nullptr : config.list(layers.pattern);
    if (const auto* types = config.list(kTypeKeys))
        sorts = sortsByType(config, layers, *types, count);
    else if (pattern && !pattern->empty())
        sorts = sortsByNumber(config, layers, *pattern, count);
    else if (layers.ordinary)
        sorts = ordinarySorts(config, layers, count, window);
    else if (layers.window.empty() && !layers.linear)
        sorts.assign(static_cast<std::size_t>(count), LayerSort::Full);
    else
        sorts = sortsByRule(config, layers, count);
    if (window == 0.0)
        std::replace(sorts.begin(), sorts.end(), LayerSort::Windowed, LayerSort::Full);
    if (layers.indexHeads > 0.0)
        markSharedIndices(config, sorts);
    return sorts;
}

/// What a layer is, and the number that its modules have.
struct LayerPlan {
    LayerSort sort;
    ModelPart network; ///< Dense, Experts; Attention: none
    std::size_t number;
};
using Plan = std::vector<LayerPlan>;

struct BlockType {
    std::string_view letter, name;
    LayerSort sort;
    ModelPart network;
};

/// Blocks of NemotronHConfig (arXiv:2504.03624): attention and networks are layers of their own.
constexpr std::array kBlockTypes{
    BlockType{"M", "mamba", LayerSort::Recurrent, ModelPart::Attention},
    BlockType{"*", "attention", LayerSort::Full, ModelPart::Attention},
    BlockType{"-", "mlp", LayerSort::None, ModelPart::Dense},
    BlockType{"E", "moe", LayerSort::None, ModelPart::Experts},
};

Plan planOfBlocks(const ConfigReader& config, double count) {
    const auto letters = config.text("hybrid_override_pattern");
    const auto* list = letters.empty() ? config.list("layers_block_type") : nullptr;
    const auto key = letters.empty() ? "layers_block_type" : "hybrid_override_pattern";
    checkListLength(config, key, list ? list->size() : letters.size(), count, true);
    Plan plan;
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
        const auto type = list ? (*list)[i] : Json(letters.substr(i, 1));
        const auto* known = std::find_if(kBlockTypes.begin(), kBlockTypes.end(), [&](const BlockType& block) {
            return type == block.letter || type == block.name;
        });
        if (known == kBlockTypes.end())
            refuseLayerType(config, key, type);
        plan.push_back({known->sort, known->network, i});
    }
    return plan;
}

/// Layers in order. A layer that mixes twice (Falcon-H1: state and attention side by side; LongCat: two of
/// attention and of dense networks) is two.
Plan planOf(const ConfigReader& config, const HuggingFaceFamily& family, const Sorts& sorts, double count) {
    const auto& layers = *family.layers;
    if (config.has("hybrid_override_pattern") ||
        (config.has("layers_block_type") && config.has("mamba_num_heads")))
        return planOfBlocks(config, count);
    const bool experts = huggingFaceExperts(config, family) > 1.0;
    auto mixtures = experts ? huggingFaceMixtures(config, count, layers.classDense)
                            : std::vector<bool>(static_cast<std::size_t>(count), false);
    Plan plan;
    for (std::size_t i = 0; i < sorts.size(); ++i) {
        const auto network = mixtures[i] ? ModelPart::Experts : ModelPart::Dense;
        if (layers.twice == HuggingFaceTwice::StateBeside)
            plan.push_back({LayerSort::Recurrent, ModelPart::Attention, i});
        if (layers.twice == HuggingFaceTwice::Attention)
            plan.push_back({sorts[i], ModelPart::Dense, i});
        plan.push_back({sorts[i], network, i});
    }
    return plan;
}

void readMtpLayers(const ConfigReader& config, const HuggingFaceLayers& layers, Model& model,
                   const Quantity& source) {
    double count = layers.mtp.empty() || config.isAbsent(layers.mtp)
                       ? layers.classMtp
                       : config.count(layers.mtp, &Model::mtpLayers);
    if (!isOn(config, layers.mtpOn))
        count = 0.0;
    if (count > 0.0) {
        model.mtpLayers = source;
        model.mtpLayers.value = count;
    }
}

} // namespace

bool isOn(const ConfigReader& config, const HuggingFaceFlag& flag) {
    return flag.key.empty() ? flag.initial : config.flag(flag.key, flag.initial);
}

double huggingFaceWindow(const ConfigReader& config, const HuggingFaceLayers& layers) {
    if (layers.window.empty() || (layers.windowSwitched && !config.flag("use_sliding_window", false)))
        return 0.0;
    const double window =
        config.isAbsent(layers.window) ? layers.classWindow : config.whole(layers.window, 1, kMostOfList);
    const auto* longest = config.find("max_position_embeddings");
    if (longest && longest->is_number() && window >= longest->get<double>())
        return 0.0;
    return std::isnan(window) ? 0.0 : window;
}

std::vector<HuggingFaceLayer> readHuggingFaceLayers(const ConfigReader& config,
                                                    const HuggingFaceFamily& family, Model& model,
                                                    const Quantity& source) {
    const auto& layers = *family.layers;
    const double window = huggingFaceWindow(config, layers);
    const auto sorts = sortsOf(config, layers, model.layers.value, window);
    const bool alike =
        std::all_of(sorts.begin(), sorts.end(), [](auto sort) { return sort == LayerSort::Full; });
    if (!layers.always && alike)
        return {};
    const auto plan = planOf(config, family, sorts, model.layers.value);
    const auto with = [&](ModelPart network) {
        return static_cast<double>(std::count_if(
            plan.begin(), plan.end(), [&](const LayerPlan& layer) { return layer.network == network; }));
    };
    std::vector<HuggingFaceLayer> read(plan.size());
    std::vector<LayerGroup> groups;
    for (std::size_t sort = 0; sort <= static_cast<std::size_t>(kLastSort); ++sort)
        for (const bool network : {false, true}) {
            double count = 0.0;
            for (std::size_t i = 0; i < plan.size(); ++i)
                if (plan[i].sort == LayerSort(sort) && (plan[i].network != ModelPart::Attention) == network) {
                    read[i] = {plan[i].number, groups.size(), plan[i].network};
                    count += 1.0;
                }
            if (count == 0.0)
                continue;
            groups.push_back(huggingFaceGroup(config, family, model, LayerSort(sort), count, window, source));
            groups.back().network = network;
        }
    model.layers.value = static_cast<double>(plan.size());
    model.groups = std::move(groups);
    model.heads = model.kvHeads = model.headDim = Quantity{};
    readHuggingFaceNetworks(config, family, with(ModelPart::Dense), with(ModelPart::Experts), model, source);
    readMtpLayers(config, layers, model, source);
    return read;
}

} // namespace heteroscape::engine

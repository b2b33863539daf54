// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/error.h"
#include "engine/base/json.h"
#include "engine/catalog/config_reader.h"
#include "engine/catalog/hugging_face_family.h"
#include "engine/catalog/hugging_face_layers.h"
#include "engine/catalog/hugging_face_mixers.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

namespace heteroscape::engine {

namespace {

constexpr double kMostOfBlock = 1 << 22;

/// Inner width of a network; 0: none. Source: configuration_decilm.py.
double blockWidth(const ConfigReader& ffn, double hidden) {
    if (ffn.flag("no_op", false))
        return 0.0;
    if (ffn.flag("replace_with_linear", false))
        return hidden / 3.0; // one matrix of hidden x hidden in place of three
    if (const double stated = ffn.whole("intermediate_size", 1, kMostOfBlock); !std::isnan(stated))
        return stated;
    const auto* factor = ffn.find("ffn_mult");
    if (!factor || !factor->is_number() || !(factor->get<double>() > 0.0) || factor->get<double>() > 1e3)
        throwInvalid(ffn.place("ffn_mult"), "missing, or no factor of the hidden size",
                     "A config.json states it");
    constexpr double kMultiple = 256.0;
    return std::ceil(std::floor(2.0 * factor->get<double>() * hidden / 3.0) / kMultiple) * kMultiple;
}

/// KV heads of a block; 0: it has no attention, -1: one matrix in its place.
double blockKvHeads(const ConfigReader& attention, double heads) {
    if (attention.flag("no_op", false))
        return 0.0;
    if (attention.flag("replace_with_linear", false))
        return -1.0;
    if (const double stated = attention.whole("num_key_value_heads", 1, heads); !std::isnan(stated))
        return stated;
    const double group = attention.whole("n_heads_in_group", 1, heads);
    if (std::isnan(group) || std::fmod(heads, group) != 0.0)
        throwInvalid(attention.place("n_heads_in_group"), "missing, or does not divide the heads",
                     "A config.json states it");
    return heads / group;
}

} // namespace

std::vector<HuggingFaceLayer> readHuggingFaceBlocks(const ConfigReader& config,
                                                    const HuggingFaceFamily& family, Model& model,
                                                    const Quantity& source) {
    constexpr std::string_view key = "block_configs";
    const auto* blocks = config.list(key);
    if (!blocks || static_cast<double>(blocks->size()) != model.layers.value)
        throwInvalid(config.place(key), "is no list of a block for each layer", "Give one for each layer");
    const auto shape = model;
    std::map<std::pair<double, bool>, std::vector<std::size_t>> kinds;
    double widths = 0.0, networks = 0.0;
    for (std::size_t i = 0; i < blocks->size(); ++i) {
        const auto place = config.place(key) + "[" + std::to_string(i) + "]";
        const auto& block = (*blocks)[i];
        if (!block.is_object() || !block.contains("attention") || !block["attention"].is_object() ||
            !block.contains("ffn") || !block["ffn"].is_object())
            throwInvalid(place, "has no attention and ffn", "Blocks of other sorts are not known here");
        const double width = blockWidth(ConfigReader(block["ffn"], place + ".ffn"), model.hidden.value);
        const double heads =
            blockKvHeads(ConfigReader(block["attention"], place + ".attention"), model.heads.value);
        widths += width;
        networks += width > 0.0 ? 1.0 : 0.0;
        kinds[{heads, width > 0.0}].push_back(i);
    }
    if (kinds.size() > kMostLayerGroups || networks == 0.0)
        throwInvalid(config.place(key), "has more sorts of blocks than a model here", "Choose another model");
    std::vector<HuggingFaceLayer> layers(blocks->size());
    for (const auto& [kind, numbers] : kinds) {
        auto one = shape;
        one.kvHeads.value = std::max(kind.first, 1.0);
        const auto sort = kind.first > 0.0   ? LayerSort::Full
                          : kind.first < 0.0 ? LayerSort::Crossed
                                             : LayerSort::None;
        auto group =
            huggingFaceGroup(config, family, one, sort, static_cast<double>(numbers.size()), 0.0, source);
        group.network = kind.second;
        if (kind.first < 0.0) // one matrix: half of it in, half out
            for (const auto* figure : {"projected", "inner"})
                group.figures.quantity(static_cast<std::size_t>(group.attention->indexOf(figure))).value =
                    model.hidden.value / 2.0;
        for (const auto i : numbers)
            layers[i] = {i, model.groups.size(), kind.second ? ModelPart::Dense : ModelPart::Attention};
        model.groups.push_back(std::move(group));
    }
    model.heads = model.kvHeads = model.headDim = Quantity{};
    model.ffn = source;
    model.ffn.value = std::round(widths / networks);
    return layers;
}

} // namespace heteroscape::engine

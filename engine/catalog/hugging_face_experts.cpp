// SPDX-License-Identifier: GPL-3.0-or-later

#include "engine/base/error.h"
#include "engine/base/json.h"
#include "engine/catalog/config_reader.h"
#include "engine/catalog/hugging_face_family.h"
#include "engine/catalog/hugging_face_layers.h"
#include "engine/units/number_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

namespace heteroscape::engine {

namespace {

constexpr double kMostLayersOfModel = 1024;

/// True: a layer with experts.
using Mixtures = std::vector<bool>;

double denseOf(const Mixtures& mixtures) {
    return static_cast<double>(std::count(mixtures.begin(), mixtures.end(), false));
}

void checkEntries(const ConfigReader& config, std::string_view key, std::size_t entries,
                  const Mixtures& mixtures) {
    if (entries != mixtures.size())
        throwInvalid(config.place(key),
                     "has " + std::to_string(entries) + " entries where the model has " +
                         std::to_string(mixtures.size()) + " layers",
                     "Give one for each layer");
}

std::size_t layerIndex(const std::string& place, double value, const Mixtures& mixtures) {
    if (!(value >= 0.0) || value >= static_cast<double>(mixtures.size()) || value != std::floor(value))
        throwInvalid(place, plainText(value) + " is no layer of the model",
                     "Give a number from 0 to " + std::to_string(mixtures.size() - 1));
    return static_cast<std::size_t>(value);
}

/// Indices of layers: a list, or a text with commas between.
std::vector<std::size_t> layerIndices(const ConfigReader& config, std::string_view key,
                                      const Mixtures& mixtures) {
    std::vector<std::size_t> indices;
    const auto text = config.text(key);
    for (std::size_t from = 0; from < text.size();) {
        const auto to = std::min(text.find(',', from), text.size());
        from = std::min(text.find_first_not_of(' ', from), to);
        double value = NAN;
        const auto end = std::from_chars(text.data() + from, text.data() + to, value).ptr;
        indices.push_back(layerIndex(
            config.place(key),
            text.find_first_not_of(' ', static_cast<std::size_t>(end - text.data())) < to ? NAN : value,
            mixtures));
        from = to + 1;
    }
    if (const auto* list = text.empty() ? config.list(key) : nullptr)
        for (const auto& entry : *list)
            indices.push_back(layerIndex(config.place(key) + "[" + std::to_string(indices.size()) + "]",
                                         entry.is_number() ? entry.get<double>() : NAN, mixtures));
    return indices;
}

/// The first layers are dense.
constexpr std::string_view kFirstKeys = "first_k_dense_replace num_dense_layers first_k_dense";

double readFirst(const ConfigReader& config, double first, Mixtures& mixtures) {
    first = std::min(first, static_cast<double>(mixtures.size()));
    if (!config.isAbsent(kFirstKeys)) {
        first = config.whole(kFirstKeys, 0, kMostLayersOfModel);
        first = std::isnan(first) ? 0.0 : first;
    }
    if (first > static_cast<double>(mixtures.size()))
        throwInvalid(config.place(config.nameOf(kFirstKeys)),
                     plainText(first) + " dense layers are more than the model has",
                     "Give at most " + std::to_string(mixtures.size()));
    std::fill_n(mixtures.begin(), static_cast<std::ptrdiff_t>(first), false);
    return first;
}

/// A number: layers whose index it divides have experts; a list: 1 for those that have.
void readFrequency(const ConfigReader& config, Mixtures& mixtures) {
    constexpr std::string_view keys = "moe_layer_freq moe_layer_layout";
    const auto key = config.nameOf(keys);
    const auto* value = config.find(key);
    if (value && value->is_array()) {
        checkEntries(config, key, value->size(), mixtures);
        for (std::size_t i = 0; i < mixtures.size(); ++i) {
            if ((*value)[i] != 0 && (*value)[i] != 1)
                throwInvalid(config.place(key) + "[" + std::to_string(i) + "]",
                             "is neither 0 (dense) nor 1 (with experts)");
            mixtures[i] = mixtures[i] && (*value)[i] == 1;
        }
        return;
    }
    const double every = config.whole(key, 1, kMostLayersOfModel);
    for (std::size_t i = 0; every > 1.0 && i < mixtures.size(); ++i)
        mixtures[i] = mixtures[i] && std::fmod(static_cast<double>(i), every) == 0.0;
}

/// Every such layer has experts, the first of them the one with that number, counted from one.
void readStep(const ConfigReader& config, std::string_view key, Mixtures& mixtures) {
    const double step = config.whole(key, 1, kMostLayersOfModel);
    for (std::size_t i = 0; step > 1.0 && i < mixtures.size(); ++i)
        mixtures[i] = mixtures[i] && std::fmod(static_cast<double>(i + 1), step) == 0.0;
}

/// From `offset` on every such layer has experts (Jamba).
void readPeriod(const ConfigReader& config, Mixtures& mixtures) {
    const double period = config.whole("expert_layer_period", 1, kMostLayersOfModel);
    const double offset = config.whole("expert_layer_offset", 0, kMostLayersOfModel);
    for (std::size_t i = 0; period >= 1.0 && i < mixtures.size(); ++i)
        mixtures[i] = mixtures[i] && std::fmod(static_cast<double>(i), period) ==
                                         std::fmod(std::isnan(offset) ? 0.0 : offset, period);
}

/// From a first layer to a last one every such layer has experts (Ernie); -1: to the end.
void readRange(const ConfigReader& config, Mixtures& mixtures) {
    if (!config.has("moe_layer_start_index"))
        return;
    const double first = config.whole("moe_layer_start_index", 0, kMostLayersOfModel);
    const double last = config.whole("moe_layer_end_index", -1, kMostLayersOfModel);
    const double every = config.whole("moe_layer_interval", 1, kMostLayersOfModel);
    for (std::size_t i = 0; i < mixtures.size(); ++i) {
        const auto at = static_cast<double>(i);
        mixtures[i] = mixtures[i] && at >= first && !(last >= 0.0 && at > last) &&
                      (std::isnan(every) || std::fmod(at + 1.0, every) == 0.0);
    }
}

/// Lists that say it all.
void readNamed(const ConfigReader& config, std::string_view key, Mixtures& mixtures) {
    if (const auto* value = config.find(key); !value || value->is_null())
        return;
    const auto indices = layerIndices(config, key, mixtures);
    mixtures.assign(mixtures.size(), false);
    for (const auto i : indices)
        mixtures[i] = true;
}

void readTypes(const ConfigReader& config, double first, Mixtures& mixtures) {
    constexpr std::string_view key = "mlp_layer_types";
    const auto* types = config.list(key);
    if (!types)
        return;
    checkEntries(config, key, types->size(), mixtures);
    for (std::size_t i = 0; i < mixtures.size(); ++i) {
        if ((*types)[i] != "dense" && (*types)[i] != "sparse")
            throwInvalid(config.place(key) + "[" + std::to_string(i) + "]", "is neither dense nor sparse");
        mixtures[i] = (*types)[i] == "sparse";
    }
    if (!config.isAbsent("first_k_dense_replace") && denseOf(mixtures) != first)
        throwInvalid(config.place(key),
                     "has " + plainText(denseOf(mixtures)) +
                         " dense layers where first_k_dense_replace has " + plainText(first),
                     "Let both say the same");
}

void setFigure(Quantity& quantity, double value, const Quantity& source) {
    quantity = source;
    quantity.value = value;
}

double sharedWidth(const ConfigReader& config, const HuggingFaceLayers& layers, double expertWidth) {
    const auto key = layers.sharedCount.empty() ? layers.sharedWidth : layers.sharedCount;
    if (key.empty())
        return 0.0;
    if (config.isAbsent(key))
        throwInvalid(config.place(key), "missing", "A config.json states it, or null");
    const double width = layers.sharedCount.empty() ? config.count(key, &Model::sharedWidth)
                                                    : expertWidth * config.whole(key, 0, 4096);
    return std::isnan(width) ? 0.0 : width; // null: none
}

constexpr double kMostWidth = 1 << 22;

/// Of an architecture that no table names: the width of one, or of all where nothing says how many there are.
double anySharedWidth(const ConfigReader& config, const HuggingFaceLayers& layers, double expertWidth) {
    const double number = config.whole(layers.sharedCount, 0, 4096);
    const double width = config.whole(layers.sharedWidth, 0, kMostWidth);
    if (std::isnan(width))
        return std::isnan(number) ? 0.0 : number * expertWidth;
    return width * (std::isnan(number) ? 1.0 : number);
}

/// Of a dense network. LFM2 states it before it is cut to two thirds; Granite 4 as that of a shared expert.
double denseWidth(const ConfigReader& config, const HuggingFaceFamily& family, std::string_view key,
                  const Model& model) {
    if (family.layers->ordinary && model.mixtureLayers() <= 0.0 && huggingFaceExperts(config, family) <= 1.0)
        if (const double shared = config.whole("shared_intermediate_size", 0, kMostWidth); shared > 0.0)
            return shared;
    const auto& keys = *family.keys;
    const double stated = config.count(key, &Model::ffn);
    if (std::isnan(stated) && keys.expansion > 0.0)
        return model.hidden.value * config.need(keys.expansionKey, &Model::ffn, keys.expansion);
    const double width =
        (std::isnan(stated) ? config.need(key, &Model::ffn) : stated) / (family.halfWidth ? 2.0 : 1.0);
    if (!config.flag("block_auto_adjust_ff_dim", false))
        return width;
    const double multiple = config.whole("block_multiple_of", 1, kMostWidth);
    const double step = std::isnan(multiple) ? 256.0 : multiple;
    return std::ceil(std::floor(2.0 * width / 3.0) / step) * step;
}

} // namespace

std::vector<bool> huggingFaceMixtures(const ConfigReader& config, double layers, double first) {
    Mixtures mixtures(static_cast<std::size_t>(layers), true);
    first = readFirst(config, first, mixtures);
    readFrequency(config, mixtures);
    for (const auto* key : {"decoder_sparse_step", "interleave_moe_layer_step", "moe_layer_frequency"})
        readStep(config, key, mixtures);
    readPeriod(config, mixtures);
    readRange(config, mixtures);
    for (const auto i : layerIndices(config, "mlp_only_layers", mixtures))
        mixtures[i] = false;
    for (const auto* key : {"moe_layers", "moe_layers_enum"})
        readNamed(config, key, mixtures);
    readTypes(config, first, mixtures);
    return mixtures;
}

double huggingFaceExperts(const ConfigReader& config, const HuggingFaceFamily& family) {
    if (family.expertsKey.empty())
        return 1.0;
    const auto& mixture = family.layers->mixture;
    if (!(mixture.key.empty() ? mixture.initial : config.flag(mixture.key, mixture.initial)))
        return 1.0;
    if (!family.layers->ordinary)
        return config.need(family.expertsKey, &Model::experts);
    const double experts = config.whole(family.expertsKey, 0, 4096);
    return std::isnan(experts) ? 1.0 : experts;
}

void readHuggingFaceNetworks(const ConfigReader& config, const HuggingFaceFamily& family, double dense,
                             double mixed, Model& model, const Quantity& source) {
    const auto& layers = *family.layers;
    const auto denseKey = layers.denseWidth.empty() ? family.keys->ffn : layers.denseWidth;
    if (mixed <= 0.0) {
        if (dense > 0.0)
            setFigure(model.ffn, denseWidth(config, family, denseKey, model), source);
        return;
    }
    const double experts = config.need(family.expertsKey, &Model::experts);
    const double perToken = config.need(family.perTokenKey, &Model::expertsPerToken, family.perToken);
    if (perToken > experts)
        throwInvalid(config.place(config.nameOf(family.perTokenKey)),
                     plainText(perToken) + " experts a token are more than the " + plainText(experts) +
                         " that there are",
                     "Give at most the number of experts");
    double width =
        config.need(layers.expertWidth.empty() ? family.keys->ffn : layers.expertWidth, &Model::expertWidth);
    double shared =
        family.layers->ordinary ? anySharedWidth(config, layers, width) : sharedWidth(config, layers, width);
    if (const double latent = config.whole("moe_latent_size routed_expert_hidden_size", 1, kMostWidth);
        !std::isnan(
            latent)) { // experts in a space of that width: as many elements as narrower ones without it
        width = std::max(1.0, std::round(width * latent / model.hidden.value));
        shared += std::round(2.0 * latent / model.ffnMatrices.valueOr(3.0)); // into that space and back
    }
    if (config.flag("residual_moe", false) || layers.twice == HuggingFaceTwice::Attention)
        shared += config.need(family.keys->ffn, &Model::ffn); // beside the experts: Grok-2, LongCat
    if (config.flag("parallel_attn_mlp_res", false))
        shared += model.hidden.value; // Arctic: beside attention and experts a network as wide as the model
    setFigure(model.experts, experts, source);
    setFigure(model.expertsPerToken, perToken, source);
    setFigure(model.expertWidth, width, source);
    if (dense > 0.0) {
        setFigure(model.denseLayers, dense, source);
        setFigure(model.ffn, denseWidth(config, family, denseKey, model), source);
    }
    if (shared > 0.0)
        setFigure(model.sharedWidth, shared, source);
}

} // namespace heteroscape::engine

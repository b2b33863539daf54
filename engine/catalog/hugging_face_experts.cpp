// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/catalog/hugging_face_experts.h"

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
double readFirst(const ConfigReader& config, double first, Mixtures& mixtures) {
    first = std::min(first, static_cast<double>(mixtures.size()));
    if (!config.isAbsent("first_k_dense_replace")) {
        first = config.whole("first_k_dense_replace", 0, kMostLayersOfModel);
        first = std::isnan(first) ? 0.0 : first;
    }
    if (first > static_cast<double>(mixtures.size()))
        throwInvalid(config.place("first_k_dense_replace"),
                     plainText(first) + " dense layers are more than the model has",
                     "Give at most " + std::to_string(mixtures.size()));
    std::fill_n(mixtures.begin(), static_cast<std::ptrdiff_t>(first), false);
    return first;
}

/// A number: layers whose index it divides have experts; a list: 1 for those that have.
void readFrequency(const ConfigReader& config, Mixtures& mixtures) {
    constexpr std::string_view key = "moe_layer_freq";
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

} // namespace

double huggingFaceDenseLayers(const ConfigReader& config, double layers, double first) {
    Mixtures mixtures(static_cast<std::size_t>(layers), true);
    first = readFirst(config, first, mixtures);
    readFrequency(config, mixtures);
    for (const auto* key : {"decoder_sparse_step", "interleave_moe_layer_step"})
        readStep(config, key, mixtures);
    for (const auto i : layerIndices(config, "mlp_only_layers", mixtures))
        mixtures[i] = false;
    for (const auto* key : {"moe_layers", "moe_layers_enum"})
        readNamed(config, key, mixtures);
    readTypes(config, first, mixtures);
    return denseOf(mixtures);
}

void readHuggingFaceNetworks(const ConfigReader& config, const HuggingFaceFamily& family, Model& model,
                             const Quantity& source) {
    const auto& layers = *family.layers;
    const auto denseKey = layers.denseWidth.empty() ? family.keys->ffn : layers.denseWidth;
    const auto& mixture = layers.mixture;
    if (family.expertsKey.empty() ||
        !(mixture.key.empty() ? mixture.initial : config.flag(mixture.key, mixture.initial))) {
        setFigure(model.ffn, config.need(denseKey, &Model::ffn), source);
        return;
    }
    const double experts = config.need(family.expertsKey, &Model::experts);
    const double perToken = config.need(family.perTokenKey, &Model::expertsPerToken);
    if (perToken > experts)
        throwInvalid(config.place(family.perTokenKey.substr(0, family.perTokenKey.find(' '))),
                     plainText(perToken) + " experts a token are more than the " + plainText(experts) +
                         " that there are",
                     "Give at most the number of experts");
    const double width =
        config.need(layers.expertWidth.empty() ? family.keys->ffn : layers.expertWidth, &Model::expertWidth);
    setFigure(model.experts, experts, source);
    setFigure(model.expertsPerToken, perToken, source);
    setFigure(model.expertWidth, width, source);
    const double dense = huggingFaceDenseLayers(config, model.layers.value, layers.classDense);
    if (dense > 0.0) {
        setFigure(model.denseLayers, dense, source);
        setFigure(model.ffn, config.need(denseKey, &Model::ffn), source);
    }
    if (const double shared = sharedWidth(config, layers, width); shared > 0.0)
        setFigure(model.sharedWidth, shared, source);
}

} // namespace heteroscape::engine

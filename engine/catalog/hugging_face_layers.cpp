// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/catalog/hugging_face_layers.h"

#include "engine/base/error.h"
#include "engine/base/json.h"
#include "engine/catalog/config_reader.h"
#include "engine/catalog/hugging_face_experts.h"
#include "engine/catalog/hugging_face_family.h"
#include "engine/units/number_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

namespace heteroscape::engine {

namespace {

constexpr double kMostFigure = 1 << 20; // of an attention kind

/// Layers by what they attend to.
struct LayerSorts {
    double full = 0.0;
    double windowed = 0.0;
    double linear = 0.0;
};

struct LayerType {
    std::string_view name;
    double LayerSorts::*sort;
};

constexpr std::array kLayerTypes{LayerType{"full_attention", &LayerSorts::full},
                                 LayerType{"deepseek_sparse_attention", &LayerSorts::full},
                                 LayerType{"sliding_attention", &LayerSorts::windowed},
                                 LayerType{"chunked_attention", &LayerSorts::windowed},
                                 LayerType{"linear_attention", &LayerSorts::linear}};

[[noreturn]] void refuseLayerType(const ConfigReader& config, const Json& type) {
    const auto text = type.is_string() ? type.get<std::string>() : std::string(jsonTypeName(type));
    throwInvalid(config.place("layer_types"),
                 "the model needs layers of the type \"" + text.substr(0, 80) +
                     "\", which this program does not have",
                 "Choose a model without it");
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

LayerSorts sortsByType(const ConfigReader& config, const HuggingFaceLayers& layers, const Json& types,
                       double count) {
    checkListLength(config, "layer_types", types.size(), count, layers.longer);
    LayerSorts sorts;
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
        const auto* known = std::find_if(kLayerTypes.begin(), kLayerTypes.end(),
                                         [&](const LayerType& type) { return types[i] == type.name; });
        if (known == kLayerTypes.end() || (known->sort == &LayerSorts::linear && !layers.linear) ||
            (known->sort == &LayerSorts::windowed && layers.window.empty()) ||
            (known->name == "deepseek_sparse_attention" && layers.indexHeads == 0.0))
            refuseLayerType(config, types[i]);
        auto sort = known->sort;
        if (layers.fullLast && i + 1 == static_cast<std::size_t>(count))
            sort = &LayerSorts::full;
        sorts.*sort += 1.0;
    }
    return sorts;
}

LayerSorts sortsByNumber(const ConfigReader& config, const HuggingFaceLayers& layers, const Json& pattern,
                         double count) {
    checkListLength(config, layers.pattern, pattern.size(), count, layers.longer);
    LayerSorts sorts;
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
        if (pattern[i] != 0 && pattern[i] != 1)
            throwInvalid(config.place(layers.pattern) + "[" + std::to_string(i) + "]",
                         "is neither 0 (full attention) nor 1 (with a window)");
        (pattern[i] == 1 ? sorts.windowed : sorts.full) += 1.0;
    }
    return sorts;
}

/// Where no list says it.
LayerSorts sortsByRule(const ConfigReader& config, const HuggingFaceLayers& layers, double count) {
    double full = 0.0;
    if (!layers.fullFirst.empty()) {
        full = config.whole(layers.fullFirst, 0, kMostFigure);
        full = std::min(std::isnan(full) ? layers.classPeriod : full, count);
    } else if (layers.classPeriod > 0.0) {
        double period = config.whole(layers.period, 1, kMostFigure);
        if (std::isnan(period))
            period = layers.classPeriod;
        full = std::floor(count / period);
        if (layers.fullLast && full * period < count)
            full += 1.0;
    } else if (!layers.pattern.empty())
        throwInvalid(config.place(layers.pattern), "missing", "A config.json states it");
    LayerSorts sorts;
    sorts.full = full;
    (layers.linear ? sorts.linear : sorts.windowed) = count - full;
    return sorts;
}

LayerSorts sortsOf(const ConfigReader& config, const HuggingFaceLayers& layers, double count, double window) {
    LayerSorts sorts;
    const auto* pattern = layers.pattern.empty() ? nullptr : config.list(layers.pattern);
    if (const auto* types = config.list("layer_types"))
        sorts = sortsByType(config, layers, *types, count);
    else if (pattern && !pattern->empty())
        sorts = sortsByNumber(config, layers, *pattern, count);
    else if (layers.window.empty() && !layers.linear)
        sorts.full = count;
    else
        sorts = sortsByRule(config, layers, count);
    if (window == 0.0) {
        sorts.full += sorts.windowed;
        sorts.windowed = 0.0;
    }
    return sorts;
}

/// Writes the figures of one group by their keys.
class GroupWriter {
public:
    GroupWriter(std::string_view kind, double count, const Quantity& source) : m_source(source) {
        m_group.count = count;
        m_group.attention = &attentionKinds().at(kind, "attention");
        m_group.figures = Settings(*m_group.attention);
    }
    /// NaN leaves it unset.
    void set(std::string_view key, double value) {
        auto& quantity = m_group.figures.quantity(static_cast<std::size_t>(m_group.attention->indexOf(key)));
        quantity = m_source;
        quantity.value = value;
        if (std::isnan(value))
            quantity = Quantity{};
    }
    void turn(std::string_view key, bool on) {
        const auto options = m_group.attention->options();
        for (std::size_t i = 0; i < options.size(); ++i)
            if (options[i].key == key)
                m_group.figures.switchOn(i, on);
    }
    const LayerGroup& group() const { return m_group; }

private:
    LayerGroup m_group;
    const Quantity& m_source;
};

double required(const ConfigReader& config, std::string_view key) {
    const double value = config.whole(key, 1, kMostFigure);
    if (std::isnan(value))
        throwInvalid(config.place(key), "missing", "A config.json states it");
    return value;
}

/// What `key` says, or `common` where it is empty or absent.
double ownOr(const ConfigReader& config, std::string_view key, double common) {
    const double own = key.empty() ? NAN : config.whole(key, 1, kMostFigure);
    return std::isnan(own) ? common : own;
}

bool isOn(const ConfigReader& config, const HuggingFaceFlag& flag) {
    return flag.key.empty() ? flag.initial : config.flag(flag.key, flag.initial);
}

LayerGroup groupedQuery(const ConfigReader& config, const HuggingFaceFamily& family, const Model& model,
                        double count, double window, const Quantity& source) {
    const auto& layers = *family.layers;
    auto own = window > 0.0 ? layers.windowed : layers.full;
    const bool keysAreValues = window == 0.0 && isOn(config, layers.keysAreValues);
    if (window == 0.0 && !layers.keysAreValues.key.empty() && !keysAreValues)
        own.kvHeads = {};
    const double heads = ownOr(config, own.heads, model.heads.value);
    const double kvHeads = ownOr(config, own.kvHeads, model.kvHeads.value);
    const double dim = ownOr(config, own.dim, own.classDim > 0.0 ? own.classDim : model.headDim.value);
    const double valueDim = ownOr(
        config, own.valueDim, layers.valueDim.empty() ? NAN : config.whole(layers.valueDim, 1, kMostFigure));
    if (std::fmod(heads, kvHeads) != 0.0)
        throwInvalid(config.place(own.kvHeads.empty() ? family.keys->kvHeads : own.kvHeads),
                     plainText(kvHeads) + " does not divide heads, " + plainText(heads),
                     "Grouped-query attention needs heads to be a multiple of the KV heads");
    GroupWriter writer("gqa", count, source);
    writer.set("heads", heads);
    writer.set("kv_heads", kvHeads);
    writer.set("head_dim", dim);
    writer.set("v_dim", valueDim == dim ? NAN : valueDim);
    writer.set("window", window > 0.0 ? window : NAN);
    writer.turn("gate", isOn(config, layers.gate));
    writer.turn("qk_norm", isOn(config, layers.qkNorm));
    writer.turn("sinks", isOn(config, window > 0.0 ? layers.windowedSinks : layers.fullSinks));
    writer.turn("k_is_v", keysAreValues);
    return writer.group();
}

LayerGroup latent(const ConfigReader& config, const HuggingFaceLayers& layers, const Model& model,
                  double count, const Quantity& source) {
    GroupWriter writer("mla", count, source);
    writer.set("heads", model.heads.value);
    if (config.isAbsent("q_lora_rank")) // null: queries are projected directly
        throwInvalid(config.place("q_lora_rank"), "missing", "A config.json states it, or null");
    writer.set("q_rank", config.whole("q_lora_rank", 1, kMostFigure));
    writer.set("kv_rank", required(config, "kv_lora_rank"));
    writer.set("nope_dim", required(config, "qk_nope_head_dim"));
    writer.set("rope_dim", required(config, "qk_rope_head_dim"));
    writer.set("v_dim", required(config, "v_head_dim"));
    if (layers.indexHeads > 0.0) {
        writer.set("index_heads", ownOr(config, "index_n_heads", layers.indexHeads));
        writer.set("index_dim", ownOr(config, "index_head_dim", 128.0));
        writer.set("index_keys", ownOr(config, "index_topk", 2048.0));
    }
    return writer.group();
}

LayerGroup deltaRule(const ConfigReader& config, double count, const Quantity& source) {
    GroupWriter writer("gdn", count, source);
    writer.set("k_heads", required(config, "linear_num_key_heads"));
    writer.set("v_heads", required(config, "linear_num_value_heads"));
    writer.set("k_dim", required(config, "linear_key_head_dim"));
    writer.set("v_dim", required(config, "linear_value_head_dim"));
    writer.set("convolution", required(config, "linear_conv_kernel_dim"));
    return writer.group();
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

double huggingFaceWindow(const ConfigReader& config, const HuggingFaceLayers& layers) {
    if (layers.window.empty() || (layers.windowSwitched && !config.flag("use_sliding_window", false)))
        return 0.0;
    const double window =
        config.isAbsent(layers.window) ? layers.classWindow : config.whole(layers.window, 1, kMostFigure);
    const auto* longest = config.find("max_position_embeddings");
    if (longest && longest->is_number() && window >= longest->get<double>())
        return 0.0;
    return std::isnan(window) ? 0.0 : window;
}

bool readHuggingFaceLayers(const ConfigReader& config, const HuggingFaceFamily& family, Model& model,
                           const Quantity& source) {
    const auto& layers = *family.layers;
    const double window = huggingFaceWindow(config, layers);
    const auto sorts = sortsOf(config, layers, model.layers.value, window);
    if (!layers.always && sorts.windowed == 0.0)
        return false;
    std::vector<LayerGroup> groups;
    if (sorts.linear > 0.0)
        groups.push_back(deltaRule(config, sorts.linear, source));
    if (sorts.windowed > 0.0)
        groups.push_back(groupedQuery(config, family, model, sorts.windowed, window, source));
    if (sorts.full > 0.0)
        groups.push_back(layers.latent ? latent(config, layers, model, sorts.full, source)
                                       : groupedQuery(config, family, model, sorts.full, 0.0, source));
    model.groups = std::move(groups);
    model.heads = model.kvHeads = model.headDim = Quantity{};
    readHuggingFaceNetworks(config, family, model, source);
    readMtpLayers(config, layers, model, source);
    return true;
}

} // namespace heteroscape::engine

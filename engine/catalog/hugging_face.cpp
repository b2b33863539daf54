// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/catalog/hugging_face.h"

#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/base/json.h"
#include "engine/catalog/config_reader.h"
#include "engine/catalog/hugging_face_family.h"
#include "engine/catalog/hugging_face_layers.h"
#include "engine/catalog/hugging_face_weights.h"
#include "engine/catalog/named.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

namespace heteroscape::engine {

namespace {

constexpr std::size_t kMaxConfig = 8u << 20; // a config.json has some kilobytes

/// "meta-llama/Meta-Llama-3-8B" -> "meta-llama-3-8b"
std::string idFrom(const std::string& name) {
    std::string id;
    for (const char c : name) {
        const auto u = static_cast<unsigned char>(c);
        if (u < 0x80 && std::isalnum(u))
            id += static_cast<char>(std::tolower(u));
        else if (!id.empty() && id.back() != '-')
            id += '-';
    }
    id.resize(std::min<std::size_t>(id.size(), 64));
    while (!id.empty() && id.back() == '-')
        id.pop_back();
    return id.empty() ? "imported" : id;
}

/// The last step of a path or repository as a name for people: printable, at most 100 bytes.
std::string nameFrom(std::string text) {
    while (!text.empty() && (text.back() == '/' || text.back() == '\\'))
        text.pop_back();
    text.erase(0, text.find_last_of("/\\") + 1);
    std::erase_if(text, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
    if (text.size() > 100) {
        std::size_t end = 100;
        while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) // not within a character
            --end;
        text.resize(end);
    }
    const bool hasName = std::any_of(text.begin(), text.end(), [](char c) {
        return static_cast<unsigned char>(c) >= 0x80 || std::isalnum(static_cast<unsigned char>(c));
    });
    return hasName ? text : std::string();
}

[[noreturn]] void refuse(const ConfigReader& config, std::string_view key, const std::string& needs) {
    throwInvalid(config.place(key), "the model needs " + needs + ", which this program does not have",
                 "Choose a model without it");
}

constexpr std::array kSharedKeys{"shared_expert_intermediate_size", "n_shared_experts",  "num_shared_experts",
                                 "shared_intermediate_size",        "num_shared_expert", "share_expert_dim"};
constexpr std::array kDenseNumbers{"decoder_sparse_step", "moe_layer_freq", "interleave_moe_layer_step"};
constexpr std::array kDenseLists{"mlp_only_layers", "first_k_dense_replace"};

/// What a uniform model with experts has none of.
void refuseDenseLayers(const ConfigReader& config) {
    const std::string dense = "dense layers between those with experts";
    for (const auto* key : kDenseNumbers)
        if (config.exceeds(key, 1.0))
            refuse(config, key, dense);
    for (const auto* key : kDenseLists)
        if (config.exceeds(key, 0.0))
            refuse(config, key, dense);
}

/// Indices of latent attention that several layers share, by any of the keys for it.
void refuseSharedIndices(const ConfigReader& config) {
    const std::string shared = "layers that share an index";
    if (config.exceeds("index_topk_freq", 1.0))
        refuse(config, "index_topk_freq", shared);
    for (const auto* key : {"index_topk_pattern", "indexer_types"})
        if (const auto* value = config.find(key)) {
            const auto text = value->is_string() ? value->get<std::string>() : std::string();
            const bool listed =
                value->is_array() && std::find(value->begin(), value->end(), "shared") != value->end();
            if (listed || text.find('S') != std::string::npos)
                refuse(config, key, shared);
        }
}

/// What a key can ask for that the family, or no model here, has.
void refuseUnknownParts(const ConfigReader& config, const HuggingFaceFamily& family) {
    const auto* layers = family.layers;
    for (const auto* key : kSharedKeys)
        if ((!layers || (layers->sharedCount != key && layers->sharedWidth != key)) &&
            config.exceeds(key, 0.0))
            refuse(config, key, "a shared expert that every token goes through");
    if (!layers || !layers->latent)
        for (const auto* key : {"kv_lora_rank", "q_lora_rank"})
            if (config.exceeds(key, 0.0))
                refuse(config, key, "multi-head latent attention");
    if (!family.expertsKey.empty() && (!layers || !layers->always))
        refuseDenseLayers(config);
    refuseSharedIndices(config);
    if (config.exceeds("num_kv_shared_layers", 0.0))
        refuse(config, "num_kv_shared_layers", "layers that share a KV cache");
    const bool gemma4 = family.name == "gemma4_text"; // its class has them where the key is absent
    if (config.exceeds("hidden_size_per_layer_input", 0.0) ||
        (gemma4 && config.isAbsent("hidden_size_per_layer_input")))
        refuse(config, "hidden_size_per_layer_input", "embeddings of every layer");
    if (const auto* types = layers ? nullptr : config.find("layer_types"); types && types->is_array())
        for (const auto& type : *types) {
            const auto text = type.is_string() ? type.get<std::string>() : std::string();
            if (!text.ends_with("_attention") || text == "linear_attention")
                refuse(config, "layer_types", "layers of the type \"" + text.substr(0, 80) + "\"");
        }
    if (const auto* types = config.find("attn_type_list");
        types && types->is_array() && std::find(types->begin(), types->end(), 0) != types->end())
        refuse(config, "attn_type_list", "linear attention with a decay of its own");
    for (const auto* key : {"is_encoder_decoder", "add_cross_attention"})
        if (const auto* value = config.find(key); value && *value == true)
            refuse(config, key, "an encoder beside the decoder, and attention across to it");
}

const HuggingFaceFamily& familyOf(const ConfigReader& config) {
    auto architecture = config.text("model_type");
    const char* key = "model_type";
    if (architecture.empty())
        if (const auto* list = config.find("architectures"); list && list->is_array() && !list->empty())
            if (const auto& first = list->front(); first.is_string()) {
                architecture = first.get<std::string>();
                key = "architectures";
            }
    if (const auto* family = findHuggingFaceFamily(architecture))
        return *family;
    const auto known = "Known are " + huggingFaceFamilyNames();
    if (architecture.empty())
        throwInvalid(config.place(key), "missing", known);
    const auto quoted = "the architecture \"" + architecture.substr(0, 80) + "\" ";
    const auto missing = missingForHuggingFace(architecture);
    throwInvalid(config.place(key),
                 missing.empty()
                     ? quoted + "is not known"
                     : quoted + "needs " + std::string(missing) + ", which this program does not have",
                 known);
}

double kvHeads(const ConfigReader& config, const HuggingFaceFamily& family, double heads) {
    if (family.rule == KvHeadsRule::MultiQuery && !config.flag("new_decoder_architecture", false) &&
        config.text("model_type") != "RefinedWeb") // Falcon-40B's name before transformers had it
        return config.flag("multi_query", true) ? 1.0 : heads;
    const bool byClass = family.kvHeads > 0.0 && config.isAbsent(family.keys->kvHeads);
    return config.need(family.keys->kvHeads, &Model::kvHeads, byClass ? family.kvHeads : heads);
}

double headDim(const ConfigReader& config, const HuggingFaceFamily& family, const Model& model) {
    const double stated = config.count("head_dim", &Model::headDim);
    if (!std::isnan(stated))
        return stated;
    if (family.headDim > 0.0 && config.isAbsent("head_dim"))
        return family.headDim;
    const double derived = model.hidden.value / model.heads.value;
    if (derived != std::floor(derived))
        throwInvalid(config.place("head_dim"), "missing, and the heads do not divide the hidden size",
                     "State head_dim");
    return derived;
}

double ffn(const ConfigReader& config, const HuggingFaceFamily& family, double hidden) {
    const auto& keys = *family.keys;
    const double stated = config.count(keys.ffn, &Model::ffn);
    if (!std::isnan(stated))
        return stated;
    if (keys.expansion == 0.0)
        return config.need(keys.ffn, &Model::ffn);
    return hidden * config.need(keys.expansionKey, &Model::ffn, keys.expansion);
}

/// A window that the model has and its import does not.
bool losesWindow(const ConfigReader& config, const HuggingFaceFamily& family, const Model& model) {
    constexpr HuggingFaceLayers any{.window = "sliding_window"};
    return !family.layers && model.isUniform() && config.flag("use_sliding_window", true) &&
           huggingFaceWindow(config, any) > 0.0;
}

std::string about(const ConfigReader& config, const HuggingFaceFamily& family, const Model& model,
                  const std::string& wrapper) {
    auto text = "Imported from a config.json of the family " + std::string(family.name) + ".";
    if (!wrapper.empty())
        text += " The text model of a " + wrapper.substr(0, 80) + ".";
    if (losesWindow(config, family, model))
        text += " Its sliding window is not modelled: attention sees every token.";
    const auto* quantization = config.find("quantization_config");
    if (model.isUniform() && quantization && quantization->is_object())
        text += " Its quantized weights are not modelled: they have the runtime's format.";
    return text;
}

/// Network, experts and positions of a model whose layers are all alike.
void readUniformNetworks(const ConfigReader& config, const HuggingFaceFamily& family, Model& model,
                         const Quantity& source) {
    const auto quantity = [&](double value) { return Quantity{value, source.provenance, source.source}; };
    model.ffn = quantity(ffn(config, family, model.hidden.value));
    if (family.ffnMatrices != 3.0)
        model.ffnMatrices = quantity(family.ffnMatrices);
    if (!family.expertsKey.empty()) {
        model.experts = quantity(config.need(family.expertsKey, &Model::experts));
        model.expertsPerToken = quantity(config.need(family.perTokenKey, &Model::expertsPerToken));
    }
    if (family.alibi)
        model.rotary = quantity(0.0);
    if (!family.positions.empty())
        model.positions = quantity(config.need(family.positions, &Model::positions) + family.morePositions);
}

std::string stemOf(const std::string& where) {
    const std::filesystem::path path(where);
    const auto stem = path.stem().string();
    return stem == "config" ? path.parent_path().filename().string() : stem; // the folder says which model
}

} // namespace

bool isHuggingFaceConfig(const Json& json) {
    return json.is_object() && (json.contains("model_type") || json.contains("architectures"));
}

Model readHuggingFaceConfig(const Json& json, const std::string& where, const std::string& id,
                            const std::string& name) {
    if (!json.is_object())
        throwInvalid(where, "not a JSON object", "Give the config.json of a model");
    const ConfigReader whole(json, where);
    const auto* inner = whole.find("text_config");
    const bool wraps = inner && inner->is_object() &&
                       (!findHuggingFaceFamily(whole.text("model_type")) || whole.isAbsent("hidden_size"));
    const ConfigReader config(wraps ? *inner : json, wraps ? whole.place("text_config") : where);
    const auto& family = familyOf(wraps && config.isAbsent("model_type architectures") ? whole : config);
    refuseUnknownParts(config, family);

    const auto source = "config.json of the family " + std::string(family.name);
    const auto quantity = [&](double value) { return Quantity{value, Provenance::Datasheet, source}; };
    const auto& keys = *family.keys;
    Model model;
    model.layers = quantity(config.need(keys.layers, &Model::layers));
    model.hidden = quantity(config.need(keys.hidden, &Model::hidden));
    model.heads = quantity(config.need(keys.heads, &Model::heads, family.heads));
    model.vocab = quantity(config.need("vocab_size", &Model::vocab, family.vocab));
    if (!family.layers || !family.layers->latent) {
        model.kvHeads = quantity(kvHeads(config, family, model.heads.value));
        model.headDim = quantity(headDim(config, family, model));
    }
    if (family.layers && readHuggingFaceLayers(config, family, model, quantity(0.0)))
        model.weights = readHuggingFaceWeights(config, whole, model);
    else
        readUniformNetworks(config, family, model, quantity(0.0));
    if (config.flag("tie_word_embeddings", whole.flag("tie_word_embeddings", family.tied)))
        model.embeddings = quantity(1.0);
    const double projected = config.count("word_embed_proj_dim", &Model::hidden);
    if (!std::isnan(projected) && projected != model.hidden.value)
        refuse(config, "word_embed_proj_dim", "an embedding narrower than the layers");

    for (const auto& candidate :
         {name, nameFrom(whole.text("_name_or_path")), nameFrom(stemOf(where)), std::string(family.name)})
        if (model.name.empty())
            model.name = candidate;
    model.id = id.empty() ? idFrom(model.name) : id;
    checkId(model.id, "id");
    model.about = about(config, family, model, wraps ? nameFrom(whole.text("model_type")) : std::string());
    return readModel(writeModel(model), where); // the same checks as for any other model
}

Model readModelText(const std::string& text, const std::string& where, const std::string& id,
                    const std::string& name) {
    if (text.size() > kMaxConfig)
        throwInvalid(where, "larger than 8 MiB", "Give the config.json of a model, not its weights");
    if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff") ||
        text.substr(0, 4).find('\0') != std::string::npos)
        throwInvalid(where, "not UTF-8 text", "Save it as UTF-8, or give the config.json, not the weights");
    const auto json = parseJson(text, where);
    if (isHuggingFaceConfig(json))
        return readHuggingFaceConfig(json, where, id, name);
    if (json.is_object() && !json.contains("id"))
        throwInvalid(where, "neither a config.json (no model_type) nor a model entry (no id)",
                     "Give the config.json of a model");
    auto model = readModel(json, where);
    if (!id.empty()) {
        checkId(id, "id");
        model.id = id;
    }
    if (!name.empty())
        model.name = name;
    return model;
}

Model loadModelFile(const std::string& path) {
    return readModelText(readFile(path), path);
}

} // namespace heteroscape::engine

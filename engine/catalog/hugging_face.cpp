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
#include <optional>

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

constexpr const char* kWithoutIt =
    "Choose a model without it, or describe it as a model entry as well as layer_groups can (show model "
    "qwen3-next-80b-a3b --json is one)";

[[noreturn]] void refuse(const ConfigReader& config, std::string_view key, const std::string& needs) {
    throwInvalid(config.place(key), "the model needs " + needs + ", which this program does not have",
                 kWithoutIt);
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

/// Experts are never left out: a key that says there are some, of a model that was read without, also within
/// an object ("moe_config.moe_num_experts"), unless that is of what takes in pictures or sound.
void refuseLostExperts(const ConfigReader& config, const Json& json, const Model& model) {
    if (model.isMixture())
        return;
    for (const auto& [key, value] : json.items()) {
        if (value.is_object() && key.find("vision") == std::string::npos &&
            key.find("audio") == std::string::npos)
            refuseLostExperts({value, config.place(key.substr(0, 80))}, value, model);
        const auto has = [&key = key](const char* part) { return key.find(part) != std::string::npos; };
        const bool counts = has("experts") || (has("expert") && (has("num") || has("n_") || has("count")));
        const bool isMixture = (key == "use_moe" || key == "is_moe") && value == true;
        if (isMixture || (counts && !has("per_tok") && value.is_number() && value.get<double>() > 1.0))
            refuse(config, key.substr(0, 80), "experts by a key that is not known here");
    }
}

/// What a key can ask for that the family, or no model here, has.
void refuseUnknownParts(const ConfigReader& config, const HuggingFaceFamily& family) {
    const auto* layers = family.layers;
    const bool ordinary = layers && layers->ordinary;
    for (const auto* key : kSharedKeys)
        if (!ordinary && (!layers || (layers->sharedCount != key && layers->sharedWidth != key)) &&
            config.exceeds(key, 0.0))
            refuse(config, key, "a shared expert that every token goes through");
    if (!ordinary && (!layers || !layers->latent))
        for (const auto* key : {"kv_lora_rank", "q_lora_rank"})
            if (config.exceeds(key, 0.0))
                refuse(config, key, "multi-head latent attention");
    if (!family.expertsKey.empty() && (!layers || !layers->always))
        refuseDenseLayers(config);
    if (config.flag("use_cla", false) && config.exceeds("cla_share_factor", 1.0))
        refuse(config, "cla_share_factor", "layers that share a KV cache");
    const std::string again = "layers that a token goes through more than once";
    if (config.exceeds("total_ut_steps", 1.0)) // Ouro
        refuse(config, "total_ut_steps", again);
    if (config.flag("layer_sharing", false)) // MobileLLM-LS
        refuse(config, "layer_sharing", again);
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
        !ordinary && types && types->is_array() && std::find(types->begin(), types->end(), 0) != types->end())
        refuse(config, "attn_type_list", "linear attention with a decay of its own");
    for (const auto* key : {"is_encoder_decoder", "add_cross_attention"})
        if (const auto* value = config.find(key); value && *value == true)
            refuse(config, key, "an encoder beside the decoder, and attention across to it");
}

/// model_type, or the first of the classes; and the key that says it.
std::pair<std::string, std::string_view> architectureOf(const ConfigReader& config) {
    if (auto type = config.text("model_type"); !type.empty())
        return {std::move(type), "model_type"};
    if (const auto* list = config.find("architectures"); list && list->is_array() && !list->empty())
        if (const auto& first = list->front(); first.is_string())
            return {first.get<std::string>(), "architectures"};
    return {{}, "model_type"};
}

/// Layers of a model that lists them and does not count them; 0: it does not.
double listedLayers(const ConfigReader& config) {
    constexpr double kMostListed = 1024;
    const auto* list = config.find("layers_block_type layer_types hybrid_override_pattern");
    const auto text = list && list->is_string() ? list->get<std::string>() : std::string();
    const auto count =
        static_cast<double>(text.empty() ? list && list->is_array() ? list->size() : 0 : text.size());
    return std::min(count, kMostListed);
}

/// The table's, or what the keys of `config` say, which is kept in `ordinary`. `named`: who names it.
const HuggingFaceFamily& familyOf(const ConfigReader& config, const ConfigReader& named,
                                  std::optional<OrdinaryArchitecture>& ordinary) {
    const auto [architecture, key] = architectureOf(named);
    if (const auto* family = findHuggingFaceFamily(architecture))
        return *family;
    const auto known = "Known by name are " + huggingFaceFamilyNames() +
                       "; others load where their keys say an ordinary transformer";
    if (architecture.empty())
        throwInvalid(named.place(key), "missing", known);
    const auto quoted = "the architecture \"" + architecture.substr(0, 80) + "\" ";
    if (const auto missing = missingForHuggingFace(architecture); !missing.empty())
        throwInvalid(named.place(key),
                     quoted + "needs " + std::string(missing) + ", which this program does not have",
                     std::string(kWithoutIt) + ". " + known);
    ordinary.emplace(config, architecture);
    const auto& keys = *ordinary->family().keys;
    for (const auto needed : {keys.layers, keys.hidden, keys.heads})
        if (!config.has(needed) && !(needed == keys.layers && listedLayers(config) > 0.0))
            throwInvalid(named.place(key),
                         quoted + "is not known, and " + std::string(config.nameOf(needed)) +
                             " of an ordinary transformer is missing",
                         known);
    return ordinary->family();
}

double kvHeads(const ConfigReader& config, const HuggingFaceFamily& family, double heads) {
    if (family.rule == KvHeadsRule::MultiQuery && !config.flag("new_decoder_architecture", false) &&
        config.text("model_type") != "RefinedWeb") // Falcon-40B's name before transformers had it
        return config.flag("multi_query", true) ? 1.0 : heads;
    const bool byClass = family.kvHeads > 0.0 && config.isAbsent(family.keys->kvHeads);
    return config.need(family.keys->kvHeads, &Model::kvHeads, byClass ? family.kvHeads : heads);
}

double headDim(const ConfigReader& config, const HuggingFaceFamily& family, const Model& model) {
    constexpr std::string_view keys = "head_dim attention_head_dim kv_channels";
    const double stated =
        config.count(family.layers && family.layers->ordinary ? keys : "head_dim", &Model::headDim);
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
        return family.halfWidth ? std::floor(stated / 2.0) : stated;
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

/// Parts of names of keys that say nothing of a model's size.
constexpr std::array<std::string_view, 40> kHarmless{
    "token",      "dropout", "rope",      "norm",   "eps",        "init",    "dtype",   "cache",
    "position",   "bias",    "auto_map",  "transf", "architect",  "model_t", "_name",   "router",
    "scal",       "theta",   "loss",      "output", "pretrain",   "label",   "act",     "scor",
    "topk_",      "group",   "rotary",    "chunk",  "multiplier", "logit",   "softcap", "version",
    "embd_pdrop", "attn_i",  "time_step", "clip",   "_pdrop",     "quant",   "task",    "dim_model_base"};

/// "use_foo, bar_size": keys of an architecture without a table that nobody read, but for those that say
/// nothing of its size.
std::string unreadKeys(const ConfigReader& config) {
    constexpr std::size_t kMost = 12;
    std::string text;
    std::size_t shown = 0, all = 0;
    for (const auto& name : config.unread()) {
        const bool harmless = std::any_of(kHarmless.begin(), kHarmless.end(), [&](std::string_view part) {
            return name.find(part) != std::string::npos;
        });
        if (harmless)
            continue;
        if (++all <= kMost)
            text.append(text.empty() ? "" : ", ").append(nameFrom(name)), ++shown;
    }
    return all > shown ? text + " and " + std::to_string(all - shown) + " more" : text;
}

constexpr std::string_view kTowers =
    "vision_config visual vision_tower audio_config vision_encoder mm_vision_tower";

std::string about(const ConfigReader& config, const ConfigReader& whole, const HuggingFaceFamily& family,
                  const Model& model, const std::string& wrapper,
                  const std::optional<OrdinaryArchitecture>& ordinary) {
    auto text = "Imported from a config.json of the family " + std::string(family.name) + ".";
    if (ordinary)
        text = "Imported from a config.json of the architecture " + std::string(family.name) +
               ", by what its keys say: " + ordinary->assumed() + ".";
    if (!wrapper.empty())
        text += " The text model of a " + wrapper.substr(0, 80) + ".";
    if (whole.has(kTowers))
        text += " What takes in pictures or sound is left out.";
    if (losesWindow(config, family, model))
        text += " Its sliding window is not modelled: attention sees every token.";
    if (config.has("moe_latent_size routed_expert_hidden_size"))
        text += " Its experts work in a narrower space: they are counted as experts of as many elements.";
    if (family.layers && family.layers->twice != HuggingFaceTwice::No)
        text += " Each of its layers mixes twice and counts as two.";
    if (!model.isUniform() && model.cacheBytes(1.0, 2.0) == model.cacheBytes(0.0, 2.0))
        text += " No layer keeps a KV cache: nothing says that one does.";
    const auto* quantization = whole.find("quantization_config");
    if (model.isUniform() && quantization && quantization->is_object())
        text += " Its quantized weights are not modelled: they have the runtime's format.";
    if (const auto unread = ordinary ? unreadKeys(config) : std::string(); !unread.empty())
        text += " Not read: " + unread + ".";
    return text;
}

/// Network, experts and positions of a model whose layers are all alike.
void readUniformNetworks(const ConfigReader& config, const HuggingFaceFamily& family, Model& model,
                         const Quantity& source) {
    const auto quantity = [&](double value) { return Quantity{value, source.provenance, source.source}; };
    model.ffn = quantity(ffn(config, family, model.hidden.value));
    if (!family.expertsKey.empty() && !(family.layers && family.layers->ordinary)) {
        model.experts = quantity(config.need(family.expertsKey, &Model::experts));
        model.expertsPerToken = quantity(config.need(family.perTokenKey, &Model::expertsPerToken));
    }
    if (family.alibi)
        model.rotary = quantity(0.0);
    if (!family.positions.empty())
        model.positions = quantity(config.need(family.positions, &Model::positions) + family.morePositions);
}

std::vector<HuggingFaceLayer> readLayers(const ConfigReader& config, const HuggingFaceFamily& family,
                                         Model& model, const Quantity& source) {
    return config.has(kBlockKeys) ? readHuggingFaceBlocks(config, family, model, source)
                                  : readHuggingFaceLayers(config, family, model, source);
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

namespace {

/// Where the text model of a model of several senses stands.
constexpr std::array<std::string_view, 5> kTextModels{"text_config", "llm_config", "language_config",
                                                      "thinker_config.text_config", "language_model_config"};

const Json* textModelOf(const ConfigReader& whole, std::string_view& key) {
    if (findHuggingFaceFamily(whole.text("model_type")) && !whole.isAbsent("hidden_size"))
        return nullptr;
    for (const auto name : kTextModels)
        if (const auto* inner = whole.find(name); inner && inner->is_object()) {
            key = name;
            return inner;
        }
    return nullptr;
}

} // namespace

Model readHuggingFaceConfig(const Json& json, const std::string& where, const std::string& id,
                            const std::string& name) {
    if (!json.is_object())
        throwInvalid(where, "not a JSON object", "Give the config.json of a model");
    const ConfigReader whole(json, where);
    std::string_view textKey;
    const auto* inner = textModelOf(whole, textKey);
    const bool wraps = inner != nullptr;
    const auto text = wraps ? withClassSizes(*inner) : json;
    const ConfigReader config(text, wraps ? whole.place(textKey) : where);
    std::optional<OrdinaryArchitecture> ordinary;
    const auto& family =
        familyOf(config, wraps && config.isAbsent("model_type architectures") ? whole : config, ordinary);
    refuseUnknownParts(config, family);

    const auto source = "config.json of the family " + std::string(family.name);
    const auto quantity = [&](double value) { return Quantity{value, Provenance::Datasheet, source}; };
    const auto& keys = *family.keys;
    Model model;
    model.layers = quantity(config.need(keys.layers, &Model::layers, listedLayers(config)));
    model.hidden = quantity(config.need(keys.hidden, &Model::hidden));
    model.heads = quantity(config.need(keys.heads, &Model::heads, family.heads));
    model.vocab =
        quantity(config.need(ordinary ? "padded_vocab_size embedding_size vocab_size n_vocab" : "vocab_size",
                             &Model::vocab, family.vocab));
    if (family.ffnMatrices != 3.0)
        model.ffnMatrices = quantity(family.ffnMatrices);
    HuggingFaceLayers grouped = family.layers ? *family.layers : HuggingFaceLayers{};
    grouped.always = grouped.always && family.layers;
    grouped.latent = grouped.latent && config.flag("use_mla", true); // DeepSeek-OCR has heads
    auto own = family;
    own.layers = &grouped;
    if (!grouped.latent) {
        model.kvHeads = quantity(kvHeads(config, family, model.heads.value));
        model.headDim = quantity(headDim(config, family, model));
    }
    const HuggingFaceQuantization quantization(config, whole);
    if (!quantization.isNone() && family.positions.empty())
        grouped.always = true; // formats by part are of models of layer groups
    const auto layers = grouped.always || family.layers ? readLayers(config, own, model, quantity(0.0))
                                                        : std::vector<HuggingFaceLayer>();
    if (layers.empty())
        readUniformNetworks(config, family, model, quantity(0.0));
    if (config.flag(kTiedKeys, whole.flag(kTiedKeys, family.tied)))
        model.embeddings = quantity(1.0);
    refuseLostExperts(config, text, model);
    if (!layers.empty())
        model.weights = quantization.recipe(model, layers);
    if (const double bits = quantization.cacheBits(); !std::isnan(bits))
        model.kvBits = quantity(bits);
    const double projected = config.count("word_embed_proj_dim", &Model::hidden);
    if (!std::isnan(projected) && projected != model.hidden.value)
        refuse(config, "word_embed_proj_dim", "an embedding narrower than the layers");

    for (const auto& candidate :
         {name, nameFrom(whole.text("_name_or_path")), nameFrom(stemOf(where)), std::string(family.name)})
        if (model.name.empty())
            model.name = candidate;
    model.id = id.empty() ? idFrom(model.name) : id;
    checkId(model.id, "id");
    model.about = about(config, whole, family, model,
                        wraps ? nameFrom(whole.text("model_type")) : std::string(), ordinary);
    return readModel(writeModel(model), where); // the same checks as for any other model
}

namespace {

/// What a checkpoint's hf_quant_config.json, beside its config.json, says as a quantization_config.
void addQuantization(Json& config, const Json& beside) {
    const auto of = beside.find("quantization");
    if (of == beside.end() || !of->is_object() || config.contains("quantization_config"))
        return;
    Json quantization = *of;
    quantization["quant_method"] = "modelopt";
    config["quantization_config"] = std::move(quantization);
}

Json parseConfig(const std::string& text, const std::string& where) {
    if (text.size() > kMaxConfig)
        throwInvalid(where, "larger than 8 MiB", "Give the config.json of a model, not its weights");
    if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff") ||
        text.substr(0, 4).find('\0') != std::string::npos)
        throwInvalid(where, "not UTF-8 text", "Save it as UTF-8, or give the config.json, not the weights");
    return parsePythonsJson(text, where);
}

Model modelFrom(const Json& json, const std::string& where, const std::string& id, const std::string& name) {
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

} // namespace

Model readModelText(const std::string& text, const std::string& where, const std::string& id,
                    const std::string& name) {
    return modelFrom(parseConfig(text, where), where, id, name);
}

Model loadModelFile(const std::string& path, const std::string& id, const std::string& name) {
    namespace fs = std::filesystem;
    std::error_code ignored;
    const auto file = fs::is_directory(path, ignored) ? (fs::path(path) / "config.json").string() : path;
    auto json = parseConfig(readFile(file), file);
    const auto beside = fs::path(file).replace_filename("hf_quant_config.json");
    if (isHuggingFaceConfig(json) && fs::is_regular_file(beside, ignored))
        addQuantization(json, parseConfig(readFile(beside.string()), beside.string()));
    return modelFrom(json, file, id, name);
}

} // namespace heteroscape::engine

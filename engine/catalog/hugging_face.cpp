// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/catalog/hugging_face.h"

#include "engine/base/error.h"
#include "engine/base/json.h"
#include "engine/catalog/named.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

namespace heteroscape::engine {

namespace {

constexpr std::array<std::string_view, 10> kFamilies{"llama", "mistral", "mixtral",   "qwen2", "qwen3",
                                                     "phi3",  "phimoe",  "qwen3_moe", "gemma", "phi3small"};

/// "meta-llama/Meta-Llama-3-8B" -> "meta-llama-3-8b"
std::string idFrom(const std::string& name) {
    std::string id;
    for (const char c : name.substr(name.rfind('/') + 1)) {
        const auto u = static_cast<unsigned char>(c);
        if (std::isalnum(u))
            id += static_cast<char>(std::tolower(u));
        else if (!id.empty() && id.back() != '-')
            id += '-';
    }
    id.resize(std::min<std::size_t>(id.size(), 64));
    while (!id.empty() && id.back() == '-')
        id.pop_back();
    return id.empty() ? "imported" : id;
}

class ConfigReader {
public:
    ConfigReader(const Json& json, std::string where) : m_json(json), m_where(std::move(where)) {}

    std::string text(const char* key) const {
        const auto it = m_json.find(key);
        return it != m_json.end() && it->is_string() ? it->get<std::string>().substr(0, 200) : std::string();
    }

    /// The first of the keys that is there; 0 when none is.
    double count(std::initializer_list<const char*> keys) const {
        for (const auto* key : keys) {
            const auto it = m_json.find(key);
            if (it == m_json.end() || it->is_null())
                continue;
            const double value = it->is_number() ? it->get<double>() : -1.0;
            if (!(value >= 1.0) || value != std::floor(value))
                throwInvalid(m_where + "." + key, "not a whole number above 0",
                             "Check that this is a config.json");
            return value;
        }
        return 0.0;
    }

    double need(std::initializer_list<const char*> keys) const {
        const double value = count(keys);
        if (value == 0.0)
            throwInvalid(m_where + "." + *keys.begin(), "missing", "A config.json states it");
        return value;
    }

private:
    const Json& m_json;
    std::string m_where;
};

} // namespace

bool isHuggingFaceConfig(const Json& json) {
    return json.is_object() && (json.contains("model_type") || json.contains("architectures"));
}

Model readHuggingFaceConfig(const Json& json, const std::string& where, const std::string& id,
                            const std::string& name) {
    if (!json.is_object())
        throwInvalid(where, "not a JSON object", "Give the config.json of a model");
    const ConfigReader config(json, where);
    const auto family = config.text("model_type");
    if (std::find(kFamilies.begin(), kFamilies.end(), family) == kFamilies.end())
        throwInvalid(where + ".model_type",
                     family.empty() ? "missing" : "the architecture \"" + family + "\" is not known",
                     "Known are the Llama-shaped ones: " + joined(kFamilies));
    const auto source = "config.json" + (family.empty() ? std::string() : " of a " + family + " model");
    const auto figure = [&](double value) { return Figure{value, Provenance::Datasheet, source}; };

    Model model;
    model.layers = figure(config.need({"num_hidden_layers"}));
    model.hidden = figure(config.need({"hidden_size"}));
    model.heads = figure(config.need({"num_attention_heads"}));
    const double kvHeads = config.count({"num_key_value_heads"});
    model.kvHeads = figure(kvHeads > 0.0 ? kvHeads : model.heads.value);
    const double headDim = config.count({"head_dim"});
    model.headDim = figure(headDim > 0.0 ? headDim : model.hidden.value / model.heads.value);
    if (model.headDim.value != std::floor(model.headDim.value))
        throwInvalid(where + ".hidden_size", "num_attention_heads does not divide it", "State head_dim");
    model.vocab = figure(config.need({"vocab_size"}));
    const double experts = config.count({"num_local_experts", "num_experts"});
    model.ffn = figure(experts > 1.0 ? config.need({"moe_intermediate_size", "intermediate_size"})
                                     : config.need({"intermediate_size", "ff_intermediate_size"}));
    if (experts > 1.0) {
        model.experts = figure(experts);
        model.expertsPerToken = figure(config.need({"num_experts_per_tok"}));
    }

    const auto own = config.text("_name_or_path");
    auto stem = std::filesystem::path(where).stem().string();
    if (stem == "config") // the folder says which model it is
        stem = std::filesystem::path(where).parent_path().filename().string();
    model.name = !name.empty() ? name : !own.empty() ? own.substr(own.rfind('/') + 1) : stem;
    if (model.name.empty())
        model.name = family;
    model.id = id.empty() ? idFrom(model.name) : id;
    checkId(model.id, "id");
    model.about = "Imported from a config.json of the family " + family + ".";
    return readModel(writeModel(model), where); // the same checks as for any other model
}

Model loadModelFile(const std::string& path) {
    const auto json = readJsonFile(path);
    return isHuggingFaceConfig(json) ? readHuggingFaceConfig(json, path) : readModel(json, path);
}

} // namespace heteroscape::engine

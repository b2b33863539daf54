// SPDX-License-Identifier: GPL-3.0-or-later
// Models of layer groups from a config.json: the shapes of the shipped presets, the rules of the
// configuration classes where the file says nothing, and named errors where it contradicts itself.
#include "engine/base/file.h"
#include "engine/catalog/hugging_face.h"
#include "engine/catalog/hugging_face_family.h"
#include "engine/catalog/hugging_face_layers.h"
#include "tests/engine/fixtures.h"
#include "tests/places.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

const std::string kConfigs = std::string(heteroscape::places::kTestData) + "/hugging_face/";

struct Shipped {
    const char* config;
    const char* preset;
};

constexpr Shipped kShipped[]{
    {"deepseek-v2", "deepseek-v2"},
    {"deepseek-v2-lite", "deepseek-v2-lite"},
    {"deepseek-v3", "deepseek-v3"},
    {"deepseek-v3.2", "deepseek-v3-2"},
    {"gemma-3-27b", "gemma-3-27b"},
    {"gemma-4-26b-a4b", "gemma-4-26b-a4b"},
    {"glm-4.5", "glm-4-5"},
    {"glm-4.5-air", "glm-4-5-air"},
    {"glm-5", "glm-5"},
    {"gpt-oss-120b", "gpt-oss-120b"},
    {"gpt-oss-20b", "gpt-oss-20b"},
    {"kimi-k2", "kimi-k2"},
    {"kimi-k2.5", "kimi-k2-5"},
    {"llama-4-maverick", "llama-4-maverick"},
    {"llama-4-scout", "llama-4-scout"},
    {"mimo-v2-flash", "mimo-v2-flash"},
    {"minimax-m2.5", "minimax-m2-5"},
    {"mixtral-8x7b", "mixtral-8x7b"},
    {"qwen2-7b", "qwen2-7b"},
    {"qwen3-235b-a22b", "qwen3-235b-a22b"},
    {"qwen3-30b-a3b", "qwen3-30b-a3b"},
    {"qwen3-8b", "qwen3-8b"},
    {"qwen3-coder-480b-a35b", "qwen3-coder-480b-a35b"},
    {"qwen3-next-80b-a3b", "qwen3-next-80b-a3b"},
    {"qwen3.5-35b-a3b", "qwen3-5-35b-a3b"},
    {"qwen3.5-397b-a17b", "qwen3-5-397b-a17b"},
    {"step-3.5-flash", "step-3-5-flash"},
};

Json file(const std::string& name) {
    return readJsonFile(kConfigs + name + ".json");
}

/// A published config with some keys set otherwise; null in `changes` takes a key away.
Json withKeys(const std::string& name, const Json& changes) {
    auto json = file(name);
    json.merge_patch(changes);
    return json;
}

/// The same with a key that is null.
Json withNull(const std::string& name, const char* key) {
    auto json = file(name);
    json[key] = nullptr;
    return json;
}

Model taken(const Json& json) {
    return readHuggingFaceConfig(json, "config.json");
}

Model takenWith(const std::string& name, const Json& changes) {
    return taken(withKeys(name, changes));
}

void checkError(const Json& json, const std::string& part) {
    CAPTURE(part);
    const auto message = errorOf([&] { taken(json); });
    CAPTURE(message);
    CHECK(message.find(part) != std::string::npos);
}

void checkErrorWith(const std::string& name, const Json& changes, const std::string& part) {
    checkError(withKeys(name, changes), part);
}

/// Numbers of a model without names and sources: its whole shape.
Json shape(const Model& model) {
    const auto plain = [](const auto& self, const Json& json) -> Json {
        if (json.is_object() && json.contains("value"))
            return json["value"];
        Json result = json;
        if (json.is_structured())
            for (auto& [key, value] : result.items())
                value = self(self, value);
        return result;
    };
    auto json = plain(plain, writeModel(model));
    for (const auto* key : {"id", "name", "about", "repository"})
        json.erase(key);
    return json;
}

/// "linear 36, full 12"
std::string groups(const Model& model) {
    std::string text;
    for (const auto& group : model.groups)
        text += (text.empty() ? "" : ", ") + (group.mark.empty() ? std::string("full") : group.mark) + " x " +
                std::to_string(static_cast<int>(group.count));
    return text;
}

Json repeated(const Json& entry, std::size_t times) {
    return Json(std::vector<Json>(times, entry));
}

} // namespace

TEST_CASE("a config.json gives the shape of the preset that is shipped") {
    for (const auto& shipped : kShipped) {
        CAPTURE(shipped.config);
        const auto model = loadModelFile(kConfigs + shipped.config + ".json");
        auto wanted = shape(catalog().model(shipped.preset, ""));
        auto read = shape(model);
        if (read.value("weights", Json()).is_object()) // the file tells parts of attention apart
            read["weights"] = wanted["weights"];
        CHECK(read == wanted);
        CHECK(readModel(writeModel(model), "again") == model);
        CHECK(model.about.find("not modelled") == std::string::npos);
    }
}

TEST_CASE("every family whose layers can differ has a config.json among the tests' data") {
    std::set<std::string> families;
    for (const auto& path : listFiles(kConfigs, ".json")) {
        const auto json = readJsonFile(path);
        const auto& inner = json.contains("text_config") ? json["text_config"] : json;
        families.insert(std::string(findHuggingFaceFamily(inner["model_type"].get<std::string>())->name));
    }
    std::set<std::string> missing;
    for (const auto& family : layeredHuggingFaceFamilies())
        if (!families.contains(std::string(family.name)))
            missing.insert(std::string(family.name));
    CHECK(missing == std::set<std::string>{"cohere2", "qwen3_5_text"}); // in this file, from others
}

TEST_CASE("models without a preset have their published size") {
    CHECK(off(taken(file("qwen1.5-moe-a2.7b")).parameters(), 14.3e9) < 0.005);
    const auto flash = taken(file("glm-4.7-flash"));
    CHECK(off(flash.parameters(), 30e9) < 0.02); // "30B-A3B"
    CHECK(flash.mixtureLayers() == 46);
    auto dense = file("qwen3.5-35b-a3b");
    for (const auto* key :
         {"num_experts", "num_experts_per_tok", "moe_intermediate_size", "shared_expert_intermediate_size"})
        dense["text_config"].erase(key);
    dense["text_config"].merge_patch({{"model_type", "qwen3_5_text"}, {"intermediate_size", 12288}});
    const auto text = taken(dense);
    CHECK(groups(text) == "linear x 30, full x 10");
    CHECK_FALSE(text.isMixture());
    CHECK(text.elements(ModelPart::Dense) == 40.0 * 3 * 2048 * 12288);
}

TEST_CASE("layers have a window where the file says so, or its class does") {
    CHECK(groups(taken(file("mistral-7b-v0.1"))) == "window 4,096 x 32");
    CHECK(groups(taken(file("phi-3-mini"))) == "window 2,047 x 32");
    CHECK(groups(taken(file("gemma-2-9b"))) == "window 4,096 x 21, full x 21");
    CHECK(groups(taken(file("gemma-3-1b"))) == "window 512 x 22, full x 4");
    CHECK(taken(file("mistral-nemo-12b")).isUniform()); // null
    CHECK(taken(file("phi-3.5-moe")).isUniform());      // as long as the longest context
    CHECK(groups(takenWith("phi-3.5-moe", {{"sliding_window", 2048}})) == "window 2,048 x 32");
    CHECK(groups(takenWith("mixtral-8x7b", {{"sliding_window", 4096}})) == "window 4,096 x 32");
    CHECK(takenWith("mixtral-8x7b", {{"sliding_window", 4096}}).expertWidth.value == 14336);
    CHECK(groups(takenWith("mistral-7b-v0.1", {{"sliding_window", nullptr}})) ==
          "window 4,096 x 32"); // class
    CHECK(taken(withNull("gemma-2-9b", "sliding_window")).isUniform());

    CHECK(taken(file("qwen2-7b")).isUniform()); // switched off
    const Json on = {{"use_sliding_window", true}, {"sliding_window", 4096}, {"max_window_layers", 21}};
    CHECK(groups(takenWith("qwen2-7b", on)) == "window 4,096 x 7, full x 21");
    CHECK(groups(takenWith("qwen3-30b-a3b", on)) == "window 4,096 x 48");

    auto cohere2 = withKeys("command-r-v01", {{"model_type", "cohere2"}});
    CHECK(groups(taken(cohere2)) == "window 4,096 x 30, full x 10");
    cohere2["sliding_window_pattern"] = 2;
    CHECK(groups(taken(cohere2)) == "window 4,096 x 20, full x 20");
    cohere2["layer_types"] = repeated("sliding_attention", 40);
    CHECK(groups(taken(cohere2)) == "window 4,096 x 40");

    auto oss = file("gpt-oss-20b");
    oss.erase("layer_types");
    CHECK(groups(taken(oss)) == "window 128 x 12, full x 12");
    auto next = withKeys("qwen3-next-80b-a3b", {{"full_attention_interval", 6}});
    CHECK(groups(taken(next)) == "linear x 40, full x 8");
    auto gemma4 = file("gemma-4-26b-a4b");
    gemma4["text_config"].erase("layer_types");
    gemma4["text_config"]["num_hidden_layers"] = 31; // the last is full whatever the pattern says
    CHECK(groups(taken(gemma4)) == "window 1,024 x 25, full x 6");
    gemma4["text_config"]["attention_k_eq_v"] = false;
    CHECK(taken(gemma4).groups[1].figures[1] == 8); // KV heads
}

TEST_CASE("dense layers are counted as the configuration classes count them") {
    const auto dense = [](const std::string& name, const Json& changes) {
        return takenWith(name, changes).denseLayers.valueOr(0.0);
    };
    CHECK(dense("deepseek-v3", {{"first_k_dense_replace", nullptr}}) == 3); // the class
    CHECK(dense("deepseek-v3", {{"first_k_dense_replace", 0}}) == 0);
    CHECK(dense("deepseek-v3", {{"moe_layer_freq", 2}}) == 32); // 4, 6, ... 60 have experts: 29 of 61
    CHECK(dense("qwen3-30b-a3b", {{"decoder_sparse_step", 2}}) == 24);
    CHECK(dense("qwen3-30b-a3b", {{"mlp_only_layers", {0, 5}}}) == 2);
    CHECK(dense("qwen3-30b-a3b", {{"decoder_sparse_step", 2}, {"mlp_only_layers", {0, 5}}}) == 25);
    CHECK(dense("step-3.5-flash", {{"moe_layers_enum", nullptr}}) == 1);
    CHECK(dense("step-3.5-flash", {{"moe_layers_enum", {4, 5, 6}}}) == 42);
    auto types = repeated("sparse", 61);
    types[0] = types[1] = "dense";
    CHECK(dense("deepseek-v3.2", {{"first_k_dense_replace", 2}, {"mlp_layer_types", types}}) == 2);
    CHECK(dense("deepseek-v3.2", {{"first_k_dense_replace", nullptr}, {"mlp_layer_types", types}}) == 2);
}

TEST_CASE("a multi-modal file is read by its text model, whichever of the two names the family") {
    auto kimi = file("kimi-k2.5");
    const auto model = taken(kimi);
    CHECK(model.about.find("The text model of a kimi_k25") != std::string::npos);
    for (const auto* key : {"model_type", "architectures"})
        kimi["text_config"].erase(key);
    CHECK(shape(taken(kimi)) == shape(model));
    auto flat = kimi["text_config"]; // as some tools write it
    flat["model_type"] = "kimi_k25";
    CHECK(shape(taken(flat)) == shape(model));
    auto scout = file("llama-4-scout");
    scout["text_config"].erase("model_type");
    CHECK(shape(taken(scout)) == shape(taken(file("llama-4-scout"))));
}

TEST_CASE("what a layered model's config.json must state is asked for by its key") {
    for (const auto* key : {"kv_lora_rank", "q_lora_rank", "qk_nope_head_dim", "qk_rope_head_dim",
                            "v_head_dim", "n_routed_experts", "num_experts_per_tok", "moe_intermediate_size",
                            "n_shared_experts", "intermediate_size", "num_attention_heads", "vocab_size"})
        checkErrorWith("deepseek-v3", {{key, nullptr}}, "config.json." + std::string(key) + ": missing");
    for (const auto* key :
         {"linear_num_key_heads", "linear_num_value_heads", "linear_key_head_dim", "linear_value_head_dim",
          "linear_conv_kernel_dim", "num_experts", "shared_expert_intermediate_size"})
        checkErrorWith("qwen3-next-80b-a3b", {{key, nullptr}},
                       "config.json." + std::string(key) + ": missing");
    checkErrorWith("mimo-v2-flash", {{"hybrid_layer_pattern", nullptr}},
                   "config.json.hybrid_layer_pattern: missing");
    checkErrorWith("deepseek-v3", {{"kv_lora_rank", "512"}},
                   "config.json.kv_lora_rank: expected a number, found a string");
    checkErrorWith("deepseek-v3", {{"q_lora_rank", 0}}, "config.json.q_lora_rank: 0 is not allowed");
    checkErrorWith("deepseek-v3", {{"v_head_dim", 1.5}}, "config.json.v_head_dim: 1.5 is not allowed");
    checkErrorWith("deepseek-v3", {{"n_shared_experts", -1}}, "config.json.n_shared_experts: -1 is not");
    checkErrorWith("mistral-7b-v0.1", {{"sliding_window", true}}, "config.json.sliding_window: expected");
    checkErrorWith("step-3.5-flash", {{"attention_other_setting", {{"num_attention_heads", "96"}}}},
                   "config.json.attention_other_setting.num_attention_heads: expected a number");
    checkErrorWith("gpt-oss-20b", {{"layer_types", "full_attention"}},
                   "config.json.layer_types: expected a list, found a string");
}

TEST_CASE("a config.json that contradicts itself is refused by the key") {
    checkErrorWith("gpt-oss-20b", {{"layer_types", repeated("full_attention", 23)}},
                   "config.json.layer_types: has 23 entries where the model has 24 layers");
    checkErrorWith("gpt-oss-20b", {{"num_hidden_layers", 23}}, "config.json.layer_types: has 24 entries");
    CHECK(taken(file("step-3.5-flash")).layers.value == 45); // 48 entries, three of them of MTP layers
    checkErrorWith("gpt-oss-20b", {{"layer_types", repeated("linear_attention", 24)}},
                   "config.json.layer_types: the model needs layers of the type \"linear_attention\"");
    checkErrorWith("deepseek-v3", {{"layer_types", repeated("sliding_attention", 61)}},
                   "layers of the type \"sliding_attention\"");
    checkErrorWith("gpt-oss-20b", {{"layer_types", repeated(7, 24)}}, "layers of the type \"a number\"");
    checkErrorWith("mimo-v2-flash", {{"hybrid_layer_pattern", repeated(1, 47)}},
                   "config.json.hybrid_layer_pattern: has 47 entries");
    checkErrorWith("mimo-v2-flash", {{"hybrid_layer_pattern", repeated(2, 48)}},
                   "config.json.hybrid_layer_pattern[0]: is neither 0");
    checkErrorWith("mimo-v2-flash", {{"moe_layer_freq", repeated(1, 49)}},
                   "config.json.moe_layer_freq: has 49 entries");
    checkErrorWith("mimo-v2-flash", {{"swa_num_key_value_heads", 7}},
                   "config.json.swa_num_key_value_heads: 7 does not divide heads, 64");
    checkErrorWith("deepseek-v3", {{"num_experts_per_tok", 257}},
                   "config.json.num_experts_per_tok: 257 experts a token are more than the 256");
    checkErrorWith("deepseek-v3", {{"first_k_dense_replace", 62}},
                   "config.json.first_k_dense_replace: 62 dense layers are more than the model has");
    checkErrorWith("deepseek-v3.2", {{"mlp_layer_types", repeated("sparse", 61)}},
                   "config.json.mlp_layer_types: has 0 dense layers where first_k_dense_replace has 3");
    checkErrorWith("deepseek-v3.2", {{"mlp_layer_types", repeated("dense", 60)}},
                   "config.json.mlp_layer_types: has 60 entries");
    checkErrorWith("deepseek-v3.2", {{"mlp_layer_types", repeated("moe", 61)}},
                   "is neither dense nor sparse");
    checkErrorWith("qwen3-30b-a3b", {{"mlp_only_layers", {48}}},
                   "config.json.mlp_only_layers[0]: 48 is no layer of the model");
    checkErrorWith("step-3.5-flash", {{"moe_layers_enum", "3,x"}}, "config.json.moe_layers_enum: ");
    checkErrorWith("step-3.5-flash", {{"moe_layers_enum", "3,4,45"}},
                   "config.json.moe_layers_enum: 45 is no layer of the model");
}

TEST_CASE("what these families have beyond the model is refused by its key") {
    checkErrorWith(
        "gemma-4-26b-a4b", {{"text_config", {{"num_kv_shared_layers", 20}}}},
        "config.json.text_config.num_kv_shared_layers: the model needs layers that share a KV cache");
    const auto perLayer = "config.json.text_config.hidden_size_per_layer_input: the model needs embeddings";
    checkErrorWith("gemma-4-26b-a4b", {{"text_config", {{"hidden_size_per_layer_input", 256}}}}, perLayer);
    checkErrorWith("gemma-4-26b-a4b", {{"text_config", {{"hidden_size_per_layer_input", nullptr}}}},
                   perLayer);
    auto indexers = repeated("full", 78);
    CHECK(groups(takenWith("glm-5", {{"indexer_types", indexers}, {"index_topk_freq", 1}})) ==
          "top 2,048 x 78");
    indexers[3] = "shared";
    CHECK(groups(takenWith("glm-5", {{"indexer_types", indexers}})) ==
          "top 2,048 of another layer x 1, top 2,048 x 77");
    auto kinds = repeated(1, 62);
    kinds[4] = 0;
    checkErrorWith("minimax-m2.5", {{"attn_type_list", kinds}},
                   "config.json.attn_type_list: the model needs linear");
    checkErrorWith("minimax-m2.5", {{"shared_intermediate_size", 1536}},
                   "config.json.shared_intermediate_size: the model needs a shared expert");
    checkErrorWith("qwen3-30b-a3b", {{"kv_lora_rank", 512}}, "multi-head latent attention");
}

TEST_CASE("every key of a layered config.json set to every hostile value gives a model or an Error") {
    const std::vector<Json> values{nullptr, -1, 0,   1,     1e300, 0.5,  "x",        "-1",
                                   true,    {}, {0}, {1e9}, {"x"}, {{}}, {{"x", 1}}, std::string(5000, '9')};
    std::size_t turn = 0;
    int accepted = 0;
    int refused = 0;
    const auto take = [&](const Json& json) {
        try {
            const auto model = readModelText(json.dump(), "config.json");
            REQUIRE(readModel(writeModel(model), "again") == model);
            REQUIRE(std::isfinite(model.parameters()));
            REQUIRE(model.weightBytes(2.0) > 0.0);
            ++accepted;
        } catch (const Error& error) {
            REQUIRE(error.where().starts_with("config.json"));
            REQUIRE(error.message().size() < 1000);
            ++refused;
        } // anything else fails the test
    };
    const auto tryAll = [&](const auto& self, const Json& whole, const Json::json_pointer& at) -> void {
        for (const auto& [key, value] : whole[at].items()) {
            for (std::size_t i = 0; i < rounds(values.size(), 2); ++i) {
                auto json = whole;
                json[at / key] = values[turn++ % values.size()];
                take(json);
            }
            if (value.is_object())
                self(self, whole, at / key);
        }
    };
    for (const auto& shipped : kShipped)
        tryAll(tryAll, file(shipped.config), Json::json_pointer());
    CHECK(accepted > scaled(1000));
    CHECK(refused > scaled(1000));
}

// SPDX-License-Identifier: GPL-3.0-or-later
// Configs of published models, most of architectures that no table names: weights, cache and formats against
// the published number of parameters, and against sums by hand.
#include "engine/base/file.h"
#include "engine/catalog/hugging_face.h"
#include "tests/engine/fixtures.h"
#include "tests/places.h"

#include <cmath>
#include <nlohmann/json.hpp>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

Model readConfig(const Json& json) {
    return readHuggingFaceConfig(json, "config.json");
}

Json publicModels() {
    return readJsonFile(std::string(heteroscape::places::kTestData) + "/hugging_face_public.json");
}

/// A config of an architecture that nobody knows, with what else it has.
Json unknown(const Json& more = Json::object()) {
    Json json = {{"model_type", "novel"},    {"num_hidden_layers", 4},     {"hidden_size", 64},
                 {"num_attention_heads", 4}, {"num_key_value_heads", 2},   {"intermediate_size", 128},
                 {"vocab_size", 1000},       {"tie_word_embeddings", true}};
    json.merge_patch(more);
    return json;
}

double attention(const Model& model) {
    return model.elements(ModelPart::Attention);
}

} // namespace

TEST_CASE("a config.json of a published model gives its parameters, weights and cache") {
    const auto rows = publicModels();
    REQUIRE(rows.size() > 200);
    for (const auto& row : rows) {
        CAPTURE(row["name"].get<std::string>());
        const auto model = readConfig(row["config"]);
        CHECK(off(model.parameters(), row["parameters"].get<double>()) < 0.01);
        if (row.contains("bytes"))
            CHECK(off(model.weightBytes(2.0), row["bytes"].get<double>()) < 0.003);
        const double element = model.releasedKvElement();
        if (row.contains("kv"))
            CHECK(model.cacheBytes(1.0, element) - model.cacheBytes(0.0, element) ==
                  doctest::Approx(row["kv"].get<double>()).epsilon(1e-12));
        CHECK(readModel(writeModel(model), "again") == model);
    }
}

TEST_CASE("an architecture that nobody knows loads by its keys, and what was not read is named") {
    const auto plain = readConfig(unknown());
    CHECK(plain.isUniform());
    CHECK(plain.parameters() == 4 * (2.0 * 64 * 64 + 2.0 * 64 * 32 + 3.0 * 64 * 128 + 2 * 64) + 64 + 64000);
    CHECK(contains(plain.about, "of the architecture novel, by what its keys say: networks with a gate"));
    CHECK_FALSE(contains(plain.about, "Not read"));
    CHECK(contains(readConfig(unknown({{"hyper_width", 3}, {"rope_theta", 1e4}})).about,
                   "Not read: hyper_width."));
    CHECK(readConfig(unknown({{"hidden_act", "relu2"}})).ffnMatrices.value == 2);
    // GPT-2's own keys, under another name: its networks, and its embedding that is the head.
    const Json gpt = {
        {"model_type", "novel"}, {"n_embd", 64}, {"n_layer", 4}, {"n_head", 4}, {"vocab_size", 500}};
    CHECK(readConfig(gpt).ffn.value == 256);
    CHECK(readConfig(gpt).ffnMatrices.value == 2);
    CHECK(readConfig(gpt).embeddings.value == 1);
    auto gated = gpt;
    gated.update({{"activation_function", "swiglu"}, {"tie_word_embeddings", false}});
    CHECK(readConfig(gated).ffnMatrices.valueOr(3.0) == 3);
    CHECK(readConfig(gated).embeddings.valueOr(2.0) == 2);
    CHECK(contains(errorOf([] {
                       readConfig({{"model_type", "novel"}, {"hidden_size", 64}});
                   }),
                   "config.json.model_type: the architecture \"novel\" is not known, and num_hidden_layers"));
    // Experts are never left out.
    CHECK(contains(errorOf([] {
                       readConfig(unknown({{"num_secret_experts", 8}}));
                   }),
                   "config.json.num_secret_experts: the model needs experts by a key that is not known"));
    CHECK(contains(errorOf([] {
                       readConfig(unknown({{"model_type", "llama"}, {"num_experts", 8}}));
                   }),
                   "config.json.num_experts: the model needs experts"));
    CHECK(contains(errorOf([] { // Yuan 2.0
                       readConfig(unknown({{"moe_config", {{"moe_num_experts", 32}, {"moe_top_k", 2}}}}));
                   }),
                   "config.json.moe_config.moe_num_experts: the model needs experts"));
    for (const Json& keys : {Json{{"expert_num", 8}}, Json{{"n_expert", 8}}, Json{{"num_local_expert", 8}},
                             Json{{"use_moe", true}}, Json{{"is_moe", true}}}) {
        CAPTURE(keys.dump());
        CHECK(contains(errorOf([&] { readConfig(unknown(keys)); }), "the model needs experts"));
    }
    CHECK_FALSE(readConfig(unknown({{"use_moe", false}, {"expert_num", 1}})).isMixture());
    CHECK_FALSE(readConfig(unknown({{"vision_config", {{"num_experts", 8}}}})).isMixture());
    // Every fourth layer sees all of the context (Trinity), the others a window.
    const auto windowed = readConfig(unknown({{"sliding_window", 128}, {"global_attn_every_n_layers", 4}}));
    REQUIRE(windowed.groups.size() == 2);
    CHECK(windowed.groups[0].count == 3);
    CHECK(windowed.groups[1].count == 1);
    const auto mixture = readConfig(unknown({{"moe_num_experts", 8},
                                             {"moe_topk", 2},
                                             {"moe_intermediate_size", 32},
                                             {"num_shared_experts", 2},
                                             {"num_dense_layers", 1}}));
    CHECK(mixture.mixtureLayers() == 3);
    CHECK(mixture.sharedWidth.value == 64);
    CHECK(mixture.elements(ModelPart::Experts) == 3.0 * 8 * 3 * 64 * 32);
}

TEST_CASE("layers that are gone through more than once, or hold experts in attention, are refused") {
    const auto again = [](const Json& more) { return errorOf([&] { readConfig(unknown(more)); }); };
    CHECK(contains(again({{"total_ut_steps", 4}}),
                   "config.json.total_ut_steps: the model needs layers that a token goes through more than "
                   "once, which this program does not have. Choose a model without it"));
    CHECK(readConfig(unknown({{"total_ut_steps", 1}})) == readConfig(unknown()));
    CHECK(contains(again({{"layer_sharing", true}}), "config.json.layer_sharing: the model needs layers"));
    for (const auto* name : {"jetmoe", "hymba", "phi4flash"}) {
        const auto message = again({{"model_type", name}});
        CHECK(contains(message, "config.json.model_type: the architecture \"" + std::string(name)));
        CHECK(contains(message, "Choose a model without it"));
    }
}

TEST_CASE("releases of one name that differ are told apart, and what a list of one number says is read") {
    const auto first = readConfig({{"model_type", "chatglm"},
                                   {"num_layers", 4},
                                   {"hidden_size", 64},
                                   {"num_attention_heads", 4},
                                   {"inner_hidden_size", 256},
                                   {"vocab_size", 1000}});
    CHECK(first.parameters() == 4 * (4.0 * 64 * 64 + 2.0 * 64 * 256 + 2 * 64) + 64 + 64000);
    auto later = unknown({{"model_type", "chatglm"}, {"tie_word_embeddings", false}});
    CHECK(readConfig(later).ffnMatrices.valueOr(3.0) == 3.0);
    const auto listed = unknown({{"model_type", "skywork"}, {"num_experts", {16}}});
    CHECK(readConfig(listed).experts.value == 16);
    CHECK(readConfig(listed).expertsPerToken.value == 2);
    CHECK(contains(errorOf([] {
                       readConfig(unknown({{"num_experts", {16}}}));
                   }),
                   "config.json.num_experts_per_tok: missing"));
    CHECK(contains(errorOf([] {
                       readConfig(unknown({{"num_experts", Json::array()}}));
                   }),
                   "config.json.num_experts: expected a number, found an array"));
}

TEST_CASE("a list says which layers have a window, whatever they are called") {
    const auto layout = [](const Json& list) {
        const auto model = readConfig(unknown({{"sliding_window_size", 8}, {"sliding_window_layout", list}}));
        return model.cacheBytes(100.0, 2.0) / (2.0 * 2 * 16 * 2);
    };
    CHECK(layout({0, 0, 0, 0}) == 400);
    CHECK(layout({0, 1, 1, 1}) == 124);
    CHECK(contains(errorOf([&] { layout({0, 1}); }), "config.json.sliding_window_layout: has 2 entries"));
}

TEST_CASE("Infinity and NaN are read as Python writes them, in texts too") {
    const auto written = unknown({{"name", "Infinity and NaN \" Infinity"}, {"limits", "here"}}).dump();
    auto text = written;
    text.replace(text.find("\"here\""), 6, "[0.0, Infinity, -Infinity, NaN]");
    CHECK(readModelText(text, "config.json") == readModelText(written, "config.json"));
    CHECK(contains(errorOf([] { readModelText(R"({"model_type": Infinite})", "config.json"); }),
                   "not valid JSON"));
}

TEST_CASE("layers that keep a state, are a network alone or mix twice are counted as they are") {
    const Json blocks = {{"mamba_num_heads", 8}, {"mamba_head_dim", 16}, {"ssm_state_size", 32},
                         {"n_groups", 2},        {"conv_kernel", 4},     {"mlp_hidden_act", "relu2"}};
    auto nemotron = unknown(blocks);
    nemotron["hybrid_override_pattern"] = "M-*-";
    const auto model = readConfig(nemotron);
    // Mamba-2: z, x, B and C, dt in; a convolution with bias, a norm, A, D and dt's bias; out.
    const double channels = 128 + 2 * 2 * 32;
    const double mamba = 64.0 * (128 + channels + 8) + channels * 5 + 128 + 3 * 8 + 128.0 * 64;
    CHECK(attention(model) == mamba + 2.0 * 64 * 64 + 2.0 * 64 * 32);
    CHECK(model.plainLayers() == 2);
    CHECK(model.elements(ModelPart::Dense) == 2.0 * 2 * 64 * 128);
    CHECK(model.cacheBytes(0.0, 2.0) == 128.0 * 32 * 4 + channels * 3 * 2);
    CHECK(model.cacheBytes(5.0, 2.0) - model.cacheBytes(0.0, 2.0) == 5.0 * 2 * 32 * 2);
    auto beside = unknown(blocks);
    beside["model_type"] = "falcon_h1";
    const auto twice = readConfig(beside);
    CHECK(twice.layers.value == 8);
    CHECK(twice.elements(ModelPart::Dense) == 4.0 * 2 * 64 * 128);
    CHECK(contains(errorOf([&] {
                       auto json = nemotron;
                       json["hybrid_override_pattern"] = "M-?-";
                       readConfig(json);
                   }),
                   "config.json.hybrid_override_pattern: the model needs layers of the type \"?\""));
}

TEST_CASE("layers that share an index have none of their own") {
    const Json latent = {{"kv_lora_rank", 16},    {"q_lora_rank", 32}, {"qk_nope_head_dim", 8},
                         {"qk_rope_head_dim", 4}, {"v_head_dim", 8},   {"index_n_heads", 2},
                         {"index_head_dim", 8},   {"index_topk", 2048}};
    const auto all = readConfig(unknown(latent));
    auto shared = unknown(latent);
    shared["indexer_types"] = {"full", "shared", "full", "shared"};
    const auto half = readConfig(shared);
    CHECK(attention(all) - attention(half) == 2.0 * (32.0 * 2 * 8 + 64.0 * 8 + 64.0 * 2));
    CHECK(all.cacheBytes(1.0, 2.0) == 4 * (20.0 * 2 + 8 * 33.0 / 32));
    CHECK(half.cacheBytes(1.0, 2.0) == 4 * 20.0 * 2 + 2 * (8 * 33.0 / 32));
    shared.erase("indexer_types");
    shared["index_topk_freq"] = 2;
    CHECK(attention(readConfig(shared)) == attention(half));
}

TEST_CASE("keys of architectures without a table set to hostile values give a model or an Error") {
    const std::vector<Json> values{nullptr, -1, 0,    1,     1e300, 0.5,  "x",        "-1",
                                   true,    {}, {0},  {1e9}, {"x"}, {{}}, {{"x", 1}}, std::string(5000, '9'),
                                   "M*",    7,  "LG", {1, 0}};
    std::size_t turn = 0;
    int accepted = 0, refused = 0;
    const auto tryAll = [&](const auto& self, const Json& whole, const Json::json_pointer& at) -> void {
        for (const auto& [key, value] : whole[at].items()) {
            for (int i = 0; i < rounds(10, 1); ++i) {
                auto json = whole;
                json[at / key] = values[turn++ % values.size()];
                try {
                    const auto model = taken(json);
                    REQUIRE(readModel(writeModel(model), "again") == model);
                    REQUIRE(std::isfinite(model.weightBytes(2.0)));
                    ++accepted;
                } catch (const Error& error) {
                    REQUIRE(error.where().starts_with("config.json"));
                    REQUIRE(error.message().size() < 1500);
                    ++refused;
                } // anything else fails the test
            }
            if (value.is_object() && value.size() < 50)
                self(self, whole, at / key);
        }
    };
    for (const auto& row : publicModels())
        tryAll(tryAll, row["config"], Json::json_pointer());
    CHECK(accepted > 300);
    CHECK(refused > 300);
}

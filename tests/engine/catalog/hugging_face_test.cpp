// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/file.h"
#include "engine/catalog/hugging_face.h"
#include "engine/catalog/hugging_face_family.h"
#include "tests/engine/fixtures.h"
#include "tests/places.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;
namespace fs = std::filesystem;

namespace {

const std::string kFolder = std::string(heteroscape::places::kTestData) + "/hugging_face/";

struct Published {
    const char* model;
    double parameters; ///< as the model's page counts them, biases and all norms included
};

// Each was also added up by hand, with the biases and norms that Model::parameters() leaves out: all agree to
// the last parameter.
constexpr Published kPublished[]{
    {"bloom-7b1", 7069016064},
    {"command-r-v01", 34980831232},
    {"dbrx-base", 131596523520},
    {"falcon-40b", 41303293952},
    {"falcon-7b", 6921720704},
    {"gemma-2-9b", 9241705984},
    {"gemma-2b", 2506172416},
    {"gemma-3-1b", 999885952},
    {"gemma-7b", 8537680896},
    {"gpt-j-6b", 6050882784},
    {"gpt-neox-20b", 20554567680},
    {"gpt-oss-20b", 20914757184},
    {"gpt2", 124439808},
    {"gpt2-xl", 1557611200},
    {"granite-3.0-1b-a400m", 1334628352},
    {"granite-3.0-8b", 8170848256},
    {"llama-2-70b", 68976648192},
    {"llama-2-7b", 6738415616},
    {"llama-3-8b", 8030261248},
    {"llama-3.2-1b", 1235814400},
    {"mistral-7b-v0.1", 7241732096},
    {"mistral-nemo-12b", 12247782400},
    {"mixtral-8x7b", 46702792704},
    {"mpt-7b", 6649286656},
    {"olmo-2-7b", 7298617344},
    {"olmo-7b", 6888095744},
    {"olmoe-1b-7b", 6919161856},
    {"opt-125m", 125239296},
    {"opt-30b", 29974540288},
    {"opt-6.7b", 6658473984},
    {"phi-1.5", 1418270720},
    {"phi-2", 2779683840},
    {"phi-3-mini", 3821079552},
    {"phi-3-small", 7392272384},
    {"phi-3.5-moe", 41873153344},
    {"pythia-6.9b", 6857302016},
    {"qwen2-7b", 7615616512},
    {"qwen2.5-0.5b", 494032768},
    {"qwen3-30b-a3b", 30532122624},
    {"qwen3-8b", 8190735360},
    {"stablelm-2-1.6b", 1644515328},
    {"starcoder", 15517456384},
    {"starcoder2-7b", 7173923840},
};

Json config(const std::string& model) {
    return readJsonFile(kFolder + model + ".json");
}

Model imported(const Json& json) {
    return readHuggingFaceConfig(json, "config.json");
}

/// The error of a published config with some keys set otherwise.
std::string errorWith(const std::string& model, const Json& changes) {
    auto json = config(model);
    json.merge_patch(changes);
    return errorOf([&] { imported(json); });
}

} // namespace

TEST_CASE("published models have their published number of parameters") {
    std::set<std::string> families;
    for (const auto& published : kPublished) {
        CAPTURE(published.model);
        const auto model = loadModelFile(kFolder + published.model + ".json");
        CHECK(off(model.parameters(), published.parameters) < 0.005);
        CHECK(readModel(writeModel(model), "again") == model);
        families.insert(config(published.model)["model_type"].get<std::string>());
    }
    std::set<std::string> known; // those with layers that differ: hugging_face_layers_test.cpp
    for (const auto& family : huggingFaceFamilies())
        if (!family.layers)
            known.insert(std::string(family.name));
    CHECK(std::includes(families.begin(), families.end(), known.begin(), known.end()));
}

TEST_CASE("an imported shape is the one of the config.json") {
    const auto falcon = loadModelFile(kFolder + "falcon-7b.json");
    CHECK(falcon.kvHeads.value == 1); // multi-query, whatever num_kv_heads says
    CHECK(falcon.headDim.value == 64);
    CHECK(falcon.ffn.value == 4 * 4544);
    CHECK_FALSE(falcon.isGated());
    CHECK(loadModelFile(kFolder + "falcon-40b.json").kvHeads.value == 8);
    CHECK(loadModelFile(kFolder + "starcoder.json").kvHeads.value == 1);
    const auto opt = loadModelFile(kFolder + "opt-125m.json");
    CHECK(opt.positions.value == 2050);
    CHECK(opt.embeddings.value == 1);
    const auto dbrx = loadModelFile(kFolder + "dbrx-base.json");
    CHECK(dbrx.kvHeads.value == 8);
    CHECK(dbrx.experts.value == 16);
    CHECK(dbrx.expertsPerToken.value == 4);
    CHECK(loadModelFile(kFolder + "phi-1.5.json").kvHeads.value == 32); // null: as many as heads
    const auto mistral = loadModelFile(kFolder + "mistral-7b-v0.1.json");
    CHECK_FALSE(mistral.positions.isSet());
    CHECK_FALSE(mistral.embeddings.isSet());
    CHECK_FALSE(contains(mistral.about, "sliding"));                      // its layers have it
    const auto starcoder = loadModelFile(kFolder + "starcoder2-7b.json"); // networks without a gate
    CHECK(contains(starcoder.about, "sliding window is not modelled"));
    CHECK(loadModelFile(kFolder + "llama-2-7b.json").name == "Llama-2-7b-hf");
    CHECK(loadModelFile(kFolder + "llama-2-7b.json").id == "llama-2-7b-hf");
}

TEST_CASE("what a config.json omits is what its class in transformers takes") {
    const auto without = [](const std::string& model, std::initializer_list<const char*> keys) {
        auto json = config(model);
        for (const auto* key : keys)
            REQUIRE(json.erase(key) == 1);
        return imported(json);
    };
    CHECK_FALSE(without("llama-2-7b", {"tie_word_embeddings"}).embeddings.isSet());
    CHECK(without("llama-2-7b", {"num_key_value_heads"}).kvHeads.value == 32);
    CHECK(without("mistral-nemo-12b", {"num_key_value_heads"}).kvHeads.value == 8);
    CHECK(without("gemma-7b", {"head_dim"}).headDim.value == 256);
    CHECK(without("qwen3-8b", {"head_dim"}).headDim.value == 128);
    CHECK(without("starcoder", {"n_inner", "multi_query"}) == imported(config("starcoder")));
    auto olderFalcon = config("falcon-40b"); // before transformers had the family
    olderFalcon.erase("new_decoder_architecture");
    olderFalcon.merge_patch({{"model_type", "RefinedWeb"},
                             {"num_kv_heads", nullptr},
                             {"n_head_kv", 8},
                             {"num_hidden_layers", nullptr},
                             {"n_layer", 60}});
    CHECK(imported(olderFalcon).parameters() == loadModelFile(kFolder + "falcon-40b.json").parameters());
    auto byClass = config("qwen3-30b-a3b");
    byClass.erase("model_type");
    CHECK(imported(byClass) == imported(config("qwen3-30b-a3b")));
    auto cohere2 = config("command-r-v01");
    cohere2.merge_patch({{"model_type", "cohere2"}, {"layer_types", Json::array()}});
    for (int i = 0; i < 40; ++i)
        cohere2["layer_types"].push_back("full_attention");
    CHECK(imported(cohere2).parameters() == imported(config("command-r-v01")).parameters());
    CHECK(contains(errorOf([&] { without("llama-2-7b", {"hidden_size"}); }),
                   "config.json.hidden_size: missing"));
}

TEST_CASE("of a multi-modal model the text model is taken") {
    auto text = config("llama-2-7b");
    const auto wrapped = imported({{"model_type", "llava"}, {"text_config", text}, {"vision_config", {}}});
    CHECK(wrapped.parameters() == 6738415616);
    CHECK(contains(wrapped.about, "The text model of a llava"));
    // The text_config of Gemma 3 4B leaves heads and vocabulary to its class: 3.88 billion by hand.
    const auto gemma = imported({{"model_type", "gemma3"},
                                 {"text_config",
                                  {{"model_type", "gemma3_text"},
                                   {"hidden_size", 2560},
                                   {"intermediate_size", 10240},
                                   {"num_hidden_layers", 34},
                                   {"sliding_window", 1024}}}});
    CHECK(off(gemma.parameters(), 3880263168) < 0.0002);
    text["hidden_size"] = "4096";
    CHECK(contains(errorOf([&] {
                       imported({{"model_type", "llava"}, {"text_config", text}});
                   }),
                   "config.json.text_config.hidden_size: expected a number, found a string"));
}

TEST_CASE("what is not supported is refused by name, with what is missing") {
    const auto architecture = [](const char* name) {
        const auto message = errorOf([&] { imported({{"model_type", name}, {"hidden_size", 8}}); });
        CHECK(contains(message, "\"" + std::string(name) + "\""));
        CHECK(contains(message, "Known by name are bloom, cohere"));
        CHECK(contains(message, "qwen3_moe"));
        return message;
    };
    CHECK(contains(architecture("gemma3n"), "layers that share a KV cache"));
    CHECK(contains(architecture("mamba"), "state-space layers alone"));
    CHECK(contains(architecture("zamba2"), "layers that share their weights"));
    CHECK(contains(architecture("rwkv"), "recurrent layers"));
    CHECK(contains(architecture("t5"), "an encoder beside the decoder"));
    CHECK(contains(architecture("bert"), "an encoder, which generates no tokens"));
    CHECK(contains(architecture("frobnicator"), "is not known"));
    CHECK(contains(errorOf([] {
                       imported({{"architectures", {"T5ForConditionalGeneration"}}});
                   }),
                   "config.json.architectures: the architecture \"T5ForConditionalGeneration\" needs"));

    const auto shared = errorWith("mixtral-8x7b", {{"shared_expert_intermediate_size", 5632}});
    CHECK(contains(shared, "config.json.shared_expert_intermediate_size: the model needs a shared expert"));
    CHECK(contains(errorWith("llama-2-7b", {{"kv_lora_rank", 512}}), "multi-head latent attention"));
    const auto dense = "dense layers between those with experts";
    CHECK(contains(errorWith("olmoe-1b-7b", {{"decoder_sparse_step", 2}}), dense));
    CHECK(contains(errorWith("mixtral-8x7b", {{"mlp_only_layers", {0}}}), dense));
    CHECK(contains(errorWith("phi-3.5-moe", {{"first_k_dense_replace", 1}}), dense));
    CHECK(contains(errorWith("llama-3-8b", {{"layer_types", {"full_attention", "linear_attention"}}}),
                   "layers of the type \"linear_attention\""));
    // opt-350m: an embedding of 512 in layers of 1024.
    CHECK(contains(
        errorWith("opt-125m",
                  {{"hidden_size", 1024}, {"num_attention_heads", 16}, {"word_embed_proj_dim", 512}}),
        "word_embed_proj_dim: the model needs an embedding narrower than the layers"));
}

TEST_CASE("learned positions count in a design's key and in its weights") {
    const auto plain = preset("glitches/8u280");
    auto with2048 = plain;
    with2048.model.positions.value = 2048;
    CHECK(scenarioKey(plain) != scenarioKey(with2048));
    CHECK(with2048.model.parameters() - plain.model.parameters() == 2048 * plain.model.hidden.value);
}

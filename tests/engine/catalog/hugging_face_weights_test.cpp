// SPDX-License-Identifier: GPL-3.0-or-later
// Weight recipes from the quantization_config of a config.json.
#include "engine/catalog/hugging_face.h"
#include "tests/engine/fixtures.h"
#include "tests/places.h"

#include <nlohmann/json.hpp>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

Json unquantized(const std::string& name) {
    auto json = readJsonFile(std::string(heteroscape::places::kTestData) + "/hugging_face/" + name + ".json");
    json.erase("quantization_config");
    if (json.contains("text_config"))
        json["text_config"].erase("quantization_config");
    return json;
}

/// The recipe's id, "" for none.
std::string recipe(const std::string& name, const Json& quantization) {
    auto json = unquantized(name);
    json["quantization_config"] = quantization;
    const auto model = readHuggingFaceConfig(json, "config.json");
    return model.weights ? std::string(model.weights->id) : std::string();
}

void checkRefusal(const std::string& name, const Json& quantization, const std::string& part) {
    CAPTURE(part);
    const auto message = errorOf([&] { recipe(name, quantization); });
    CAPTURE(message);
    CHECK(message.find(part) != std::string::npos);
}

Json packed(const Json& weights, const Json& ignore = Json::array({"lm_head"})) {
    return {{"quant_method", "compressed-tensors"},
            {"config_groups", {{"group_0", {{"targets", {"Linear"}}, {"weights", weights}}}}},
            {"ignore", ignore}};
}

Json bits(const char* type, int number, const Json& group) {
    return {{"type", type}, {"num_bits", number}, {"group_size", group}};
}

Json modelOpt(const char* algorithm, const Json& ignore) {
    return {{"quant_method", "modelopt"}, {"quant_algo", algorithm}, {"ignore", ignore}};
}

} // namespace

TEST_CASE("a quantization_config names the formats of the weights") {
    const auto* v3 = "deepseek-v3";
    CHECK(readHuggingFaceConfig(unquantized(v3), "config.json").weights == nullptr);
    CHECK(recipe(v3, nullptr).empty());
    CHECK(recipe(v3, {{"quant_method", "fp8"}, {"weight_block_size", {128, 128}}}) == "fp8_block");
    CHECK(recipe(v3, {{"quant_method", "fp8"}, {"weight_block_size", nullptr}}) == "fp8");
    CHECK(recipe(v3, {{"quant_method", "fp8"}}) == "fp8");
    CHECK(recipe("gpt-oss-120b", {{"quant_method", "mxfp4"}}) == "mxfp4_moe");
    CHECK(recipe(v3, {{"quant_method", "awq"}, {"bits", 4}, {"group_size", 128}}) == "int4_g128");
    CHECK(recipe(v3, {{"quant_method", "gptq"}, {"bits", 4}, {"group_size", 128}}) == "int4_g128");
    CHECK(recipe(v3, packed(bits("int", 4, 128))) == "int4_g128");
    CHECK(recipe(v3, packed(bits("float", 8, nullptr))) == "fp8");
    CHECK(recipe(v3, packed(bits("float", 4, 16))) == "nvfp4");
    Json block = bits("float", 8, nullptr);
    block["block_structure"] = {128, 128};
    CHECK(recipe(v3, packed(block)) == "fp8_block");
    CHECK(recipe(v3, modelOpt("FP8", {"lm_head"})) == "fp8");
    CHECK(recipe("qwen3-30b-a3b", modelOpt("NVFP4", {"lm_head", "model.layers.*.mlp.gate"})) == "nvfp4");
}

TEST_CASE("parts that are kept as they were decide between recipes") {
    Json layer = Json::array({"lm_head", "model.embed_tokens"});
    for (int i = 0; i < 61; ++i)
        layer.push_back("model.layers." + std::to_string(i) + ".self_attn*");
    CHECK(recipe("deepseek-v3", modelOpt("NVFP4", layer)) == "nvfp4_moe");
    CHECK(recipe("deepseek-v3", modelOpt("NVFP4", {"model.layers.60.self_attn*"})) == "nvfp4"); // one of 61
    Json matrices = Json::array();
    for (int i = 0; i < 61; ++i)
        for (const auto* matrix : {"q_b_proj", "kv_b_proj", "o_proj"})
            matrices.push_back("model.layers." + std::to_string(i) + ".self_attn." + matrix);
    CHECK(recipe("deepseek-v3", modelOpt("NVFP4", matrices)) == "nvfp4_moe");
    const Json experts = {"re:.*self_attn.*", "re:.*shared_experts.*", "re:.*mlp\\.(gate|up|down)_proj.*"};
    CHECK(recipe("kimi-k2", packed(bits("int", 4, 32), experts)) == "int4_g32_moe");
    CHECK(recipe("qwen3-30b-a3b", packed(bits("int", 4, 32), {"re:.*self_attn.*"})) == "int4_g32_moe");
    // Kimi K2's recipe with the shared experts quantized as well is none that there is.
    checkRefusal("kimi-k2", packed(bits("int", 4, 32), {"re:.*self_attn.*"}),
                 "config.json.quantization_config: the weights are attention in bf16, dense FFN in int4_g32");
}

TEST_CASE("weights without a recipe are refused by name") {
    const auto* v3 = "deepseek-v3";
    checkRefusal(
        v3, {{"quant_method", "bitsandbytes"}, {"load_in_4bit", true}},
        "config.json.quantization_config.quant_method: the weights are quantized by \"bitsandbytes\"");
    checkRefusal(v3, Json::object(), "quant_method: the weights are quantized by \"\"");
    checkRefusal(v3, "fp8", "config.json.quantization_config: expected an object, found a string");
    checkRefusal(v3, {{"quant_method", "fp8"}, {"weight_block_size", {1, 32}}},
                 "quantization_config.weight_block_size: the weights are in blocks that are not 128 x 128");
    checkRefusal(v3, {{"quant_method", "gptq"}, {"bits", 3}, {"group_size", 128}},
                 "int of 3 bits in groups of 128");
    checkRefusal(v3, {{"quant_method", "awq"}, {"bits", 4}, {"group_size", 32}}, "dense FFN in int4_g32");
    checkRefusal(v3, {{"quant_method", "awq"}}, "quantization_config.bits: missing");
    checkRefusal(v3, {{"quant_method", "awq"}, {"bits", "4"}}, "bits: expected a number, found a string");
    checkRefusal(v3, modelOpt("MIXED_PRECISION", Json::array()), "of the sort \"MIXED_PRECISION\"");
    checkRefusal(v3, {{"quant_method", "compressed-tensors"}}, "quantization_config.config_groups: ");
    checkRefusal(v3, packed(7), "config_groups.group_0.weights: missing");
    checkRefusal(v3, packed(bits("int", 8, nullptr)), "in int8");
    auto two = packed(bits("int", 4, 128));
    two["config_groups"]["group_1"] = {{"weights", bits("float", 8, nullptr)}};
    checkRefusal(v3, two, "config_groups: the weights are in groups of different formats");
}

TEST_CASE("a uniform model's weights have the runtime's format, and its words say so") {
    auto json = unquantized("llama-3-8b");
    json["quantization_config"] = {{"quant_method", "awq"}, {"bits", 4}, {"group_size", 128}};
    const auto model = readHuggingFaceConfig(json, "config.json");
    CHECK(model.weights == nullptr);
    CHECK(model.about.find("Its quantized weights are not modelled") != std::string::npos);
    CHECK(readHuggingFaceConfig(unquantized("llama-3-8b"), "config.json").about.find("quantized") ==
          std::string::npos);
}

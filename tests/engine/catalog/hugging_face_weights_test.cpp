// SPDX-License-Identifier: GPL-3.0-or-later
// Weight recipes from the quantization_config of a config.json.
#include "engine/base/file.h"
#include "engine/catalog/hugging_face.h"
#include "engine/catalog/hugging_face_weights.h"
#include "engine/catalog/weight_format.h"
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

Model quantized(const std::string& name, const Json& quantization) {
    auto json = unquantized(name);
    json["quantization_config"] = quantization;
    return readHuggingFaceConfig(json, "config.json");
}

/// The recipe's id, "" for none.
std::string recipe(const std::string& name, const Json& quantization) {
    const auto model = quantized(name, quantization);
    return model.weights ? std::string(model.weights->id) : std::string();
}

/// The format of a part, or of most of its elements.
std::string format(const std::string& name, const Json& quantization, ModelPart part = ModelPart::Experts) {
    return std::string(quantized(name, quantization).weights->of(part).id);
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
    const auto z = [&](Json json) { return format(v3, std::move(json)); }; // zero points are stored too
    CHECK(z({{"quant_method", "awq"}, {"bits", 4}, {"group_size", 128}}) == "int4_g128_z");
    CHECK(z({{"quant_method", "awq"}, {"bits", 4}, {"group_size", 32}, {"zero_point", false}}) == "int4_g32");
    CHECK(z({{"quant_method", "gptq"}, {"bits", 3}, {"group_size", 128}}) == "int3_g128_z");
    CHECK(z({{"quant_method", "bitsandbytes"}, {"load_in_4bit", true}}) == "nf4");
    CHECK(z({{"quant_method", "higgs"}, {"bits", 4}, {"group_size", 256}, {"p", 2}}) == "int4_g256");
    for (const auto* method : {"exl2", "exl3"})
        CHECK(z({{"quant_method", method}, {"bits", 4.25}, {"version", "0.1"}}) == "int4.25");
    CHECK(z({{"quant_method", "fp8"}, {"weight_block_size", {1, 32}}}) == "fp8_b1x32");
    CHECK(z(packed(bits("int", 8, nullptr))) == "int8");
    CHECK(recipe(v3, packed(bits("int", 4, 128))) == "int4_g128");
    CHECK(recipe(v3, packed(bits("float", 8, nullptr))) == "fp8");
    CHECK(recipe(v3, packed(bits("float", 4, 16))) == "nvfp4");
    Json block = bits("float", 8, nullptr);
    block["block_structure"] = {128, 128};
    CHECK(recipe(v3, packed(block)) == "fp8_block");
    // The head is a linear layer, too, and an embedding may be asked for.
    const auto all = [](const Json& targets, const Json& ignore) {
        auto json = packed(bits("float", 8, nullptr), ignore);
        json["config_groups"]["group_0"]["targets"] = targets;
        return json;
    };
    const auto none = Json::array();
    CHECK(format(v3, all({"Linear"}, {"lm_head"}), ModelPart::Head) == "bf16");
    CHECK(format(v3, all({"Linear"}, none), ModelPart::Head) == "fp8");
    CHECK(format(v3, all({"Linear"}, none), ModelPart::Embedding) == "bf16");
    CHECK(format(v3, all({"Linear", "Embedding"}, none), ModelPart::Embedding) == "fp8");
    CHECK(recipe(v3, modelOpt("FP8", {"lm_head"})) == "fp8");
    CHECK(recipe("qwen3-30b-a3b", modelOpt("NVFP4", {"lm_head", "model.layers.*.mlp.gate"})) == "nvfp4");
}

TEST_CASE("a format of weights has the bytes that are stored") {
    const auto bytes = [](const char* id) { return weightFormat(id, "").bytes; };
    CHECK(bytes("int4_g128") == 0.5 + 2.0 / 128);
    CHECK(bytes("int4_g128_z") == 0.5 + 2.5 / 128);
    CHECK(bytes("int4.25") == 4.25 / 8);
    CHECK(bytes("int8_g64_b") == 1.0 + 4.0 / 64);
    CHECK(bytes("fp8_b1x32") == 1.0 + 4.0 / 32);
    CHECK(&weightFormat("int5_g16", "") == &weightFormat("int5_g16", ""));
    for (const auto* wrong : {"", "int9", "int0.5", "int4.0", "int4e0", "int-1", "intnan", "int4_g0",
                              "int4_g128_q", "int04", "fp8_b128", "fp8_b1x2x3", "int4 "})
        CHECK(contains(errorOf([&] { weightFormat(wrong, "here"); }), "here: no format \""));
}

TEST_CASE("a recipe by part is read as it was written, and the one with a name where there is one") {
    const auto read = [](const Json& json) -> const WeightRecipe& { return readRecipe(json, "weights"); };
    CHECK(read({{"experts", "mxfp4"}}).id == "mxfp4_moe");
    const auto& mixed = read({{"experts", "int8"}, {"attention", {{"fp8", 0.25}, {"bf16", 0.75}}}});
    CHECK(mixed.of(ModelPart::Attention).bytes == 1.75);
    CHECK(mixed.of(ModelPart::Attention).id == "bf16");
    CHECK(mixed.of(ModelPart::Head).bytes == 2.0);
    CHECK(&read(writeRecipe(mixed)) == &mixed);
    CHECK(contains(errorOf([&] {
                       read({{"experts", {{"fp8", 0.5}}}});
                   }),
                   "weights.experts: has shares that add up to 0.5"));
    CHECK(contains(errorOf([&] { read({{"lungs", "fp8"}}); }), "weights.lungs: is no part of a model"));
    CHECK(contains(errorOf([&] { read(7); }), "weights: is a number, not the name of a recipe"));
}

TEST_CASE("modules that are kept as they were are counted as they are") {
    Json layer = Json::array({"lm_head", "model.embed_tokens"});
    for (int i = 0; i < 61; ++i)
        layer.push_back("model.layers." + std::to_string(i) + ".self_attn*");
    CHECK(recipe("deepseek-v3", modelOpt("NVFP4", layer)) == "nvfp4_moe");
    const auto one = quantized("deepseek-v3", modelOpt("NVFP4", {"model.layers.60.self_attn*"}));
    CHECK(one.weights->of(ModelPart::Attention).shares[1].share == doctest::Approx(1.0 / 61).epsilon(1e-12));
    Json matrices = Json::array();
    for (int i = 0; i < 61; ++i)
        for (const auto* matrix : {"q_a_proj", "q_b_proj", "kv_a_proj_with_mqa", "kv_b_proj"})
            matrices.push_back("model.layers." + std::to_string(i) + ".self_attn." + matrix);
    const auto most = quantized("deepseek-v3", modelOpt("NVFP4", matrices));
    const double all = 7168.0 * (1536 + 576) + 1536.0 * 128 * 192 + 512.0 * 128 * 256;
    CHECK(
        most.weights->of(ModelPart::Attention).bytes ==
        doctest::Approx((2.0 * all + 0.5625 * 7168 * 128 * 128) / (all + 7168.0 * 128 * 128)).epsilon(1e-12));
    const Json experts = {"re:.*self_attn.*", "re:.*shared_experts.*", "re:.*mlp\\.(gate|up|down)_proj.*"};
    CHECK(recipe("kimi-k2", packed(bits("int", 4, 32), experts)) == "int4_g32_moe");
    CHECK(recipe("qwen3-30b-a3b", packed(bits("int", 4, 32), {"re:.*self_attn.*"})) == "int4_g32_moe");
    CHECK(format("kimi-k2", packed(bits("int", 4, 32), {"re:.*self_attn.*"}), ModelPart::Dense) ==
          "int4_g32");
    // A whole layer: the only dense one.
    const auto first = quantized("kimi-k2", packed(bits("int", 4, 32), {"language_model.model.layers.0*"}));
    CHECK(first.weights->of(ModelPart::Dense).id == "bf16");
    CHECK(first.weights->of(ModelPart::Experts).id == "int4_g32");
}

TEST_CASE("patterns of modules match as those who write them mean it") {
    const auto name = [](const char* pattern, const char* module) {
        return NamePattern::ofName(pattern).matches(module);
    };
    const auto* gate = "layers.3.mlp.gate_proj";
    CHECK(name("mlp", gate));
    CHECK(name("model.layers.3.", gate));
    CHECK(name("language_model.model.layers.3.mlp.gate_proj", gate));
    CHECK(name("*mlp*", gate));
    CHECK(name("model.layers.*.mlp.*_proj", gate));
    for (const auto* other :
         {"mlp.gate", "layers.30", "layers.3.self_attn*", "gate", "*.up_proj", "", "*layers.4*"})
        CHECK_FALSE(name(other, gate));
    const auto expression = [](const char* text, const char* module) {
        return NamePattern::ofExpression(text, "here").matches(module);
    };
    CHECK(expression(".*mlp\\.(gate|up|down)_proj", gate));
    CHECK(expression("model\\.layers\\.[0-9]\\..*", gate));
    CHECK(expression("^language_model\\.model\\.layers\\.\\d+\\.mlp\\.g\\w*$", gate));
    CHECK(expression("^(?!.*experts).*proj$", gate));
    CHECK(expression("mlp\\.gate_proj\\b", gate));
    CHECK(expression("(a|l.{2}ers)\\.3+", gate));
    for (const auto* other : {".*mlp\\.gate$", "layers\\.[45]", "^mlp", "mlp\\.[^g].*", "(up|down)_proj",
                              "^(?!.*mlp).*", "mlp\\.gate\\b"})
        CHECK_FALSE(expression(other, gate));
    CHECK(expression("((a*)*)*b?", std::string(400, 'a').c_str())); // at once
    for (const auto* wrong : {"(", "a)", "[a", "*a", "a(?!b)", "a{1,2}", "\\smlp", "a\\"})
        CHECK(contains(errorOf([&] { expression(wrong, gate); }), "here: the expression \""));
}

TEST_CASE("the bits of the cache are taken over from the checkpoint") {
    const auto cache = [](const Json& more) {
        Json json = {{"quant_method", "modelopt"}, {"quant_algo", "NVFP4"}};
        json.merge_patch(more);
        return quantized("qwen3-30b-a3b", json).kvBits;
    };
    CHECK(cache({{"kv_cache_scheme", {{"num_bits", 8}, {"type", "float"}}}}).value == 8);
    CHECK(cache({{"kv_cache_quant_algo", "FP8"}}).value == 8);
    CHECK_FALSE(cache({{"kv_cache_scheme", nullptr}}).isSet());
}

TEST_CASE("an hf_quant_config.json beside the file says what the file does not") {
    const TemporaryFolder folder;
    const auto file = folder.path() + "/config.json";
    writeFileAtomically(file, unquantized("qwen3-30b-a3b").dump());
    CHECK(loadModelFile(file).weights == nullptr);
    writeFileAtomically(folder.path() + "/hf_quant_config.json",
                        R"({"producer": {"name": "modelopt"}, "quantization": {"quant_algo": "NVFP4",
        "kv_cache_quant_algo": "FP8", "group_size": 16, "exclude_modules": ["lm_head", "*self_attn*"]}})");
    const auto model = loadModelFile(folder.path());
    CHECK(model.weights->id == "nvfp4_moe");
    CHECK(model.kvBits.value == 8);
    CHECK(model == loadModelFile(file));
}

TEST_CASE("weights of a format that is not known are refused by name") {
    const auto* v3 = "deepseek-v3";
    checkRefusal(v3, {{"quant_method", "aqlm"}},
                 "config.json.quantization_config.quant_method: the weights are quantized by \"aqlm\"");
    for (const auto* method : {"vptq", "spqr"})
        checkRefusal(v3, {{"quant_method", method}}, "or leave quantization_config out and set the formats");
    checkRefusal(v3, {{"quant_method", "quanto"}, {"weights", "int3"}},
                 "weights: the weights are of the sort");
    checkRefusal(v3, {{"quant_method", "fp_quant"}}, "forward_dtype: the weights are of the sort \"\"");
    checkRefusal(v3, {{"quant_method", "bitsandbytes"}}, "to neither 8 nor 4 bits");
    checkRefusal(v3, {{"quant_method", "exl2"}}, "quantization_config.bits: missing");
    checkRefusal(v3, {{"quant_method", "exl2"}, {"bits", 0.25}}, "quantization_config.bits: no format");
    checkRefusal(v3, {{"quant_method", "exl2"}, {"bits", 4.25}, {"head_bits", "6"}}, "head_bits: missing");
    checkRefusal(v3, Json::object(), "quant_method: the weights are quantized by \"\"");
    checkRefusal(v3, "fp8", "config.json.quantization_config: expected an object, found a string");
    checkRefusal(v3, {{"quant_method", "awq"}}, "quantization_config.bits: missing");
    checkRefusal(v3, {{"quant_method", "awq"}, {"bits", "4"}}, "bits: expected a number, found a string");
    checkRefusal(v3, modelOpt("MIXED_PRECISION", Json::array()), "of the sort \"MIXED_PRECISION\"");
    checkRefusal(v3, {{"quant_method", "compressed-tensors"}}, "quantization_config.config_groups: ");
    checkRefusal(v3, packed(7), "config_groups.group_0.weights: missing");
    checkRefusal(v3, packed(bits("float", 4, 7)), "floats of 4 bits in groups of 7");
    checkRefusal(v3, packed(bits("int", 4, 128), {"re:a(?=b)"}),
                 "quantization_config.ignore: the expression");
}

TEST_CASE("a quantized dense model has formats by part, but for one with learned positions") {
    const Json awq = {{"quant_method", "awq"}, {"bits", 4}, {"group_size", 128}};
    const auto model = quantized("llama-3-8b", awq);
    CHECK(model.weights->of(ModelPart::Dense).id == "int4_g128_z");
    CHECK(model.weights->of(ModelPart::Embedding).id == "bf16");
    CHECK(model.groups.size() == 1);
    CHECK(quantized("falcon-7b", awq).elements(ModelPart::Dense) == 32.0 * 2 * 4544 * 4 * 4544); // no gate
    const auto opt = quantized("opt-125m", awq);
    CHECK(opt.weights == nullptr);
    CHECK(contains(opt.about, "Its quantized weights are not modelled"));
    CHECK_FALSE(contains(readHuggingFaceConfig(unquantized("llama-3-8b"), "config.json").about, "quantized"));
}

// SPDX-License-Identifier: GPL-3.0-or-later
// Models of layer groups: counts, bytes and caches, against the golden values of the specification of models
// of 2026 (moe_parallel, section 12, numbers as there) and against what was published.
#include "engine/base/error.h"
#include "engine/base/json.h"
#include "engine/catalog/model.h"

#include "tests/engine/fixtures.h"

#include <nlohmann/json.hpp>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

constexpr double kTolerance = 1e-6;

const Model& model(const char* id) {
    return catalog().model(id, "test");
}

bool is(double value, double golden) {
    return off(value, golden) < kTolerance;
}

/// The preset with other members; null takes one away.
Model changed(const char* id, const Json& members) {
    auto json = writeModel(model(id));
    for (const auto& [key, value] : members.items())
        if (value.is_null())
            json.erase(key);
        else
            json[key] = value;
    return readModel(json, "changed");
}

void checkRefused(const char* id, const Json& members, const std::string& place) {
    CAPTURE(place);
    try {
        changed(id, members);
        FAIL_CHECK("was taken");
    } catch (const Error& error) {
        CHECK(std::string(error.what()).find(place) != std::string::npos);
    }
}

} // namespace

TEST_CASE("parameters of layered models, golden values 1 to 19") {
    CHECK(is(model("deepseek-v3").parameters(), 6.71025398e11));
    CHECK(is(model("deepseek-v3").activeParameters(), 3.6624597e10));
    CHECK(is(model("kimi-k2-5").parameters(), 1.0264072e12));
    CHECK(is(model("kimi-k2-5").activeParameters(), 3.16860662e10));
    CHECK(is(model("glm-5").parameters(), 7.43910015e11));
    CHECK(is(model("glm-5").activeParameters(), 4.08319427e10));
    CHECK(is(model("qwen3-235b-a22b").parameters(), 2.35092836e11));
    CHECK(is(model("qwen3-235b-a22b").activeParameters(), 2.15676355e10));
    CHECK(is(model("gpt-oss-120b").parameters(), 1.16788838e11));
    CHECK(is(model("gpt-oss-120b").activeParameters(), 5.13110016e9));
    CHECK(is(model("minimax-m2-5").parameters(), 2.28688921e11));
    CHECK(is(model("minimax-m2-5").activeParameters(), 1.04151122e10));
    CHECK(is(model("qwen3-5-397b-a17b").parameters(), 3.9634559e11));
    CHECK(is(model("qwen3-5-397b-a17b").activeParameters(), 1.63311616e10));
    CHECK(is(model("gemma-4-26b-a4b").parameters(), 2.52324413e10));
    CHECK(is(model("gemma-4-26b-a4b").activeParameters(), 3.82183014e9));
    CHECK(is(model("deepseek-v3").mtpParameters(), 1.16100301e10));
    // Mixtral is uniform and counts its norms.
    CHECK(off(model("mixtral-8x7b").parameters(), 4.67025265e10) < 1e-5);
    CHECK(off(model("mixtral-8x7b").activeParameters(), 1.2748587e10) < 1e-6);
}

TEST_CASE("models of 2025 and 2026 have the parameters that their makers tell, and the cache of a token") {
    struct Published {
        const char* id;
        double billions, cacheBytes; ///< of one more token at a long context, as the checkpoint keeps it
    };
    constexpr Published all[]{{"qwen3-vl-8b", 8.19, 147456},
                              {"qwen3-vl-30b-a3b", 30.53, 98304},
                              {"qwen2-5-vl-72b", 72.7, 327680},
                              {"qwen3-5-122b-a10b", 122, 24576},
                              {"smollm3-3b", 3.08, 73728},
                              {"ernie-4-5-21b-a3b", 21.8, 57344},
                              {"ernie-4-5-300b-a47b", 300, 221184},
                              {"step-3-7-flash", 196, 49152},
                              {"mimo-7b", 7.62, 147456},
                              {"olmo-3-32b", 32.2, 65536},
                              {"seed-oss-36b", 36.15, 262144},
                              {"hunyuan-a13b", 80.4, 131072},
                              {"ling-flash-2", 103, 65536},
                              {"ling-1t", 1000, 327680},
                              {"apertus-8b", 8.05, 131072},
                              {"ministral-3-8b", 8.49, 139264},
                              {"exaone-4-32b", 32, 65536},
                              {"nemotron-h-8b", 8.1, 16384},
                              {"nemotron-3-nano", 31.6, 6144},
                              {"nemotron-3-super", 120.6, 8192},
                              {"granite-4-h-small", 32.2, 16384},
                              {"falcon-h1-7b", 7.585, 45056},
                              {"falcon-h1-34b", 33.6, 147456},
                              {"kimi-linear-48b-a3b", 49.1, 8064},
                              {"minimax-m3", 428, 137472},
                              {"minimax-m2", 230, 253952},
                              {"glm-4-6", 355, 376832},
                              {"glm-5-2", 744, 92628},
                              {"deepseek-v4-flash", 284, 6880}};
    for (const auto& one : all) {
        CAPTURE(one.id);
        const auto& shipped = model(one.id);
        CHECK(off(shipped.parameters(), one.billions * 1e9) < 0.01);
        constexpr double kLong = 1 << 21;
        const double element = shipped.releasedKvElement();
        CHECK(shipped.cacheBytes(kLong + 1.0, element) - shipped.cacheBytes(kLong, element) ==
              one.cacheBytes);
    }
}

TEST_CASE("weights and caches of layered models, golden values 20 to 29") {
    CHECK(is(model("deepseek-v3").weightBytes(2.0), 6.73148532e11));
    CHECK(is(model("kimi-k2-5").weightBytes(2.0), 5.94203247e11));
    CHECK(is(model("gpt-oss-120b").weightBytes(2.0), 6.51681792e10));
    CHECK(is(changed("qwen3-235b-a22b", {{"weights", "nvfp4"}}).weightBytes(2.0), 1.34099763e11));
    CHECK(model("deepseek-v3").cacheBytes(4096, 2.0) == 287834112.0);
    CHECK(model("deepseek-v3").cacheBytes(4096, 2.0, 8.0) == 287834112.0);
    CHECK(model("glm-5").cacheBytes(4096, 1.0) == 226197504.0);
    CHECK(model("gpt-oss-120b").cacheBytes(8192, 2.0) == 306708480.0);
    CHECK(model("qwen3-235b-a22b").cacheBytes(4096, 2.0, 8.0) == 197132288.0);
    CHECK(model("qwen3-5-397b-a17b").cacheBytes(4096, 2.0) == 317890560.0);
}

TEST_CASE("layered models add up to what was published, within 1 %") {
    // Billions, of /models.json/ of the specification, vision towers left out; Kimi K2's report rounds up.
    const std::pair<const char*, double> published[] = {
        {"deepseek-v2-lite", 15.7}, {"deepseek-v2", 236},      {"deepseek-v3", 671},
        {"deepseek-v3-2", 671},     {"kimi-k2", 1027},         {"glm-5", 744},
        {"qwen3-30b-a3b", 30.5},    {"qwen3-235b-a22b", 235},  {"qwen3-coder-480b-a35b", 480},
        {"glm-4-5", 355},           {"glm-4-5-air", 106},      {"minimax-m2-5", 230},
        {"llama-4-maverick", 400},  {"gpt-oss-20b", 20.9},     {"gpt-oss-120b", 116.8},
        {"mimo-v2-flash", 309},     {"gemma-4-26b-a4b", 25.2}, {"step-3-5-flash", 196},
        {"qwen3-next-80b-a3b", 80}, {"qwen3-5-35b-a3b", 35},   {"qwen3-5-397b-a17b", 397},
        {"qwen3-8b", 8.2},          {"qwen3-32b", 32.8},       {"llama3-1-70b", 70.6},
        {"mixtral-8x22b", 141},
    };
    for (const auto& [id, billions] : published) {
        CAPTURE(id);
        CHECK(off(model(id).parameters(), billions * 1e9) < 0.01);
    }
}

TEST_CASE("a layered model reads back as it was written, and stands in a key of its own") {
    for (const auto& one : catalog().models)
        if (!one.isUniform()) {
            CAPTURE(one.id);
            CHECK(readModel(writeModel(one), "again") == one);
        }
}

TEST_CASE("what is wrong with a layered model is named") {
    const Json groups = writeModel(model("gpt-oss-20b"))["layer_groups"];
    checkRefused("gpt-oss-20b", {{"layers", 25}}, "layer_groups");
    checkRefused("gpt-oss-20b", {{"layer_groups", Json::array()}}, "layer_groups");
    checkRefused("gpt-oss-20b", {{"weights", "fp3"}}, "weights");
    checkRefused("gpt-oss-20b", {{"weights", 4}}, "weights");
    checkRefused("gpt-oss-20b", {{"heads", 64}}, "heads");
    checkRefused("gpt-oss-20b", {{"expert_width", nullptr}}, "expert_width");
    checkRefused("deepseek-v3", {{"ffn", nullptr}}, "ffn");
    checkRefused("deepseek-v3", {{"dense_layers", 62}}, "dense_layers");
    checkRefused("deepseek-v3", {{"experts_per_token", 257}}, "experts_per_token");
    checkRefused("llama3-8b", {{"weights", "nvfp4"}}, "weights");
    auto odd = groups;
    odd[1]["attention"]["kv_heads"] = 7;
    checkRefused("gpt-oss-20b", {{"layer_groups", odd}}, "layer_groups[1].attention.kv_heads");
    odd = groups;
    odd[0]["attention"]["kind"] = "lightning";
    checkRefused("gpt-oss-20b", {{"layer_groups", odd}}, "layer_groups[0].attention.kind");
    odd = groups;
    odd[0]["count"] = 0;
    checkRefused("gpt-oss-20b", {{"layer_groups", odd}}, "layer_groups[0].count");
}

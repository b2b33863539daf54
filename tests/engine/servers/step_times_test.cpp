// SPDX-License-Identifier: GPL-3.0-or-later
// Step times of GPU servers and their KV capacity: golden values of silicon_serving.md, sections 3 and 10.
#include "engine/base/error.h"
#include "engine/servers/kernel_steps.h"
#include "engine/servers/recipes.h"
#include "tests/engine/fixtures.h"
#include "tests/places.h"
#include "tests/shipped_catalog.h"

#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

using namespace heteroscape;
using namespace heteroscape::engine;

namespace {

KernelSteps stepsOf(const char* model, const char* gpu, const char* server, const ServedFormats& formats,
                    const ServedLayout& layout, double draft = 0) {
    const auto& kernels = shippedKernels();
    const bool queryNorm = std::string_view(model) == "qwen3-32b";
    return {kernels,
            kernels.gpu(gpu),
            servedShape(shippedCatalog()->model(model, ""), queryNorm),
            formats,
            layout,
            constantsOf(shippedCatalog()->server(server, ""), shippedCatalog()->runtime(server, "").base),
            draft};
}

void near(double seconds, double ms) {
    CHECK(1e3 * seconds == doctest::Approx(ms).epsilon(1e-5)); // as many digits as are printed
}

const ServedFormats kBlocks{"fp8_block", "fp8_block", "fp8_block", false, 2};
const ServedFormats kBlocksFp8Cache{"fp8_block", "fp8_block", "fp8_block", false, 1};

std::string refusal(const char* key, const Json& value) {
    auto json = writeServer(shippedCatalog()->server("vllm", ""));
    json[key] = value;
    try {
        readServer(json, "vllm.json");
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

} // namespace

TEST_CASE("the ten golden step times of silicon serving") {
    const ServedFormats fp8{"fp8", "fp8", "fp8", false, 2};
    const auto llama = stepsOf("llama3-1-70b", "h100_sxm", "vllm", fp8, {4, 1, 4, 1});
    near(llama.decode(16, 1024), 14.0031);
    near(llama.mixed(128, 2048, std::vector<PromptPiece>{{512, 1024, false}}), 87.1619);
    const auto qwen = stepsOf("qwen3-32b", "h100_sxm", "sglang", {}, {4, 1, 4, 1});
    near(qwen.mixed(0, 0, std::vector<PromptPiece>{{0, 2048, true}}), 69.3925);
    const auto oss = stepsOf("gpt-oss-120b", "h100_sxm", "vllm", {"bfloat16", "bfloat16", "mxfp4", false, 2},
                             {2, 1, 2, 1});
    near(oss.decode(32, 4096), 9.78671);
    near(stepsOf("deepseek-v3", "h200_sxm", "sglang", kBlocks, {8, 1, 8, 1}).decode(32, 4096), 16.6618);
    const ServedLayout dealt{8, 1, 1, 8};
    near(stepsOf("deepseek-v3", "h200_sxm", "trtllm", kBlocksFp8Cache, dealt).decode(32, 2048), 23.9410);
    near(stepsOf("deepseek-v3", "h200_sxm", "trtllm", kBlocksFp8Cache, dealt, 3).decode(32, 2048), 34.5058);
    const auto parallel = stepsOf("deepseek-v3", "h200_sxm", "trtllm", kBlocksFp8Cache, {1, 8, 1, 8});
    near(parallel.mixed(64, 2048, std::vector<PromptPiece>{{0, 1024, true}, {0, 4096, true}}), 405.780);
    const auto rack = stepsOf("deepseek-v3", "gb200", "sglang", kBlocksFp8Cache, {1, 16, 1, 16, true});
    near(rack.decode(1000, 2048), 25.9782);
    near(stepsOf("qwen3-5-397b-a17b", "b200_sxm", "sglang", kBlocksFp8Cache, {4, 1, 4, 1}).decode(32, 4096),
         11.7522);
}

TEST_CASE("KV capacity of a rank as silicon serving checks it") {
    const auto tokens = [](const char* model, const ServedFormats& formats, const ServedLayout& layout,
                           const MemoryRule& rule, double memory) {
        return servedKvTokens(servedShape(shippedCatalog()->model(model, "")), formats, layout, rule, memory);
    };
    CHECK(tokens("llama3-1-70b", {"fp8", "fp8", "fp8", false, 2}, {2, 1, 2, 1}, {0.9, false, 4e9}, 85.6e9) ==
          doctest::Approx(224079).epsilon(1e-5));
    CHECK(tokens("gpt-oss-120b", {"bfloat16", "bfloat16", "mxfp4", false, 2}, {2, 1, 2, 1}, {0.9, false, 4e9},
                 85.6e9) == doctest::Approx(2111150).epsilon(1e-5));
    CHECK(tokens("deepseek-v3", kBlocksFp8Cache, {1, 8, 1, 8}, {0.75, true, 6e9}, 151.4e9) ==
          doctest::Approx(956238).epsilon(1e-5));
    // Weights that do not fit leave none, not less.
    CHECK(tokens("deepseek-v3", kBlocks, {1, 1, 1, 1}, {0.9, false, 4e9}, 85.6e9) == 0);
}

TEST_CASE("steps grow with what is in them, and are the same from every thread") {
    const auto steps = stepsOf("deepseek-v3", "h200_sxm", "sglang", kBlocks, {8, 1, 8, 1});
    double before = 0.0;
    for (const double context : {512.0, 4096.0, 32768.0}) {
        const double now = steps.decode(64, context);
        CHECK(now > before);
        before = now;
    }
    // Beyond 16,384 tokens attention of a prompt grows with the square, without a jump.
    const auto prompt = [&](double tokens) {
        return steps.mixed(0, 0, std::vector<PromptPiece>{{0, tokens, true}});
    };
    CHECK(prompt(16385) == doctest::Approx(prompt(16384)).epsilon(1e-3));
    CHECK(prompt(32768) > 2 * prompt(16384));
    // Between whole sequences a rank: on the line.
    CHECK(steps.decode(10.5, 1024) ==
          doctest::Approx((steps.decode(10, 1024) + steps.decode(11, 1024)) / 2).epsilon(1e-12));
    CHECK(steps.decode(0.25, 1024) == steps.decode(1, 1024));
    const auto fresh = stepsOf("deepseek-v3", "h200_sxm", "sglang", kBlocks, {8, 1, 8, 1});
    std::vector<double> first(200), second(200);
    const auto ask = [&](std::vector<double>& into) {
        for (std::size_t i = 0; i < into.size(); ++i)
            into[i] = fresh.decode(static_cast<double>(i + 1), 2048);
    };
    std::thread other([&] { ask(first); });
    ask(second);
    other.join();
    CHECK(first == second);
    CHECK(first[63] == steps.decode(64, 2048));
}

TEST_CASE("a server's file that says something else is refused with its key") {
    const auto contains = [](const std::string& text, const char* piece) {
        CAPTURE(text);
        CHECK(text.find(piece) != text.npos);
    };
    contains(refusal("layer_us", -1), "vllm.json.layer_us");
    contains(refusal("layer_us", "14"), "vllm.json.layer_us");
    contains(refusal("layer_uss", 14), "layer_uss");
    contains(refusal("batching", "fifo"), "whole");
    CHECK_THROWS_AS(shippedCatalog()->server("nothing", "here"), Error);
}

// SPDX-License-Identifier: GPL-3.0-or-later
// Golden values of silicon_kernels.md, section 11: a layer and the ends of a step as kernels.
#include "engine/timing/kernels/dense_layer.h"
#include "tests/engine/timing/kernels/kernel_fixtures.h"

#include <algorithm>
#include <vector>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

const DenseShape kLlama8b{4096, 32, 8, 128, 14336, 128256};
const DenseShape kLlama70b{8192, 64, 8, 128, 28672, 128256};
constexpr double kLayerDigits = 1e-5;

DenseLayer layer(const char* device, const DenseShape& shape, const DenseServing& serving = {}) {
    return {kernels(), gpu(device), shape, serving};
}

std::vector<std::string_view> names(const KernelSequence& sequence) {
    std::vector<std::string_view> all;
    for (const auto& kernel : sequence)
        all.push_back(kernel.name);
    return all;
}

} // namespace

TEST_CASE("layers and ends of a step take what the specification's prototype gives") {
    CHECK(off(layer("h100_sxm", kLlama8b).generation(64, 4096).us(), 571.883) < kLayerDigits);
    CHECK(off(layer("h100_sxm", kLlama8b, {"sglang", "bf16", false, 1}).context(1, 8192).us(), 6099.06) <
          kLayerDigits);
    CHECK(off(layer("h100_sxm", kLlama70b, {"sglang", "fp8_block", true, 8}).generation(32, 2000).us(),
              117.481) < kLayerDigits);
    CHECK(off(layer("h200_sxm", kLlama70b, {"trtllm", "fp8_static", true, 8}).context(2, 4096).us(),
              2741.83) < kLayerDigits);
    CHECK(off(layer("b200_sxm", kLlama70b, {"vllm", "nvfp4", true, 2}).generation(64, 8192).us(), 192.228) <
          kLayerDigits);
    CHECK(off(layer("l40s", kLlama8b, {"vllm", "fp8", true, 4}).generation(16, 1000).us(), 260.401) <
          kLayerDigits);
    CHECK(off(layer("h100_sxm", kLlama70b, {"trtllm", "bf16", false, 8}).ends(64, 64).us(), 203.748) <
          kLayerDigits);
}

TEST_CASE("a layer has the kernels that its framework launches") {
    const std::vector<std::string_view> alone{"norm 1", "qkv",         "attention", "output",
                                              "norm 2", "gate and up", "silu",      "down"};
    CHECK(names(layer("h100_sxm", kLlama8b).generation(1, 100)) == alone);
    const auto vllm = names(layer("h100_sxm", kLlama8b, {"vllm", "fp8_static", true, 2}).generation(1, 100));
    const auto count = [&](std::string_view name) { return std::count(vllm.begin(), vllm.end(), name); };
    CHECK(count("rotary") == 1);
    CHECK(count("query to fp8") == 1);
    CHECK(count("cast") == 1); // before the output projection
    CHECK(count("all-reduce") == 2);
}

TEST_CASE("what a layer cannot be served with is named") {
    CHECK(errorOf([] {
              layer("h100_sxm", kLlama8b, {"trtllm", "fp5", false, 1});
          }).find("recipe") != std::string::npos);
    CHECK(errorOf([] {
              layer("h100_sxm", kLlama8b, {"mine", "bf16", false, 1});
          }).find("framework") != std::string::npos);
    CHECK(errorOf([] {
              layer("h100_sxm", kLlama8b, {"trtllm", "nvfp4", false, 1});
          }).find("FP4 is not native on Hopper") != std::string::npos);
    CHECK(errorOf([] {
              layer("a100_sxm", kLlama8b, {"trtllm", "fp8", false, 1});
          }).find("FP8 is not native on Ampere") != std::string::npos);
}

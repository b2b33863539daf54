// SPDX-License-Identifier: GPL-3.0-or-later
// Golden values of moe_parallel.md, section 12: those of kernels, and of what experts touch.
#include "engine/operators/experts.h"
#include "tests/engine/timing/kernels/kernel_fixtures.h"

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

constexpr double kTolerance = 1e-6;

/// Uniform routing from tokens alone: A = T k/ep, U = U_E/ep.
double moeUs(const char* device, const char* kernel, double tokens, double hidden, double width,
             double chosen, double experts, double ranks = 1) {
    const auto& on = gpu(device);
    const auto& c = kernels().moe.require({on.arch, kernel}).constants;
    MoeShape shape;
    shape.hidden = hidden;
    shape.width = width;
    shape.localExperts = experts / ranks;
    shape.pairs = tokens * chosen / ranks;
    shape.touched = distinctExperts(experts, chosen, tokens) / ranks;
    shape.seen = c.onlyReceived ? shape.pairs : tokens * chosen;
    return moeTime(on.figures, c, kernels().moeFormat(c.format), shape).us;
}

double mlaDecodeUs(const char* device, const char* kv, const MlaDecodeShape& shape) {
    const auto& on = gpu(device);
    return mlaDecodeTime(on.figures, kernels().mlaDecode.require({on.arch, "trtllm", kv}).constants, shape)
        .us;
}

} // namespace

TEST_CASE("experts that a step touches, and pairs of the busiest rank") {
    CHECK(off(distinctExperts(256, 8, 16), 101.962162) < kTolerance);
    CHECK(off(distinctExpertsSkewed(256, 8, 64, 1.2), 104.243065) < kTolerance);
    CHECK(off(distinctExperts(128, 4, 32), 81.656923) < kTolerance);
    CHECK(off(busiestRankPairs(256, 8, 1024, 32, 0.0), 297.460885) < kTolerance);
    CHECK(off(busiestRankPairs(256, 8, 1024, 32, 0.5), 382.153317) < kTolerance);
    const auto skewed = skewedRank(256, 8, 1024, 32, 1.2);
    CHECK(off(skewed.pairs, 736.668076) < kTolerance);
    CHECK(off(skewed.distinct, 7.75) < kTolerance);
    CHECK(distinctExpertsSkewed(64, 2, 1e6, 1.0) == doctest::Approx(64)); // all, however unpopular
    CHECK(busiestRankPairs(256, 8, 1024, 1, 0.5) == doctest::Approx(8192));
}

TEST_CASE("mixtures of experts take what the specification's prototype gives") {
    CHECK(off(moeUs("h100_sxm", "sglang deepep decode fp8_block", 4096, 7168, 2048, 8, 256, 32), 185.993149) <
          kTolerance);
    CHECK(off(moeUs("h100_sxm", "trtllm cutlass fp8_block", 64, 4096, 1536, 8, 128), 874.261733) <
          kTolerance);
    CHECK(off(moeUs("h200_sxm", "vllm cutlass fp8_block", 4096, 7168, 256, 8, 256), 1831.68793) < kTolerance);
    CHECK(off(moeUs("b200_sxm", "sglang flashinfer nvfp4", 512, 7168, 2048, 8, 256, 8), 147.69341) <
          kTolerance);
}

TEST_CASE("a GEMM with unpacked weights is one expert that all rows go through, in one launch") {
    // By hand, of Marlin on an A100: weights 12288 x 4096 x 0.515625 B at 0.9914 of 2.039 TB/s, products of
    // 16 and 3.804 rows at 0.4889 of 312 TFLOP/s, 2 B of each input and output.
    const auto& on = gpu("a100_sxm");
    const auto& c = kernels().moe.require({"ampere", "sglang marlin int4"}).constants;
    const double weights = 12288.0 * 4096 * 0.515625 / (0.9914 * 2.039e6);
    const double products = 2 * 12288.0 * 4096 * (16 + 3.804) / (0.4889 * 312e6);
    const double passes = 2 * 16.0 * (12288 + 4096) / 2.039e6;
    const auto time = unpackingGemmTime(on.figures, c, 0.515625, 3, {16, 12288, 4096});
    CHECK(off(time.us, 3 + weights + products + passes) < kTolerance);
    CHECK(off(time.us, 29.15) < 1e-3);
    // Half-filled tiles are no compute that limits.
    CHECK(time.bound == KernelBound::Memory);
    CHECK(unpackingGemmTime(on.figures, c, 0.515625, 3, {20, 12288, 4096}).bound == KernelBound::Tensor);
    CHECK(unpackingGemmTime(on.figures, c, 0.515625, 3, {1, 12288, 4096}).bound == KernelBound::Memory);
    // Hopper's kernel of SGLang pads columns to 128.
    const auto& padded = kernels().moe.require({"hopper", "sglang marlin int4"}).constants;
    const auto& h100 = gpu("h100_sxm").figures;
    CHECK(unpackingGemmTime(h100, padded, 1, 3, {64, 1025, 4096}).us -
              2 * 64 * 1025 / h100.memoryBytesPerUs() ==
          doctest::Approx(unpackingGemmTime(h100, padded, 1, 3, {64, 1152, 4096}).us -
                          2 * 64 * 1152 / h100.memoryBytesPerUs()));
}

TEST_CASE("latent attention takes what the specification's prototype gives") {
    CHECK(off(mlaDecodeUs("h100_sxm", "bf16", {64, 4096, 128, 2, {}}), 146.228305) < kTolerance);
    CHECK(off(mlaDecodeUs("b200_sxm", "fp8", {256, 8192, 16, 1, {}}), 217.786068) < kTolerance);
    const auto& serial = kernels().mlaSerialDecode.require({"ampere", "trtllm", "bf16"}).constants;
    CHECK(off(mlaSerialDecodeTime(gpu("a100_sxm").figures, serial, {32, 2048, 16, 2, {}}).us, 277.140622) <
          kTolerance);
    const auto& prefill = kernels().mlaPrefill.require({"hopper", "trtllm", "bf16"}).constants;
    CHECK(off(mlaPrefillTime(gpu("h100_sxm").figures, prefill, {1, 4096, 0, 16, 2, {}}).us, 197.343305) <
          kTolerance);
    const auto& product = kernels().mlaAbsorption.require({"hopper", "trtllm", "bf16", "pre"}).constants;
    CHECK(off(mlaAbsorptionTime(gpu("h100_sxm").figures, product, {64, 128}).us, 10.5092659) < kTolerance);
}

TEST_CASE("dispatch and combine take what the specification's prototype gives") {
    const auto& on = gpu("h100_sxm").figures;
    DeepEpShape shape{128, 7168, 8, 256, 4, 8, true, 24};
    CHECK(off(deepEpLowLatencyTime(on, kernels().deepEpLowLatency.require({"hopper", "dispatch"}).constants,
                                   shape)
                  .us,
              143.915026) < kTolerance);
    shape = {4096, 7168, 8, 256, 2, 8, false, 24};
    CHECK(off(deepEpNormalTime(on, kernels().deepEpNormal.require({"hopper", "combine"}).constants, shape).us,
              2141.6526) < kTolerance);
    CHECK(deepEpSizeExchangeUs(1) == 0.0);
    CHECK(deepEpSizeExchangeUs(4) == 60.0);
}

TEST_CASE("an all-to-all in an NVLink domain adds up from its parts") {
    // No golden value: worked out by hand from section 9.3 with constants of one's own.
    GpuFigures on = gpu("gb200").figures;
    const NvlinkAllToAllConstants c{10.0, 0.5, 2.0, 100.0, 1.0};
    NvlinkAllToAllShape shape;
    shape.tokens = 100, shape.hidden = 9000, shape.chosen = 1, shape.ranks = 4, shape.elementBytes = 2;
    // one copy a token: 100 x 9000 x 2 B / (0.5 x 900,000 B/us) = 4 us; 100 x 100 ns = 10 us; 2 doublings 4
    // us
    on.linkGbs = 900;
    CHECK(nvlinkAllToAllTime(on, c, shape).us == doctest::Approx(10 + 4 + 4 + 10));
    CHECK(distinctPlaces(2, 4) == doctest::Approx(1.75)); // the second copy falls on the first's place 1 in 4
}

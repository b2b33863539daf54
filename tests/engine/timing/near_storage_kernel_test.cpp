// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/timing/memory_plan.h"

#include "tests/engine/offload_fixtures.h"

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

TEST_CASE("a CSD's attention: path and kernel one after the other, by hand") {
    Device csd;
    csd.p2pBandwidth.value = 2e9;
    csd.p2pHalfChunk.value = 100e3;
    csd.kernelBandwidth.value = 3e9;
    const NearStorageKernel kernel{csd, 250};
    // 400 tokens are a chunk of 100 kB: the path gives 1 GB/s, 1 / (1 + 1/3) = 0.75.
    CHECK(off(kernel.bytesPerSecond(400), 0.75e9) < 1e-12);
    CHECK(kernel.pathLimits(400));
    // 3600 tokens, 900 kB: 1.8 GB/s, 1 / (1/1.8 + 1/3) = 1.125.
    CHECK(off(kernel.bytesPerSecond(3600), 1.125e9) < 1e-12);
    // Endless chunks: 1 / (1/2 + 1/3) = 1.2.
    CHECK(off(kernel.bytesPerSecond(1e15), 1.2e9) < 1e-9);
    // 8 kB of KV a token: its time is that of its bytes at that rate.
    for (const double tokens : {1.0, 400.0, 3600.0, 131072.0})
        CHECK(off(kernel.seconds(8000).at(tokens), 8000 * tokens / kernel.bytesPerSecond(tokens)) < 1e-12);
    csd.kernelBandwidth.value = 1e9;
    CHECK_FALSE(kernel.pathLimits(3600)); // 1.8 GB/s of path before 1 GB/s of kernel
}

TEST_CASE("the SmartSSD at INF2's 16K: 2.293 GB/s of path, 1.008 GB/s with the kernel") {
    const auto& csd = catalog().device("smartssd", "test");
    const NearStorageKernel kernel{csd, 256};
    const double chunk = 16384 * 256.0;
    const double path = 2.36e9 * chunk / (chunk + 122e3);
    CHECK(off(path, 2293294781.83) < 1e-9);
    CHECK(off(kernel.bytesPerSecond(16384), 1 / (1 / path + 1 / 1.8e9)) < 1e-12);
    CHECK(off(kernel.bytesPerSecond(16384), 1008461600.57) < 1e-9);
    CHECK_FALSE(kernel.pathLimits(16384));
    CHECK(kernel.pathLimits(1024)); // 262 kB: 1.61 GB/s of path before 1.8 GB/s of kernel
    double last = 0.0;
    for (double tokens = 1; tokens < 1e6; tokens *= 1.5) {
        CHECK(kernel.bytesPerSecond(tokens) > last); // longer contexts, larger chunks
        last = kernel.bytesPerSecond(tokens);
    }
    CHECK(last < 1 / (1 / 2.36e9 + 1 / 1.8e9));
}

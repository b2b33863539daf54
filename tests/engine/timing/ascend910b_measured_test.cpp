// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/timing/built_in.h"

#include "engine/techniques/l2_prefetch.h"
#include "tests/engine/fixtures.h"
#include "tests/engine/graph_fixtures.h"

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

struct Setup {
    Setup(const std::string& model, double devices, double batch = 4)
        : device(catalog().device("ascend-910b", "")), runtime(catalog().runtime("torchair", "").on(device)),
          machine(device, runtime), graph(fusedGraph(model, Phase::Decode, devices, batch, 1, 16384)) {}
    void prefetch(bool weights = true, bool kv = true) {
        insertPrefetches(graph, {192e6, 1, 1, weights, kv});
    }
    Ascend910bMeasured layer() const { return {graph, machine}; }

    Device device;
    Runtime runtime;
    Machine machine;
    OperatorGraph graph;
};

/// Weight bytes of a layer of Llama3-70B on 4 devices: q and o 8192 x 2048, k and v 8192 x 256, three
/// matrices 8192 x 7168.
constexpr double kLayer70 = 2.0 * 8192 * 2048 + 2.0 * 8192 * 256 + 3.0 * 8192 * 7168;

} // namespace

TEST_CASE("a missed layer: F0 + M0 + w W + V, rows of a strided KV cache") {
    const auto layer = Setup("llama3-70b", 4).layer();
    CHECK(layer.layerFixed() == doctest::Approx(263.8e-6).epsilon(1e-14));
    CHECK(layer.layerWeights() == doctest::Approx((26.6 + 1.941 * kLayer70 / 1e6) * 1e-6).epsilon(1e-13));
    CHECK(layer.layerKv().constant == 0);
    CHECK(layer.layerKv().perKey == doctest::Approx(2 * 12.59e-9).epsilon(1e-14));
    // The whole by hand: 263.8 + 26.6 + 415.198 + 2 x 13653 x 0.01259 us.
    CHECK(layer.layerSeconds().at(13653) == doctest::Approx(1049.3809e-6).epsilon(1e-6));
    CHECK(layer.layerConstant() == layer.layerSeconds().constant);
}

TEST_CASE("a hit takes M0 off by the share of weights that was prefetched, and the rows' time down") {
    Setup setup("llama3-70b", 4);
    setup.prefetch();
    // q, k, v, KV cache (33.6 MB) and o; gate, up and down are 58.7 MB each, and all below 192 MB.
    const auto all = setup.layer();
    CHECK(all.layerWeights() == doctest::Approx(1.941 * kLayer70 / 1e6 * 1e-6).epsilon(1e-12));
    CHECK(all.layerKv().perKey == doctest::Approx(2 * 4.26e-9).epsilon(1e-14));

    Setup two("llama3-70b", 2); // gate and up 117 MB each: only gate is below 192 MB
    two.prefetch();
    const double layer = 2 * kLayer70;
    const double hit = 2.0 * 8192 * 4096 + 2.0 * 8192 * 512 + 8192.0 * 14336;
    CHECK(two.layer().layerWeights() ==
          doctest::Approx((26.6 * (1 - hit / layer) + 1.941 * layer / 1e6) * 1e-6).epsilon(1e-12));

    Setup weights("llama3-70b", 4);
    weights.prefetch(true, false);
    CHECK(weights.layer().layerKv().perKey == doctest::Approx(2 * 12.59e-9).epsilon(1e-14));
    Setup kv("llama3-70b", 4);
    kv.prefetch(false, true);
    CHECK(kv.layer().layerKv().perKey == doctest::Approx(2 * 4.26e-9).epsilon(1e-14));
    CHECK(kv.layer().layerWeights() == Setup("llama3-70b", 4).layer().layerWeights());
}

TEST_CASE("one KV head a device is contiguous: bytes at peak bandwidth, nothing when hit") {
    Setup setup("llama3-70b", 8);
    CHECK(setup.layer().layerKv().perKey == doctest::Approx(2.0 * 4 * 128 / 1.6e12).epsilon(1e-14));
    CHECK(setup.layer().layerKv().constant == 0);
    setup.prefetch();
    CHECK(setup.layer().layerKv().perKey == 0);
}

TEST_CASE("strided rows are never faster than the peak: memory when missed, L2 when hit") {
    // 2 KV heads, 2 x batch x 256 B a key. Missed: 25.18 ns against bytes / 1.6 TB/s, the same at batch 78.7.
    CHECK(Setup("llama3-70b", 4, 78).layer().layerKv().perKey == doctest::Approx(25.18e-9).epsilon(1e-12));
    CHECK(Setup("llama3-70b", 4, 79).layer().layerKv().perKey ==
          doctest::Approx(2.0 * 79 * 256 / 1.6e12).epsilon(1e-12));
    // Hit: 8.52 ns against bytes / 12 TB/s, the same at batch 199.7. Room for all that: an endless budget.
    for (const double batch : {199.0, 200.0}) {
        Setup setup("llama3-70b", 4, batch);
        insertPrefetches(setup.graph, {1e15, 1, 1, true, true});
        CHECK(setup.layer().layerKv().perKey ==
              doctest::Approx(batch < 200 ? 8.52e-9 : 2.0 * 200 * 256 / 12e12).epsilon(1e-12));
    }
}

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/timing/l2_panel.h"

#include "tests/engine/fixtures.h"
#include "tests/engine/graph_fixtures.h"

#include <algorithm>
#include <cmath>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

/// A device of round numbers: 1e6 op/s, memory 1000 B/s, L2 10000 B/s; int8.
struct PanelSetup {
    explicit PanelSetup(double l2Capacity) : runtime(catalog().runtime("fused-int8", "").base) {
        device.peakInt8.value = 1e6;
        device.memoryBandwidth.value = 1000;
        device.l2Bandwidth.value = 10000;
        device.l2Capacity.value = l2Capacity;
    }
    Machine machine() const { return {device, runtime}; }
    L2Panel::Cost cost(const Operator& op) const {
        const auto made = machine();
        return L2Panel(made, Phase::Decode).cost(op);
    }
    Device device;
    Runtime runtime;
};

Operator product(double rows, double inner, double columns, double experts = 1.0) {
    Operator op;
    op.kind = OperatorKind::Linear;
    op.gemm = {rows, inner, columns, experts};
    op.flops.constant = 2 * rows * inner * columns;
    op.weights = experts * inner * columns;
    op.activations.constant = rows * (inner + columns);
    return op;
}

} // namespace

TEST_CASE("panels: half of L2 holds floor(C / 2 / K) rows, never fewer than 16") {
    const PanelSetup setup(10000); // K = 50: panels of 100
    // 100 x 50 x 400: one panel of rows. 45000 B of activations are too many for L2, 20000 B of weights.
    CHECK(setup.cost(product(100, 50, 400)).memory.constant ==
          doctest::Approx((45000 + 20000) / 1e3).epsilon(1e-14));
    // 101 rows: two panels. Weights again: 20000. Inputs again: 101 x 50 x (ceil(400 / 100) - 1) = 15150.
    CHECK(setup.cost(product(101, 50, 400)).memory.constant ==
          doctest::Approx((45450 + 20000 + 15150) / 1e3).epsilon(1e-14));
    // 101 x 50 x 1000: weights again 50000, inputs again 45450: the smaller.
    CHECK(setup.cost(product(101, 50, 1000)).memory.constant ==
          doctest::Approx((106050 + 50000 + 45450) / 1e3).epsilon(1e-14));
    // 250 x 50 x 1100: inputs 12500 x 10, weights 55000 x 2.
    CHECK(setup.cost(product(250, 50, 1100)).memory.constant ==
          doctest::Approx((287500 + 55000 + 110000) / 1e3).epsilon(1e-14));
    // K = 1000: half of L2 holds 5 rows, but 16 are taken.
    CHECK(setup.cost(product(16, 1000, 100)).memory.constant ==
          doctest::Approx((17600 + 100000) / 1e3).epsilon(1e-14));
    CHECK(setup.cost(product(17, 1000, 10)).memory.constant ==
          doctest::Approx((17170 + 10000) / 1e3).epsilon(1e-14)); // inputs once: 0 more
    CHECK(setup.cost(product(17, 1000, 17)).memory.constant ==
          doctest::Approx((17289 + 17000 + 17000) / 1e3).epsilon(1e-14));
    // A floor, not a ratio: K = 51 gives panels of 98.
    CHECK(setup.cost(product(99, 51, 99)).memory.constant ==
          doctest::Approx((14850 + 5049 + 5049) / 1e3).epsilon(1e-14));
}

TEST_CASE("a mixture is tiled by the rows of one expert") {
    const PanelSetup setup(10000);
    CHECK(setup.cost(product(400, 50, 400, 4)).memory.constant ==
          doctest::Approx((180000 + 80000) / 1e3).epsilon(1e-14)); // 100 rows each
    // 101 rows each: weights of all experts again, 80000; inputs of all again, 404 x 50 x 3 = 60600.
    CHECK(setup.cost(product(404, 50, 400, 4)).memory.constant ==
          doctest::Approx((181800 + 80000 + 60600) / 1e3).epsilon(1e-14));
}

TEST_CASE("activations go over the L2 bus up to its capacity and to memory above") {
    const PanelSetup at(45000);
    CHECK(at.cost(product(100, 50, 400)).memory.constant == 20000 / 1e3);
    CHECK(at.cost(product(100, 50, 400)).l2.constant == 45000 / 1e4);
    const PanelSetup below(44999);
    CHECK(below.cost(product(100, 50, 400)).memory.constant == 65000 / 1e3);
    CHECK(below.cost(product(100, 50, 400)).l2.constant == 0);
}

TEST_CASE("a hit moves the reads from memory to the L2 bus, and nothing else") {
    const PanelSetup setup(10000);
    auto op = product(101, 50, 400);
    const auto missed = setup.cost(op);
    op.prefetched = true;
    const auto hit = setup.cost(op);
    CHECK(hit.memory.constant == doctest::Approx((45450 + 15150) / 1e3).epsilon(1e-14));
    CHECK(hit.l2.constant == 20000 / 1e4);
    CHECK(hit.compute.constant == missed.compute.constant);
    CHECK(missed.compute.constant == 4040000 / 1e6);

    Operator attention;
    attention.kind = OperatorKind::Attention;
    attention.flops.perKey = 40;
    attention.kv.perKey = 30;
    attention.activations.constant = 500;
    const auto read = setup.cost(attention);
    CHECK(read.memory.at(100) == 3000 / 1e3);
    CHECK(read.l2.at(100) == 500 / 1e4);
    CHECK(read.seconds(100).value == 3.0);
    CHECK(read.seconds(100).perKey == 0.03);
    attention.prefetched = true;
    const auto ahead = setup.cost(attention);
    CHECK(ahead.memory.at(100) == 0);
    CHECK(ahead.l2.at(100) == 3500 / 1e4);
    CHECK(ahead.seconds(100).perKey == 0.003);
}

TEST_CASE("the bound is the roof that the time stands under") {
    PanelSetup setup(1e6);
    auto op = product(100, 50, 400); // 4 s of compute, 20 s of memory, 4.5 s of L2
    CHECK(setup.cost(op).bound(1) == Bound::Memory);
    CHECK(setup.cost(op).seconds(1).value == 20);
    op.prefetched = true; // 4 s, 0 s, 6.5 s
    CHECK(setup.cost(op).bound(1) == Bound::L2);
    CHECK(setup.cost(op).seconds(1).value == 6.5);
    setup.device.peakInt8.value = 1e5; // 40 s
    CHECK(setup.cost(op).bound(1) == Bound::Compute);
    CHECK(setup.cost(op).seconds(1).value == 40);
    CHECK(setup.cost(Operator{}).bound(1) == Bound::None);
    quantityOf(setup.runtime, "timing.decode.compute_efficiency").value = 0.5;
    CHECK(setup.cost(op).seconds(1).value == 80);
}

TEST_CASE("what memory moves and reads does not depend on when") {
    const PanelSetup setup(10000);
    const auto machine = setup.machine();
    const L2Panel panel(machine, Phase::Decode);
    auto op = product(101, 50, 400);
    for (const bool prefetched : {false, true}) {
        op.prefetched = prefetched;
        CHECK(panel.memoryBytes(op).constant == 80600);
        CHECK(panel.readBytes(op).constant == 20000);
        CHECK(panel.readSeconds(op).constant == 20);
    }
}

// Points of an independent prototype: Mixtral-8x22B on 128 devices, batch 61, 5461 + 2731 tokens; 1273 TOP/s,
// memory 1612 GB/s, L2 192 MB at 36.99 TB/s. Seconds of one operator missed and hit.
TEST_CASE("decode operators of Mixtral-8x22B as an independent prototype has them") {
    Device device;
    device.peakInt8.value = 1273e12;
    device.memoryBandwidth.value = 1612e9;
    device.l2Bandwidth.value = 36.99e12;
    device.l2Capacity.value = 192e6;
    const Machine machine(device, catalog().runtime("fused-int8", "").base);
    const L2Panel panel(machine, Phase::Decode);
    const auto graph = fusedGraph("mixtral-8x22b", Phase::Decode, 128, 61, 1, 8192);
    const auto seconds = [&](const char* key, bool hit) {
        auto op = operatorOf(graph, key);
        op.prefetched = hit;
        return panel.cost(op).seconds(5461 + 0.5 * 2731).value;
    };
    CHECK(off(seconds("input_norm", false), 4.052814274128143e-08) < 1e-12);
    CHECK(off(seconds("q_proj", false), 4.878610421836228e-07) < 1e-12);
    CHECK(off(seconds("q_proj", true), 7.53689740769835e-08) < 1e-12);
    CHECK(off(seconds("attention", false), 6.61306600496278e-05) < 1e-12);
    CHECK(off(seconds("attention", true), 2.882775236550419e-06) < 1e-12);
    CHECK(off(seconds("gate_proj", false), 3.9028883374689825e-06) < 1e-12);
    CHECK(off(seconds("gate_proj", true), 1.9077155988104894e-07) < 1e-12);
}

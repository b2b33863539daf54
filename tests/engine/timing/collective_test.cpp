// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/timing/collective.h"

#include "engine/schedule/compiled_pool.h"
#include "tests/engine/fixtures.h"

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

/// Of `kind` over the whole pool, or over `ranks` of it.
Operator collective(OperatorKind kind = OperatorKind::AllReduce, double ranks = 0.0) {
    Operator op;
    op.kind = kind;
    op.ranks = ranks;
    return op;
}

double factor(const Collective& network) {
    return network.trafficFactor(collective());
}
double seconds(const Collective& network, double bytes) {
    return network.seconds(collective(), bytes);
}

} // namespace

TEST_CASE("an allreduce by hand: 32768 B over 56 GB/s and 25 us") {
    Collective network{8, 56e9, 25e-6, AllReduceConvention::Literal};
    CHECK(factor(network) == 1.0);
    CHECK(seconds(network, 32768) == doctest::Approx(25.585142857142857e-6).epsilon(1e-14));
    network.convention = AllReduceConvention::Ring;
    CHECK(factor(network) == 1.75);
    CHECK(seconds(network, 32768) == doctest::Approx(26.024e-6).epsilon(1e-14));
    network.devices = 2; // a ring of two sends everything once
    CHECK(factor(network) == 1.0);
    network.devices = 128;
    CHECK(factor(network) == 1.984375);
}

TEST_CASE("one device sums up in no time and sends nothing, whatever the network") {
    for (const auto convention : {AllReduceConvention::Literal, AllReduceConvention::Ring}) {
        const Collective alone{1, 0.0, 25e-6, convention};
        CHECK(factor(alone) == 0.0);
        CHECK(seconds(alone, 1e9) == 0.0);
    }
    CHECK(seconds(Collective{}, 1e9) == 0.0);
}

TEST_CASE("PRESERVE's allreduces: 16 rows over 200 Gbit/s") {
    const Collective network{32, 25e9, 25e-6, AllReduceConvention::Literal};
    CHECK(seconds(network, 16 * 4096) == doctest::Approx(27.62144e-6).epsilon(1e-14));
    CHECK(seconds(network, 16 * 16384) == doctest::Approx(35.48576e-6).epsilon(1e-14));
}

TEST_CASE("a pool sums up over its fastest link to a switch or host, alone over none") {
    auto scenario = preset("preserve/llama3-70b-8npu");
    auto slow = scenario.links[0];
    slow.id.value = "slow";
    slow.type = catalog().linkType("network-200g", "test");
    scenario.links.insert(scenario.links.begin(), slow);
    auto machine = machineOf(scenario, *scenario.findNode({"npu"}));
    CHECK(machine.collective.devices == 8);
    CHECK(machine.collective.bandwidth == 56e9);
    CHECK(machine.collective.latency == doctest::Approx(25e-6).epsilon(1e-14));
    CHECK(machine.collective.convention == AllReduceConvention::Literal);
    const auto ring = with(scenario, "nodes.npu.runtime.allreduce", "ring");
    CHECK(factor(machineOf(ring, *ring.findNode({"npu"})).collective) == 1.75);
    const auto pairs = with(scenario, "nodes.npu.replicas", "4");
    CHECK(machineOf(pairs, *pairs.findNode({"npu"})).collective.devices == 2);
    const auto alone = with(scenario, "nodes.npu.replicas", "none");
    CHECK(machineOf(alone, *alone.findNode({"npu"})).collective.devices == 1);
}

TEST_CASE(
    "other collectives: all-gather and reduce-scatter send half of an allreduce, all-to-all what it says") {
    const Collective ring{8, 100e9, 1e-6, AllReduceConvention::Ring};
    CHECK(ring.trafficFactor(collective(OperatorKind::AllGather)) == 0.875);
    CHECK(ring.trafficFactor(collective(OperatorKind::ReduceScatter, 4)) == 0.75);
    CHECK(ring.trafficFactor(collective(OperatorKind::AllToAll)) == 1.0);
    CHECK(ring.trafficFactor(collective(OperatorKind::Send, 2)) == 1.0);
    CHECK(ring.seconds(collective(OperatorKind::AllToAll), 1e6) == doctest::Approx(11e-6).epsilon(1e-14));
    CHECK(ring.seconds(collective(OperatorKind::AllGather, 1), 1e6) == 0.0);
    CHECK(ring.seconds(collective(OperatorKind::Linear), 1e6) == 0.0);
}

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/timing/collective.h"

#include "engine/schedule/compiled_pool.h"
#include "tests/engine/fixtures.h"

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

TEST_CASE("an allreduce by hand: 32768 B over 56 GB/s and 25 us") {
    Collective network{8, 56e9, 25e-6, AllReduceConvention::Literal};
    CHECK(network.trafficFactor() == 1.0);
    CHECK(network.allReduceSeconds(32768) == doctest::Approx(25.585142857142857e-6).epsilon(1e-14));
    network.convention = AllReduceConvention::Ring;
    CHECK(network.trafficFactor() == 1.75);
    CHECK(network.allReduceSeconds(32768) == doctest::Approx(26.024e-6).epsilon(1e-14));
    network.devices = 2; // a ring of two sends everything once
    CHECK(network.trafficFactor() == 1.0);
    network.devices = 128;
    CHECK(network.trafficFactor() == 1.984375);
}

TEST_CASE("one device sums up in no time and sends nothing, whatever the network") {
    for (const auto convention : {AllReduceConvention::Literal, AllReduceConvention::Ring}) {
        const Collective alone{1, 0.0, 25e-6, convention};
        CHECK(alone.trafficFactor() == 0.0);
        CHECK(alone.allReduceSeconds(1e9) == 0.0);
    }
    CHECK(Collective{}.allReduceSeconds(1e9) == 0.0);
}

TEST_CASE("PRESERVE's allreduces: 16 rows over 200 Gbit/s") {
    const Collective network{32, 25e9, 25e-6, AllReduceConvention::Literal};
    CHECK(network.allReduceSeconds(16 * 4096) == doctest::Approx(27.62144e-6).epsilon(1e-14));
    CHECK(network.allReduceSeconds(16 * 16384) == doctest::Approx(35.48576e-6).epsilon(1e-14));
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
    CHECK(machineOf(ring, *ring.findNode({"npu"})).collective.trafficFactor() == 1.75);
    const auto pairs = with(scenario, "nodes.npu.replicas", "4");
    CHECK(machineOf(pairs, *pairs.findNode({"npu"})).collective.devices == 2);
    const auto alone = with(scenario, "nodes.npu.replicas", "none");
    CHECK(machineOf(alone, *alone.findNode({"npu"})).collective.devices == 1);
}

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/timing/collective.h"

#include "engine/evaluation/evaluate.h"
#include "engine/scenario/diagnostics.h"
#include "engine/scenario/tiers.h"
#include "engine/schedule/compiled_pool.h"
#include "tests/engine/fixtures.h"

#include <algorithm>
#include <cmath>
#include <random>

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

namespace {

/// Four domains of eight: 450 GB/s inside, 50 GB/s between.
Collective fourServers(AllReduceConvention convention = AllReduceConvention::Ring) {
    Collective network{32, 450e9, 10e-6, convention};
    network.network = {8, 50e9, 20e-6, nullptr};
    network.stage = 32;
    return network;
}

/// Thirty-two GPUs on the eight-way links of their servers, and on a network switch as well if wanted.
Scenario thirtyTwo(bool network, const std::string& runtime = "ideal") {
    auto scenario = presetWith("preserve/llama3-70b-8h100", {{"nodes.gpu.runtime", runtime},
                                                             {"techniques.l2_prefetch.enabled", "false"},
                                                             {"model", "deepseek-v3"},
                                                             {"nodes.gpu.count", "32"},
                                                             {"nodes.gpu.replicas", "1"},
                                                             {"nodes.gpu.dp", "32"}});
    scenario.links.front().type = catalog().linkType("nvlink4", "test");
    if (network) {
        Node fabric;
        fabric.id.value = "network";
        fabric.device = catalog().device("quantum-2", "test");
        fabric.role = Role::Fabric;
        scenario.nodes.push_back(fabric);
        scenario.links.push_back(
            {{"gpu-network"}, {"gpu"}, {"network"}, catalog().linkType("infiniband-ndr", "test")});
    }
    return scenario;
}

bool finds(const Scenario& scenario, const std::string& code) {
    for (const auto& finding : validate(scenario))
        if (finding.code == code)
            return true;
    return false;
}

} // namespace

TEST_CASE("collectives over several domains, by hand") {
    const auto network = fourServers();
    const double bytes = 8e6;
    // Inside 2 x 7/8 of it, between the servers 2 x 3/4 of an eighth.
    const auto reduce = network.sent(collective(), bytes);
    CHECK(reduce.near == doctest::Approx(14e6).epsilon(1e-14));
    CHECK(reduce.far == doctest::Approx(1.5e6).epsilon(1e-14));
    CHECK(network.seconds(collective(), bytes) ==
          doctest::Approx(30e-6 + 14e6 / 450e9 + 1.5e6 / 50e9).epsilon(1e-14));
    const auto gather = network.sent(collective(OperatorKind::AllGather), bytes);
    CHECK(gather.near == doctest::Approx(7e6).epsilon(1e-14));
    CHECK(gather.far == doctest::Approx(0.75e6).epsilon(1e-14));
    // Of 31 others 24 are elsewhere; both links send at the same time.
    const auto all = collective(OperatorKind::AllToAll);
    CHECK(network.sent(all, bytes).far == doctest::Approx(bytes * 24.0 / 31.0).epsilon(1e-14));
    CHECK(network.transferSeconds(all, bytes) == doctest::Approx(bytes * 24.0 / 31.0 / 50e9).epsilon(1e-14));
    // Eight ranks or fewer stay inside.
    CHECK(network.sent(collective(OperatorKind::AllReduce, 8.0), bytes).far == 0.0);
    CHECK(network.seconds(collective(OperatorKind::AllReduce, 8.0), bytes) ==
          Collective{8, 450e9, 10e-6, AllReduceConvention::Ring}.seconds(collective(), bytes));
    // Stages of eight send to another server, of four every second time.
    auto stages = network;
    stages.stage = 8;
    CHECK(stages.sent(collective(OperatorKind::Send, 2.0), bytes).far == bytes);
    stages.stage = 4;
    CHECK(stages.sent(collective(OperatorKind::Send, 2.0), bytes).far == 0.5 * bytes);
}

TEST_CASE("what is explained of a collective over domains is what it takes") {
    for (const auto convention : {AllReduceConvention::Literal, AllReduceConvention::Ring})
        for (const auto kind : {OperatorKind::AllReduce, OperatorKind::AllGather, OperatorKind::ReduceScatter,
                                OperatorKind::AllToAll, OperatorKind::Send}) {
            const auto network = fourServers(convention);
            const auto op = collective(kind, kind == OperatorKind::Send ? 2.0 : 0.0);
            const auto payload = Term::counted("Payload", 8e6, measures::megabytes, "test");
            CHECK(network.explain(op, payload).value() ==
                  doctest::Approx(network.seconds(op, 8e6)).epsilon(1e-12));
            CHECK(network.explainTransfer(op, payload).value() ==
                  doctest::Approx(network.transferSeconds(op, 8e6)).epsilon(1e-12));
        }
}

TEST_CASE("more devices than a link joins take the network, or are warned of") {
    CHECK(finds(thirtyTwo(false), "beyond_domain"));
    const auto servers = thirtyTwo(true);
    CHECK_FALSE(finds(servers, "beyond_domain"));
    CHECK_FALSE(hasErrors(validate(servers)));
    REQUIRE(networkLink(servers, servers.nodes.front()) == &servers.links.back());
    const auto flat = evaluate(thirtyTwo(false));
    const auto real = evaluate(servers);
    REQUIRE(real.feasible);
    CHECK(real.metric(Metric::Throughput) < flat.metric(Metric::Throughput));
    // Most of what experts are sent goes between servers, and loads that link.
    CHECK(real.links.back().bytesPerSecond > 0.0);
    CHECK(real.nodes.front().decode.collectiveBytes.far > real.nodes.front().decode.collectiveBytes.near);
    CHECK(flat.nodes.front().decode.collectiveBytes.far == 0.0);
    // Two copies of sixteen, or one of eight stages.
    auto eight = servers;
    eight.nodes.front().replicas.value = 4;
    eight.nodes.front().dp.value = 8;
    CHECK(machineOf(eight, eight.nodes.front()).collective.sent(collective(), 1.0).far == 0.0);
}

TEST_CASE("a token of a prompt goes once to a node, whatever experts it has there") {
    // moe_parallel, section 5: of 8 experts on 32 ranks of 4 nodes 6.95 copies, 2.70 of them between nodes.
    const double copies = 32.0 * (1.0 - std::pow(31.0 / 32.0, 8)) * 31.0 / 32.0;
    const double between = 4.0 * (1.0 - std::pow(0.75, 8)) * 0.75;
    CHECK(between == doctest::Approx(2.70).epsilon(1e-3));
    auto once = collective(OperatorKind::AllToAll);
    once.chosen = 8;
    const auto network = fourServers();
    CHECK(off(network.sent(once, copies).far, between) < 1e-12);
    CHECK(off(network.sent(once, copies).near, copies - between) < 1e-12);
    CHECK(off(network.transferSeconds(once, copies * 1e6), between * 1e6 / 50e9) < 1e-12);

    const auto scenario = presetWith("served/deepseek-v3-32h100-dp32-ep32", {{"nodes.gpu.runtime", "ideal"}});
    const auto& node = scenario.nodes.front();
    const auto machine = machineOf(scenario, node);
    for (const auto phase : {Phase::Prefill, Phase::Decode}) {
        const CompiledPhase compiled(scenario, node, phase, machine, nullptr);
        const double rows = compiled.graph().shape().rows() * scenario.model.hidden.value;
        for (const auto& op : compiled.graph().operators())
            if (op.key == "combine") // low-latency kernels, of a decode, send to every expert: 8 x 24/32
                CHECK(off(machine.collective.sent(op, op.payload / rows).far,
                          phase == Phase::Prefill ? between : 6.0) < 1e-12);
    }
}

TEST_CASE("a network faster than the link inside does not take its place; what is not used is said") {
    const auto never = [](const Scenario& scenario, const std::string& path,
                          std::initializer_list<const char*> better) {
        double before = 0.0;
        for (const auto* value : better) {
            CAPTURE(path);
            CAPTURE(value);
            const double now = evaluate(with(scenario, path, value)).metric(Metric::Throughput);
            CHECK(now >= before);
            before = now;
        }
        return before;
    };
    const auto shipped = preset("served/deepseek-v3-32h100-dp32-ep32");
    const auto* network = "links.gpu-quantum.bandwidth_gbps";
    CHECK(never(shipped, network, {"50", "449", "450", "451", "5000"}) >
          1.05 * evaluate(shipped).metric(Metric::Throughput));
    for (const auto* runtime : {"ideal", "sglang"}) {
        auto own = thirtyTwo(true, runtime);
        own.nodes.front().device = catalog().device("h100-sxm", "test"); // with kernels
        CHECK_FALSE(finds(own, "network_ignored"));
        own.links.front().type.domain = {};
        CHECK(finds(own, "network_ignored") == (std::string(runtime) == "ideal"));
        never(own, "links.gpu-network.bandwidth_gbps", {"50", "449", "450", "451", "5000"});
        never(own, "links.gpu-network.latency_us", {"25", "11", "10", "9", "0"});
    }
}

TEST_CASE("a better link is never slower: shipped designs, random rates and latencies") {
    std::mt19937 random(9);
    const auto factor = [&](double most) {
        return std::exp(std::uniform_real_distribution<double>(0.0, std::log(most))(random));
    };
    const auto& systems = catalog().systems;
    for (std::size_t round = 0; round < rounds(std::size_t{6000}); ++round) {
        auto scenario = preset(systems[round % systems.size()]);
        if (scenario.links.empty())
            continue;
        for (auto& link : scenario.links) {
            link.type.bandwidth.value *= factor(400.0) / 20.0;
            link.type.latency.value *= factor(400.0) / 20.0;
            if (random() % 4 == 0)
                link.type.domain = {};
        }
        auto better = scenario;
        auto& link = better.links[random() % better.links.size()];
        if (random() % 2 == 0)
            link.type.bandwidth.value *= factor(40.0);
        else
            link.type.latency.value /= factor(40.0);
        CAPTURE(systems[round % systems.size()]);
        CAPTURE(link.id.value);
        const auto before = evaluate(scenario), after = evaluate(better);
        REQUIRE(before.feasible == after.feasible);
        if (!before.feasible)
            continue;
        constexpr double kRounding = 1e-9;
        CHECK(after.metric(Metric::Throughput) >= before.metric(Metric::Throughput) * (1.0 - kRounding));
        // Where an offloading runtime keeps what is chosen for decode, at the cost of the prompt if need be.
        const bool chooses = std::any_of(scenario.nodes.begin(), scenario.nodes.end(),
                                         [](const Node& n) { return offloads(n); });
        for (const auto metric : {Metric::TimeToFirstToken, Metric::TimePerToken, Metric::Latency})
            if (!chooses || metric == Metric::TimePerToken)
                CHECK(after.metric(metric) <= before.metric(metric) * (1.0 + kRounding));
    }
}

TEST_CASE("measured kernels are not taken beyond the domain they were measured in") {
    auto scenario = thirtyTwo(true, "trtllm");
    scenario.model = catalog().model("llama3-1-70b", "test");
    scenario.nodes.front().dp = {};
    CHECK_FALSE(finds(scenario, "kernels_beyond_domain")); // over the network
    scenario.links.pop_back();
    CHECK(finds(scenario, "kernels_beyond_domain"));
    scenario.nodes.front().replicas.value = 4;
    CHECK_FALSE(finds(scenario, "kernels_beyond_domain"));
}

TEST_CASE("collectives: a tree sends up and down, a flat ring is as fast as its slowest link") {
    constexpr double kBytes = 64e6;
    Collective network{32, 450e9, 10e-6, AllReduceConvention::Tree};
    CHECK(off(network.seconds(collective(), kBytes), 10e-6 + 2.0 * kBytes / 450e9) < 1e-12);
    network.convention = AllReduceConvention::FlatRing;
    const auto ring = Collective{32, 450e9, 10e-6, AllReduceConvention::Ring};
    CHECK(network.seconds(collective(), kBytes) == ring.seconds(collective(), kBytes)); // one domain
    auto across = fourServers(AllReduceConvention::FlatRing);
    const double r = 2.0 * 31.0 / 32.0;
    CHECK(off(across.transferSeconds(collective(OperatorKind::AllReduce, 32), kBytes),
              r * kBytes / across.network.bandwidth) < 1e-12);
    // Summed up inside the servers first it takes less, whatever the bytes.
    CHECK(fourServers().transferSeconds(collective(OperatorKind::AllReduce, 32), kBytes) <
          across.transferSeconds(collective(OperatorKind::AllReduce, 32), kBytes));
    const auto sent = across.sent(collective(OperatorKind::AllReduce, 32), kBytes);
    CHECK(off(sent.near + sent.far, r * kBytes) < 1e-12);
}

// SPDX-License-Identifier: GPL-3.0-or-later
// Bytes between device, host and storage: counted by hand, and balanced over the links.
#include "engine/evaluation/evaluate.h"
#include "engine/techniques/near_storage.h"
#include "tests/engine/offload_fixtures.h"

#include <cmath>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

/// B/s over a drawn link, all its parallel links.
double over(const Scenario& scenario, const Evaluation& e, const std::string& id) {
    const auto& link = *scenario.findLink({id});
    return e.links[static_cast<std::size_t>(&link - scenario.links.data())].bytesPerSecond *
           parallelLinks(scenario, link);
}

/// Batches a second of the whole system.
double batches(const Scenario& scenario, const Evaluation& e) {
    return e.metric(Metric::Throughput) / scenario.workload.batch.value /
           scenario.workload.outputTokens.value;
}

/// Sum over the output of the tokens in the cache.
double cachedTokens(const Scenario& scenario) {
    const double n = scenario.workload.outputTokens.value;
    return n * (scenario.workload.promptTokens.value + (n - 1) / 2);
}

} // namespace

TEST_CASE("traffic: a baseline's decode reads the cache that is on storage, counted by hand") {
    auto scenario = preset("inf2/opt-30b-a100-16ssd");
    quantityOf(*node(scenario, "gpu").runtime, "offload.weights_on_storage").value = 0.5;
    const auto e = evaluate(scenario);
    REQUIRE(e.feasible);
    const double onStorage = 1 - e.nodes[0].offload.kv.host;
    const double perToken = 32 * 48 * 28672.0; // all requests and layers
    const double weights = scenario.model.parameters() * 2;
    const double read = onStorage * perToken * cachedTokens(scenario) + 64 * 0.5 * weights;
    const double written = onStorage * perToken * 64;
    CHECK(off(e.metric(Metric::StorageTraffic), read + written) < 1e-12);
    const double prefill = onStorage * perToken * 16384 + 0.5 * weights;
    CHECK(off(over(scenario, e, "uplink"), batches(scenario, e) * (prefill + read + written)) < 1e-12);
    CHECK(off(over(scenario, e, "expansion-storage"), over(scenario, e, "uplink")) < 1e-12);
    // The device takes all weights in every step.
    CHECK(off(over(scenario, e, "gpu-host"), batches(scenario, e) * 65 * weights) < 1e-12);
}

TEST_CASE("traffic: near storage operands and results cross, and the cache does not (Eq. 3)") {
    auto scenario = presetWith("inf2/opt-30b-a100-16csd",
                               {{"techniques.x_cache.enabled", "false"}, {"workload.output_tokens", "1"}});
    const double tokens = 32 * 48 * 7168 * 2.0; // one FP16 vector of the hidden size for all
    for (const bool late : {false, true}) {
        scenario.techniques[delayedWriteback()].enabled = late;
        for (const double prompt : {1024.0, 16384.0}) {
            scenario.workload.promptTokens.value = prompt;
            node(scenario, "host").device.hostMemory.value = 60e9; // weights fill it
            const auto near = evaluate(scenario);
            REQUIRE(near.feasible);
            const double stored = near.nodes[0].offload.tier(Tier::Storage).weights;
            // Q and the result, K and V; twice where they wait on average one and a half steps.
            const double sent = (2 + (late ? 1.5 : 1.0) * 2) * tokens;
            CHECK(off(near.metric(Metric::StorageTraffic) - stored, sent) < 1e-9);
            const auto base = evaluate(with(scenario, "nodes.storage.device", "nvme-ssd"));
            const double moved = base.metric(Metric::StorageTraffic) - stored;
            CHECK(off(moved, (prompt + 1) * 2 * tokens) < 1e-9);
            if (!late) // 512.5 at 1K, 8192.5 at 16K
                CHECK(off(moved / sent, (prompt + 1) / 2) < 1e-9);
        }
    }
}

TEST_CASE("traffic: X-cache crosses PCIe instead") {
    const auto scenario = preset("inf2/opt-30b-a100-16csd");
    const auto e = evaluate(scenario);
    const double x = e.nodes[0].offload.kv.x;
    const double weights = scenario.model.parameters() * 2;
    const double moved = x * 32 * 48 * 14336 * cachedTokens(scenario);
    CHECK(off(over(scenario, e, "gpu-host"), batches(scenario, e) * (65 * weights + moved)) < 1e-12);
    CHECK(off(e.metric(Metric::StorageTraffic), (1 - x) * 32 * 48 * (2 * 14336 + 1.5 * 28672) * 64) < 1e-12);
}

TEST_CASE("traffic: what crosses the uplink crosses the links below it, in every preset") {
    for (const auto& id : offloadingPresets()) {
        CAPTURE(id);
        const auto scenario = preset(id);
        const auto e = evaluate(scenario);
        REQUIRE(e.feasible);
        if (e.metric(Metric::KvStorageShare) > 0.0) {
            CHECK(over(scenario, e, "uplink") > 0.0);
            CHECK(off(over(scenario, e, "expansion-storage"), over(scenario, e, "uplink")) < 1e-12);
        } else {
            CHECK(over(scenario, e, "expansion-storage") == over(scenario, e, "uplink"));
        }
        for (std::size_t l = 0; l < scenario.links.size(); ++l)
            CHECK(e.links[l].utilisation() <= 1.0 + 1e-9);
    }
}

TEST_CASE("traffic: random mixes of CSDs and SSDs below two switches, shared by GPUs and FPGAs") {
    std::mt19937 random(51);
    int split = 0;
    for (int trial = 0; trial < rounds(300); ++trial) {
        auto scenario = emptySystem();
        scenario.model = catalog().model(trial % 2 == 0 ? "llama2-7b" : "opt-30b", "");
        scenario.workload.promptTokens.value = std::floor(drawn(random, 2048, 32768));
        const auto count = [&random] { return std::floor(drawn(random, 1, 16.99)); };
        const bool near = trial % 3 != 0;
        place(scenario, "gpu", "a100-40gb", 1 + trial % 2, near ? "inf2" : "flexgen");
        place(scenario, "host", "xeon-6342-host");
        place(scenario, "upper", "falcon-4109");
        place(scenario, "lower", "falcon-4109");
        place(scenario, "csd", "smartssd", count());
        place(scenario, "ssd", "nvme-ssd", count());
        place(scenario, "own", trial % 5 == 0 ? "smartssd" : "nvme-ssd", count());
        connect(scenario, "gpu", "host", 24.5);
        connect(scenario, "host", "upper", drawn(random, 1, 30));
        connect(scenario, "upper", "lower", drawn(random, 1, 30));
        connect(scenario, "upper", "ssd", drawn(random, 1, 8));
        connect(scenario, "lower", "csd", drawn(random, 1, 8));
        connect(scenario, "host", "own", drawn(random, 1, 8));
        if (trial % 4 == 0) {
            place(scenario, "fpga", "u280", 2, "inf2-fpga");
            connect(scenario, "fpga", "host", 12);
        }
        setTechniques(scenario, {true, trial % 7 == 0 ? 2.0 : 0.0, true, -1, trial % 2 == 0});
        const auto e = evaluate(scenario);
        CAPTURE(trial);
        CAPTURE(e.reason);
        if (!e.feasible)
            continue;
        const auto at = [&](const char* id) { return over(scenario, e, id); };
        const double sum = at("upper-lower") + at("upper-ssd");
        CHECK(std::fabs(at("host-upper") - sum) <= 1e-9 * sum);
        CHECK(std::fabs(at("lower-csd") - at("upper-lower")) <= 1e-9 * sum);
        double stored = 0.0; // per batch in decode, over the nodes that offload
        double rates = 0.0;
        for (std::size_t i = 0; i < e.nodes.size(); ++i)
            if (e.nodes[i].offload.active) {
                stored = e.nodes[i].offload.storageTraffic;
                rates += 1.0;
            }
        if (rates == 1.0) { // no prefill in it: at least what decode moves
            const double whole = at("host-upper") + at("host-own");
            CHECK(whole >= batches(scenario, e) * stored * (1 - 1e-9));
        }
        split += at("upper-lower") > 0.0 && at("upper-ssd") > 0.0 && at("host-own") > 0.0 ? 1 : 0;
        for (std::size_t l = 0; l < scenario.links.size(); ++l)
            CHECK(e.links[l].utilisation() <= 1.0 + 1e-9);
    }
    CHECK(split > scaled(40));
}

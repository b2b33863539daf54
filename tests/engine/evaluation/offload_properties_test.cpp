// SPDX-License-Identifier: GPL-3.0-or-later
// What must hold of every offloading system: more of anything is never slower, where the model promises it.
#include "engine/evaluation/evaluate.h"
#include "tests/engine/offload_fixtures.h"

#include <algorithm>
#include <cmath>
#include <functional>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

struct More {
    const char* what;
    std::function<void(Scenario&, double factor)> apply;
};

const std::vector<More>& improvements() {
    static const std::vector<More> all{
        {"storage devices",
         [](Scenario& s, double factor) {
             auto& count = node(s, "storage").count.value;
             count = std::ceil(count * factor);
         }},
        {"uplink", [](Scenario& s, double factor) { link(s, "uplink").type.bandwidth.value *= factor; }},
        {"links of the devices",
         [](Scenario& s, double factor) { link(s, "expansion-storage").type.bandwidth.value *= factor; }},
        {"PCIe of the accelerator",
         [](Scenario& s, double factor) { link(s, "gpu-host").type.bandwidth.value *= factor; }},
        {"reads of an SSD",
         [](Scenario& s, double factor) { node(s, "storage").device.memoryBandwidth.value *= factor; }},
        {"writes to an SSD",
         [](Scenario& s, double factor) { node(s, "storage").device.writeBandwidth.value *= factor; }},
        {"small writes",
         [](Scenario& s, double factor) { node(s, "storage").device.smallWrite.value /= factor; }},
        {"kernel",
         [](Scenario& s, double factor) { node(s, "storage").device.kernelBandwidth.value *= factor; }},
        {"path within a CSD",
         [](Scenario& s, double factor) { node(s, "storage").device.p2pBandwidth.value *= factor; }},
        {"host memory",
         [](Scenario& s, double factor) { node(s, "host").device.hostMemory.value *= factor; }},
        {"host bandwidth",
         [](Scenario& s, double factor) { node(s, "host").device.memoryBandwidth.value *= factor; }},
        {"accelerator peak",
         [](Scenario& s, double factor) { node(s, "gpu").device.peakFp16.value *= factor; }},
        {"accelerator bandwidth",
         [](Scenario& s, double factor) { node(s, "gpu").device.memoryBandwidth.value *= factor; }},
    };
    return all;
}

double batchSeconds(const Scenario& scenario, const Evaluation& e) {
    return scenario.workload.batch.value * scenario.workload.outputTokens.value /
           e.metric(Metric::Throughput);
}

/// By how much more of one thing slows a system down: 0 when it does not.
double slowdown(const Scenario& scenario, const Evaluation& before, const More& more, double factor) {
    auto better = scenario;
    more.apply(better, factor);
    const auto after = evaluate(better);
    CHECK(after.feasible);
    if (!after.feasible)
        return INFINITY;
    return std::max(0.0, batchSeconds(better, after) / batchSeconds(scenario, before) - 1.0);
}

void checkShares(const Evaluation& e, bool onDevice) {
    const auto& kv = e.nodes[0].offload.kv;
    CHECK(std::fabs(kv.host + kv.storage + kv.x - (onDevice ? 0.0 : 1.0)) < 1e-12);
    CHECK(std::min({kv.host, kv.storage + 1e-15, kv.x}) >= 0.0);
}

struct Offloader {
    const char* runtime;
    NearStorage techniques;
    int trials;
};

} // namespace

TEST_CASE("more of anything never slows a baseline, nor attention near storage, with or without writeback") {
    std::mt19937 random(31);
    int systems = 0;
    for (const auto& kind : {Offloader{"flexgen", {false}, 500}, Offloader{"deepspeed-zero", {false}, 500},
                             Offloader{"deepspeed-uvm", {false}, 500}, Offloader{"accelerate", {false}, 800},
                             Offloader{"inf2", {true, 0}, 700}, Offloader{"inf2", {true, 1}, 700}}) {
        int feasible = 0;
        for (int trial = 0; trial < rounds(kind.trials); ++trial) {
            auto scenario = randomOffloading(random, kind.runtime, true);
            auto techniques = kind.techniques;
            if (techniques.interval > 0.0)
                techniques.interval = std::pow(2.0, static_cast<double>(random() % 7));
            setTechniques(scenario, techniques);
            const auto e = evaluate(scenario);
            if (!e.feasible)
                continue;
            ++feasible;
            checkShares(e, std::string(kind.runtime) == "accelerate");
            for (const auto& more : improvements()) {
                const double slower = slowdown(scenario, e, more, drawn(random, 1.001, 4));
                CAPTURE(kind.runtime);
                CAPTURE(trial);
                CAPTURE(more.what);
                CHECK(slower < 1e-9);
            }
        }
        CAPTURE(kind.runtime);
        CHECK(feasible >= scaled(60));
        systems += feasible;
    }
    CHECK(systems >= scaled(2000));
}

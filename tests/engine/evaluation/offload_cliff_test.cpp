// SPDX-License-Identifier: GPL-3.0-or-later
// LLaMA-2-7B at 16K on the H100 over 16 CSDs, while its KV cache comes to fit the host.
#include "engine/evaluation/evaluate.h"
#include "engine/techniques/near_storage.h"
#include "tests/engine/offload_fixtures.h"

#include <algorithm>
#include <cmath>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

class Sweep {
public:
    explicit Sweep(bool hostKv) : m_scenario(preset("inf2/llama2-7b-h100-16csd")) {
        m_scenario.workload.batch.value = 32;
        m_scenario.workload.promptTokens.value = 16384;
        m_scenario.workload.outputTokens.value = 64;
        m_scenario.techniques[heteroscape::engine::hostKv()].enabled = hostKv;
    }
    double at(double gib) {
        node(m_scenario, "host").device.hostMemory.value = gib * kGiB;
        evaluateInto(m_scenario, m_evaluation);
        REQUIRE(m_evaluation.feasible);
        return m_evaluation.metric(Metric::Throughput);
    }
    const KvShares& shares() const { return m_evaluation.nodes[0].offload.kv; }
    /// The memory at which the whole cache is usable: usable = share x (memory - staging).
    double whereItFits() const {
        const Offloaded system(m_scenario);
        const auto& plan = system.offloading.plan;
        CHECK(plan.weightsDevice == plan.weights);
        return (plan.kv / 0.258 + plan.staging) / kGiB;
    }

private:
    Scenario m_scenario;
    Evaluation m_evaluation;
};

} // namespace

TEST_CASE("with the host's share throughput rises with memory, and never jumps") {
    Sweep sweep(true);
    double last = sweep.at(699.75);
    const double first = last;
    double steepest = 0.0;
    for (double gib = 700; gib <= 1300; gib += 0.25) {
        const double throughput = sweep.at(gib);
        CHECK(throughput >= last * (1 - 1e-9));
        steepest = std::max(steepest, throughput / last - 1);
        last = throughput;
    }
    CHECK(steepest < 1e-3); // 0.25 GiB more
    CHECK(last > first * 1.1);
    // Tiny steps around the memory at which the cache just fits, and at which the CPU becomes the limit.
    const double fits = sweep.whereItFits();
    CHECK(fits > 1020);
    CHECK(fits < 1035);
    for (const double centre : {fits, 810.0, 815.0, 820.0, 825.0})
        for (double step = -1e-3; step < 1e-3; step += 1e-5) {
            const double below = sweep.at(centre + step);
            const double above = sweep.at(centre + step + 1e-5);
            CHECK(std::fabs(above / below - 1) < 1e-7);
        }
}

TEST_CASE("without it the paper's model jumps where the cache fits the host, and is flat below") {
    Sweep sweep(false);
    const double fits = sweep.whereItFits();
    const double below = sweep.at(fits - 1e-5);
    CHECK(sweep.shares().host == 0.0);
    const double above = sweep.at(fits + 1e-5);
    CHECK(sweep.shares().host == 1.0);
    CHECK(off(below, 3.990) < 1e-3);
    CHECK(off(above, 7.395) < 1e-3);
    CHECK(off(above / below, 7.395 / 3.990) < 2e-3);
    double last = sweep.at(700);
    int jumps = 0;
    for (double gib = 700; gib <= 1300; gib += 0.25) {
        const double throughput = sweep.at(gib);
        jumps += std::fabs(throughput / last - 1) > 1e-9 ? 1 : 0;
        last = throughput;
    }
    CHECK(jumps == 1);
    // On either side the three shares are no worse.
    Sweep three(true);
    CHECK(three.at(fits - 1e-5) > 2 * below);
    CHECK(three.at(fits + 1e-5) > 1.2 * above);
}

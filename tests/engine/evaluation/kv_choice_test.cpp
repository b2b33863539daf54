// SPDX-License-Identifier: GPL-3.0-or-later
// What is chosen automatically is judged by the throughput that comes of it.
#include "engine/evaluation/evaluate.h"
#include "engine/techniques/near_storage.h"
#include "tests/engine/offload_fixtures.h"

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

/// 0 for what does not fit.
double rate(const Scenario& scenario) {
    const auto e = evaluate(scenario);
    return e.feasible ? e.metric(Metric::Throughput) : 0.0;
}

} // namespace

TEST_CASE("an automatic share is never worse than the technique off, or either end of its range") {
    std::mt19937 random(2024);
    int acts = 0;
    for (int trial = 0; trial < rounds(2000); ++trial) {
        auto scenario = randomOffloading(random, "inf2", trial % 2 == 0);
        const bool host = trial % 4 < 2;
        setTechniques(scenario, {true, trial % 3 == 0 ? 0.0 : 4.0, !host || trial % 4 == 0, -1, host, -1});
        if (trial % 5 == 0)
            scenario.workload.promptTokens.value = std::round(drawn(random, 1.0, 2000.0));
        if (trial % 7 == 0)
            scenario.nodes.front().count.value = 1.0 + static_cast<double>(random() % 8);
        const double chosen = rate(scenario);
        acts += chosen > 0.0 ? 1 : 0;
        CAPTURE(trial);
        const auto check = [&](bool& enabled, Quantity& share) {
            enabled = false;
            CHECK(chosen >= rate(scenario) * (1 - 1e-9));
            enabled = true;
            for (const double end : {0.0, 1.0}) {
                share = {end, Provenance::User, {}};
                CHECK(chosen >= rate(scenario) * (1 - 1e-9));
            }
            share = {};
        };
        auto& techniques = scenario.techniques;
        if (techniques[hostKv()].enabled)
            check(techniques[hostKv()].enabled, techniques[hostKv()].quantity(kHostShare));
        if (techniques[xCache()].enabled)
            check(techniques[xCache()].enabled, techniques[xCache()].quantity(kXShare));
    }
    CHECK(acts > scaled(1500));
}

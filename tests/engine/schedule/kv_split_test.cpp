// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/schedule/offloading.h"
#include "engine/techniques/near_storage.h"

#include "tests/engine/offload_fixtures.h"

#include <algorithm>
#include <cmath>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

/// INF2's main system: OPT-30B at 16K on the A100 with 16 CSDs.
Scenario mainSystem(const NearStorage& techniques) {
    auto scenario = inf2System("a100-40gb", "inf2", "opt-30b");
    setTechniques(scenario, techniques);
    return scenario;
}

void checkShares(const KvShares& kv) {
    CHECK(kv.host >= 0.0);
    CHECK(kv.storage >= -1e-15);
    CHECK(kv.x >= 0.0);
    CHECK(std::fabs(kv.host + kv.storage + kv.x - 1.0) < 1e-12);
}

/// What the shares take of host memory over what there is; none taken of none is no excess.
double excess(const Offloaded& system, const KvShares& kv) {
    const auto& plan = system.offloading.plan;
    return (kv.x * plan.x + kv.host * plan.kv - plan.usable) / std::max(plan.usable, 1.0);
}

} // namespace

TEST_CASE("KV split: baselines fill the usable host memory first") {
    auto scenario = inf2System("a100-40gb", "flexgen", "opt-30b");
    const Offloaded half(scenario);
    CHECK(off(half.offloading.kv.host, half.offloading.plan.usable / half.offloading.plan.kv) < 1e-12);
    CHECK(half.offloading.kv.x == 0);
    checkShares(half.offloading.kv);
    scenario.workload.batch.value = 1;
    CHECK(Offloaded(scenario).offloading.kv.host == 1);
    // INF2's runtime over plain SSDs, or with the technique off, is the same.
    auto near = mainSystem({false, 2, true});
    CHECK(Offloaded(near).offloading.kv.host == half.offloading.kv.host);
    CHECK_FALSE(Offloaded(near).offloading.near);
    setTechniques(near, {true, 2, true});
    CHECK(Offloaded(near).offloading.kv.host == 0);
    node(near, "storage").device = catalog().device("nvme-ssd", "");
    CHECK(Offloaded(near).offloading.kv.host == half.offloading.kv.host);
}

TEST_CASE("KV split: where the cache stays on the device there is nothing to split") {
    const auto scenario = inf2System("h100-pcie", "accelerate", "llama2-7b");
    const auto kv = Offloaded(scenario).offloading.kv;
    CHECK(kv.host == 0);
    CHECK(kv.storage == 0);
    CHECK(kv.x == 0);
}

TEST_CASE("KV split: the balanced X share is that of a fine search, and its terms meet there") {
    std::mt19937 random(11);
    int inside = 0;
    for (int trial = 0; trial < rounds(300); ++trial) {
        auto scenario = randomOffloading(random, "inf2", trial % 3 == 0);
        setTechniques(scenario, {true, trial % 2 == 0 ? 0.0 : 4.0, true});
        const Offloaded system(scenario);
        const auto& plan = system.offloading.plan;
        const auto kv = splitKv(system.input());
        checkShares(kv);
        CHECK(excess(system, kv) < 1e-12);
        if (kv.host == 1.0 || plan.xToken >= plan.kvToken)
            continue;
        const double most = std::min(1.0, plan.usable / plan.x);
        const double chosen = chainSeconds(system.input(), kv);
        constexpr int kSteps = 2000;
        for (int i = 0; i <= kSteps; ++i) {
            const double x = most * i / kSteps;
            const double seconds = chainSeconds(system.input(), {0.0, 1.0 - x, x});
            CHECK(chosen <= seconds * (1 + 1e-12));
            if (x > kv.x + 1e-9) // the largest one: beyond it the device makes the step longer
                CHECK(seconds > chosen * (1 - 1e-12));
        }
        inside += kv.x > 1e-3 && kv.x < most - 1e-3 ? 1 : 0;
    }
    CHECK(inside > scaled(20));
}

TEST_CASE("KV split: memory caps the X share, a share that is asked for replaces the balance") {
    auto scenario = mainSystem({true, 2, true});
    const double balanced = Offloaded(scenario).offloading.kv.x;
    CHECK(off(balanced, 0.28467) < 1e-4);
    // X of all tokens is 362 GB, 114 GB are usable.
    setTechniques(scenario, {true, 2, true, 0.3});
    CHECK(Offloaded(scenario).offloading.kv.x == 0.3);
    setTechniques(scenario, {true, 2, true, 0.05});
    CHECK(Offloaded(scenario).offloading.kv.x == 0.05);
    setTechniques(scenario, {true, 2, true, 0.9});
    CHECK(off(Offloaded(scenario).offloading.kv.x, 0.316038869) < 1e-4);
    setTechniques(scenario, {true, 2, true});
    node(scenario, "host").device.hostMemory.value = 200e9;
    const Offloaded small(scenario);
    CHECK(off(small.offloading.kv.x, small.offloading.plan.usable / small.offloading.plan.x) < 1e-12);
    CHECK(small.offloading.kv.x < balanced);
    setTechniques(scenario, {true, 2, false});
    CHECK(Offloaded(scenario).offloading.kv.x == 0);
    CHECK(Offloaded(scenario).offloading.kv.storage == 1);
}

TEST_CASE("KV split: grouped-query attention has no X-cache") {
    auto scenario = inf2System("h100-pcie", "inf2", "llama2-70b");
    setTechniques(scenario, {true, 2, true});
    const Offloaded grouped(scenario);
    CHECK(grouped.offloading.plan.xToken == 4 * grouped.offloading.plan.kvToken);
    CHECK(grouped.offloading.kv.x == 0);
    setTechniques(scenario, {true, 2, true, 0.5});
    CHECK(Offloaded(scenario).offloading.kv.x == 0);
    scenario.model.kvHeads.value = 32; // X as large as K and V
    CHECK(Offloaded(scenario).offloading.kv.x == 0);
}

TEST_CASE("KV split: what fits the host moves there, with or without the host's share") {
    auto scenario = inf2System("h100-pcie", "inf2", "llama2-7b");
    scenario.workload.promptTokens.value = 1024;
    setTechniques(scenario, {true, 2, true});
    CHECK(Offloaded(scenario).offloading.kv.host == 1);
    setTechniques(scenario, {true, 2, true, -1, true, 0.25});
    const auto asked = Offloaded(scenario).offloading.kv;
    CHECK(asked.host == 0.25);
    checkShares(asked);
}

TEST_CASE("KV split: the host's share makes the step shortest, against a search over both shares") {
    std::mt19937 random(12);
    int three = 0;
    for (int trial = 0; trial < rounds(60); ++trial) {
        auto scenario = randomOffloading(random, "inf2", true);
        setTechniques(scenario, {true, trial % 3 == 0 ? 0.0 : 2.0, trial % 4 != 0, -1, true});
        const Offloaded system(scenario);
        const auto& plan = system.offloading.plan;
        const auto kv = splitKv(system.input());
        checkShares(kv);
        CHECK(excess(system, kv) < 1e-9);
        three += kv.host > 0.01 && kv.x > 0.01 && kv.storage > 0.01 ? 1 : 0;
        const bool xCache =
            scenario.techniques[heteroscape::engine::xCache()].enabled && plan.xToken < plan.kvToken;
        const double chosen = chainSeconds(system.input(), kv);
        constexpr int kSteps = 100;
        double best = 1e300;
        for (int i = 0; i <= kSteps; ++i) {
            const double host = std::min(1.0, plan.usable / plan.kv) * i / kSteps;
            const double room = std::max(0.0, (plan.usable - host * plan.kv) / plan.x);
            const double most = xCache ? std::min(1.0 - host, room) : 0.0;
            for (int j = 0; j <= (xCache ? kSteps : 0); ++j) {
                const double x = most * j / kSteps;
                best = std::min(best, chainSeconds(system.input(), {host, 1.0 - host - x, x}));
            }
        }
        CAPTURE(trial);
        CHECK(chosen <= best * (1 + 1e-9));
        CHECK(chosen >= best * (1 - 0.05)); // a coarse search is near it
        // Of equals it leaves least on storage: a little less there is no shorter.
        const double less = 1e-4;
        if (kv.storage > 2 * less && plan.usable - kv.x * plan.x - (kv.host + less) * plan.kv > 0.0)
            CHECK(chainSeconds(system.input(), {kv.host + less, kv.storage - less, kv.x}) > chosen);
    }
    CHECK(three > scaled(5));
}

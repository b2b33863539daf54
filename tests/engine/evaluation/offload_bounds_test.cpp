// SPDX-License-Identifier: GPL-3.0-or-later
// What an offloading system is limited by, and what its techniques gain.
#include "engine/evaluation/decisive.h"
#include "engine/evaluation/evaluate.h"
#include "tests/engine/offload_fixtures.h"

#include <cmath>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

TEST_CASE("the bound is what really limits: making it faster helps, making others faster does not") {
    struct Case {
        Bound bound;
        const char* runtime;
        NearStorage techniques;
        std::vector<std::pair<std::string, std::string>> settings;
        std::pair<std::string, std::string> relief;
    };
    const std::string kernel = "nodes.storage.device.kernel_gbps";
    const std::vector<Case> cases{
        {Bound::CsdKernel, "inf2", {true, 2}, {{kernel, "0.2"}}, {kernel, "0.4"}},
        {Bound::CsdPath,
         "inf2",
         {true, 2},
         {{kernel, "50"}},
         {"nodes.storage.device.p2p_bandwidth_gbps", "4"}},
        {Bound::StorageLink,
         "inf2",
         {true, 2},
         {{"links.uplink.bandwidth_gbps", "0.001"}},
         {"links.uplink.bandwidth_gbps", "0.002"}},
        {Bound::StorageWrite,
         "inf2",
         {true, 0},
         {{"nodes.storage.device.small_write_ms", "20"}},
         {"nodes.storage.device.small_write_ms", "10"}},
        {Bound::Compute,
         "inf2",
         {true, 2, true, 0.3},
         {{"nodes.gpu.device.peak_fp16_tflops", "80"}},
         {"nodes.gpu.device.peak_fp16_tflops", "160"}},
        {Bound::Pcie,
         "inf2",
         {true, 2, true, 0.2},
         {{"links.gpu-host.bandwidth_gbps", "1"}},
         {"links.gpu-host.bandwidth_gbps", "2"}},
        {Bound::HostMemory,
         "flexgen",
         {false},
         {{"nodes.host.device.memory_bandwidth_gbps", "10"}},
         {"nodes.host.device.memory_bandwidth_gbps", "20"}},
        {Bound::StorageLink, "flexgen", {false}, {}, {"links.uplink.bandwidth_gbps", "8"}},
        {Bound::Storage,
         "flexgen",
         {false},
         {{"nodes.storage.count", "1"}},
         {"nodes.storage.device.memory_bandwidth_gbps", "5"}},
    };
    for (const auto& one : cases) {
        CAPTURE(std::string(boundName(one.bound)));
        auto scenario = inf2System("a100-40gb", one.runtime, "opt-30b");
        setTechniques(scenario, one.techniques);
        for (const auto& [path, text] : one.settings)
            scenario = with(scenario, path, text);
        const auto e = evaluate(scenario);
        REQUIRE(e.feasible);
        CHECK(e.nodes[0].decode.bound == one.bound);
        const double decode = e.nodes[0].decode.totalSeconds;
        const auto relieved = evaluate(with(scenario, one.relief.first, one.relief.second));
        CHECK(relieved.nodes[0].decode.totalSeconds < decode * 0.95);
        if (e.bound.phase == Phase::Decode) {
            CHECK(e.bound.bound == one.bound);
            CHECK(boundKey(scenario, e) == "gpu decode " + std::string(boundName(one.bound)));
        }
    }
}

TEST_CASE("techniques say what they gain, and nothing where they cannot act") {
    const auto find = [](const Scenario& scenario, std::string_view id) {
        for (const auto& gain : techniqueGains(scenario))
            if (gain.id == id)
                return gain;
        FAIL("no gain of " << std::string(id));
        return TechniqueGain{};
    };
    const auto scenario = preset("inf2/opt-30b-a100-16csd");
    const auto near = find(scenario, "attention_near_storage");
    CHECK(near.comparable);
    CHECK(off(near.throughput, 0.688050 / 0.257403) < 1e-3);
    CHECK(find(scenario, "x_cache").throughput > 1.0);
    CHECK(find(scenario, "delayed_writeback").throughput > 1.0);
    const auto idle =
        evaluate(presetWith("inf2/opt-30b-a100-16ssd", {{"techniques.x_cache.enabled", "true"}}));
    CHECK(idle.metric(Metric::Throughput) ==
          evaluate(preset("inf2/opt-30b-a100-16ssd")).metric(Metric::Throughput));
}

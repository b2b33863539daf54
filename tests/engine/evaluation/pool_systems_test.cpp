// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluation/breakdown.h"
#include "engine/evaluation/evaluate.h"
#include "engine/evaluation/metric_path.h"
#include "engine/evaluation/timeline.h"
#include "tests/engine/fixtures.h"

#include <algorithm>
#include <cmath>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

const char* const kPreset = "preserve/llama3-405b-32";

/// Two pools that split the work: 2 copies on 4 devices each prefill, one on 8 decodes.
Scenario splitPools() {
    auto scenario = presetWith(kPreset, {{"model", "llama3-8b"},
                                         {"nodes.npu.count", "8"},
                                         {"nodes.npu.replicas", "2"},
                                         {"nodes.npu.role", "prefill"},
                                         {"techniques.disaggregation.enabled", "true"}});
    auto decode = scenario.nodes[0];
    decode.id.value = "decode";
    decode.role = Role::Decode;
    decode.replicas.value = 1;
    scenario.nodes.push_back(decode);
    auto link = scenario.links[0];
    link.id.value = "decode-switch";
    link.from.value = "decode";
    scenario.links.push_back(link);
    return scenario;
}

} // namespace

TEST_CASE("pools that split the work: rates, KV transfer and traffic by hand") {
    const auto scenario = splitPools();
    const auto e = evaluate(scenario);
    REQUIRE(e.feasible);
    const auto& prefill = e.nodes[0];
    const auto& decode = e.nodes[2];
    CHECK(prefill.devices == 4);
    CHECK(decode.devices == 8);
    // Four devices side by side hand over a quarter of each layer; the second link holds what decodes.
    const double stage = 2 * 25e-6 + 2.0 * 1024 * 16 * 5461 / 4 / 25e9;
    const double rate =
        std::min(2 / prefill.prefill.totalSeconds, 1 / (32 * stage + decode.decode.totalSeconds));
    CHECK(off(e.metric(Metric::RequestRate), 16 * rate) < 1e-12);
    // K and V of 16 prompts of 5461 tokens: 32 layers, 8 heads of 128, a byte each. On each of 8 links, and
    // each pool's allreduces on top.
    const double cache = 2.0 * 32 * 1024 * 16 * 5461 * rate / 8;
    CHECK(off(e.links[0].bytesPerSecond, cache + prefill.prefill.collectiveBytes.near * rate / 2) < 1e-12);
    CHECK(off(e.links[1].bytesPerSecond, cache + decode.decode.collectiveBytes.near * 2731 * rate) < 1e-12);
    const double tail = std::max(prefill.prefill.totalSeconds / 32 + 2 * stage + 31 * stage,
                                 prefill.prefill.totalSeconds + 2 * stage) -
                        prefill.prefill.totalSeconds;
    CHECK(off(e.metric(Metric::KvTransfer), tail) < 1e-9);
    CHECK(off(e.metric(Metric::Latency), prefill.prefill.totalSeconds + tail + decode.decode.totalSeconds) <
          1e-12);
    const auto request = requestTimeline(scenario);
    CHECK(off(request.seconds, request.latency) < 1e-9);
    CHECK(request.parts[1].kind == RequestPart::Kind::KvTransfer);
}

TEST_CASE("every device under every runtime that runs on it, alone and as a pool: an answer that holds") {
    int feasible = 0;
    for (const auto& device : catalog().devices) {
        if (!isAccelerator(device.kind))
            continue;
        for (const auto& entry : catalog().runtimes) {
            if (!runsOn(entry.base, device.kind))
                continue;
            for (const double count : {1.0, 4.0, 8.0}) {
                CAPTURE(device.id);
                CAPTURE(entry.base.id);
                CAPTURE(count);
                auto scenario = preset(kPreset);
                scenario.model = catalog().model("llama3-8b", "");
                scenario.workload.batch.value = 1;
                auto& node = scenario.nodes[0];
                node.device = device;
                node.runtime = entry.on(device);
                node.count.value = count;
                const auto diagnostics = validate(scenario);
                const auto e = evaluate(scenario);
                if (!e.feasible) {
                    CHECK_FALSE(e.reason.empty());
                    CHECK(std::isnan(e.metric(Metric::Throughput)));
                    continue;
                }
                ++feasible;
                CHECK_FALSE(hasErrors(diagnostics));
                for (const auto metric : {Metric::Throughput, Metric::Latency, Metric::LayerTime,
                                          Metric::FfnRead, Metric::AttentionFootprint}) {
                    CHECK(std::isfinite(e.metric(metric)));
                    CHECK(e.metric(metric) > 0.0);
                }
                CHECK((e.metric(Metric::AllReduceTime) > 0.0) == (count > 1.0));
                for (const auto phase : {Phase::Prefill, Phase::Decode}) {
                    const auto& metrics = phase == Phase::Prefill ? e.nodes[0].prefill : e.nodes[0].decode;
                    const auto detail = breakdown(scenario, node.id, phase);
                    CHECK(detail.seconds > 0.0);
                    // Convex: at the mean context. Measured kernels bend the other way as they fill a device.
                    const bool measured = node.runtime->timing(phase).kind->constantsHash() != 0;
                    CHECK(detail.seconds <= metrics.seconds * (1 + (measured ? 1e-3 : 1e-9)));
                    CHECK(metrics.computeUtilisation() <= 1.0 + 1e-9);
                }
                CHECK(off(requestTimeline(scenario).seconds, e.metric(Metric::Latency)) < 1e-9);
                for (const auto& ref : listMetrics(scenario, e))
                    CHECK(findMetric(scenario, e, ref.path).unit == ref.unit);
            }
        }
    }
    CHECK(feasible > 40);
}

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/json.h"
#include "engine/evaluation/evaluate.h"
#include "engine/evaluation/timeline.h"
#include "engine/exporters/timeline_export.h"
#include "engine/schedule/compiled_pool.h"
#include "engine/schedule/step.h"
#include "engine/techniques/graph_pass.h"
#include "engine/techniques/near_storage.h"
#include "tests/engine/offload_fixtures.h"

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

const Node& accelerator(const Scenario& scenario) {
    for (const auto& node : scenario.nodes)
        if (isAccelerator(node.device.kind))
            return node;
    FAIL("no accelerator");
    return scenario.nodes.front();
}

/// Lanes never overlap, segments are in order, the last one ends with the step, whose time is its cost.
void checkStep(const StepTimeline& timeline, double seconds) {
    std::array<double, kLaneCount> end{};
    double last = 0.0;
    double start = 0.0;
    for (const auto& segment : timeline.segments) {
        auto& lane = end[static_cast<std::size_t>(segment.lane)];
        CHECK(segment.start >= start);
        CHECK(segment.start >= lane - 1e-12 * seconds);
        CHECK(segment.end > segment.start);
        start = segment.start;
        lane = segment.end;
        last = std::max(last, segment.end);
    }
    CHECK(off(last, timeline.seconds) < 1e-12);
    CHECK(off(timeline.seconds, seconds) < 1e-9);
}

/// Every part of a node's evaluation that its schedule stands behind.
void checkSystem(const Scenario& scenario) {
    const auto e = evaluate(scenario);
    if (!e.feasible)
        return;
    const auto& node = accelerator(scenario);
    const auto& metrics = e.nodes[indexOf(scenario, node.id.value)];
    checkStep(stepTimeline(scenario, node.id, Phase::Prefill), metrics.prefill.totalSeconds);
    const CompiledPool pool(scenario, indexOf(scenario, node.id.value));
    const auto compiled = pool.phase(Phase::Decode);
    const auto& graph = compiled.graph();
    const auto& step = compiled.step();
    const double prompt = scenario.workload.promptTokens.value;
    const double output = scenario.workload.outputTokens.value;
    for (const double context : {prompt + 1, prompt + output}) {
        const double seconds = step.cost(prompt + 1, prompt + output).at(context);
        checkStep(stepTimeline(scenario, node.id, Phase::Decode, context), seconds);
        std::array<OperatorTime, OperatorGraph::kCapacity> times;
        step.operatorTimes(context, times);
        double shared = 0.0;
        for (std::size_t i = 0; i < graph.operators().size(); ++i)
            shared += times[i].seconds;
        CHECK(off(shared, seconds) < 1e-9);
    }
    // The closed form of the whole decode is the sum of its steps, and of its parts.
    if (output <= 128) {
        double sum = 0.0;
        for (double i = 1; i <= output; ++i)
            sum += step.cost(prompt + i, prompt + i).at(prompt + i);
        CHECK(off(metrics.decode.totalSeconds, sum) < 1e-9);
    }
    const auto& parts = metrics.offload.decode;
    CHECK(off(std::accumulate(parts.begin(), parts.end(), 0.0), metrics.decode.totalSeconds) < 1e-9);
    double sumOfMetrics = 0.0;
    for (const auto metric :
         {Metric::DecodeAccelerator, Metric::DecodeWeights, Metric::DecodeKvRead, Metric::DecodeKvWrite,
          Metric::DecodeHostAttention, Metric::DecodeCsdAttention, Metric::DecodeQkv, Metric::DecodeXCache}) {
        CHECK(e.metric(metric) >= 0.0);
        sumOfMetrics += e.metric(metric);
    }
    CHECK(off(sumOfMetrics, metrics.decode.totalSeconds) < 1e-9);
    const auto request = requestTimeline(scenario);
    CHECK(off(request.seconds, e.metric(Metric::Latency)) < 1e-9);
}

} // namespace

TEST_CASE("offloaded steps: every preset of INF2, with and without each technique") {
    for (const auto& id : offloadingPresets()) {
        CAPTURE(id);
        const auto scenario = preset(id);
        REQUIRE(evaluate(scenario).feasible);
        checkSystem(scenario);
        for (const auto* technique : {"attention_near_storage", "delayed_writeback", "x_cache", "host_kv"}) {
            CAPTURE(technique);
            const auto path = std::string("techniques.") + technique + ".enabled";
            checkSystem(with(scenario, path, "true"));
            checkSystem(with(scenario, path, "false"));
        }
        checkSystem(withoutTechnique(scenario));
    }
}

TEST_CASE("offloaded steps: random systems of every runtime") {
    std::mt19937 random(21);
    for (const auto* runtime : {"inf2", "flexgen", "deepspeed-uvm", "deepspeed-zero", "accelerate"})
        for (int trial = 0; trial < rounds(40); ++trial) {
            CAPTURE(runtime);
            CAPTURE(trial);
            auto scenario = randomOffloading(random, runtime, true);
            scenario.model.layers.value = 4; // so that a timeline is short
            setTechniques(scenario,
                          {trial % 5 != 0, trial % 2 == 0 ? 0.0 : 4.0, trial % 3 != 0, -1, trial % 4 == 0});
            checkSystem(scenario);
        }
}

TEST_CASE("an offloaded step is its operators, then the longest chain") {
    const auto scenario = preset("inf2/opt-30b-a100-16csd");
    const auto step = stepTimeline(scenario, {"gpu"}, Phase::Decode, 16385);
    double operators = 0.0;
    std::map<Lane, std::pair<double, double>> first; // of layer 0: start and end
    for (const auto& segment : step.segments) {
        if (segment.layer != 0)
            continue;
        if (segment.work == Work::Operator) {
            operators += segment.end - segment.start;
            continue;
        }
        CHECK(isFlow(segment.work));
        CHECK(segment.key == workName(segment.work));
        auto& [start, end] = first.try_emplace(segment.lane, segment.start, segment.end).first->second;
        start = std::min(start, segment.start);
        end = std::max(end, segment.end);
    }
    CHECK(off(operators, 0.0008488214599896748) < 1e-9); // from the prototype's golden layer
    CHECK(off(step.layerSeconds, 0.6675732373583) < 1e-4);
    // Projections come before attention; the chains start together behind them.
    const double begin = first.at(Lane::Uplink).first;
    CHECK(begin > 0.0);
    CHECK(begin < operators);
    CHECK(off(first.at(Lane::Pcie).first, begin) < 1e-12);
    CHECK(off(first.at(Lane::StorageWrite).first, begin) < 1e-12);
    CHECK(off(first.at(Lane::Csd).first, first.at(Lane::Uplink).second) < 1e-12);
    CHECK(off(first.at(Lane::Csd).second - begin, 0.6667244158983103) < 1e-4);
    CHECK(off(first.at(Lane::StorageWrite).second - begin, 0.04710859882433133) < 1e-4);
    CHECK(off(first.at(Lane::Pcie).second - begin, 0.13827732087264952) < 1e-4);
    CHECK(first.count(Lane::Host) == 0); // no share of the KV cache
}

TEST_CASE("a prefill's flows run beside its operators") {
    const auto step = stepTimeline(preset("inf2/opt-30b-a100-16csd"), {"gpu"}, Phase::Prefill);
    CHECK(off(step.layerSeconds, 19.20503015303115) < 1e-9); // compute bounds it
    std::set<Work> beside;
    for (const auto& segment : step.segments)
        if (segment.layer == 0 && segment.start == 0.0)
            beside.insert(segment.work);
    CHECK(beside == std::set<Work>{Work::Operator, Work::WeightTransfer, Work::KvWrite});
}

TEST_CASE("a Chrome trace holds the lanes of offloading") {
    auto scenario = preset("inf2/opt-30b-a100-16csd");
    scenario.techniques[hostKv()].enabled = true;
    const auto lanesOf = [](const Scenario& of, Phase phase) {
        const auto step = stepTimeline(of, {"gpu"}, phase);
        const auto json = parseJson(chromeTrace({{"gpu", step}}), "trace");
        std::map<int, std::string> names;
        std::set<std::string> lanes;
        std::size_t events = 0;
        for (const auto& event : json.at("traceEvents")) {
            if (event.at("ph") == "M" && event.at("name") == "thread_name")
                names[event.at("tid")] = event.at("args").at("name");
            if (event.at("ph") != "X")
                continue;
            ++events;
            const auto name = names.at(event.at("tid"));
            lanes.insert(name.substr(0, name.find(" ("))); // where it is follows
        }
        CHECK(events == step.segments.size());
        return lanes;
    };
    const auto label = [](Lane lane) { return std::string(laneLabel(lane)); };
    using Names = std::set<std::string>;
    CHECK(lanesOf(scenario, Phase::Decode) == Names{std::string("GPU"), label(Lane::Pcie), label(Lane::Host),
                                                    label(Lane::Uplink), label(Lane::Csd),
                                                    label(Lane::StorageWrite)});
    CHECK(lanesOf(preset("inf2/opt-30b-a100-16ssd"), Phase::Decode) ==
          Names{std::string("GPU"), label(Lane::Pcie), label(Lane::Host), label(Lane::Storage)});
    CHECK(lanesOf(scenario, Phase::Prefill) ==
          Names{std::string("GPU"), label(Lane::Pcie), label(Lane::StorageWrite)});
    const auto json =
        parseJson(chromeTrace({{"gpu", stepTimeline(scenario, {"gpu"}, Phase::Decode)}}), "trace");
    std::set<std::string> works;
    for (const auto& event : json.at("traceEvents"))
        if (event.at("ph") == "X")
            works.insert(event.at("args").at("work").get<std::string>());
    CHECK(works == Names{"operator", "qkv_transfer", "csd_attention", "kv_write", "x_transfer",
                         "weight_transfer", "regenerate", "host_attention"});
}

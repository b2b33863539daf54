// SPDX-License-Identifier: GPL-3.0-or-later
// Attention and feed-forward networks on different devices: golden values of the specification of models of
// 2026 (moe_parallel, section 13, numbers as there) through designs, and any device in either role.
#include "engine/evaluation/breakdown.h"
#include "engine/evaluation/evaluate.h"
#include "engine/evaluation/explain.h"
#include "engine/evaluation/metric_path.h"
#include "engine/evaluation/simulate.h"
#include "engine/evaluation/timeline.h"
#include "engine/operators/layer_memory.h"
#include "engine/scenario/diagnostics.h"
#include "engine/scenario/edit.h"
#include "engine/scenario/scenario_json.h"
#include "engine/scenario/split_pool.h"
#include "engine/schedule/compiled_pool.h"
#include "tests/engine/fixtures.h"
#include "tests/engine/term_check.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <string>
#include <utility>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

Quantity number(double value) {
    return {value, Provenance::User, {}};
}

struct Half {
    const char* device;
    double count;
    const char* runtime = "ideal-operators";
};

/// Both on one switch; each also on an NVSwitch of its own where it has the port.
Scenario apart(const char* model, double batch, double context, const Half& attention, const Half& ffn) {
    Scenario scenario;
    scenario.model = catalog().model(model, "test");
    scenario.workload.promptTokens = number(context - 1.0);
    scenario.workload.outputTokens = number(1.0);
    scenario.workload.batch = number(batch);
    const auto add = [&](const char* id, const char* device, double count, Role role) -> Node& {
        Node node;
        node.id = {id};
        node.device = catalog().device(device, "test");
        node.count = number(count);
        node.role = role;
        scenario.nodes.push_back(node);
        return scenario.nodes.back();
    };
    const auto join = [&](const char* from, const char* to, const char* type) {
        Link link;
        link.id = {std::string(from) + "-" + to};
        link.from = {from};
        link.to = {to};
        link.type = catalog().linkType(type, "test");
        link.type.latency.value = 0.0;
        scenario.links.push_back(link);
    };
    add("a", attention.device, attention.count, Role::Attention).runtime =
        catalog().runtime(attention.runtime, "test").on(catalog().device(attention.device, "test"));
    add("f", ffn.device, ffn.count, Role::Ffn).runtime =
        catalog().runtime(ffn.runtime, "test").on(catalog().device(ffn.device, "test"));
    add("switch", "network-switch", 1.0, Role::Fabric);
    add("nv-a", "nvswitch", 1.0, Role::Fabric);
    add("nv-f", "nvswitch", 1.0, Role::Fabric);
    join("a", "switch", "network-400g");
    join("f", "switch", "network-400g");
    join("a", "nv-a", "nvlink4");
    join("f", "nv-f", "nvlink4");
    for (auto& link : scenario.links) // one domain, and caches that fit: the golden values ask no more
        link.type.domain = {};
    for (std::size_t i = 0; i < 2; ++i)
        scenario.nodes[i].device.memoryCapacity.value *= 4.0;
    return scenario;
}

Scenario llama() {
    auto scenario = apart("llama3-1-70b", 512, 4096, {"h100-sxm", 8}, {"h100-sxm", 8});
    scenario.nodes[0].dp = number(4);
    return scenario;
}

Scenario deepseek() {
    auto scenario = apart("deepseek-v3", 8192, 4096, {"h100-sxm", 64}, {"h100-sxm", 32});
    scenario.nodes[0].dp = number(64);
    return scenario;
}

/// Of the last kind of layers: those with experts where there are two.
AttentionFfn::LayerTimes timesOf(const Scenario& scenario) {
    const CompiledPool pool(scenario, 0);
    const auto phase = pool.phase(Phase::Decode);
    return phase.step().split()->layerTimes(4096.0).back();
}

bool near(double value, double golden) {
    return off(value, golden) < 1e-3;
}

constexpr double kMicro = 1e-6;

void checkExplained(const Scenario& scenario, const Evaluation& evaluation) {
    const auto agree = [](double explained, double evaluated) {
        return (std::isnan(explained) && std::isnan(evaluated)) ||
               std::fabs(explained - evaluated) <= 1e-9 * std::fabs(evaluated);
    };
    for (const auto& spec : metricSpecs()) {
        CAPTURE(std::string(spec.key));
        const auto term = explain(scenario, std::string(spec.key));
        CHECK(TermCheck(term).problem() == "");
        if (!std::isnan(evaluation.metric(spec.metric)))
            CHECK(agree(term.value(), evaluation.metric(spec.metric)));
    }
    for (const auto& path : explainedNodeMetrics(scenario)) {
        CAPTURE(path);
        const auto term = explain(scenario, path);
        CHECK(TermCheck(term).problem() == "");
        CHECK(agree(term.shown(), findMetric(scenario, evaluation, path).value));
    }
}

} // namespace

TEST_CASE("attention-FFN disaggregation: Llama-3.1-70B on 8 and 8 H100, golden values 68 to 75") {
    const auto scenario = llama();
    REQUIRE(!hasErrors(validate(scenario)));
    const auto layout = layoutOf(scenario.nodes[0]);
    CHECK(layout.tp == 2.0);
    const auto model = layeredForm(scenario.model);
    const auto messages =
        layerMessages(model, layout, layoutOf(scenario.nodes[1]), 512.0 / 4.0 / 3.0, false, true);
    CHECK(off(messages.there.attention, 349525.333) < 1e-6);
    CHECK(messages.back.attention == messages.there.attention);
    const auto times = timesOf(scenario);
    CHECK(near(times.attention, 156.414036 * kMicro));
    CHECK(near(times.ffn, 67.3198544 * kMicro));
    CHECK(near(times.message, 6.99050667 * kMicro));
    const auto evaluation = evaluate(scenario);
    REQUIRE(evaluation.feasible);
    CHECK(near(evaluation.metric(Metric::LayerTime), 469.242107 * kMicro));
    CHECK(near(evaluation.nodes[0].decode.seconds, 38485.7965 * kMicro));
    CHECK(near(evaluation.nodes[0].weightBytes, 1.41809418e10));
    CHECK(near(evaluation.nodes[1].weightBytes, 1.40928614e10));
}

TEST_CASE("attention-FFN disaggregation: DeepSeek-V3 on 64 and 32 H100, golden values 76 to 85") {
    const auto scenario = deepseek();
    REQUIRE(!hasErrors(validate(scenario)));
    const auto messages = layerMessages(scenario.model, layoutOf(scenario.nodes[0]),
                                        layoutOf(scenario.nodes[1]), 8192.0 / 64.0 / 3.0, true, true);
    CHECK(off(messages.there.attention, 2523136.0) < 1e-6);
    CHECK(off(messages.back.attention, 4893354.67) < 1e-6);
    CHECK(off(messages.there.ffn, 5546749.89) < 1e-6);
    const auto times = timesOf(scenario);
    CHECK(near(times.attention, 141.784907 * kMicro));
    CHECK(near(times.ffn, 114.370982 * kMicro));
    CHECK(near(times.message, 215.146662 * kMicro));
    CHECK(near(times.seconds, 686.449214 * kMicro));
    const CompiledPool attention(scenario, 0);
    const CompiledPool ffn(scenario, 1);
    CHECK(near(attention.weightBytes(), 1.78907404e10));
    CHECK(near(attention.kvBytes(4096.0), 3.68427663e10));
    CHECK(near(ffn.weightBytes(), 2.0476806e10));
    CHECK(ffn.kvBytes(4096.0) == 0.0);
}

TEST_CASE("attention-FFN disaggregation: any device in either role evaluates, simulates, shows its timeline, "
          "is explained") {
    for (const auto& attention : {Half{"u280", 8, "glitches-fpga"}, Half{"ascend-910b", 8, "fused-int8"},
                                  Half{"h100-sxm", 8, "fused-fp16"}, Half{"h200-sxm", 8, "sglang"}}) {
        CAPTURE(std::string(attention.device));
        auto scenario = apart("qwen3-235b-a22b", 24, 1025, attention, {"h200-sxm", 4, "ideal-operators"});
        scenario.workload.promptTokens = number(1024);
        scenario.workload.outputTokens = number(32);
        for (const auto& found : validate(scenario)) {
            CAPTURE(found.message);
            CHECK(found.severity != Severity::Error);
        }
        const auto evaluation = evaluate(scenario);
        CAPTURE(evaluation.reason);
        REQUIRE(evaluation.feasible);
        CHECK(evaluation.metric(Metric::Throughput) > 0.0);
        CHECK(evaluation.nodes[1].decode.seconds == evaluation.nodes[0].decode.seconds);
        for (const auto& link : evaluation.links)
            CHECK(link.busy() <= 1.0 + 1e-9);
        CHECK(evaluation.links[0].bytesPerSecond > 0.0);
        CHECK(evaluation.links[1].bytesPerSecond > 0.0);

        for (const auto phase : {Phase::Prefill, Phase::Decode}) {
            const auto timeline = stepTimeline(scenario, {"a"}, phase);
            const CompiledPool pool(scenario, 0);
            const double context = representativeContext(scenario.workload, phase);
            const auto compiled = pool.phase(phase);
            CHECK(off(timeline.seconds, compiled.step().cost(context, context).at(context)) < 1e-9);
            std::array<double, kLaneCount> end{};
            std::array<double, kLaneCount> busy{};
            for (const auto& segment : timeline.segments) {
                const auto lane = static_cast<std::size_t>(segment.lane);
                CHECK(segment.start >= end[lane] - 1e-9 * timeline.seconds);
                end[lane] = segment.end;
                busy[lane] += segment.end - segment.start;
                CHECK(segment.end <= timeline.seconds * (1.0 + 1e-9));
            }
            double ffn = 0.0;
            for (const auto& kind : compiled.step().split()->layerTimes(context))
                ffn += kind.layers * kind.ffn * compiled.graph().shape().layout.microbatches;
            CHECK(off(busy[static_cast<std::size_t>(Lane::Ffn)], ffn) < 1e-6);
            for (const std::size_t node : {0, 1}) {
                // One step, and of it what its devices do, what they do it in and what they wait for.
                const auto rows = breakdown(scenario, scenario.nodes[node].id, phase);
                const auto& known =
                    phase == Phase::Prefill ? evaluation.nodes[node].prefill : evaluation.nodes[node].decode;
                CHECK(off(rows.seconds, timeline.seconds) < 1e-9);
                const auto& last = rows.operators.back();
                CHECK(off(last.key == "waiting" ? 1.0 - last.seconds / rows.seconds : 1.0, known.working()) <
                      1e-3);
                if (node == 1)
                    CHECK(off(known.working(), ffn / timeline.seconds) < 1e-3);
            }
        }
        checkExplained(scenario, evaluation);

        scenario.serving.arrivals = arrivalKinds().find("backlog");
        const auto serving = simulate(scenario, evaluation);
        CAPTURE(serving.reason);
        CHECK(serving.ran());
        const auto works = [&](std::size_t node) { return evaluation.nodes[node].decode.working(); };
        CHECK(off(serving.nodes[1].decodeBusy * works(0), serving.nodes[0].decodeBusy * works(1)) < 1e-12);

        const auto text = writeScenario(scenario).dump();
        const auto again = readScenario(parseJson(text, "test"), catalog(), "test");
        CHECK(again == scenario);
    }
}

TEST_CASE("attention-FFN disaggregation: a layer is what its slowest part makes it, and three microbatches "
          "hide the others") {
    auto scenario = llama();
    const auto seconds = [&](double microbatches) {
        scenario.nodes[0].microbatches = number(microbatches);
        const auto times = timesOf(scenario);
        const double slowest = std::max({times.attention, times.ffn, times.message});
        CHECK(off(times.seconds, std::max(microbatches * slowest,
                                          times.attention + times.ffn + 2.0 * times.message)) < 1e-12);
        return times.seconds;
    };
    const double one = seconds(1.0);
    CHECK(seconds(2.0) < one);
    CHECK(seconds(3.0) > seconds(2.0)); // weights are read once more
}

TEST_CASE("attention-FFN disaggregation: what has no other half, or cannot be split, is refused by name") {
    const auto codes = [](const Scenario& scenario) {
        std::string text;
        for (const auto& found : validate(scenario))
            if (found.severity == Severity::Error)
                text.append(found.code).append(" ");
        return text;
    };
    const auto remedies = [](const Scenario& scenario) {
        std::string text;
        for (const auto& found : validate(scenario))
            text += found.severity == Severity::Error ? found.remedy : "";
        return text;
    };
    auto scenario = llama();
    const auto first = scenario.nodes[0].shownName(), second = scenario.nodes[1].shownName();
    scenario.nodes[1].role = Role::Both;
    CHECK(codes(scenario) == "attends_alone ");
    scenario = llama();
    scenario.nodes[1].replicas = number(2);
    CHECK(codes(scenario) == "split_replicas ");
    CHECK(remedies(scenario) == "Set " + first + " replicas and " + second + " replicas to the same number");
    scenario = llama();
    scenario.nodes[0].pp = number(2);
    CHECK(codes(scenario) == "split_stages ");
    CHECK(remedies(scenario) == "Unset " + first + " stages (PP)");
    scenario = llama();
    std::erase_if(scenario.links, [](const Link& link) { return link.id.value == "f-switch"; });
    CHECK(codes(scenario) == "attends_alone ");
    scenario = llama();
    scenario.model = catalog().model("opt-30b", "test");
    CHECK(codes(scenario).find("uniform_layout") != std::string::npos);
    scenario = llama();
    scenario.nodes[0].role = Role::Both;
    scenario.nodes[0].dp = {};
    scenario.nodes[0].replicas = number(1);
    CHECK(codes(scenario).empty()); // the other has no part, which is told
    CHECK(!splitPoolOf(scenario, scenario.nodes[1]));
}

TEST_CASE("attention-FFN disaggregation: prefill elsewhere, attention nodes decode") {
    auto scenario = llama();
    scenario.techniques[disaggregation()].enabled = true;
    Node node;
    node.id = {"p"};
    node.device = catalog().device("h100-sxm", "test");
    node.count = number(8);
    node.replicas = number(1);
    node.device.memoryCapacity.value *= 4.0;
    node.role = Role::Prefill;
    node.runtime = scenario.nodes[0].runtime;
    scenario.nodes.push_back(node);
    Link link = scenario.links[0];
    link.id = {"p-switch"};
    link.from = {"p"};
    scenario.links.push_back(link);
    for (const auto& found : validate(scenario)) {
        CAPTURE(found.message);
        CHECK(found.severity != Severity::Error);
    }
    CHECK(effectiveRole(scenario, scenario.nodes[0]) == Role::Decode);
    CHECK(shownRole(scenario, scenario.nodes[0]) == Role::Attention);
    CHECK(shownRole(scenario, scenario.nodes[1]) == Role::Ffn);
    const auto evaluation = evaluate(scenario);
    CAPTURE(evaluation.reason);
    CHECK(evaluation.feasible);
}

TEST_CASE("what limits a step of two nodes is what helps most when it is twice as fast") {
    const std::pair<const char*, const char*> kSettings[] = {
        {"nodes.gpu.device.memory_bandwidth_gbps", "4800"},
        {"nodes.gpu.device.memory_bandwidth_gbps", "100"},
        {"nodes.gpu.device.memory_bandwidth_gbps", "20"},
        {"nodes.fpga.device.memory_bandwidth_gbps", "4600"},
        {"links.gpu-switch.bandwidth_gbps", "0.5"},
        {"links.fpga-switch.bandwidth_gbps", "0.05"}};
    std::set<std::string> named;
    for (const auto& [path, value] : kSettings) {
        CAPTURE(path);
        CAPTURE(value);
        const auto scenario =
            presetWith("served/qwen3-235b-8u280-4h200", {{path, value}, {"workload.output_tokens", "2048"}});
        const auto e = evaluate(scenario);
        REQUIRE(e.feasible);
        for (const auto& node : e.nodes) {
            CHECK(node.busy() <= 1.0 + 1e-9);
            CHECK_FALSE(node.prefill.memoryUtilisation() > 1.0 + 1e-9);
            CHECK_FALSE(node.prefill.computeUtilisation() > 1.0 + 1e-9);
        }
        named.insert(boundKey(scenario, e));
        const auto gain = [&](const std::string& what) {
            auto faster = scenario;
            for (auto& node : faster.nodes)
                if (node.id.value == what)
                    for (auto* rate : {&node.device.memoryBandwidth, &node.device.peakFp16,
                                       &node.device.peakFp8, &node.device.peakInt8, &node.device.clock})
                        rate->value *= 2.0;
            for (auto& link : faster.links)
                if (link.id.value == what) {
                    link.type.bandwidth.value *= 2.0;
                    link.type.latency.value *= 0.5;
                }
            return evaluate(faster).metric(Metric::Throughput) / e.metric(Metric::Throughput);
        };
        const auto& bound = e.bound;
        const bool link = bound.link < scenario.links.size();
        const auto& limits = link ? scenario.links[bound.link].id.value : scenario.nodes[bound.node].id.value;
        CAPTURE(limits);
        const double most = gain(limits);
        CHECK(most > 1.05);
        for (const char* other : {"fpga", "gpu", "gpu-switch", "fpga-switch"})
            CHECK(gain(other) <= most * (1.0 + 1e-9));
    }
    CHECK(named.size() >= 3);
}

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/schedule/step.h"

#include "engine/schedule/compiled_pool.h"
#include "engine/schedule/draft_steps.h"
#include "engine/techniques/graph_pass.h"
#include "engine/techniques/l2_prefetch.h"
#include "tests/engine/fixtures.h"
#include "tests/engine/graph_fixtures.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

/// Checks one step at one context; gives the number of segments seen.
std::size_t checkStep(const Scenario& scenario, const Node& node, Phase phase, double context, double last) {
    const CompiledPool pool(scenario, static_cast<std::size_t>(&node - scenario.nodes.data()));
    const auto compiled = pool.phase(phase);
    const auto& graph = compiled.graph();
    const auto& step = compiled.step();
    const double seconds = step.cost(std::min(context, 1.0), last).at(context);
    REQUIRE(seconds > 0.0);

    double whole = 0.0;
    std::size_t segments = 0;
    for (const auto& block : step.blocks(context)) {
        whole += block.repeat * block.seconds;
        std::array<double, kLaneCount> end{};
        for (const auto& segment : block.segments) {
            const auto lane = static_cast<std::size_t>(segment.lane);
            const auto& op = graph.operators()[segment.op];
            CHECK(op.segment == block.segment);
            CHECK(segment.start >= end[lane]);
            CHECK(segment.end > segment.start);
            CHECK(segment.end <= block.seconds);
            CHECK((segment.lane == Lane::Network) == (segment.work == Work::AllReduce));
            CHECK((segment.lane == Lane::Memory) ==
                  (segment.work == Work::Prefetch || segment.work == Work::Read));
            CHECK((segment.work == Work::AllReduce) == (op.kind == OperatorKind::AllReduce));
            // A measured prefill has its own, with everything that fits.
            if (segment.work == Work::Prefetch && node.runtime->prefill.kind->id() != "ascend910b_prefill")
                CHECK(op.prefetched);
            end[lane] = segment.end;
            ++segments;
        }
    }
    CHECK(off(whole, seconds) < 1e-11);

    std::array<OperatorTime, OperatorGraph::kCapacity> times;
    step.operatorTimes(context, times);
    double sum = 0.0;
    double head = 0.0;
    for (std::size_t i = 0; i < graph.operators().size(); ++i) {
        CHECK(times[i].seconds >= 0.0);
        sum += times[i].seconds;
        if (graph.operators()[i].kind == OperatorKind::AllReduce)
            CHECK((times[i].seconds == 0.0 || times[i].bound == Bound::Network ||
                   times[i].bound == Bound::FixedLayer));
        if (graph.operators()[i].segment == Segment::Head)
            head += times[i].seconds;
    }
    CHECK(off(sum, seconds) < 1e-11);
    const auto parts = step.segmentSeconds(context);
    CHECK(off(scenario.model.layers.value * (parts.attention + parts.ffn) + parts.head, seconds) < 1e-11);
    CHECK(std::fabs(parts.head - head) <= 1e-12 * seconds);
    CHECK(step.timing().movedBytes().at(context) > 0.0);
    return segments;
}

void checkPhases(const Scenario& scenario, const std::string& id, std::mt19937& random) {
    const auto& node = *scenario.findNode({id});
    const double prompt = scenario.workload.promptTokens.value;
    CHECK(checkStep(scenario, node, Phase::Prefill, prompt, prompt) >= 10);
    const double last = prompt + scenario.workload.outputTokens.value;
    for (const double context : {1.0, prompt, last, 1.0 + static_cast<double>(random() % 4000)})
        CHECK(checkStep(scenario, node, Phase::Decode, context, std::max(context, last)) >= 10);
}

} // namespace

TEST_CASE("two streams: lanes never overlap and every sum is the step, 12 models, any devices and budgets") {
    std::mt19937 random(90);
    const auto base = preset("preserve/llama3-405b-32");
    for (const auto& id : preserveModels())
        for (const double n : {1.0, 2.0, 4.0, 8.0, 12.0, 32.0, 128.0})
            for (const bool prefetch : {false, true}) {
                auto scenario = base;
                scenario.model = catalog().model(id, "");
                auto& node = *scenario.findNode({"npu"});
                node.count.value = n;
                node.device.l2Capacity.value = 1e6 * static_cast<double>(1 + random() % 200);
                node.runtime->allReduce =
                    random() % 2 == 0 ? AllReduceConvention::Literal : AllReduceConvention::Ring;
                scenario.links[0].type.bandwidth.value = 1e9 * static_cast<double>(1 + random() % 500);
                scenario.workload.batch.value = static_cast<double>(1 + random() % 64);
                scenario.workload.promptTokens.value = static_cast<double>(1 + random() % 9000);
                auto& technique = scenario.techniques[l2Prefetch()];
                technique.enabled = prefetch;
                technique.quantity(kL2Budget).value = 0.05 * static_cast<double>(1 + random() % 20);
                technique.switchOn(kPrefetchWeights, random() % 3 != 0);
                technique.switchOn(kPrefetchKv, random() % 3 != 0);
                CAPTURE(id);
                CAPTURE(n);
                CAPTURE(technique.isOn(kPrefetchWeights));
                CAPTURE(technique.isOn(kPrefetchKv));
                checkPhases(scenario, "npu", random);
            }
}

TEST_CASE("the measured layer and its prefill: every sum is the step") {
    std::mt19937 random(91);
    for (const auto& id : preserveModels())
        for (const auto* n : {"1", "2", "4", "8"})
            for (const auto* prefetch : {"false", "true"}) {
                CAPTURE(id);
                CAPTURE(std::string(n));
                checkPhases(presetWith("preserve/llama3-70b-4npu-measured",
                                       {{"model", id},
                                        {"nodes.npu.count", n},
                                        {"techniques.l2_prefetch.enabled", prefetch}}),
                            "npu", random);
            }
}

TEST_CASE("whole-step models over several devices: operators and allreduces one after the other") {
    std::mt19937 random(92);
    for (const auto& id : preserveModels())
        for (const auto* n : {"1", "2", "8"})
            for (const auto* batch : {"1", "64"}) { // at the launch floor and above
                CAPTURE(id);
                const auto scenario =
                    presetWith("preserve/llama3-70b-8h100", {{"model", id},
                                                             {"nodes.gpu.runtime", "hf-eager"},
                                                             {"nodes.gpu.count", n},
                                                             {"workload.batch", batch}});
                checkPhases(scenario, "gpu", random);
                // Two allreduces a layer, of the step's rows in FP16, on top of the step without them.
                const auto& node = *scenario.findNode({"gpu"});
                const OperatorGraph graph(scenario.model, phaseShape(scenario, node, Phase::Decode));
                const auto machine = machineOf(scenario, node);
                auto alone = machine;
                alone.collective = {};
                const double devices = node.count.value;
                const double rows = scenario.workload.batch.value;
                const double each = devices > 1 ? 10e-6 + 2 * (devices - 1) / devices * 2 * rows *
                                                              scenario.model.hidden.value / 450e9
                                                : 0.0;
                const double with = Step(graph, machine, Phase::Decode).cost(1, 5000).at(5000);
                const double without = Step(graph, alone, Phase::Decode).cost(1, 5000).at(5000);
                CHECK(with ==
                      doctest::Approx(without + 2 * scenario.model.layers.value * each).epsilon(1e-12));
            }
}

TEST_CASE("instruction streams and roofs of one device add up too") {
    std::mt19937 random(93);
    for (const auto* id : {"glitches/a100-7u280", "glitches/8v100s"})
        for (const auto& node : preset(id).nodes)
            if (node.runtime) {
                const auto scenario = preset(id);
                checkPhases(scenario, node.id.value, random);
            }
}

TEST_CASE("the cost's lines follow the schedule over a whole decode") {
    std::mt19937 random(94);
    for (const auto& id : preserveModels())
        for (const auto* l2 : {"8", "40", "104", "200"}) {
            const auto scenario =
                presetWith("preserve/llama3-405b-32", {{"model", id}, {"nodes.npu.device.l2_mb", l2}});
            const CompiledPool pool(
                scenario, static_cast<std::size_t>(scenario.findNode({"npu"}) - scenario.nodes.data()));
            const auto compiled = pool.phase(Phase::Decode);
            const auto& step = compiled.step();
            const auto cost = step.cost(1, 40000);
            double sum = 0.0;
            for (double context = 5462; context <= 8192; ++context) {
                double whole = 0.0;
                for (const auto& block : step.blocks(context))
                    whole += block.repeat * block.seconds;
                sum += whole;
            }
            CHECK(off(cost.sumOverDecode(5461, 2731), sum) < 1e-11);
        }
}

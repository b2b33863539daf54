// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluation/timeline.h"

#include "engine/claims/claims.h"
#include "engine/evaluation/evaluate.h"
#include "engine/techniques/built_in.h"
#include "engine/techniques/l2_prefetch.h"
#include "tests/engine/fixtures.h"

#include <array>
#include <cmath>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

struct ExpectedTask {
    const char* key;
    double start; ///< us
    double end;
};

/// The stretches of one lane of layer 0, to 0.02 us.
void checkLane(const StepTimeline& timeline, Lane lane, Work work,
               const std::vector<ExpectedTask>& expected) {
    std::vector<TimelineSegment> found;
    for (const auto& segment : timeline.segments)
        if (segment.layer == 0 && segment.lane == lane && segment.work == work)
            found.push_back(segment);
    REQUIRE(found.size() == expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
        CAPTURE(expected[i].key);
        CHECK(found[i].key == expected[i].key);
        CHECK(std::fabs(1e6 * found[i].start - expected[i].start) < 0.02);
        CHECK(std::fabs(1e6 * found[i].end - expected[i].end) < 0.02);
    }
}

void checkWhole(const StepTimeline& timeline) {
    std::array<double, kLaneCount> end{};
    double last = 0.0;
    double start = 0.0;
    for (const auto& segment : timeline.segments) {
        const auto lane = static_cast<std::size_t>(segment.lane);
        CHECK(segment.start >= start); // by start
        CHECK(segment.start >= end[lane] - 1e-15);
        CHECK(segment.end > segment.start);
        CHECK(segment.layer >= -1);
        CHECK(segment.layer < timeline.layers);
        start = segment.start;
        end[lane] = segment.end;
        last = std::max(last, segment.end);
    }
    CHECK(off(last, timeline.seconds) < 1e-12);
    CHECK(timeline.layerSeconds * timeline.layers <= timeline.seconds * (1 + 1e-12));
}

void checkRequest(const Scenario& scenario) {
    const auto request = requestTimeline(scenario);
    CHECK(off(request.seconds, request.latency) < 1e-9);
    CHECK(request.latency == evaluate(scenario).metric(Metric::Latency));
    REQUIRE_FALSE(request.parts.empty());
    double at = 0.0;
    double steps = 0.0;
    for (const auto& part : request.parts) {
        CHECK(part.start == at);
        CHECK(part.end > part.start);
        at = part.end;
        if (part.kind == RequestPart::Kind::Step) {
            checkWhole(part.step);
            CHECK(off(part.step.seconds, part.end - part.start) < 1e-9);
        }
        if (part.step.phase == Phase::Decode && part.kind != RequestPart::Kind::KvTransfer)
            steps += part.steps;
    }
    CHECK(at == request.seconds);
    CHECK(steps == scenario.workload.outputTokens.value);
    CHECK(request.parts.front().step.phase == Phase::Prefill);
}

} // namespace

TEST_CASE("PRESERVE Fig 1 without prefetch, layer 0") {
    const auto scenario = withoutTechnique(preset("preserve/llama3-70b-8npu"));
    const auto step = stepTimeline(scenario, {"npu"}, Phase::Decode);
    CHECK(step.context == 16384);
    checkLane(step, Lane::Network, Work::AllReduce,
              {{"attention_allreduce", 0, 25.59}, {"ffn_allreduce", 47.88, 73.46}});
    checkLane(step, Lane::Compute, Work::Operator,
              {{"input_norm", 25.59, 25.60},
               {"q_proj", 25.60, 30.84},
               {"k_proj", 30.84, 31.49},
               {"v_proj", 31.49, 32.15},
               {"attention", 32.15, 42.64},
               {"o_proj", 42.64, 47.88},
               {"ffn_norm", 73.46, 73.47},
               {"gate_proj", 73.47, 91.82},
               {"up_proj", 91.82, 110.17},
               {"silu_mul", 110.17, 110.18},
               {"down_proj", 110.18, 128.53}});
    checkLane(step, Lane::Memory, Work::Prefetch, {});
    checkLane(step, Lane::Memory, Work::Read,
              {{"q_proj", 25.60, 30.84},
               {"k_proj", 30.84, 31.49},
               {"v_proj", 31.49, 32.15},
               {"attention", 32.15, 42.64},
               {"o_proj", 42.64, 47.88},
               {"gate_proj", 73.47, 91.82},
               {"up_proj", 91.82, 110.17},
               {"down_proj", 110.18, 128.53}});
    CHECK(std::fabs(1e6 * step.layerSeconds - 128.53) < 0.02);
}

TEST_CASE("PRESERVE Fig 1 with prefetch, layer 0") {
    const auto scenario = preset("preserve/llama3-70b-8npu");
    const auto step = stepTimeline(scenario, {"npu"}, Phase::Decode);
    checkLane(step, Lane::Network, Work::AllReduce,
              {{"attention_allreduce", 0, 25.59}, {"ffn_allreduce", 28.58, 54.16}});
    checkLane(step, Lane::Compute, Work::Operator,
              {{"input_norm", 25.59, 25.60},
               {"q_proj", 25.60, 26.30},
               {"k_proj", 26.30, 26.39},
               {"v_proj", 26.39, 26.48},
               {"attention", 26.48, 27.88},
               {"o_proj", 27.88, 28.58},
               {"ffn_norm", 54.16, 54.18},
               {"gate_proj", 54.18, 56.63},
               {"up_proj", 56.63, 65.28},
               {"silu_mul", 65.28, 65.28},
               {"down_proj", 65.28, 83.63}});
    checkLane(step, Lane::Memory, Work::Read, {});
    checkLane(step, Lane::Memory, Work::Prefetch,
              {{"q_proj", 0, 5.24},
               {"k_proj", 5.24, 5.90},
               {"v_proj", 5.90, 6.55},
               {"attention", 6.55, 17.04},
               {"o_proj", 17.04, 22.28},
               {"gate_proj", 28.58, 46.93},
               {"up_proj", 46.93, 65.28},
               {"down_proj", 65.28, 83.63}});
    for (const auto& segment : step.segments)
        if (segment.layer == 0 && segment.key == "attention") {
            CHECK(segment.hit == (segment.work == Work::Operator));
            CHECK(segment.bytes == (segment.work == Work::Prefetch ? 16777216.0 : 0.0));
        } else if (segment.work == Work::AllReduce) {
            CHECK(segment.bytes == 32768);
        } else if (segment.key == "input_norm") {
            CHECK_FALSE(segment.hit);
        }
}

TEST_CASE("the timelines of a step and of a request end where the evaluation says, for every preset") {
    for (const auto& info : listPresets(catalog())) {
        CAPTURE(info.id);
        for (const auto* output : {"1", "2", "3", "700"}) {
            CAPTURE(std::string(output));
            auto scenario = with(preset(info.id), "workload.output_tokens", output);
            scenario.techniques[gpuAssist()].enabled = false; // so that every request takes the same way
            for (const bool prefetch : {false, true}) {
                scenario.techniques[l2Prefetch()].enabled = prefetch;
                // A step measured whole says nothing of lengths at which nobody measured it.
                const bool measured = info.id == "inf2/opt-175b-8a100" && std::string(output) == "700";
                REQUIRE(evaluate(scenario).feasible == !measured);
                if (!measured)
                    checkRequest(scenario);
            }
        }
        const auto scenario = preset(info.id);
        const auto evaluation = evaluate(scenario);
        for (std::size_t i = 0; i < scenario.nodes.size(); ++i) {
            if (!scenario.nodes[i].runtime)
                continue;
            const auto prefill = stepTimeline(scenario, scenario.nodes[i].id, Phase::Prefill);
            checkWhole(prefill);
            CHECK(off(prefill.seconds, evaluation.nodes[i].prefill.seconds) < 1e-11);
            const auto decode = stepTimeline(scenario, scenario.nodes[i].id, Phase::Decode, 777);
            checkWhole(decode);
            CHECK(decode.context == 777);
        }
    }
}

TEST_CASE("a request's parts: prefill, KV transfer, first, merged and last step") {
    using Kind = RequestPart::Kind;
    const auto kinds = [](const std::string& id, const std::string& output) {
        std::vector<Kind> found;
        for (const auto& part : requestTimeline(with(preset(id), "workload.output_tokens", output)).parts)
            found.push_back(part.kind);
        return found;
    };
    CHECK(kinds("preserve/llama3-405b-32", "1") == std::vector{Kind::Step, Kind::Step});
    CHECK(kinds("preserve/llama3-405b-32", "2") == std::vector{Kind::Step, Kind::Step, Kind::Step});
    CHECK(kinds("preserve/llama3-405b-32", "9") ==
          std::vector{Kind::Step, Kind::Step, Kind::MergedSteps, Kind::Step});
    CHECK(kinds("glitches/a100-7u280", "9") ==
          std::vector{Kind::Step, Kind::KvTransfer, Kind::Step, Kind::MergedSteps, Kind::Step});
    const auto parts = requestTimeline(preset("glitches/a100-7u280")).parts;
    CHECK(parts.front().step.node.value == "gpu");
    CHECK(parts.back().step.node.value == "fpga");
}

TEST_CASE("what cannot run or compute has no timeline, and says why") {
    auto scenario = preset("preserve/llama3-405b-32");
    CHECK(errorOf([&] { stepTimeline(scenario, {"switch"}, Phase::Decode); }).find("nodes.switch") == 0);
    CHECK(errorOf([&] { stepTimeline(scenario, {"gone"}, Phase::Decode); }).find("nodes.gone") == 0);
    scenario = with(scenario, "nodes.npu.count", "2");
    CHECK(errorOf([&] { requestTimeline(scenario); }).find("but has 64.0 GB") != std::string::npos);
}

TEST_CASE("lanes are named after what they stand for") {
    const auto names = [](const std::string& id, const char* node) {
        const auto scenario = preset(id);
        return laneNames(scenario, *scenario.findNode({node}));
    };
    const auto at = [](const LaneNames& all, Lane lane) { return all[static_cast<std::size_t>(lane)]; };
    const auto inf2 = names("inf2/opt-30b-a100-16csd", "gpu");
    CHECK(at(inf2, Lane::Compute).title == "GPU");
    CHECK(at(inf2, Lane::Compute).place == "A100 40GB, INF2");
    CHECK(at(inf2, Lane::Host).title == "Host CPU");
    CHECK_FALSE(at(inf2, Lane::Host).place.empty());
    // The uplink carries 5.54 GB/s for all, the links to the drives more together.
    const auto scenario = preset("inf2/opt-30b-a100-16csd");
    CHECK(at(inf2, Lane::Uplink).place == scenario.links.at(1).type.name);
    CHECK(at(inf2, Lane::Csd).place == "16 \u00d7 SmartSSD");
    const auto fpga = names("inf2/llama2-7b-4u280-16csd", "fpga"); // four copies, each on a device
    CHECK(at(fpga, Lane::Compute).place == "Alveo U280");
    CHECK(at(fpga, Lane::Csd).place == "16 \u00d7 SmartSSD for 4 replicas");
    const auto npu = names("preserve/llama3-70b-8npu", "npu");
    CHECK(at(npu, Lane::Compute).title == "Compute");
    CHECK(at(npu, Lane::Compute).place.empty());
    CHECK(at(names("inf2/opt-30b-910b-16csd", "npu"), Lane::Compute).title == "NPU");
}

TEST_CASE("flows of an offloaded step: rate and bound, and the techniques it is compared without") {
    const auto scenario = preset("inf2/opt-30b-a100-16csd");
    const NodeId gpu{"gpu"};
    CHECK(scheduleTechniques(scenario, gpu) ==
          std::vector<std::string_view>{"attention_near_storage", "delayed_writeback", "x_cache"});
    const auto own = stepTimeline(scenario, gpu, Phase::Decode);
    CHECK(own.offloads);
    const auto find = [](const StepTimeline& step, Work work) {
        for (const auto& segment : step.segments)
            if (segment.work == work)
                return segment;
        return TimelineSegment{};
    };
    CHECK(find(own, Work::NearStorageAttention).bound == Bound::CsdKernel);
    CHECK(off(find(own, Work::QkvTransfer).rate(), 5.54e9) < 1e-9);
    CHECK(find(own, Work::QkvTransfer).bound == Bound::StorageLink);
    CHECK(find(own, Work::XTransfer).bound == Bound::Pcie);
    const auto base = stepTimeline(withoutTechnique(scenario), gpu, Phase::Decode);
    CHECK(off(find(base, Work::KvRead).rate(), 5.54e9) < 1e-9);
    CHECK(find(base, Work::NearStorageAttention).end == 0.0);
    // INF2, Fig 11: each of the three makes a step shorter.
    for (const auto technique : scheduleTechniques(scenario, gpu))
        CHECK(stepTimeline(withoutTechnique(scenario, technique), gpu, Phase::Decode).layerSeconds >
              own.layerSeconds);
    // An operator keeps its own bound.
    const auto npu = stepTimeline(preset("preserve/llama3-70b-8npu"), {"npu"}, Phase::Decode);
    CHECK(find(npu, Work::AllReduce).bound == Bound::Network);
    CHECK(find(npu, Work::Prefetch).bound == Bound::Memory);
}

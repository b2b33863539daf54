// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/study/study.h"

#include "engine/plotting/grid_rows.h"
#include "engine/scenario/diagnostics.h"
#include "engine/scenario/layout_choices.h"
#include "engine/scenario/parameters.h"
#include "engine/study/point_validity.h"
#include "engine/study/truths.h"
#include "engine/study_run/evaluate_study.h"
#include "tests/engine/fixtures.h"

#include <algorithm>
#include <random>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

const char* const kChoicePreset = "preserve/llama3-405b-32";

Study studyOf(const Scenario& base, const std::vector<std::string>& axes) {
    Study study{"study", base, {}};
    for (const auto& axis : axes)
        study.axes.push_back(parseAxis(base, catalog(), axis));
    checkStudy(study);
    return study;
}

std::string refusal(const Scenario& base, const std::vector<std::string>& axes) {
    return errorOf([&] { studyOf(base, axes); });
}

/// The point of an ordinal made anew: choices in the order of the axes, then numbers.
Scenario freshPoint(const Study& study, std::size_t ordinal) {
    std::vector<std::size_t> positions(study.axes.size());
    for (std::size_t i = study.axes.size(); i-- > 0;) {
        positions[i] = ordinal % study.axes[i].values.size();
        ordinal /= study.axes[i].values.size();
    }
    auto scenario = *study.base;
    for (const bool choices : {true, false})
        for (std::size_t i = 0; i < study.axes.size(); ++i)
            if (study.axes[i].isChoice() == choices)
                scenario = with(scenario, study.axes[i].path, study.axes[i].text(positions[i]));
    return scenario;
}

using Names = std::vector<std::string>;

} // namespace

TEST_CASE("axes of choices and switches are lists of names") {
    const auto base = preset(kChoicePreset);
    const auto models = parseAxis(base, catalog(), "model=llama3-8b, llama3-70b");
    CHECK(models.isChoice());
    CHECK(models.names == Names{"llama3-8b", "llama3-70b"});
    CHECK(models.values == std::vector<double>{0, 1});
    CHECK(models.edits.size() == 2);
    CHECK(models.text(1) == "llama3-70b");
    const auto onOff = parseAxis(base, catalog(), "techniques.l2_prefetch.enabled=true,false");
    CHECK(onOff.names == Names{"true", "false"});
    CHECK(parseAxis(base, catalog(), "techniques.l2_prefetch.kv=*").names == Names{"false", "true"});
    CHECK(parseAxis(base, catalog(), "nodes.npu.runtime.allreduce=*").names ==
          Names{"literal", "ring", "tree", "flat_ring"});
    CHECK(parseAxis(base, catalog(), "nodes.npu.role=*").names.size() == 6);
    CHECK(parseAxis(base, catalog(), "model=*").names.size() == catalog().models.size());
    CHECK(parseAxis(base, catalog(), "links.npu-switch.type=network-200g,hccs").names.size() == 2);
    CHECK(parseAxis(base, catalog(), "workload=s2k,s4k").names.size() == 2);
    // A number stays one.
    const auto count = parseAxis(base, catalog(), "nodes.npu.count=8:32:*2");
    CHECK_FALSE(count.isChoice());
    CHECK(count.text(1) == "16");
}

TEST_CASE("bad axes of choices are refused by path and name") {
    const auto base = preset(kChoicePreset);
    const auto refused = [&](const std::string& axis) {
        return errorOf([&] { parseAxis(base, catalog(), axis); });
    };
    CHECK(contains(refused("model=llama3-8b,lama"), "model: unknown value \"lama\". Nearest: llama"));
    CHECK(contains(refused("model=llama3-8b,llama3-8b"), "llama3-8b is given twice"));
    CHECK(contains(refused("model=llama3-8b,"), "unknown value \"\""));
    CHECK(contains(refused("model=1:3"), "unknown value \"1:3\""));
    CHECK(contains(refused("model="), "no values"));
    CHECK(contains(refused("techniques.l2_prefetch.enabled=yes"), "\"yes\" is not a switch"));
    CHECK(contains(refused("techniques.l2_prefetch.enabled=true,*"), "\"*\" is not a switch"));
    CHECK(contains(refused("nodes.npu.runtime=hf-eager"), "nodes.npu.runtime: unknown value"));
    CHECK(contains(refused("workload.batch=*"), "\"*\" is not a number"));
    CHECK(contains(refusal(base, {"model=llama3-8b", "model=llama3-70b"}), "swept by two axes"));
    Study unresolved{"", base, {{"model", {0}, {"llama3-8b"}}}};
    CHECK(contains(errorOf([&] { checkStudy(unresolved); }), "not resolved"));
}

TEST_CASE("device, runtime and allreduce of one node are not swept together, of two nodes they are") {
    auto base = preset(kChoicePreset);
    const char* message = "cannot be swept together with nodes.npu.";
    CHECK(contains(
        refusal(base, {"nodes.npu.device=preserve-npu,ascend-910b", "nodes.npu.runtime=fused-int8,torchair"}),
        message));
    CHECK(contains(refusal(base, {"nodes.npu.runtime.allreduce=*", "nodes.npu.device=preserve-npu,h100-sxm"}),
                   message));
    CHECK(contains(refusal(base, {"nodes.npu.runtime=fused-int8,torchair", "nodes.npu.runtime.allreduce=*"}),
                   message));
    CHECK_NOTHROW(studyOf(base, {"nodes.npu.device=preserve-npu,ascend-910b", "nodes.npu.role=both,decode",
                                 "nodes.npu.count=8,16", "nodes.npu.device.l2_mb=8,16"}));
    auto other = base.nodes[0];
    other.id.value = "other";
    base.nodes.push_back(other);
    CHECK_NOTHROW(
        studyOf(base, {"nodes.npu.runtime=fused-int8,torchair", "nodes.other.runtime.allreduce=*"}));
}

TEST_CASE("a number that a choice takes away cannot be swept with it") {
    const auto base = preset(kChoicePreset);
    // A host has no runtime whose bits could be set.
    const auto error =
        refusal(base, {"nodes.npu.device=preserve-npu,host-cpu", "nodes.npu.runtime.kv_bits=8,16"});
    CHECK(contains(error, "nodes.npu.runtime.kv_bits"));
    CHECK(contains(error, "host-cpu"));
    CHECK(
        contains(refusal(base, {"nodes.npu.runtime.kv_bits=8,16", "nodes.npu.device=preserve-npu,host-cpu"}),
                 "host-cpu"));
    CHECK_NOTHROW(
        studyOf(base, {"nodes.npu.device=preserve-npu,ascend-910b", "nodes.npu.runtime.kv_bits=8,16"}));
}

TEST_CASE("every ordinal in any order is the scenario set anew") {
    const auto base = preset(kChoicePreset);
    const std::vector<std::vector<std::string>> studies{
        {"model=llama3-8b,mixtral-8x7b,llama3-405b", "workload=s2k,s16k", "workload.batch=8,1",
         "techniques.l2_prefetch.enabled=*", "nodes.npu.device.l2_mb=8,104,200"},
        {"workload.prompt_tokens=100,200", "workload=s4k,p512-d128,s8k", "nodes.npu.count=16,8"},
        {"nodes.npu.device.l2_mb=16,32", "nodes.npu.device=preserve-npu,ascend-910b,h100-sxm",
         "model.layers=4,5", "model=llama3-8b,qwen2-7b", "nodes.npu.role=*"},
        {"nodes.npu.runtime.kv_bits=8,16", "nodes.npu.runtime=fused-int8,torchair",
         "links.npu-switch.bandwidth_gbps=10,25,50", "links.npu-switch.type=network-200g,hccs"},
        {"techniques.l2_prefetch.kv=true,false", "techniques.l2_prefetch.weights=false,true",
         "techniques.l2_prefetch.budget=0.5,1", "nodes.npu.runtime.allreduce=ring,literal"},
        {"serving.arrivals=backlog,poisson,steady", "serving.batching=static,continuous",
         "serving.requests=10,20"},
        {"nodes.npu.device=preserve-npu,host-cpu", "workload.batch=1,2"}}; // a host takes the role away
    std::mt19937 random(7);
    for (const auto& axes : studies) {
        const auto study = studyOf(base, axes);
        PointSetter setter(study);
        auto copy = setter;
        for (std::size_t i = 0; i < rounds(4 * study.pointCount()); ++i) {
            const auto ordinal = random() % study.pointCount();
            const auto fresh = freshPoint(study, ordinal);
            const auto& point = setter.at(ordinal);
            REQUIRE(scenarioKey(point) == scenarioKey(fresh));
            REQUIRE(point.serving.arrivals == fresh.serving.arrivals);
            REQUIRE(point.serving.batching == fresh.serving.batching);
            REQUIRE(point.model.id == fresh.model.id);
            REQUIRE(point.workload.id == fresh.workload.id);
            if (i % 3 == 0)
                REQUIRE(scenarioKey(copy.at(ordinal)) == scenarioKey(fresh));
        }
    }
}

TEST_CASE("validity of points with choices, replicas and model sizes is that of validate()") {
    const auto base = preset(kChoicePreset);
    std::size_t valid = 0;
    std::size_t invalid = 0;
    for (const auto& axes : std::vector<std::vector<std::string>>{
             {"nodes.npu.count=8,9,12", "nodes.npu.replicas=1,2,3", "workload.batch=1,2"},
             {"nodes.npu.device=*", "workload.batch=1,2", "nodes.npu.device.memory_gb=64,80"},
             {"nodes.npu.role=*", "techniques.disaggregation.enabled=*"},
             {"model=llama2-7b,llama3-8b,llama3-70b,mixtral-8x7b,phi3-5-moe", "model.kv_heads=3,8",
              "model.experts_per_token=1,2"},
             {"links.npu-switch.type=*", "nodes.npu.count=1,2"}}) {
        const auto study = studyOf(base, axes);
        PointValidity validity;
        PointSetter setter(study);
        for (std::size_t i = 0; i < study.pointCount(); ++i) {
            const bool expected = !hasErrors(validate(setter.at(i)));
            CAPTURE(axes[0]);
            CAPTURE(i);
            CHECK(validity.of(setter) == expected);
            ++(expected ? valid : invalid);
        }
    }
    CHECK(valid > 20);
    CHECK(invalid > 20);
}

TEST_CASE("axes of choices have labels for people") {
    const auto base = preset(kChoicePreset);
    CHECK(axisLabel(base, "model") == "Model");
    CHECK(axisLabel(base, "techniques.l2_prefetch.kv") == "Prefetch KV cache");
    CHECK(axisLabel(base, "nodes.npu.runtime.allreduce") == "NPU of PRESERVE, Table 2 allreduce");
    CHECK(axisLabel(base, "links.npu-switch.type") == "200 Gbit/s network link type");
}

TEST_CASE("workers are swept as copies of the layout that one has") {
    const auto base = preset("served/deepseek-v3-8h200-tp8");
    const auto study = studyOf(base, {"nodes.gpu.workers=1,2,5"});
    for (std::size_t i = 0; i < 3; ++i) {
        const double workers = std::vector<double>{1, 2, 5}[i];
        const auto point = freshPoint(study, i);
        const auto& gpus = point.nodes.front();
        CHECK(gpus.count.value == 8 * workers);
        CHECK(replicas(gpus) == workers);
        CHECK(layoutOf(gpus).tp == layoutOf(base.nodes.front()).tp);
        PointSetter setter(study);
        CHECK(setter.at(i).nodes.front().count.value == 8 * workers);
    }
    CHECK(parameterText(base, findParameter(base, catalog(), "nodes.gpu.workers")) == "1");
}

TEST_CASE("workers that cannot be are refused by their path") {
    const auto base = preset("served/deepseek-v3-8h200-tp8");
    for (const auto* text : {"0", "1.5", "-2", "many", "12501", ""})
        CHECK(contains(errorOf([&] { with(base, "nodes.gpu.workers", text); }), "nodes.gpu.workers"));
    CHECK(contains(errorOf([&] { with(base, "nodes.gpu.workers", "12501"); }),
                   "from 1 to 12,500, each of 8 devices"));
    for (const auto* other : {"nodes.gpu.count=8,16", "nodes.gpu.replicas=1,2", "nodes.gpu.layout=tp 8"})
        CHECK(contains(refusal(base, {"nodes.gpu.workers=1,2", other}), "cannot be swept together"));
}

TEST_CASE("points know what they rest on, in grids and lists, and a table says so where they differ") {
    const auto served = preset("served/gpt-oss-120b-h100");
    const auto ideal = preset("preserve/llama3-70b-8h100");
    auto list = studyOf(served, {"nodes.gpu.runtime=vllm,ideal,trtllm", "workload.batch=1,2,4,8"});
    list.isList = true;
    list.axes[0].values = {0, 1, 2, 0};
    const std::vector<std::pair<Study, bool>> studies{
        {studyOf(served, {"nodes.gpu.device=h100-sxm,mi355x,h200-sxm", "workload.batch=1,8"}), true},
        {studyOf(ideal, {"workload.batch=1,8", "nodes.gpu.timing.decode.memory_efficiency=1,0.8"}), true},
        {list, true},
        {studyOf(ideal, {"workload.batch=1,8", "nodes.gpu.runtime=ideal,ideal-operators"}), false},
        {studyOf(served, {"workload.batch=1,8", "model=gpt-oss-120b,gpt-oss-20b"}), false}};
    for (const auto& [study, mixed] : studies) {
        auto table = evaluateStudy(study);
        const auto kinds = addTruths(table, study);
        const auto* column = table.find("truth");
        CHECK(kinds.areMixed() == mixed);
        REQUIRE((column != nullptr) == mixed);
        PointTruths truths(study);
        PointSetter setter(study);
        std::size_t measured = 0;
        for (std::size_t i = 0; i < study.pointCount(); ++i) {
            const auto truth = truthOf(setter.at(i));
            CHECK(truths.at(i) == truth);
            if (column)
                CHECK(column->text(column->at(i)) == truthNames()[static_cast<std::size_t>(truth)]);
            measured += truth >= Truth::Kernels ? 1 : 0;
        }
        const Limit limits[] = {likeForLike(kinds)};
        if (column && limits[0] == measuredLimit())
            CHECK(keptCount(rowsWithin(table, limits)) == measured); // all of these run
    }
    CHECK(limitText(parseLimit("measured")) == "measured");
    CHECK(parseLimit("measured") == measuredLimit());
}

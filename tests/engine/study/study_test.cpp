// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/study/study.h"

#include "engine/scenario/diagnostics.h"
#include "engine/study/point_validity.h"
#include "tests/engine/fixtures.h"

#include <algorithm>
#include <set>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

const char* const kStudyPreset = "glitches/a100-7u280";

/// The id of the first node that runs instructions from a stream (the FPGA of the preset).
std::string fpga(const Scenario& scenario) {
    for (const auto& node : scenario.nodes)
        if (node.device.kind == DeviceKind::Fpga)
            return node.id.value;
    FAIL("the preset has no FPGA");
    return {};
}

} // namespace

TEST_CASE("axes are parsed from lists and ranges") {
    const auto scenario = preset(kStudyPreset);
    struct Row {
        const char* text;
        std::vector<double> values;
    };
    const auto link = "links." + scenario.links.at(0).id.value + ".bandwidth_gbps=";
    const Row rows[] = {
        {"workload.batch=4", {4}},
        {"workload.batch=1,2,4", {1, 2, 4}},
        {"workload.batch=4,1,2", {4, 1, 2}},
        {" workload.batch = 1 , 2 ", {1, 2}},
        {"workload.batch=1:4", {1, 2, 3, 4}},
        {"workload.batch=1:8:3", {1, 4, 7}},
        {"workload.batch=1:7:3", {1, 4, 7}},
        {"workload.batch=8:1:-3", {8, 5, 2}},
        {"workload.batch=5:5", {5}},
        {"workload.batch=1:64:*2", {1, 2, 4, 8, 16, 32, 64}},
        {"workload.batch=3:100:* 3", {3, 9, 27, 81}},
        {"workload.batch=64:8:*0.5", {64, 32, 16, 8}},
        {"workload.batch=1,2,8:32:*2", {1, 2, 8, 16, 32}},
        {"workload.batch=1e2", {100}},
    };
    for (const auto& row : rows) {
        CAPTURE(row.text);
        const auto axis = parseAxis(scenario, catalog(), row.text);
        CHECK(axis.path == "workload.batch");
        CHECK(axis.values == row.values);
    }
    // No step may gather rounding: each value is the double nearest to its decimal.
    CHECK(parseAxis(scenario, catalog(), link + "0.1:0.7:0.1").values ==
          std::vector<double>{0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7});
    const auto fine = parseAxis(scenario, catalog(), link + "1:1000:0.001").values;
    CHECK(fine.size() == 999001);
    CHECK(fine.back() == 1000.0);
    CHECK(fine[123456] == 124.456);
}

TEST_CASE("bad axes are refused by path, value and what is allowed") {
    const auto scenario = preset(kStudyPreset);
    const auto node = scenario.nodes.at(0).id.value;
    struct Row {
        std::string text;
        const char* part;
    };
    const Row rows[] = {
        {"workload.batch", "there is no ="},
        {"=1,2", "no path before ="},
        {"workload.batch=", "no values"},
        {"workload.batch=1,,2", "\"\" is not a number"},
        {"workload.batch=1,two", "\"two\" is not a number"},
        {"workload.batch=nan", "\"nan\" is not a number"},
        {"workload.batch=inf", "\"inf\" is not a number"},
        {"workload.batch=1:nan", "\"nan\" is not a number"},
        {"workload.batch=0", "0 is not allowed"},
        {"workload.batch=1.5", "a whole number"},
        {"workload.batch=1:4:0.5", "1.5 is not allowed"},
        {"workload.batch=1:1e9", "1000000000 is not allowed"},
        {"workload.batch=1:4:0", "step of 0"},
        {"workload.batch=1:4:-1", "steps away"},
        {"workload.batch=4:1", "steps away"},
        {"workload.batch=1:4:*1", "multiplies by 1"},
        {"workload.batch=1:4:*0.5", "steps away"},
        {"workload.batch=1:4:*-2", "not above 0"},
        {"workload.batch=1:4:*", "is not a number"},
        {"workload.batch=1:2:3:4", "is not a range"},
        {"workload.batch=1,2,1", "1 is given twice"},
        {"workload.batch=1:4,2", "2 is given twice"},
        {"workload.prompt_tokens=1:4000000", "more than 1,000,000 values"},
        {"workload.nothing=1", "nothing is called \"nothing\""},
        {"nodes." + node + ".role=1",
         "unknown value \"1\". Allowed: both, prefill, decode, attention, ffn, fabric"},
        {"nodes." + node + ".device=1", "unknown value \"1\". Allowed: a10, a100-40gb"},
        {"model=1", "unknown value \"1\". Allowed: apertus-8b"},
        {"techniques.disaggregation.enabled=0,1", "\"0\" is not a switch. Give true or false"},
    };
    for (const auto& row : rows) {
        CAPTURE(row.text);
        const auto error = errorOf([&] { parseAxis(scenario, catalog(), row.text); });
        CAPTURE(error);
        CHECK(contains(error, row.part));
        const auto path = row.text.substr(0, row.text.find('='));
        CHECK(contains(error, path));
    }
}

TEST_CASE("a study is checked as a whole") {
    const auto base = preset(kStudyPreset);
    const auto refuse = [&](std::vector<Axis> axes) {
        return errorOf([&] { checkStudy({"", base, axes}); });
    };
    CHECK(contains(refuse({{"workload.batch", {1}}, {"workload.batch", {2}}}), "swept by two axes"));
    CHECK(contains(refuse({{"workload.batch", {}}}), "no values"));
    CHECK(contains(refuse({{"workload.batch", {1, 1}}}), "given twice"));
    CHECK(contains(refuse(std::vector<Axis>(9, {"workload.batch", {1}})), "at most 8"));
    std::vector<double> many(4000);
    for (std::size_t i = 0; i < many.size(); ++i)
        many[i] = static_cast<double>(i + 1);
    CHECK(contains(refuse({{"workload.prompt_tokens", many}, {"workload.output_tokens", many}}),
                   "more than 10,000,000 points"));
    Study huge{"", base, std::vector<Axis>(8, {"workload.batch", many})};
    CHECK(huge.pointCount() == static_cast<std::size_t>(-1));
    CHECK_NOTHROW(checkStudy({"", base, {}}));
}

TEST_CASE("points are placed with the last axis fastest, from a study that may be gone") {
    const auto base = preset(kStudyPreset);
    const auto count = "nodes." + fpga(base) + ".count";
    auto study = std::make_unique<Study>(
        Study{"order",
              base,
              {{"workload.batch", {1, 2}}, {count, {3, 5, 4}}, {"workload.prompt_tokens", {64, 32}}}});
    const auto axes = study->axes;
    PointSetter setter(*study);
    study.reset();
    auto copy = setter;
    std::vector<double> place;
    std::set<std::string> keys;
    std::size_t ordinal = 0;
    for (const double batch : {1, 2})
        for (const double fpgas : {3, 5, 4})
            for (const double prompt : {64, 32}) {
                const auto& point = setter.at(ordinal);
                CHECK(point.workload.batch.value == batch);
                CHECK(point.findNode(NodeId{fpga(base)})->count.value == fpgas);
                CHECK(point.workload.promptTokens.value == prompt);
                CHECK(copy.at(11).workload.promptTokens.value == 32); // independent of the other
                PointSetter::coordinates(axes, ordinal, place);
                CHECK(place == std::vector<double>{batch, fpgas, prompt});
                keys.insert(scenarioKey(point));
                ++ordinal;
            }
    CHECK(keys.size() == 12);
    // The same as setting the parameters one by one, as `evaluate --set` does.
    auto one = with(with(with(base, "workload.batch", "2"), count, "5"), "workload.prompt_tokens", "32");
    CHECK(scenarioKey(setter.at(9)) == scenarioKey(one));
}

TEST_CASE("axes have labels for people") {
    const auto base = preset(kStudyPreset);
    const auto id = fpga(base);
    CHECK(axisLabel(base, "workload.batch") == "Batch");
    CHECK(axisLabel(base, "nodes." + id + ".count") == base.findNode(NodeId{id})->shownName() + " count");
    CHECK(axisLabel(base, "nodes." + id + ".device.lanes") ==
          base.findNode(NodeId{id})->shownName() + " PCIe lanes");
}

TEST_CASE("the validity of points is that of validate(), for every parameter and also on broken bases") {
    const auto whole = preset(kStudyPreset);
    auto noCapacity = whole;
    noCapacity.nodes.at(0).device.memoryCapacity = {};
    auto noPeak = whole;
    for (auto& node : noPeak.nodes)
        node.device.peakInt8 = {};
    for (auto& node : noPeak.nodes)
        if (node.runtime)
            node.runtime->peakCompute = {};
    auto unlinked = whole;
    unlinked.links.clear();
    std::size_t valid = 0, invalid = 0;
    for (const auto& base : {whole, noCapacity, noPeak, unlinked}) {
        for (const auto& parameter : listParameters(base, catalog())) {
            if (parameter.kind != ParameterKind::Number)
                continue;
            CAPTURE(parameter.path);
            const auto& spec = parameter.spec;
            std::set<double> values{spec.minimum, spec.maximum};
            for (const double value : {1.0, 4.0, 8.0, 9.0, 16.0})
                if (value >= spec.minimum && value <= spec.maximum)
                    values.insert(value);
            Study study{
                "", base, {{"workload.batch", {1, 2}}, {parameter.path, {values.begin(), values.end()}}}};
            if (parameter.path == "workload.batch")
                study.axes.erase(study.axes.begin());
            PointValidity validity;
            PointSetter setter(study);
            for (std::size_t i = 0; i < study.pointCount(); ++i) {
                const bool expected = !hasErrors(validate(setter.at(i)));
                CHECK(validity.of(setter) == expected);
                ++(expected ? valid : invalid);
            }
        }
    }
    CHECK(valid > 100);
    CHECK(invalid > 100);
}

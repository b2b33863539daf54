// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/study/point_list.h"
#include "engine/study/study.h"
#include "tests/engine/fixtures.h"

#include <cmath>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {
const char* const kPreset = "glitches/a100-7u280";

std::string linkPath(const Scenario& scenario) {
    return "links." + scenario.links.at(0).id.value + ".bandwidth_gbps";
}
} // namespace

TEST_CASE("a count of values lies evenly on a log or a linear scale") {
    const auto scenario = preset(kPreset);
    struct Row {
        std::string text;
        std::vector<double> values;
    };
    const Row rows[] = {
        {"workload.batch=1:1000:log4", {1, 10, 100, 1000}},
        {"workload.batch=1:1000:log7", {1, 3, 10, 32, 100, 316, 1000}},
        {"workload.batch=1:4:log9", {1, 2, 3, 4}},
        {"workload.batch=1:9:lin5", {1, 3, 5, 7, 9}},
        {"workload.batch=1:4:lin3", {1, 3, 4}},
        {"workload.batch=1000:1:log 4", {1000, 100, 10, 1}},
        {"workload.batch=2,8:512:log3", {2, 8, 64, 512}},
        {linkPath(scenario) + "=1:100:log3", {1, 10, 100}},
        {linkPath(scenario) + "=1:2:lin5", {1, 1.25, 1.5, 1.75, 2}},
    };
    for (const auto& row : rows) {
        CAPTURE(row.text);
        CHECK(parseAxis(scenario, catalog(), row.text).values == row.values);
    }
}

TEST_CASE("log steps that are not whole have one ratio and meet both ends") {
    const auto scenario = preset(kPreset);
    const auto values = parseAxis(scenario, catalog(), linkPath(scenario) + "=0.3:70:log11").values;
    REQUIRE(values.size() == 11);
    CHECK(values.front() == 0.3);
    CHECK(values.back() == 70);
    for (std::size_t i = 1; i < values.size(); ++i)
        CHECK(values[i] / values[i - 1] == doctest::Approx(std::pow(70 / 0.3, 0.1)).epsilon(1e-12));
}

TEST_CASE("counts of values that mean nothing are refused by what is wrong") {
    const auto scenario = preset(kPreset);
    struct Row {
        std::string text;
        const char* part;
    };
    const Row rows[] = {
        {"workload.batch=1:10:log", "does not say how many values"},
        {"workload.batch=1:10:log1", "does not say how many values"},
        {"workload.batch=1:10:lin2.5", "does not say how many values"},
        {"workload.batch=1:10:logx", "does not say how many values"},
        {"workload.batch=1:10:log-3", "does not say how many values"},
        {"workload.batch=1:10:log2000000", "more than 1,000,000 values"},
        {"workload.batch=5:5:log3", "ends where it starts"},
        {"workload.batch=0:10:lin3", "0 is not allowed"},
        {"workload.batch=1:10:ln3", "\"ln3\" is not a number"},
        {"workload.batch=1:2:3:4", "from:to:log7"},
        {"techniques.disaggregation.stage=0:8:log3", "a log scale does not reach"},
    };
    for (const auto& row : rows) {
        CAPTURE(row.text);
        const auto error = errorOf([&] { parseAxis(scenario, catalog(), row.text); });
        CAPTURE(error);
        CHECK(error.find(row.part) != std::string::npos);
        CHECK(error.find(row.text.substr(0, row.text.find('='))) != std::string::npos);
    }
}

TEST_CASE("spaced values are each there once and go either way") {
    CHECK(spacedValues(1, 3, 9, Spacing::Linear, true) == std::vector<double>{1, 2, 3});
    CHECK(spacedValues(8, 1, 4, Spacing::Log, false) == std::vector<double>{8, 4, 2, 1});
    CHECK(spacedValues(0, 1, 2, Spacing::Linear, false) == std::vector<double>{0, 1});
}

TEST_CASE("several paths in one axis move together: a list of every combination with the other axes") {
    const auto base = preset(kPreset);
    const auto link = linkPath(base);
    const auto read = [&](const std::vector<std::string>& texts) {
        Study study;
        study.base = base;
        readAxes(study, catalog(), texts);
        return study;
    };
    const auto study = read(
        {"nodes.fpga.count=1,2,7;" + link + "=4,4,16; nodes.gpu.device=a10,l4,a10", "workload.batch=2,8"});
    REQUIRE(study.isList);
    REQUIRE(study.pointCount() == 6);
    REQUIRE(study.axes.size() == 4);
    CHECK(study.axes[0].values == std::vector<double>{1, 1, 2, 2, 7, 7});
    CHECK(study.axes[1].values == std::vector<double>{4, 4, 4, 4, 16, 16});
    CHECK(study.axes[2].names == std::vector<std::string>{"a10", "l4"});
    CHECK(study.axes[3].values == std::vector<double>{2, 8, 2, 8, 2, 8});
    PointSetter points(study);
    for (std::size_t i = 0; i < 6; ++i) {
        const auto& at = points.at(i);
        CHECK(at.findNode({"fpga"})->count.value == study.axes[0].values[i]);
        CHECK(at.links[0].type.bandwidth.value == study.axes[1].values[i] * 1e9);
        CHECK(at.findNode({"gpu"})->device.id == study.axes[2].text(i));
        CHECK(at.workload.batch.value == study.axes[3].values[i]);
    }
    CHECK_FALSE(read({"nodes.fpga.count=1,2,7", "workload.batch=2,8"}).isList);
    CHECK(read({"nodes.fpga.count=1:4;workload.batch=1:8:*2"}).pointCount() == 4);
    const auto unequal = errorOf([&] { read({"nodes.fpga.count=1,2,7;workload.batch=1,2"}); });
    CHECK(contains(unequal, "workload.batch"));
    CHECK(contains(unequal, "2 values move together with 3 of nodes.fpga.count"));
    CHECK(contains(errorOf([&] { read({"nodes.fpga.count=1,2;workload.batch=0,1"}); }), "workload.batch"));
    CHECK(contains(errorOf([&] { read({"nodes.fpga.count=1,2;nodes.fpga.count=1,2"}); }), "two axes"));
    CHECK(contains(errorOf([&] { read({"nodes.fpga.count=1,2;"}); }), "there is no ="));
    CHECK(contains(
        errorOf([&] {
            read({"workload.prompt_tokens=1:100000;workload.output_tokens=1:100000", "workload.batch=1:20"});
        }),
        "1,000,000 points"));
}

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

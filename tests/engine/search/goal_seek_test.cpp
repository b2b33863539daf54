// SPDX-License-Identifier: GPL-3.0-or-later
// Goal seek against looking at every value.
#include "engine/evaluation/evaluate.h"
#include "engine/scenario/parameters.h"
#include "engine/search/goal_seek.h"
#include "engine/study/largest_within.h"
#include "engine/units/number_text.h"
#include "tests/engine/fixtures.h"

#include <cmath>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

bool keeps(const Scenario& base, const GoalSeek& seek, double value) {
    auto scenario = base;
    const auto resolved = resolveQuantity(scenario, seek.path);
    resolved.access(scenario).value = value * resolved.spec.scale;
    double miss = 0.0;
    return brokenLimits(evaluate(scenario), seek.limits, miss).empty();
}

GoalSeek seekOf(const std::string& path, const std::string& limit, bool largest) {
    GoalSeek seek;
    seek.path = path;
    seek.limits = {parseLimit(limit)};
    seek.largest = largest;
    return seek;
}

} // namespace

TEST_CASE("a whole number that is sought is the one that all of them show") {
    const auto base = preset("glitches/a100-7u280");
    for (const auto* limit : {"latency_s<=20", "throughput_tok_s>=100", "price_usd<=60000"})
        for (const bool largest : {false, true})
            for (const auto* path : {"nodes.fpga.count", "workload.batch"}) {
                auto seek = seekOf(path, limit, largest);
                seek.from = 1;
                seek.to = 300;
                const auto sought = seekValue(base, seek);
                double expected = kUnset;
                for (double value = 1; value <= 300; ++value)
                    if (keeps(base, seek, value) && (largest || std::isnan(expected)))
                        expected = value;
                CAPTURE(path);
                CAPTURE(limit);
                CHECK(sought.found == !std::isnan(expected));
                if (sought.found)
                    CHECK(sought.value == expected);
                else
                    CHECK(sought.broken.find(" by ") != std::string::npos);
            }
    auto batch = seekOf("workload.batch", "latency_s<=20", true);
    CHECK(seekValue(base, batch).value == largestWithin(base, "workload.batch", batch.limits).value);
}

TEST_CASE("a number that is sought is the outermost representable one") {
    const auto base = preset("preserve/llama3-70b-8npu");
    const auto reference = evaluate(base);
    const double step = reference.metric(Metric::TimePerToken);
    for (const auto* path : {"nodes.npu.device.memory_bandwidth_gbps", "links.npu-switch.bandwidth_gbps"}) {
        const auto seek = seekOf(path, "tpot_s<=" + exactText(1.01 * step), false);
        const auto sought = seekValue(base, seek);
        CAPTURE(path);
        REQUIRE(sought.found);
        CHECK(keeps(base, seek, sought.value));
        CHECK(sought.next == std::nextafter(sought.value, 0.0));
        double value = sought.value;
        for (int i = 0; i < 2000; ++i) { // none of those below, all of those above
            value = std::nextafter(value, 0.0);
            if (keeps(base, seek, value)) {
                CHECK_MESSAGE(false, "a smaller value keeps the limit");
                break;
            }
        }
        CHECK(sought.broken.find("over") != std::string::npos);
        CHECK(sought.evaluations < 100'000);
    }
}

TEST_CASE("what cannot be reached says what is missing, where it comes nearest") {
    const auto base = preset("glitches/a100-7u280");
    const auto sought = seekValue(base, seekOf("nodes.fpga.count", "ttft_s<=1e-6", false));
    CHECK_FALSE(sought.found);
    CHECK(sought.broken.find("over") != std::string::npos);
    CHECK(sought.broken.find(" %") != std::string::npos);
    CHECK(errorOf([&] {
              seekValue(base, seekOf("nodes.fpga.count", "feasible", false));
          }).find("no metric") != std::string::npos);
    auto turned = seekOf("nodes.fpga.count", "ttft_s<=1", false);
    turned.from = 9;
    turned.to = 2;
    CHECK(errorOf([&] { seekValue(base, turned); }).find("ends below its start") != std::string::npos);
}

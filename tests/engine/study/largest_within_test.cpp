// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/study/largest_within.h"

#include "engine/base/error.h"
#include "engine/claims/claims.h"
#include "engine/evaluation/evaluate.h"
#include "tests/engine/fixtures.h"
#include "tests/shipped_catalog.h"

using namespace heteroscape;
using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

const std::string kBatch = "workload.batch";

bool keeps(Scenario scenario, double batch, const std::vector<Limit>& limits) {
    scenario.workload.batch.value = batch;
    const auto evaluation = evaluate(scenario);
    return evaluation.feasible && std::all_of(limits.begin(), limits.end(), [&](const Limit& limit) {
               const auto& spec = *findMetric(limit.column);
               return limit.holds(evaluation.metric(spec.metric) / spec.scale);
           });
}

} // namespace

TEST_CASE("the largest batch within limits is the last that a search of every batch finds") {
    for (const char* id : {"preserve/llama3-70b-4npu-measured", "glitches/a100-7u280", "glitches/8a100"}) {
        const auto scenario = loadPreset(*shippedCatalog(), id, id);
        for (const double tpot : {0.02, 0.05, 0.2})
            for (const double ttft : {2.0, 20.0}) {
                const std::vector<Limit> limits{parseLimit("tpot_s<=" + std::to_string(tpot)),
                                                parseLimit("ttft_s<=" + std::to_string(ttft))};
                CAPTURE(id);
                CAPTURE(tpot);
                CAPTURE(ttft);
                double last = 0;
                while (last < 4096 && keeps(scenario, last + 1, limits))
                    ++last;
                if (last == 0) {
                    CHECK_THROWS_AS(largestWithin(scenario, kBatch, limits), Error);
                    continue;
                }
                const auto found = largestWithin(scenario, kBatch, limits);
                if (last < 4096) {
                    CHECK(found.value == last);
                    CAPTURE(found.stop);
                    CHECK((found.stop.starts_with("Time per token is ") ||
                           found.stop.starts_with("Time to first token is ") ||
                           found.stop.find("memory") != std::string::npos));
                } else {
                    CHECK(found.value >= last);
                }
                CHECK(found.evaluation.feasible);
            }
    }
}

TEST_CASE("a search for the largest value refuses what it cannot answer") {
    const auto scenario = loadPreset(*shippedCatalog(), "glitches/a100-7u280", "preset");
    const auto refusal = [&](const std::string& path, const Limit& limit) -> std::string {
        try {
            largestWithin(scenario, path, {limit});
        } catch (const Error& error) {
            return error.what();
        }
        return {};
    };
    CHECK(refusal("nodes.gpu.device.memory_bandwidth_gbps", parseLimit("tpot_s<=1")).find("whole") !=
          std::string::npos);
    CHECK(refusal(kBatch, parseLimit("tpot_s<=1e-9")).find("Time per token is ") != std::string::npos);
    CHECK(refusal(kBatch, Limit{"no_such", 0, 1}).find("no_such") != std::string::npos);
    CHECK_FALSE(refusal("workload.nothing", parseLimit("tpot_s<=1")).empty());
}

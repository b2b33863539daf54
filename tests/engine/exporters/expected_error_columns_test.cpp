// SPDX-License-Identifier: GPL-3.0-or-later
// How far the points of a study are expected to be off: as columns, and as bands of its curves.

#include "engine/exporters/study_csv.h"
#include "engine/plotting/cut.h"
#include "engine/study_run/evaluate_study.h"
#include "tests/engine/fixtures.h"

#include <cmath>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

Study served(const std::string& runtime) {
    Study study;
    study.base = presetWith("preserve/llama3-70b-8h100", {{"nodes.gpu.device", "h100-sxm"},
                                                          {"nodes.gpu.runtime", runtime},
                                                          {"nodes.gpu.server", "none"},
                                                          {"techniques.l2_prefetch.enabled", "false"}});
    study.name = "served";
    study.axes = {parseAxis(study.base, catalog(), "workload.batch=1,8,64")};
    return study;
}

} // namespace

TEST_CASE("errors expected of a study's points stand beside its metrics, and are the bands of its curves") {
    const auto study = served("trtllm");
    auto table = evaluateStudy(study);
    const auto plain = table.columns.size();
    addExpectedErrors(table, study, {"tpot_s"});
    REQUIRE(table.columns.size() == plain + 1);
    const auto* errors = table.find("tpot_s_expected_error_pct");
    REQUIRE(errors);
    CHECK((errors - 1)->name == "tpot_s");
    CHECK(metricOfColumn(errors->name) == "tpot_s");
    const auto csv = studyCsv(table, {"tpot_s"});
    CHECK(csv.find("tpot_s,tpot_s_expected_error_pct,bound") != std::string::npos);

    SeriesQuery query;
    query.x = "workload.batch";
    query.metric = "tpot_s";
    const auto series = studySeries(table, query);
    const auto bands = seriesBands(study, query);
    REQUIRE(series.size() == 1);
    REQUIRE(series[0].y.size() == 3);
    for (std::size_t i = 0; i < 3; ++i) {
        CHECK(errors->at(i) > 2.0);
        CHECK(errors->at(i) < 15.0);
        const double half = series[0].y[i] * errors->at(i) / 100;
        CHECK(off(bands[0].high[i] - series[0].y[i], half) < 1e-9);
        CHECK(off(series[0].y[i] - bands[0].low[i], half) < 1e-9);
    }
}

TEST_CASE("a study without measured kernels gets no such columns") {
    const auto study = served("ideal");
    auto table = evaluateStudy(study);
    const auto plain = table.columns.size();
    addExpectedErrors(table, study);
    CHECK(table.columns.size() == plain);
}

// SPDX-License-Identifier: GPL-3.0-or-later
// Studies whose points are simulated.
#include "engine/evaluation/simulate.h"
#include "engine/exporters/study_csv.h"
#include "engine/units/number_text.h"
#include "tests/engine/store/store_fixtures.h"

#include <algorithm>
#include <cmath>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

Study servingStudy(double requests) {
    auto base = presetWith("glitches/a100-7u280", {{"serving.arrivals", "poisson"},
                                                   {"techniques.gpu_assist.enabled", "true"},
                                                   {"serving.ttft_limit_s", "2"}});
    base.serving["requests"].value = requests;
    return {"serving",
            base,
            {{"serving.rate_req_s", {0.1, 0.3, 0.5, 0.7, 0.9}}, {"nodes.fpga.count", {1, 3, 5, 7}}}};
}

} // namespace

TEST_CASE("serving study: the same table for any number of threads, and as simulate() says") {
    const TemporaryFolder folder;
    const auto study = servingStudy(300);
    std::string first;
    for (const int jobs : {1, 2, 8}) {
        CAPTURE(jobs);
        Store store(folder.path() + "/" + std::to_string(jobs) + ".sqlite");
        const auto run = runStudy(study, store, withJobs(jobs));
        CHECK(run.computed == 20);
        const auto table = store.read(run.study.id);
        const auto csv = studyCsv(table);
        if (!first.empty()) {
            CHECK((csv == first));
            continue;
        }
        first = csv;
        PointSetter setter(study);
        double slowest = 0.0;
        for (std::size_t row = 0; row < 20; ++row) {
            const auto& scenario = setter.at(row);
            auto expected = evaluate(scenario);
            setServingMetrics(simulate(scenario, expected), expected);
            for (const auto& spec : metricSpecs()) {
                const double stored = table.find(std::string(spec.key))->at(row);
                const double shown = toEdge(expected.metric(spec.metric), spec.scale);
                REQUIRE((stored == shown || (std::isnan(stored) && std::isnan(shown))));
            }
            CHECK(expected.metric(Metric::RequestsDone) == 300.0);
            slowest = std::max(slowest, expected.metric(Metric::FirstTokenP99));
        }
        CHECK(slowest > 10.0); // some points are overloaded
    }
}

TEST_CASE("serving study: cancel works within a point, and what was begun is not kept") {
    const TemporaryFolder folder;
    const auto study = servingStudy(1e7); // many seconds for each point
    Store store(folder.path() + "/s.sqlite");
    checkStopsAtOnce(
        study, store, withJobs(2), [](const StudyProgress&) { return true; },
        [](const StudyRun& run) { CHECK(run.computed == 0); });
    CHECK(store.pointCount() == 0);
}

TEST_CASE("serving study: simulated points are found by their key, in whatever study they are") {
    const TemporaryFolder folder;
    Store store(folder.path() + "/s.sqlite");
    auto study = servingStudy(50);
    study.axes.pop_back();
    CHECK(runStudy(study, store, withJobs(2)).computed == 5);
    auto other = servingStudy(50); // has another axis; one of its values is the base's
    other.axes.back().values = {other.base->nodes.at(1).count.value, 2};
    other.nodeMetrics = {"nodes.gpu.prefill_ms"};
    auto run = runStudy(other, store, withJobs(2));
    CHECK(run.computed == 10); // the first has no such metric
    other.base.change([](Scenario& base) { base.name = "the same"; });
    std::reverse(other.axes.begin(), other.axes.end());
    run = runStudy(other, store, withJobs(2));
    CHECK(run.computed == 0);
    CHECK(run.reused == 10);
    Store fresh(folder.path() + "/fresh.sqlite");
    CHECK((studyCsv(store.read(run.study.id)) ==
           studyCsv(fresh.read(runStudy(other, fresh, withJobs(2)).study.id))));
    // Two of the same point in one study.
    auto twins = servingStudy(50);
    twins.base.change([](Scenario& base) { base.serving.arrivals = arrivalsNamed("backlog"); }); // no rate
    run = runStudy(twins, store, withJobs(2));
    CHECK(run.computed == 4);
    CHECK(run.reused == 16);
}

TEST_CASE("serving study: a trace that is not there is said before anything is stored") {
    const TemporaryFolder folder;
    Store store(folder.path() + "/s.sqlite");
    auto study = servingStudy(10);
    study.base.change([&](Scenario& base) {
        base.serving.arrivals = arrivalsNamed("trace");
        base.serving.trace.path = "gone.csv";
        loadTrace(base.serving, folder.path());
    });
    const auto message = errorOf([&] { runStudy(study, store, withJobs(1)); });
    CHECK(message.find("serving.trace") == 0);
    CHECK(message.find("gone.csv") != std::string::npos);
    CHECK(store.studies().empty());
}

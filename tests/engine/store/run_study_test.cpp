// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/study_run/run_study.h"

#include "engine/evaluation/evaluate.h"
#include "engine/exporters/study_csv.h"
#include "engine/units/number_text.h"
#include "tests/engine/store/store_fixtures.h"

#include <chrono>
#include <cmath>
#include <thread>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;
using Clock = std::chrono::steady_clock;

namespace {

double secondsSince(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Runs until some points are stored and more are not, then stops.
StudyRun cancelledRun(const Study& study, Store& store) {
    std::stop_source source;
    RunOptions options;
    options.stop = source.get_token();
    options.progress = [&](const StudyProgress& progress) {
        if (progress.done > progress.total / 4)
            source.request_stop();
    };
    return runStudy(study, store, options);
}

} // namespace

TEST_CASE("a study stores what evaluate() says of each point") {
    TemporaryFolder folder;
    Store store(folder.path() + "/s.sqlite");
    const auto study = smallStudy();
    const auto run = runStudy(study, store, withJobs(2));
    CHECK(run.computed == study.pointCount());
    CHECK(run.reused == 0);
    CHECK_FALSE(run.cancelled);
    CHECK(run.study.done == study.pointCount());
    const auto table = store.read(run.study.id);
    REQUIRE(table.rows() == study.pointCount());
    REQUIRE(table.columns.size() == 3 + 1 + kMetricCount);
    CHECK(table.columns[0].name == "workload.prompt_tokens");
    CHECK(table.columns[0].unit == "tok");
    CHECK(table.columns[0].isAxis);
    CHECK(table.find("throughput_tok_s")->unit == "tok/s");
    PointSetter setter(study);
    std::vector<double> place;
    std::size_t infeasible = 0;
    for (std::size_t row = 0; row < table.rows(); ++row) {
        const auto& scenario = setter.at(row);
        const auto expected = evaluate(scenario);
        PointSetter::coordinates(study.axes, row, place);
        for (std::size_t i = 0; i < place.size(); ++i)
            REQUIRE(table.columns[i].values[row] == place[i]);
        REQUIRE((table.find("feasible")->at(row) == 1.0) == expected.feasible);
        REQUIRE(table.bound(row) == boundKey(scenario, expected));
        infeasible += expected.feasible ? 0 : 1;
        for (const auto& spec : metricSpecs()) {
            const double stored = table.find(std::string(spec.key))->at(row);
            const double shown = toEdge(expected.metric(spec.metric), spec.scale);
            REQUIRE((stored == shown || (std::isnan(stored) && std::isnan(shown))));
        }
    }
    CHECK(infeasible > 0);
    CHECK(infeasible < table.rows());
}

TEST_CASE("a second run computes nothing and gives the same bytes, for any number of threads") {
    TemporaryFolder folder;
    const auto study = smallStudy(60, 60);
    std::string first;
    for (const int jobs : {1, 2, 4}) {
        CAPTURE(jobs);
        Store store(folder.path() + "/" + std::to_string(jobs) + ".sqlite");
        auto run = runStudy(study, store, withJobs(jobs));
        CHECK(run.computed == study.pointCount());
        const auto csv = studyCsv(store.read(run.study.id));
        if (first.empty())
            first = csv;
        CHECK((csv == first));
        run = runStudy(study, store, withJobs(jobs));
        CHECK(run.computed == 0);
        CHECK(run.reused == study.pointCount());
        CHECK((studyCsv(store.read(run.study.id)) == first));
    }
    CHECK(std::count(first.begin(), first.end(), '\n') ==
          static_cast<std::ptrdiff_t>(study.pointCount()) + 1);
}

TEST_CASE("an extended study takes over what its grid has, whatever the order of its values") {
    TemporaryFolder folder;
    Store store(folder.path() + "/s.sqlite");
    const auto small = smallStudy(10, 10);
    auto large = smallStudy(12, 10);
    std::reverse(large.axes[0].values.begin(), large.axes[0].values.end());
    runStudy(small, store, {});
    const auto run = runStudy(large, store, {});
    CHECK(run.reused == small.pointCount());
    CHECK(run.computed == large.pointCount() - small.pointCount());
    CHECK(store.pointCount() == small.pointCount() + large.pointCount());

    Store fresh(folder.path() + "/fresh.sqlite");
    const auto alone = runStudy(large, fresh, {});
    CHECK((studyCsv(store.read(run.study.id)) == studyCsv(fresh.read(alone.study.id))));
}

TEST_CASE("what lends points to a study: the same design, the same axes, the same choices") {
    TemporaryFolder folder;
    Store store(folder.path() + "/s.sqlite");
    const auto base = preset("glitches/a100-7u280");
    const auto study = [&](const std::vector<std::string>& axes) {
        Study made{"lent", base, {}};
        for (const auto& axis : axes)
            made.axes.push_back(parseAxis(base, catalog(), axis));
        return made;
    };
    const auto computed = [&](const Study& one) { return runStudy(one, store, withJobs(1)).computed; };
    CHECK(computed(study({"nodes.fpga.count=2,4,6", "techniques.load_merging.enabled=false,true"})) == 6);
    // In the middle and at both ends; choices the other way round.
    CHECK(computed(study({"nodes.fpga.count=1,2,3,4,5,6,7", "techniques.load_merging.enabled=true,false"})) ==
          8);
    auto own = study({"nodes.fpga.count=1,2", "techniques.load_merging.enabled=true"});
    own.base.change(
        [](Scenario& design) { design.findNode({"fpga"})->count.value = 40; }); // every point sets it
    CHECK(computed(own) == 0);
    own.base.change([](Scenario& design) { design.workload.batch.value = 3; }); // another design
    CHECK(computed(own) == 2);
    CHECK(computed(study({"nodes.fpga.count=1,2"})) == 2); // other axes
    // What was taken over is what would have been computed.
    auto last = study({"nodes.fpga.count=6,4,9,1", "techniques.load_merging.enabled=*"});
    last.nodeMetrics = {"nodes.fpga.decode_ms"};
    const auto taken = runStudy(last, store, withJobs(1));
    CHECK(taken.computed == 8); // others do not have the metric of a node
    Store fresh(folder.path() + "/fresh.sqlite");
    CHECK((studyCsv(store.read(taken.study.id)) == studyCsv(fresh.read(runStudy(last, fresh, {}).study.id))));
}

TEST_CASE("a stopped run is resumed: only what is missing is computed") {
    TemporaryFolder folder;
    const auto study = smallStudy(400, 250);
    Store store(folder.path() + "/s.sqlite");
    const auto part = cancelledRun(study, store);
    CHECK(part.cancelled);
    CHECK(part.study.done > 0);
    CHECK(part.study.done < study.pointCount());
    CHECK(part.study.done == part.computed);
    CHECK(part.damage.empty());
    CHECK(store.read(part.study.id).rows() == part.study.done);
    const auto rest = runStudy(study, store, {});
    CHECK_FALSE(rest.cancelled);
    CHECK(rest.study.id == part.study.id);
    CHECK(rest.reused == part.study.done);
    CHECK(rest.computed == study.pointCount() - part.study.done);
    Store fresh(folder.path() + "/fresh.sqlite");
    const auto alone = runStudy(study, fresh, {});
    CHECK((studyCsv(store.read(rest.study.id)) == studyCsv(fresh.read(alone.study.id))));
}

TEST_CASE("a stop request ends a large run within 100 ms") {
    TemporaryFolder folder;
    Store store(folder.path() + "/s.sqlite");
    checkStopsAtOnce(
        smallStudy(1000, 1000), store, {}, [](const StudyProgress& progress) { return progress.done > 4096; },
        [](const StudyRun&) {});
}

TEST_CASE("a run stopped before it begins computes nothing") {
    TemporaryFolder folder;
    Store store(folder.path() + "/s.sqlite");
    std::stop_source source;
    source.request_stop();
    RunOptions options;
    options.stop = source.get_token();
    const auto run = runStudy(smallStudy(), store, options);
    CHECK(run.cancelled);
    CHECK(run.computed == 0);
    CHECK(store.pointCount() == 0);
}

TEST_CASE("progress comes from the calling thread, at most 20 times a second, and ends complete") {
    TemporaryFolder folder;
    Store store(folder.path() + "/s.sqlite");
    const auto study = smallStudy(200, 100);
    std::vector<StudyProgress> seen;
    bool elsewhere = false;
    RunOptions options;
    options.progress = [&, caller = std::this_thread::get_id()](const StudyProgress& progress) {
        seen.push_back(progress);
        elsewhere |= std::this_thread::get_id() != caller;
    };
    const auto start = Clock::now();
    runStudy(study, store, options);
    const double seconds = secondsSince(start);
    REQUIRE_FALSE(seen.empty());
    CHECK_FALSE(elsewhere);
    CHECK(static_cast<double>(seen.size()) <= 20 * seconds + 1);
    for (std::size_t i = 1; i < seen.size(); ++i)
        CHECK(seen[i].done >= seen[i - 1].done);
    CHECK(seen.back().done == study.pointCount());
    CHECK(seen.back().total == study.pointCount());
    CHECK(seen.back().rate() > 0);
    CHECK(seen.back().secondsLeft() == 0);
}

TEST_CASE("an exception of the progress callback ends the run cleanly") {
    TemporaryFolder folder;
    Store store(folder.path() + "/s.sqlite");
    const auto study = smallStudy(300, 300);
    RunOptions options;
    options.progress = [](const StudyProgress&) { throw std::runtime_error("window closed"); };
    CHECK_THROWS_WITH(runStudy(study, store, options), "window closed");
    CHECK(runStudy(study, store, {}).study.done == study.pointCount());
}

TEST_CASE("a base with errors is stored infeasible") {
    TemporaryFolder folder;
    Store store(folder.path() + "/s.sqlite");
    auto study = smallStudy(3, 3);
    study.base.change([](Scenario& base) { base.links.clear(); });
    const auto run = runStudy(study, store, {});
    CHECK(run.computed == study.pointCount());
    const auto table = store.read(run.study.id);
    for (std::size_t i = 0; i < table.rows(); ++i) {
        CHECK(table.find("feasible")->at(i) == 0);
        CHECK(std::isnan(table.find("throughput_tok_s")->at(i)));
        CHECK(table.bound(i) == "none");
    }
}

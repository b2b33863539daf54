// SPDX-License-Identifier: GPL-3.0-or-later
// Metrics of nodes: kept once, also where there is none; studies exported while another
// connection writes.
#include "engine/claims/claims.h"
#include "engine/store/sqlite.h"
#include "engine/study/sensitivity.h"
#include "tests/engine/store/store_fixtures.h"

#include <cmath>
#include <filesystem>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

TEST_CASE("a figure that a point does not have is known and not worked out again") {
    const TemporaryFolder folder;
    Store store(folder.path() + "/s.sqlite");
    auto study = smallStudy(4, 3);
    study.axes.back().values = {1, 65536}; // a batch that does not fit
    study.nodeMetrics = {"nodes.gpu.prefill_ms"};
    const auto id = runStudy(study, store, withJobs(1)).study.id;
    const auto table = store.read(id);
    const auto& values = table.find("nodes.gpu.prefill_ms")->values;
    CHECK(std::count_if(values.begin(), values.end(), [](double v) { return std::isnan(v); }) == 12);
    CHECK(table.find("nodes.gpu.prefill_ms")->label == "A100 80GB: Prefill");
    CHECK(store.withoutNodeMetrics(store.study(id), {"nodes.gpu.prefill_ms"}, {0, 24}).empty());
    CHECK(store.withoutNodeMetrics(store.study(id), {"nodes.gpu.decode_ms"}, {0, 24}) ==
          std::vector<PointRange>{{0, 24}});
    runStudy(study, store, withJobs(1)); // nothing is missing: its name stays
    CHECK(store.read(id).find("nodes.gpu.prefill_ms")->label == "A100 80GB: Prefill");
}

TEST_CASE("metrics of nodes come with the points; those asked for later are added, and can be stopped") {
    const TemporaryFolder folder;
    Store store(folder.path() + "/s.sqlite");
    auto study = smallStudy(30, 10);
    study.nodeMetrics = {"nodes.gpu.prefill_ms"};
    const auto first = runStudy(study, store, withJobs(1));
    CHECK(first.computed == 600);
    CHECK(store.withoutNodeMetrics(first.study, study.nodeMetrics, {0, 600}).empty());
    study.nodeMetrics.emplace_back("nodes.fpga.decode_ms");
    std::stop_source stop;
    stop.request_stop();
    RunOptions options = withJobs(1);
    options.stop = stop.get_token();
    CHECK(runStudy(study, store, options).cancelled);
    CHECK_FALSE(store.withoutNodeMetrics(first.study, study.nodeMetrics, {0, 600}).empty());
    const auto rest = runStudy(study, store, withJobs(1));
    CHECK_FALSE(rest.cancelled);
    CHECK(rest.computed == 0);
    CHECK(store.withoutNodeMetrics(first.study, study.nodeMetrics, {0, 600}).empty());
    Store fresh(folder.path() + "/fresh.sqlite");
    const auto added = store.read(rest.study.id), alone = fresh.read(runStudy(study, fresh, {}).study.id);
    for (const auto& metric : study.nodeMetrics) {
        CHECK(added.find(metric)->label == alone.find(metric)->label);
        for (std::size_t row = 0; row < added.rows(); ++row) {
            const double a = added.find(metric)->at(row), b = alone.find(metric)->at(row);
            REQUIRE((a == b || (std::isnan(a) && std::isnan(b))));
        }
    }
}

TEST_CASE("limits given with a study that is there already are taken") {
    const TemporaryFolder folder;
    Store store(folder.path() + "/s.sqlite");
    auto study = smallStudy(2, 2);
    const auto id = store.ensureStudy(study).id;
    study.limits = {parseLimit("ttft_s<=1")};
    CHECK(store.ensureStudy(study).id == id);
    CHECK(store.study(id).limits == study.limits);
    study.limits.clear(); // none given: those there are stay
    CHECK(store.ensureStudy(study).limits.size() == 1);
}

TEST_CASE("a study is exported while another connection is about to write, and leaves nothing beside it") {
    const TemporaryFolder folder;
    Store store(folder.path() + "/s.sqlite");
    const auto id = runStudy(smallStudy(3, 1), store, withJobs(1)).study.id;
    {
        Database writer(folder.path() + "/s.sqlite");
        const Transaction writing(writer); // holds the write lock
        store.exportStudy(id, folder.path() + "/one.sqlite");
    }
    CHECK(Store(folder.path() + "/one.sqlite").study(id).done == 6);
    std::filesystem::create_directory(folder.path() + "/there");
    CHECK_THROWS(store.exportStudy(id, folder.path() + "/there"));
    CHECK_THROWS(store.exportStudy(id, folder.path() + "/nowhere/one.sqlite"));
    for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
        CHECK(entry.path().string().find(".part") == std::string::npos);
}

TEST_CASE("a position that is none is written as a number") {
    const StudyColumn column{"model", "Model", "", true, {}, {"a", "b"}};
    CHECK(column.text(1) == "b");
    CHECK(column.text(-1) == "-1");
    CHECK(column.text(2) == "2");
    CHECK(column.text(std::nan("")) == "nan");
}

TEST_CASE("the systems of an axis are the shipped designs, no studies") {
    std::vector<std::string> ids;
    for (const auto& preset : listPresets(catalog()))
        ids.push_back(preset.id);
    std::sort(ids.begin(), ids.end());
    CHECK(catalog().systems == ids);
    CHECK(parseAxis(preset("glitches/a100-7u280"), catalog(), "system=*").values.size() == ids.size());
}

TEST_CASE("a tornado of simulated requests: designs as a study keeps them, and it can be stopped") {
    auto scenario = preset("glitches/a100-7u280");
    scenario.serving.arrivals = arrivalsNamed("backlog");
    scenario.serving["requests"].value = 50;
    auto inputs = allInputs(scenario);
    std::erase_if(inputs, [](const UncertainInput& input) {
        return input.path != "nodes.fpga.count" && input.path != "model.heads";
    });
    REQUIRE(inputs.size() == 2);
    const auto full = tornado(scenario, inputs, "served_tok_s");
    CHECK(full.base > 0);
    REQUIRE_FALSE(full.swings.empty());
    CHECK(full.swings[0].input.path == "nodes.fpga.count");
    // A batch that does not fit whole still serves fewer requests at a time.
    scenario.workload.batch.value = 4096;
    CHECK(tornado(scenario, inputs, "served_tok_s").base > 0);
    CHECK(tornado(scenario, inputs, "price_usd").base == 73000);
    CHECK(std::isnan(tornado(scenario, inputs, "throughput_tok_s").base));
    std::stop_source stop;
    stop.request_stop();
    CHECK_THROWS(tornado(scenario, inputs, "served_tok_s", stop.get_token()));
}

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluation/evaluate.h"
#include "engine/evaluation/metric_path.h"
#include "engine/store/sqlite.h"
#include "engine/study_run/evaluate_study.h"
#include "tests/engine/store/store_fixtures.h"

#include <cmath>
#include <filesystem>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

bool same(const std::vector<double>& a, const std::vector<double>& b) {
    if (a.size() != b.size())
        return false;
    for (std::size_t i = 0; i < a.size(); ++i)
        if (!(a[i] == b[i] || (std::isnan(a[i]) && std::isnan(b[i]))))
            return false;
    return true;
}

} // namespace

TEST_CASE("a study in memory is what a store reads back, to the last bit") {
    const TemporaryFolder folder;
    auto study = smallStudy(6, 5);
    study.nodeMetrics = {"nodes.fpga.decode_ms", "nodes.fpga.decode.q_proj_ms"};
    Store store(folder.path() + "/s.sqlite");
    const auto id = runStudy(study, store, withJobs(2)).study.id;
    const auto stored = store.read(id);
    const auto memory = evaluateStudy(study);
    REQUIRE(stored.columns.size() == memory.columns.size());
    REQUIRE(stored.rows() == memory.rows());
    for (std::size_t i = 0; i < stored.columns.size(); ++i) {
        CHECK(stored.columns[i].name == memory.columns[i].name);
        CHECK(stored.columns[i].label == memory.columns[i].label);
        CHECK(stored.columns[i].unit == memory.columns[i].unit);
        CHECK_MESSAGE(same(stored.columns[i].values, memory.columns[i].values), stored.columns[i].name);
    }
    for (std::size_t row = 0; row < stored.rows(); ++row)
        REQUIRE(stored.bound(row) == memory.bound(row));
    CHECK(std::isfinite(estimateSeconds(study)));
    std::stop_source stop;
    stop.request_stop();
    CHECK_THROWS(evaluateStudy(study, stop.get_token()));
}

TEST_CASE("a study keeps figures of nodes beside the metrics, also in its table, and adds new ones") {
    const TemporaryFolder folder;
    const auto path = folder.path() + "/s.sqlite";
    auto study = smallStudy(3, 2);
    Store store(path);
    const auto id = runStudy(study, store, withJobs(1)).study.id;
    CHECK(store.read(id).find("nodes.gpu.prefill_ms") == nullptr);
    study.nodeMetrics = {"nodes.gpu.prefill_ms"};
    const auto again = runStudy(study, store, withJobs(1));
    CHECK(again.study.id == id);
    CHECK(again.computed == 0);
    const auto table = store.read(id);
    const auto* column = table.find("nodes.gpu.prefill_ms");
    REQUIRE(column);
    CHECK(column->unit == "ms");
    CHECK(column->label == "A100 80GB: Prefill");
    PointSetter setter(study);
    std::size_t known = 0;
    for (std::size_t row = 0; row < table.rows(); ++row) {
        const auto& scenario = setter.at(row);
        const auto evaluation = evaluate(scenario);
        if (!evaluation.feasible) {
            CHECK(std::isnan(column->at(row)));
            continue;
        }
        ++known;
        CHECK(column->at(row) == findMetric(scenario, evaluation, "nodes.gpu.prefill_ms").value);
    }
    CHECK(known > 0);
    store.exportTables({id}, folder.path() + "/table.sqlite");
    Database plain(folder.path() + "/table.sqlite");
    CHECK(plain.number("SELECT count(\"nodes.gpu.prefill_ms\") FROM " + store.study(id).view) ==
          static_cast<std::int64_t>(known));
    CHECK_THROWS(findMetric(study.base, evaluate(study.base), "nodes.gpu.decode.hum_ms"));
    CHECK(betterOf("nodes.gpu.prefill_ms") == -1);
    CHECK(betterOf("throughput_tok_s") == 1);
    CHECK(betterOf("nodes.gpu.decode_gib") == 0);
}

TEST_CASE("limits go with a study; parts of it can be read; its size is told") {
    const TemporaryFolder folder;
    auto study = smallStudy(4, 3);
    study.limits = {parseLimit("ttft_s<=1"), parseLimit("feasible")};
    Store store(folder.path() + "/s.sqlite");
    const auto id = runStudy(study, store, withJobs(1)).study.id;
    CHECK(store.study(id).limits == study.limits);
    CHECK(store.definition(id, catalog()).limits == study.limits);
    store.setLimits(id, {parseLimit("price_usd=1000:20000")});
    CHECK(store.study(id).limits == std::vector<Limit>{{"price_usd", 1000, 20000}});
    const auto part = store.read(id, {"ttft_s"});
    const auto all = store.read(id);
    CHECK(part.partial);
    CHECK_FALSE(all.partial);
    CHECK(same(part.find("ttft_s")->values, all.find("ttft_s")->values));
    CHECK(part.find("latency_s")->values.empty());
    CHECK(std::isnan(part.find("latency_s")->at(3)));
    CHECK(store.study(id).bytes > 24 * 8);
    CHECK(store.bytes() > store.study(id).bytes);
    store.remove(id);
    CHECK_THROWS(store.setLimits(id, {}));
}

TEST_CASE("one study as a store of its own") {
    const TemporaryFolder folder;
    auto study = smallStudy(4, 3);
    study.nodeMetrics = {"nodes.gpu.prefill_ms"};
    Store store(folder.path() + "/s.sqlite");
    runStudy(smallStudy(2, 2), store, withJobs(1));
    const auto id = runStudy(study, store, withJobs(1)).study.id;
    const auto path = folder.path() + "/one.sqlite";
    store.exportStudy(id, path);
    CHECK_THROWS(store.exportStudy(id, path)); // never over a file
    CHECK_FALSE(std::filesystem::exists(path + "-wal"));
    CHECK_FALSE(std::filesystem::exists(path + ".part"));
    Store one(path);
    REQUIRE(one.studies().size() == 1);
    const auto before = store.read(id), after = one.read(id);
    for (std::size_t i = 0; i < before.columns.size(); ++i)
        CHECK(same(before.columns[i].values, after.columns[i].values));
    CHECK(one.pointCount() == store.study(id).points);
    CHECK(runStudy(study, one, withJobs(1)).computed == 0); // with its keys
    CHECK_THROWS(store.exportStudy(id, folder.path() + "/nowhere/one.sqlite"));
}

TEST_CASE("limits are read and written as text") {
    CHECK(parseLimit("ttft_s <= 1") == Limit{"ttft_s", -INFINITY, 1});
    CHECK(parseLimit("throughput_tok_s>=2.5e2") == Limit{"throughput_tok_s", 250});
    CHECK(parseLimit("tpot_s=0.01:0.05") == Limit{"tpot_s", 0.01, 0.05});
    CHECK(parseLimit("nodes.fpga.count>=2").column == "nodes.fpga.count");
    for (const auto* text : {"ttft_s<=1", "throughput_tok_s>=250", "tpot_s=0.01:0.05", "feasible"})
        CHECK(limitText(parseLimit(text)) == text);
    for (const auto* text : {"beauty<=1", "ttft_s", "ttft_s<1", "ttft_s<=", "ttft_s<=fast", "tpot_s=2:1",
                             "ttft_s<=inf", "=", "<=1"})
        CHECK_THROWS(parseLimit(text));
    CHECK_FALSE(parseLimit("ttft_s<=1").holds(NAN));
}

TEST_CASE("an axis of whole systems: each point is what the shipped design does") {
    const TemporaryFolder folder;
    Study study{"s", preset("glitches/a100-7u280"), {}};
    study.axes = {
        parseAxis(study.base, catalog(), "system=glitches/8a100,glitches/8u280,glitches/a100-7u280"),
        parseAxis(study.base, catalog(), "workload.prompt_tokens=128,1536")};
    Store store(folder.path() + "/s.sqlite");
    const auto id = runStudy(study, store, withJobs(2)).study.id;
    const auto table = store.read(id);
    REQUIRE(table.rows() == 6);
    std::size_t row = 0;
    for (const auto* name : {"glitches/8a100", "glitches/8u280", "glitches/a100-7u280"})
        for (const double prompt : {128.0, 1536.0}) {
            auto design = preset(name);
            design.model = study.base->model;
            design.workload = study.base->workload;
            design.workload.promptTokens.value = prompt;
            const auto evaluation = evaluate(design);
            CHECK(table.find("throughput_tok_s")->at(row) == evaluation.metric(Metric::Throughput));
            CHECK(table.bound(row) == boundKey(design, evaluation));
            ++row;
        }
    CHECK(store.definition(id, catalog()).axes == study.axes);
    auto mixed = study;
    mixed.axes.push_back(parseAxis(study.base, catalog(), "nodes.fpga.count=1,2"));
    CHECK(errorOf([&] { checkStudy(mixed); }).find("together with system") != std::string::npos);
    CHECK_THROWS(parseAxis(study.base, catalog(), "system=glitches/none"));
    // As an edit it is undone exactly.
    auto scenario = *study.base;
    const auto inverse = applyEdit(scenario, study.axes[0].edits[0]);
    CHECK(scenario.nodes.size() != study.base->nodes.size());
    applyEdit(scenario, inverse);
    CHECK(scenario == study.base);
}

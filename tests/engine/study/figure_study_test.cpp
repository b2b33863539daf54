// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/claims/figure_study.h"

#include "engine/base/file.h"
#include "engine/evaluation/evaluate.h"
#include "engine/evaluation/timeline.h"
#include "engine/techniques/l2_prefetch.h"
#include "tests/engine/fixtures.h"
#include "tests/places.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;
namespace fs = std::filesystem;

namespace {

/// A catalogue of its own whose preserve/fig7 can be changed.
class ChangedStudies {
public:
    ChangedStudies() {
        fs::copy(heteroscape::places::kPresetsFolder, m_folder.path() + "/p", fs::copy_options::recursive);
        m_catalog = loadCatalog(m_folder.path() + "/p");
        m_path = m_folder.path() + "/p/papers/preserve/studies/fig7.json";
        m_good = readJsonFile(m_path);
    }

    /// The error of fig7 with one value replaced (null: removed).
    std::string error(const std::string& pointer, const Json& value) {
        auto bad = m_good;
        if (value.is_null()) {
            const Json::json_pointer at(pointer);
            bad[at.parent_pointer()].erase(at.back());
        } else {
            bad[Json::json_pointer(pointer)] = value;
        }
        writeFileAtomically(m_path, bad.dump());
        const auto text = errorOf([&] { loadStudy(m_catalog, "preserve/fig7", "test"); });
        CAPTURE(text);
        return text;
    }

    FigureStudy with(const std::string& pointer, const Json& value) {
        auto changed = m_good;
        changed[Json::json_pointer(pointer)] = value;
        writeFileAtomically(m_path, changed.dump());
        return loadStudy(m_catalog, "preserve/fig7", "test");
    }

    const std::string& path() const { return m_path; }

private:
    TemporaryFolder m_folder;
    Catalog m_catalog;
    std::string m_path;
    Json m_good;
};

} // namespace

TEST_CASE("every shipped figure loads: its axes fit, its cuts hold every axis, its first point can run") {
    const auto ids = listStudies(catalog());
    for (const auto* id : {"fig1", "fig2", "fig4", "fig5", "fig6", "fig7", "fig8", "fig9", "table1"})
        CHECK(std::find(ids.begin(), ids.end(), "preserve/" + std::string(id)) != ids.end());
    for (const auto& id : ids) {
        CAPTURE(id);
        const auto quantity = loadStudy(catalog(), id, "test");
        CHECK(quantity.id == id);
        CHECK_FALSE(quantity.name.empty());
        CHECK(quantity.study.name == quantity.name);
        CHECK_FALSE(quantity.plots.empty());
        CHECK_NOTHROW(checkStudy(quantity.study));
        PointSetter setter(quantity.study);
        CHECK(evaluate(setter.at(0)).feasible);
        for (const auto& plot : quantity.plots) {
            CAPTURE(plot.title);
            if (plot.kind == PlotKind::Timeline)
                continue;
            const auto& query = plot.query;
            if (plot.kind != PlotKind::Roofline && plot.kind != PlotKind::Breakdown)
                CHECK(query.metric == plot.metrics.at(0));
            const auto& quantities = quantity.study.nodeMetrics;
            for (const auto& metric : plot.metrics)
                CHECK((findMetric(metric) ||
                       std::find(quantities.begin(), quantities.end(), metric) != quantities.end()));
            for (const auto& axis : quantity.study.axes) {
                const auto held = std::count_if(query.fixed.begin(), query.fixed.end(),
                                                [&](const auto& f) { return f.first == axis.path; });
                const auto averaged = std::count(query.meanOver.begin(), query.meanOver.end(), axis.path);
                const bool shown =
                    axis.path == query.x || axis.path == query.curve || query.inCases(axis.path);
                CHECK(held + averaged + (shown ? 1 : 0) == 1); // each axis has one part to play
                for (const auto& [path, value] : query.fixed)
                    if (path == axis.path)
                        CHECK(std::count(axis.values.begin(), axis.values.end(), value) == 1);
            }
        }
    }
}

TEST_CASE("Fig 7 as data: axes, gain, what is held") {
    const auto quantity = loadStudy(catalog(), "preserve/fig7", "test");
    CHECK(quantity.preset == "preserve/llama3-405b-32");
    REQUIRE(quantity.study.axes.size() == 2);
    CHECK(quantity.study.axes[0].values == std::vector<double>{8, 16, 32, 64, 128});
    const auto& gain = quantity.plots.at(0);
    CHECK(gain.kind == PlotKind::Lines);
    CHECK(gain.optimum);
    CHECK(gain.query.gain.axis == "techniques.l2_prefetch.enabled");
    CHECK(gain.query.gain.value == 0);
    // The gain is shown of the axis's last value over its first.
    CHECK(gain.query.fixed ==
          std::vector<std::pair<std::string, double>>{{"techniques.l2_prefetch.enabled", 1}});
    CHECK(gain.rightMetrics.size() == 3);
    CHECK(quantity.plots.at(1).query.curve == "techniques.l2_prefetch.enabled");
}

TEST_CASE("the timelines of INF2 as data: what each is compared without makes the step longer") {
    const std::pair<const char*, const char*> quantities[] = {{"inf2/fig4", "attention_near_storage"},
                                                              {"inf2/fig5", "delayed_writeback"},
                                                              {"inf2/fig6", "x_cache"}};
    for (const auto& [id, without] : quantities) {
        CAPTURE(std::string(id));
        const auto quantity = loadStudy(catalog(), id, "test");
        REQUIRE(quantity.plots.size() == 1);
        CHECK(quantity.plots[0].kind == PlotKind::Timeline);
        CHECK(quantity.plots[0].without == without);
        CHECK(quantity.study.axes.empty());
        const auto& base = *quantity.study.base;
        const auto on = scheduleTechniques(base, {"gpu"});
        CHECK(std::count(on.begin(), on.end(), without) == 1);
        const auto own = stepTimeline(base, {"gpu"}, Phase::Decode);
        const auto other = stepTimeline(withoutTechnique(base, without), {"gpu"}, Phase::Decode);
        CHECK(own.seconds < other.seconds);
    }
    // Attention near storage alone takes 3275.679 s for 64 steps, FlexGen 7034.555 s: INF2's model, anchors.
    const auto base = *loadStudy(catalog(), "inf2/fig4", "test").study.base;
    const auto seconds = [](const Scenario& scenario) {
        return 64 * stepTimeline(scenario, {"gpu"}, Phase::Decode).seconds;
    };
    CHECK(off(seconds(base), 3275.679) < 1e-3);
    CHECK(off(seconds(withoutTechnique(base)), 7034.555) < 1e-3);
}

TEST_CASE("bad figures are refused by key") {
    ChangedStudies studies;
    const auto at = [&](const std::string& key) { return studies.path() + "." + key; };
    const auto starts = [&](const std::string& pointer, const Json& value, const std::string& key) {
        const auto error = studies.error(pointer, value);
        CAPTURE(error);
        CHECK(error.find(at(key)) == 0);
    };
    starts("/name", 3, "name");
    starts("/scenario", nullptr, "scenario");
    starts("/scenario", "preserve/none", "scenario");
    starts("/colour", "blue", "colour");
    starts("/set", Json::array(), "set");
    starts("/set", {{"workload.batch", Json::array()}}, "set.workload.batch");
    starts("/plots", 1, "plots");
    starts("/plots/0/kind", "pie", "plots[0].kind");
    starts("/plots/0/x", "model", "plots[0].x");
    starts("/plots/0/x", nullptr, "plots[0].x");
    starts("/plots/1/curve", "workload.batch", "plots[1].curve");
    starts("/plots/0/metrics", Json::array(), "plots[0].metrics");
    starts("/plots/0/metrics/0", "speed", "plots[0].metrics");
    starts("/plots/0/right/1", "speed", "plots[0].right");
    starts("/plots/0/gain_over", "x", "plots[0].gain_over");
    starts("/plots/0/gain_over", {{"model", "llama3-8b"}}, "plots[0].gain_over");
    starts("/plots/0/gain_over", {{"nodes.npu.count", 9}}, "plots[0].gain_over");
    starts("/plots/0/mean_over", {"workload"}, "plots[0].mean_over");
    starts("/plots/0/mean", "geometric", "plots[0].mean");
    starts("/plots/0/hold", {{"nodes.npu.count", 9}}, "plots[0].hold");
    starts("/plots/0/hold", {{"model", "llama3-8b"}}, "plots[0].hold");
    starts("/plots/0/references", {{{"label", "H100"}, {"value", "50"}, {"source", "datasheet"}}},
           "plots[0].references[0].value");
    starts("/plots/0/wide", true, "plots[0].wide");
    starts("/plots/0/without", "x_cache", "plots[0].without"); // not of lines
    starts("/plots/0", {{"title", "t"}, {"kind", "timeline"}, {"without", "magic"}}, "plots[0].without");
    starts("/plots/0", {{"title", "t"}, {"kind", "timeline"}, {"without", "gpu_assist"}}, "plots[0].without");
    starts("/plots/0/shares", true, "plots[0].shares"); // lines
    starts("/plots/0/values", true, "plots[0].values");
    starts("/plots/0/crossover", "between", "plots[0].crossover");
    starts("/plots/0/crossover_with", "models", "plots[0].crossover_with");
    starts("/plots/1/cases", Json::array(), "plots[1].cases"); // it has a curve
    const auto oneCase = [](const Json& place) { return Json::array({{{"name", "A"}, {"at", place}}}); };
    starts("/plots/0/cases", 1, "plots[0].cases");
    starts("/plots/0/cases", oneCase(Json::object()), "plots[0].cases[0].at");
    starts("/plots/0/cases", oneCase({{"workload.batch", 8}}), "plots[0].cases[0].at");
    starts("/plots/0/cases", oneCase({{"nodes.npu.count", 8}}), "plots[0].cases[0].at"); // is x
    starts("/plots/0/cases", oneCase({{"techniques.l2_prefetch.enabled", 3}}), "plots[0].cases[0].at");
    CHECK(contains(studies.error("/plots/0/kind", "heat_map"), "A heat map has an axis upwards"));
    CHECK(contains(studies.error("/axes/0", "nodes.npu.count=8:4"), "nodes.npu.count"));
    CHECK(contains(studies.error("/axes/1", "techniques.l2_prefetch.enabled=yes"), "is not a switch"));
    CHECK(contains(studies.error("/axes/1", "nodes.npu.count=8"), "swept by two axes"));
    CHECK(contains(studies.error("/set", {{"workload.batch", 0}}), "workload.batch: 0 is not allowed"));
    const auto unknown = errorOf([] { loadStudy(catalog(), "preserve/fig77", "here"); });
    CHECK(unknown.find("here: unknown study \"preserve/fig77\". Allowed: ") == 0);
    CHECK(contains(unknown, "preserve/fig1, "));
}

TEST_CASE("settings and held values of a figure take numbers, names and switches") {
    ChangedStudies studies;
    const auto quantity = studies.with(
        "/set", {{"workload.batch", 4}, {"model", "llama3-8b"}, {"techniques.l2_prefetch.kv", false}});
    CHECK(quantity.study.base->workload.batch.value == 4);
    CHECK(quantity.study.base->model.id == "llama3-8b");
    CHECK_FALSE(quantity.study.base->techniques[l2Prefetch()].isOn(kPrefetchKv));
    const auto held = studies.with("/plots/0/hold", {{"techniques.l2_prefetch.enabled", false}});
    CHECK(held.plots[0].query.fixed ==
          std::vector<std::pair<std::string, double>>{{"techniques.l2_prefetch.enabled", 0}});
}

TEST_CASE("cases, crossovers and bases of several axes as data") {
    const auto upgrade = loadStudy(catalog(), "inf2/fig17", "test");
    CHECK(upgrade.paper == "INF2");
    const auto& query = upgrade.plots.at(0).query;
    REQUIRE(query.cases.size() == 3);
    CHECK(query.cases[1].name == "A100, 8 CSDs");
    for (const auto* axis : {"nodes.gpu.device", "nodes.storage.device", "nodes.storage.count"}) {
        CAPTURE(axis);
        CHECK(query.inCases(axis));
        CHECK(query.gain.names(axis));
    }
    CHECK(query.curve.empty());
    CHECK(query.fixed.empty());
    CHECK(upgrade.plots.at(0).values);
    CHECK_FALSE(upgrade.plots.at(0).crossover);
    const auto count = loadStudy(catalog(), "inf2/fig16", "test");
    CHECK(count.plots.at(1).crossover == CrossoverKind::FirstPoint);
    CHECK(loadStudy(catalog(), "inf2/sweep-uplink", "test").plots.at(0).crossover ==
          CrossoverKind::Interpolated);
    CHECK(loadStudy(catalog(), "inf2/fig3", "test").plots.at(1).shares);
}

TEST_CASE("the cases of a plot name the same axes") {
    ChangedStudies studies;
    const Json cases{{{"name", "A"}, {"at", {{"techniques.l2_prefetch.enabled", true}}}},
                     {{"name", "B"}, {"at", {{"nodes.npu.count", 8}}}}};
    CHECK(contains(studies.error("/plots/0/cases", cases), "names other axes than the first case"));
}

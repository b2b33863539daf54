// SPDX-License-Identifier: GPL-3.0-or-later
// Layouts as a person changes them: one degree at a time, the best of all, what fills a device, other
// formats.
#include "engine/evaluation/layout_ranking.h"

#include "engine/evaluation/evaluate.h"
#include "engine/evaluation/remedies.h"
#include "engine/operators/layer_memory.h"

#include "tests/engine/fixtures.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

Scenario rankedPool(const std::string& model, std::vector<std::pair<std::string, std::string>> more = {}) {
    std::vector<std::pair<std::string, std::string>> values{
        {"nodes.gpu.device", "h200-sxm"}, {"model", model},
        {"nodes.gpu.runtime", "ideal"},   {"techniques.l2_prefetch.enabled", "false"},
        {"workload.batch", "64"},         {"workload.prompt_tokens", "2048"},
        {"workload.output_tokens", "512"}};
    values.insert(values.end(), more.begin(), more.end());
    return presetWith("preserve/llama3-70b-8h100", values);
}

const Node& gpuIn(const Scenario& scenario) {
    return *scenario.findNode({"gpu"});
}

} // namespace

TEST_CASE("one degree is changed and the others move with it to a layout that passes") {
    for (const char* id : {"deepseek-v3", "qwen3-235b-a22b", "llama3-70b"}) {
        const auto scenario = rankedPool(id);
        const LayoutMoves moves(scenario.model, gpuIn(scenario));
        int changed = 0;
        for (const std::string key : {"copies", "tp", "pp", "dp", "cp", "ep", "etp"}) {
            const auto values = moves.values(key);
            REQUIRE_FALSE(values.empty());
            for (const double value : values) {
                CAPTURE(id);
                CAPTURE(key);
                CAPTURE(value);
                const auto laid = moves.with(key, value);
                REQUIRE(laid);
                CHECK(laid->replicas * laid->layout.devices() == 8.0);
                CHECK((key == "copies" ? laid->replicas : laid->layout.*layoutDegree(key).member) == value);
                CHECK(moves.ask(key, value).allowed);
                auto edited = scenario;
                applyEdit(edited, copiedLayoutEdit(gpuIn(scenario), *laid));
                CHECK_FALSE(hasErrors(validate(edited)));
                CHECK(copiedLayoutOf(gpuIn(edited)) == *laid);
                changed += *laid == moves.now() ? 0 : 1;
            }
        }
        CHECK(changed >= 5);
        const auto three = moves.ask("tp", 3.0);
        CHECK_FALSE(three.allowed);
        CHECK_FALSE(moves.with("tp", 3.0));
        CHECK(three.reason == "3 does not divide 8 devices");
        CHECK(three.nearest == std::vector{2.0, 4.0});
    }
}

TEST_CASE("ranks of attention take the experts with them unless the node says otherwise") {
    const auto scenario = rankedPool("deepseek-v3");
    const auto open = LayoutMoves(scenario.model, gpuIn(scenario)).with("dp", 8.0);
    REQUIRE(open);
    CHECK(layoutPhrase(*open) == "dp 8 + ep 8");
    const auto kept = with(with(scenario, "nodes.gpu.dp", "4"), "nodes.gpu.ep", "2");
    const auto moved = LayoutMoves(kept.model, gpuIn(kept)).with("dp", 8.0);
    REQUIRE(moved);
    CHECK(layoutPhrase(*moved) == "dp 8 + ep 2 × etp 4");
}

TEST_CASE("a layout as a phrase") {
    const auto phrase = [](double replicas, double devices, double dp, double ep, double pp) {
        return layoutPhrase({replicas, layoutOfRanks(devices, dp, ep, 1.0, pp)});
    };
    CHECK(phrase(1, 32, 32, 32, 1) == "dp 32 + ep 32");
    CHECK(phrase(1, 32, 16, 16, 2) == "pp 2 × (dp 16 + ep 16)");
    CHECK(phrase(1, 32, 16, 32, 1) == "tp 2 × dp 16 + ep 32");
    CHECK(phrase(3, 8, 8, 8, 1) == "3 × dp 8 + ep 8");
    CHECK(phrase(1, 16, 1, 1, 2) == "pp 2 × tp 8");
    CHECK(phrase(1, 8, 1, 1, 1) == "tp 8");
    CHECK(phrase(1, 1, 1, 1, 1) == "1 device");
}

TEST_CASE("the ranking has every layout that fits, the best first, and each is what the edit gives") {
    const auto scenario = rankedPool("deepseek-v3");
    for (const auto metric : {Metric::Throughput, Metric::TimePerToken}) {
        const auto ranking = rankLayouts(scenario, {"gpu"}, metric, 1000);
        const auto layouts = layoutsOf(scenario.model, gpuIn(scenario));
        CHECK(ranking.complete);
        CHECK(ranking.valid == layouts.size());
        CHECK(ranking.fit == ranking.best.size());
        REQUIRE(ranking.fit > 3);
        std::set<std::string> seen;
        double last = ranking.best.front().value;
        for (const auto& ranked : ranking.best) {
            CHECK((metric == Metric::Throughput ? ranked.value <= last : ranked.value >= last));
            last = ranked.value;
            seen.insert(layoutPhrase(ranked.laid));
            auto edited = scenario;
            applyEdit(edited, copiedLayoutEdit(gpuIn(scenario), ranked.laid));
            const auto evaluation = evaluate(edited);
            CHECK(evaluation.feasible);
            CHECK(evaluation.metric(metric) == ranked.value);
        }
        CHECK(seen.size() == ranking.fit);
        std::size_t fit = 0;
        for (const auto& layout : layouts) {
            auto edited = scenario;
            applyEdit(edited, layoutEdit(gpuIn(scenario), layout));
            fit += evaluate(edited).feasible ? 1 : 0;
        }
        CHECK(fit == ranking.fit);
        const auto three = rankLayouts(scenario, {"gpu"}, metric, 3);
        REQUIRE(three.best.size() == 3);
        for (std::size_t i = 0; i < 3; ++i)
            CHECK(three.best[i].laid == ranking.best[i].laid);
        REQUIRE(ranking.better(0.0));
        CHECK(ranking.better(0.0)->laid == ranking.best.front().laid);
        auto taken = scenario;
        applyEdit(taken, copiedLayoutEdit(gpuIn(scenario), ranking.best.front().laid));
        CHECK_FALSE(rankLayouts(taken, {"gpu"}, metric, 3).better(0.0));
    }
    std::stop_source stopped;
    stopped.request_stop();
    CHECK_FALSE(rankLayouts(scenario, {"gpu"}, Metric::Throughput, 3, stopped.get_token()).complete);
    CHECK(rankLayouts(scenario, {"nobody"}, Metric::Throughput, 3).valid == 0);
}

TEST_CASE("where a node leaves open how many copies there are, all numbers of them are ranked") {
    auto scenario = rankedPool("llama3-8b");
    const auto set = rankLayouts(scenario, {"gpu"}, Metric::Throughput, 1000);
    for (const auto& ranked : set.best)
        CHECK(ranked.laid.replicas == 1.0); // as the node says
    applyEdit(scenario, SetQuantity{"nodes.gpu.replicas", {}});
    const auto ranking = rankLayouts(scenario, {"gpu"}, Metric::Throughput, 1000);
    REQUIRE(ranking.now.fits);
    CHECK(ranking.now.laid.replicas == 8.0);
    CHECK(ranking.valid > set.valid);
    std::set<double> replicas;
    int present = 0;
    for (const auto& ranked : ranking.best) {
        replicas.insert(ranked.laid.replicas);
        CHECK(ranked.laid.replicas * ranked.laid.layout.devices() == 8.0);
        present += ranked.laid == ranking.now.laid ? 1 : 0;
        auto edited = scenario;
        applyEdit(edited, copiedLayoutEdit(gpuIn(scenario), ranked.laid));
        CHECK(evaluate(edited).metric(Metric::Throughput) == ranked.value);
    }
    CHECK(replicas == std::set{1.0, 2.0, 4.0, 8.0});
    CHECK(present == 1);
    CHECK(ranking.best.front().value >= ranking.now.value);
}

TEST_CASE("what fills a device adds up to what is checked, for each part as its layout deals it") {
    for (const char* id : {"deepseek-v3", "gpt-oss-120b", "gemma-3-27b", "llama3-70b"}) {
        CAPTURE(id);
        const auto scenario = rankedPool(id);
        const auto evaluation = evaluate(scenario);
        const auto& node =
            evaluation.nodes[0].role == Role::Fabric ? evaluation.nodes[1] : evaluation.nodes[0];
        const auto memory = deviceMemory(scenario, gpuIn(scenario), node);
        CHECK(off(memory.weights(), node.weightBytes) < 1e-12);
        CHECK(memory.kv == node.kvBytes);
        CHECK(memory.capacity == 141e9);
        CHECK((memory.experts > 0.0) == scenario.model.isMixture());
        CHECK((memory.needed() <= memory.capacity) == node.fits);
        if (scenario.model.isUniform())
            continue;
        const auto layout = layoutOf(gpuIn(scenario));
        const auto* recipe = scenario.model.weights;
        const double element = gpuIn(scenario).runtime->weightBits.value / 8.0;
        CHECK(off(memory.attention, rankElements(scenario.model, layout, ModelPart::Attention) *
                                        (recipe ? recipe->of(ModelPart::Attention).bytes : element)) < 1e-12);
        CHECK(memory.reserve == 3'758'096'384.0);
    }
}

TEST_CASE(
    "a node that says its reserve must hold working space and buffers too, by the rule that the bar shows") {
    for (const char* id : {"deepseek-v3", "gpt-oss-120b", "llama3-70b"}) {
        CAPTURE(id);
        const auto plain = rankedPool(id);
        const auto kept = with(plain, "nodes.gpu.reserve_gb", "3.758096384");
        const auto index = static_cast<std::size_t>(&gpuIn(plain) - plain.nodes.data());
        const auto before = evaluate(plain);
        const auto after = evaluate(kept);
        CHECK(before.nodes[index].keptBytes == 0.0);
        const auto layout = layoutOf(gpuIn(kept));
        CHECK(after.nodes[index].keptBytes ==
              doctest::Approx(8192.0 * 8.0 * plain.model.hidden.value * 2.0 +
                              dispatchBytes(plain.model, layout, true) + 3'758'096'384.0)
                  .epsilon(1e-12));
        const auto memory = deviceMemory(kept, gpuIn(kept), after.nodes[index]);
        CHECK(off(memory.needed(), after.nodes[index].neededBytes()) < 1e-12);
        CHECK(off(memory.used(), memory.needed()) < 1e-12);
        // The edge: what is free beside weights and cache is the largest reserve.
        const double room = (before.nodes[index].memoryCapacity - before.nodes[index].neededBytes() -
                             (after.nodes[index].keptBytes - 3'758'096'384.0)) /
                            1e9;
        REQUIRE(room > 1.0);
        CHECK(evaluate(with(plain, "nodes.gpu.reserve_gb", std::to_string(room - 0.01))).feasible);
        const auto tight = evaluate(with(plain, "nodes.gpu.reserve_gb", std::to_string(room + 0.01)));
        CHECK_FALSE(tight.feasible);
        CHECK(tight.reason.find("working space and reserve") != std::string::npos);
        CHECK(off(after.metric(Metric::Throughput), before.metric(Metric::Throughput)) == 0.0);
    }
}

TEST_CASE("a layered model that does not fit is offered narrower weights, the widest that fit") {
    const auto scenario =
        rankedPool("deepseek-v3", {{"nodes.gpu.device", "h100-sxm"}, {"workload.batch", "8"}});
    const auto evaluation = evaluate(scenario);
    REQUIRE_FALSE(evaluation.feasible);
    const auto found = remediesForShortfall(scenario, catalog(), evaluation);
    const auto format = std::find_if(found.begin(), found.end(), [](const Remedy& remedy) {
        return remedy.label.ends_with("for the weights");
    });
    REQUIRE(format != found.end());
    auto edited = scenario;
    applyEdit(edited, format->edit);
    CHECK(evaluate(edited).feasible);
    REQUIRE(edited.model.weights);
    CHECK(format->label == "Use " + std::string(edited.model.weights->label) + " for the weights");
    const double bytes = edited.model.weightBytes(1.0);
    CHECK(bytes < scenario.model.weightBytes(1.0));
    for (const auto& recipe : weightRecipes()) { // none that is wider fits
        auto wider = scenario;
        wider.model.weights = &recipe;
        if (wider.model.weightBytes(1.0) > bytes &&
            wider.model.weightBytes(1.0) < scenario.model.weightBytes(1.0))
            CHECK_FALSE(evaluate(wider).feasible);
    }
}

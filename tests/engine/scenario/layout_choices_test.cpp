// SPDX-License-Identifier: GPL-3.0-or-later
// Rules of degrees, every layout that they allow, and a layout as words, axis and remedy.
#include "engine/scenario/layout_choices.h"

#include "engine/evaluation/evaluate.h"
#include "engine/evaluation/remedies.h"
#include "engine/operators/operator_graph.h"
#include "engine/scenario/diagnostics.h"
#include "engine/study/study.h"

#include "tests/engine/fixtures.h"

#include <algorithm>
#include <cmath>
#include <string>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

using PathTexts = std::vector<std::pair<std::string, std::string>>;

Scenario pool(const std::string& model, PathTexts more = {}) {
    PathTexts values{{"nodes.gpu.device", "h200-sxm"}, {"model", model},
                     {"nodes.gpu.runtime", "ideal"},   {"techniques.l2_prefetch.enabled", "false"},
                     {"workload.batch", "64"},         {"workload.prompt_tokens", "2048"},
                     {"workload.output_tokens", "512"}};
    values.insert(values.end(), more.begin(), more.end());
    return presetWith("preserve/llama3-70b-8h100", values);
}

const Model& modelOf(const char* id) {
    return catalog().model(id, "test");
}

std::optional<Diagnostic> layoutFinding(const Scenario& scenario) {
    for (const auto& finding : validate(scenario))
        if (finding.code == "layout_divides")
            return finding;
    return {};
}

OperatorGraph stepOf(const Model& model, Phase phase, const Layout& layout) {
    StepShape shape;
    shape.phase = phase;
    shape.queryTokens = phase == Phase::Prefill ? 512.0 : 1.0;
    shape.batch = 8.0;
    shape.maxTokens = shape.context = 512.0;
    shape.devices = layout.devices();
    shape.layout = layout;
    shape.layout.microbatches = 1.0;
    shape.allStages = layout.pp > 1.0;
    return {model, shape};
}

} // namespace

TEST_CASE("every layout that is offered passes, for every count of devices") {
    for (const auto* id : {"deepseek-v3", "qwen3-235b-a22b", "gemma-3-27b"})
        for (const double devices : {1.0, 6.0, 8.0, 32.0}) {
            CAPTURE(id);
            CAPTURE(devices);
            const auto base = pool(id, {{"nodes.gpu.count", std::to_string(static_cast<int>(devices))},
                                        {"nodes.gpu.replicas", "1"}});
            const auto layouts = layoutsOf(base.model, *base.findNode({"gpu"}));
            REQUIRE_FALSE(layouts.empty());
            for (const auto& layout : layouts) {
                CHECK(layout.devices() == devices);
                CHECK(layout.etp * layout.ep == layout.stageDevices());
                auto laid = base;
                applyEdit(laid, layoutEdit(*base.findNode({"gpu"}), layout));
                CHECK(layoutOf(*laid.findNode({"gpu"})) == layout);
                const auto found = validate(laid);
                CHECK_FALSE(hasErrors(found));
                CHECK(std::none_of(found.begin(), found.end(),
                                   [](const Diagnostic& d) { return d.code == "too_many_shards"; }));
            }
        }
}

TEST_CASE("a degree is allowed where it is offered, and refused with the nearest that are, everywhere else") {
    const auto& model = modelOf("deepseek-v3");
    for (const auto& degree : layoutDegrees())
        for (const double whole : {1.0, 12.0, 36.0, 256.0, 512.0}) {
            const auto values = degree.values(model, whole);
            for (double value = 1.0; value <= whole + 1.0; ++value) {
                const bool offered = std::find(values.begin(), values.end(), value) != values.end();
                const auto answer = degree.ask(model, whole, value);
                CAPTURE(std::string(degree.key));
                CAPTURE(whole);
                CAPTURE(value);
                CHECK(answer.allowed == offered);
                CHECK(answer.reason.empty() == offered);
                CHECK(answer.nearest.empty() == offered);
                for (const double near : answer.nearest) {
                    CHECK(degree.allows(model, whole, near));
                    for (const double other : values) // nothing that is allowed lies between
                        CHECK_FALSE(((other > near && other < value) || (other < near && other > value)));
                }
            }
        }
    // Every value of a node's field, against what a person would count.
    for (const auto* key : {"dp", "ep"})
        for (int value = 2; value <= 13; ++value) {
            const auto finding = layoutFinding(
                pool("deepseek-v3", {{"nodes.gpu.count", "12"},
                                     {"nodes.gpu.replicas", "1"},
                                     {std::string("nodes.gpu.") + key, std::to_string(value)}}));
            CHECK(finding.has_value() == (12 % value != 0));
            if (finding && value == 5)
                CHECK(finding->remedy == "The nearest that do: 4, 6");
            if (finding && value == 13)
                CHECK(finding->remedy == "The nearest that do: 12");
        }
    CHECK(layoutDegree("ep").ask(model, 512, 512).reason == "the model has 256 experts");
}

TEST_CASE("all six degrees are enumerated in order, each layout once") {
    const auto layouts = validLayouts(modelOf("deepseek-v3"), {256.0});
    // With 2^p stages, 2^s devices in each, s = 8 - p: (s + 1)(s + 2) / 2 ways to part them among tp, dp and
    // cp, times s + 1 expert ranks. Stages end at 32 (61 layers); tp 256 is more than the 128 heads.
    std::size_t expected = 0;
    for (std::size_t p = 0; p <= 5; ++p) {
        const std::size_t s = 8 - p;
        expected += (s + 1) * (s + 2) / 2 * (s + 1);
    }
    CHECK(layouts.size() == expected - 9);
    for (std::size_t i = 1; i < layouts.size(); ++i) {
        const auto& a = layouts[i - 1];
        const auto& b = layouts[i];
        CHECK(std::tie(a.pp, a.dp, a.cp, a.ep) < std::tie(b.pp, b.dp, b.cp, b.ep));
    }
    for (const auto& layout : validLayouts(modelOf("deepseek-v3"), {256.0, 8.0}))
        CHECK(layout.tp <= 8.0);
    CHECK(validLayouts(modelOf("opt-30b"), {8.0}) == std::vector{Layout::tensorParallel(8.0)});
    CHECK(validLayouts(modelOf("llama3-70b"), {8.0}).size() > 10);
}

TEST_CASE("words of a layout are read as they are written") {
    for (const auto& layout : validLayouts(modelOf("deepseek-v3"), {64.0}))
        CHECK(parseLayout(layoutWords(layout), "test") == layout);
    CHECK(layoutWords(layoutOfRanks(32, 4, 32)) == "tp 8 · dp 4 · ep 32");
    CHECK(parseLayout(" ep32*dp4  tp8", "test") == layoutOfRanks(32, 4, 32));
    CHECK(parseLayout("tp 8 etp 8", "test") == Layout::tensorParallel(8));
    for (const auto* wrong : {"", "tp", "tp 8 tp 4", "tp 0", "tp 2.5", "xp 3", "tp 8, dp 4", "tp 8 ep 3",
                              "tp 8 etp 4", "8", "tp 999999999"}) {
        CAPTURE(wrong);
        CHECK(errorOf([&] { parseLayout(wrong, "there"); }).find("there") != std::string::npos);
    }
}

TEST_CASE("all ranks of every layout do the work of one device, and what is replicated") {
    for (const auto* id : {"deepseek-v3", "qwen3-235b-a22b", "gemma-3-27b"})
        for (const auto phase : {Phase::Prefill, Phase::Decode})
            for (const auto& layout : validLayouts(modelOf(id), {8.0})) {
                CAPTURE(id);
                CAPTURE(layoutWords(layout));
                const auto whole = stepOf(modelOf(id), phase, Layout{});
                const auto cut = stepOf(modelOf(id), phase, layout);
                const auto parts = cut.operators();
                for (const auto& op : whole.operators()) {
                    CAPTURE(std::string(op.key));
                    const auto part = std::find_if(parts.begin(), parts.end(), [&](const Operator& other) {
                        return other.key == op.key && other.group == op.group;
                    });
                    REQUIRE(part != parts.end());
                    const bool whollyOnTp = op.key == "q_down" || op.key == "kv_down" ||
                                            op.key == "embedding" ||
                                            (op.kind == OperatorKind::Norm && op.key != "qk_norm") ||
                                            (op.key == "router" && layout.dp * layout.cp == 1.0);
                    // Prompt ranks all do the same decode, head, and unfolding of the latent.
                    const bool cutByPrompt =
                        phase == Phase::Prefill && op.key != "lm_head" && op.key != "kv_up";
                    const double ranks = layout.dp * (whollyOnTp ? 1.0 : layout.tp);
                    const double all =
                        part->flops.at(512) * (op.key == "experts" ? layout.stageDevices()
                                                                   : ranks * (cutByPrompt ? layout.cp : 1.0));
                    const double one = op.flops.at(512);
                    // The busiest rank has more than its part; KV heads are copied beyond their number.
                    if (op.key == "experts" || op.key == "k_proj" || op.key == "v_proj" ||
                        op.key == "qk_norm")
                        CHECK(all >= one * (1.0 - 1e-12));
                    else
                        CHECK(std::fabs(all - one) <= 1e-12 * one);
                }
            }
}

TEST_CASE("the layout of all ones and tensor parallelism change no bit") {
    const auto plain = pool("deepseek-v3");
    const auto* node = plain.findNode({"gpu"});
    auto laid = plain;
    applyEdit(laid, layoutEdit(*node, layoutOfRanks(8, 1, 1)));
    CHECK(scenarioKey(laid) == scenarioKey(plain));
    auto ones = with(with(plain, "nodes.gpu.dp", "1"), "nodes.gpu.ep", "1");
    for (const auto metric : {Metric::Throughput, Metric::TimeToFirstToken, Metric::Latency})
        CHECK(evaluate(ones).metric(metric) == evaluate(plain).metric(metric));
}

TEST_CASE("a node's layout is an axis of words") {
    const auto base = pool("deepseek-v3");
    const auto valid = parseAxis(base, catalog(), "nodes.gpu.layout=valid");
    CHECK(valid.names.size() == 65); // 40 of one stage, 18 of two, 6 of four, 1 of eight
    CHECK(valid.names.front() == "tp 8");
    CHECK(valid.names.back() == "tp 1 · pp 8");
    CHECK(parseAxis(base, catalog(), "nodes.gpu.layout=*") == valid);
    const auto some = parseAxis(base, catalog(), "nodes.gpu.layout=ep8 dp8,tp 4*dp 2");
    CHECK(some.names == std::vector<std::string>{"tp 1 · dp 8 · ep 8", "tp 4 · dp 2"});
    PointSetter points(Study{"layouts", base, {some}});
    CHECK(layoutOf(*points.at(1).findNode({"gpu"})) == layoutOfRanks(8, 2, 1));
    CHECK(layoutOf(*points.at(0).findNode({"gpu"})) == layoutOfRanks(8, 8, 8));
    const auto refused = [&](const std::string& axis) {
        return errorOf([&] { parseAxis(base, catalog(), axis); });
    };
    CHECK(refused("nodes.gpu.layout=tp 3").find("do not divide the 8") != std::string::npos);
    CHECK(refused("nodes.gpu.layout=tp8,tp 8").find("given twice") != std::string::npos);
    CHECK(refused("nodes.gpu.layout=tp 4 pp 3").find("nodes.gpu.layout") != std::string::npos);
    const auto nearest = errorOf([&] { setEdit(base, catalog(), "nodes.gpu.layout", "tp 3"); });
    CHECK(nearest.find("do not divide the 8") != std::string::npos);
    CHECK(nearest.find("The nearest that do: tp 4, tp 2") != std::string::npos);
    CHECK(errorOf([&] {
              setEdit(base, catalog(), "nodes.gpu.layout", "tp 8 ep 3");
          }).find("The nearest that do: 2, 4") != std::string::npos);
    const auto staged = parseAxis(base, catalog(), "nodes.gpu.layout=pp 2 tp 4");
    PointSetter stages(Study{"stages", base, {staged}});
    CHECK(layoutOf(*stages.at(0).findNode({"gpu"})) == layoutOfRanks(8, 1, 1, 1, 2));
    const auto counts = parseAxis(base, catalog(), "nodes.gpu.count=8,16");
    CHECK(errorOf([&] {
              checkStudy(Study{"both", base, {valid, counts}});
          }).find("leave one of them out") != std::string::npos);
    // What does not fit in memory is a point like others.
    const auto small = pool("deepseek-v3", {{"nodes.gpu.device", "h100-sxm"}});
    PointSetter all(Study{"layouts", small, {parseAxis(small, catalog(), "nodes.gpu.layout=valid")}});
    for (std::size_t i = 0; i < valid.names.size(); ++i)
        CHECK_FALSE(evaluate(all.at(i)).feasible);
}

TEST_CASE("another layout is offered against one that does not divide, and where memory is short") {
    const auto three = pool("deepseek-v3", {{"nodes.gpu.dp", "3"}});
    const auto offered = remedies(three, catalog(), *layoutFinding(three));
    REQUIRE(offered.size() >= 2);
    CHECK(offered[0].label == "Use dp 2");
    CHECK(offered[1].label == "Use dp 4");
    // Latents have no heads to cut: every rank keeps the caches of all requests until dp parts them.
    const auto tight = pool("deepseek-v3", {{"workload.batch", "512"}});
    const auto before = evaluate(tight);
    REQUIRE_FALSE(before.feasible);
    const auto help = remediesForShortfall(tight, catalog(), before, {"gpu"});
    REQUIRE_FALSE(help.empty());
    CHECK(help[0].label == "Use tp 4 · dp 2");
    auto after = tight;
    applyEdit(after, help[0].edit);
    CHECK(evaluate(after).feasible);
}

// SPDX-License-Identifier: GPL-3.0-or-later
// One pipeline over several nodes: the first layers on one kind of device, the last on another; stages of
// uniform models; speculation.
#include "engine/evaluation/evaluate.h"
#include "engine/evaluation/explain.h"
#include "engine/evaluation/metric_path.h"
#include "engine/evaluation/simulate.h"
#include "engine/evaluation/timeline.h"
#include "engine/scenario/diagnostics.h"
#include "engine/scenario/edit.h"
#include "engine/scenario/scenario_json.h"
#include "engine/scenario/split_pool.h"
#include "engine/schedule/compiled_pool.h"
#include "engine/schedule/kv_transfer.h"
#include "engine/techniques/speculation.h"
#include "tests/engine/fixtures.h"
#include "tests/engine/term_check.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <string>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

Quantity numberQuantity(double value) {
    return {value, Provenance::User, {}};
}

void addNode(Scenario& scenario, const char* id, const char* device, double count, const char* runtime) {
    Node node;
    node.id = {id};
    node.device = catalog().device(device, "test");
    node.count = numberQuantity(count);
    node.replicas = numberQuantity(1);
    node.runtime = catalog().runtime(runtime, "test").on(node.device);
    scenario.nodes.push_back(node);
}

void addLink(Scenario& scenario, const char* from, const char* to, const char* type) {
    Link link;
    link.id = {std::string(from) + "-" + to};
    link.from = {from};
    link.to = {to};
    link.type = catalog().linkType(type, "test");
    scenario.links.push_back(link);
}

/// Two nodes on one switch, a switch of their own each for collectives.
Scenario twoNodes(const char* model, const char* first, const char* second) {
    Scenario scenario;
    scenario.model = catalog().model(model, "test");
    scenario.workload.promptTokens = numberQuantity(1024);
    scenario.workload.outputTokens = numberQuantity(64);
    scenario.workload.batch = numberQuantity(16);
    addNode(scenario, "a", first, 4, "ideal-operators");
    addNode(scenario, "b", second, 4, "ideal-operators");
    for (const char* id : {"switch", "nv-a", "nv-b"}) {
        Node node;
        node.id = {id};
        node.device = catalog().device(std::string(id) == "switch" ? "network-switch" : "nvswitch", "test");
        node.role = Role::Fabric;
        scenario.nodes.push_back(node);
    }
    addLink(scenario, "a", "switch", "network-400g");
    addLink(scenario, "b", "switch", "network-400g");
    addLink(scenario, "a", "nv-a", "nvlink4");
    addLink(scenario, "b", "nv-b", "nvlink4");
    scenario.techniques[pipelineOverNodes()].enabled = true;
    return scenario;
}

void checkWhole(const Scenario& scenario) {
    for (const auto& found : validate(scenario)) {
        CAPTURE(found.message);
        CHECK(found.severity != Severity::Error);
    }
    const auto evaluation = evaluate(scenario);
    CAPTURE(evaluation.reason);
    REQUIRE(evaluation.feasible);
    CHECK(evaluation.metric(Metric::Throughput) > 0.0);
    for (const auto& link : evaluation.links)
        CHECK(link.busy() <= 1.0 + 1e-9);
    const auto agree = [](double explained, double evaluated) {
        return (std::isnan(explained) && std::isnan(evaluated)) ||
               std::fabs(explained - evaluated) <= 1e-9 * std::fabs(evaluated);
    };
    for (const auto& spec : metricSpecs()) {
        if (std::isnan(evaluation.metric(spec.metric)))
            continue;
        CAPTURE(std::string(spec.key));
        const auto term = explain(scenario, std::string(spec.key));
        CHECK(TermCheck(term).problem() == "");
        CHECK_MESSAGE(agree(term.value(), evaluation.metric(spec.metric)), term.value(), " for ",
                      evaluation.metric(spec.metric));
    }
    for (const auto& path : explainedNodeMetrics(scenario)) {
        CAPTURE(path);
        CHECK(agree(explain(scenario, path).shown(), findMetric(scenario, evaluation, path).value));
    }
    for (const auto phase : {Phase::Prefill, Phase::Decode}) {
        const CompiledPool pool(scenario, 0);
        const auto compiled = pool.phase(phase);
        const double context = representativeContext(scenario.workload, phase);
        CHECK(off(stepTimeline(scenario, scenario.nodes[0].id, phase).seconds,
                  compiled.step().cost(context, context).at(context)) < 1e-9);
    }
    auto simulated = scenario;
    simulated.serving.arrivals = arrivalKinds().find("backlog");
    const auto serving = simulate(simulated, evaluation);
    CAPTURE(serving.reason);
    CHECK(serving.ran());
}

} // namespace

TEST_CASE("pipeline parallel over nodes: first layers on H100, last on H200; on A100 and MI300X; of a "
          "uniform model") {
    checkWhole(twoNodes("qwen3-30b-a3b", "h100-sxm", "h200-sxm"));
    checkWhole(twoNodes("llama3-1-70b", "a100-sxm-80gb", "h100-sxm"));
    auto scenario = twoNodes("llama3-1-70b", "h100-sxm", "h200-sxm");
    scenario.nodes[1].pp = numberQuantity(2);
    checkWhole(scenario);
}

TEST_CASE("pipeline parallel over nodes: the nodes hold the model together, and the first as many layers as "
          "it is told") {
    auto scenario = twoNodes("llama3-1-70b", "h100-sxm", "h100-sxm");
    const auto bytes = [&](const Scenario& at) {
        return 4.0 * (CompiledPool(at, 0).weightBytes() + CompiledPool(at, 1).weightBytes());
    };
    const double whole = layeredForm(scenario.model).parameters() * 2.0;
    CHECK(off(bytes(scenario), whole) < 1e-9);
    CHECK(stagePoolOf(scenario).front().layers == 40.0);
    scenario.techniques[pipelineOverNodes()].quantity(kFirstLayers) = numberQuantity(60);
    CHECK(stagePoolOf(scenario).front().layers == 60.0);
    CHECK(stagePoolOf(scenario).back().layers == 20.0);
    CHECK(off(bytes(scenario), whole) < 1e-9);
    CHECK(CompiledPool(scenario, 0).weightBytes() > 2.0 * CompiledPool(scenario, 1).weightBytes());
    const double kv = CompiledPool(scenario, 0).kvBytes(1088) + CompiledPool(scenario, 1).kvBytes(1088);
    CHECK(off(4.0 * kv, 16.0 * layeredForm(scenario.model).cacheBytes(1088, 2.0)) < 1e-9);
}

TEST_CASE("pipeline parallel over nodes: equal nodes are the stages of one") {
    // Two nodes of four H100 as two stages against one of eight with pp 2, messages aside.
    auto apart = twoNodes("llama3-1-70b", "h100-sxm", "h100-sxm");
    Scenario one = apart;
    one.techniques[pipelineOverNodes()].enabled = false;
    one.nodes[0].count = numberQuantity(8);
    one.nodes[0].pp = numberQuantity(2);
    std::erase_if(one.nodes,
                  [](const Node& node) { return node.id.value == "b" || node.id.value == "nv-b"; });
    std::erase_if(one.links, [](const Link& link) { return link.from.value == "b"; });
    for (auto* scenario : {&apart, &one})
        for (auto& link : scenario->links) {
            link.type.latency.value = 0.0;
            if (link.to.value == "switch")
                link.type.bandwidth.value = 1e15;
        }
    const auto evaluated = [](const Scenario& scenario) {
        const auto out = evaluate(scenario);
        CAPTURE(out.reason);
        REQUIRE(out.feasible);
        return out.nodes[0];
    };
    // The fullest stage of one node has embedding or head of its own besides: the times are near, not equal.
    CHECK(off(evaluated(apart).decode.seconds, evaluated(one).decode.seconds) < 0.05);
    CHECK(off(evaluated(apart).prefill.seconds, evaluated(one).prefill.seconds) < 0.05);
}

TEST_CASE("pipeline parallel over nodes: what cannot be a pipeline is refused by name") {
    const auto has = [](const Scenario& scenario, const char* code) {
        const auto all = validate(scenario);
        return std::any_of(all.begin(), all.end(),
                           [&](const Diagnostic& found) { return found.code == code; });
    };
    auto scenario = twoNodes("llama3-1-70b", "h100-sxm", "h100-sxm");
    scenario.nodes[1].replicas = numberQuantity(2);
    CHECK(has(scenario, "stage_replicas"));
    scenario = twoNodes("llama3-1-70b", "h100-sxm", "h100-sxm");
    std::erase_if(scenario.links, [](const Link& link) { return link.id.value == "b-switch"; });
    CHECK(has(scenario, "no_stage_path"));
    scenario = twoNodes("opt-30b", "h100-sxm", "h100-sxm");
    CHECK(has(scenario, "uniform_layout"));
}

TEST_CASE("uniform models take stages and ranks, and all degrees of one change no bit") {
    auto scenario = twoNodes("llama3-405b", "h100-sxm", "h100-sxm");
    scenario.techniques[pipelineOverNodes()].enabled = false;
    scenario.nodes.erase(scenario.nodes.begin() + 1);
    std::erase_if(scenario.links, [](const Link& link) { return link.from.value == "b"; });
    scenario.nodes[0].count = numberQuantity(16);
    const auto plain = evaluate(scenario);
    auto ones = scenario;
    for (const auto degree : {&Node::pp, &Node::dp, &Node::cp, &Node::ep, &Node::microbatches})
        ones.nodes[0].*degree = numberQuantity(1);
    const auto same = evaluate(ones);
    REQUIRE(plain.feasible);
    for (const auto metric : {Metric::Throughput, Metric::TimeToFirstToken, Metric::Latency})
        CHECK(same.metric(metric) == plain.metric(metric));
    scenario.nodes[0].pp = numberQuantity(2);
    CHECK(layoutOf(scenario.nodes[0]).tp == 8.0);
    checkWhole(scenario);
    scenario.nodes[0].pp = {};
    scenario.nodes[0].dp = numberQuantity(2);
    scenario.nodes[0].cp = numberQuantity(2);
    CHECK(CompiledPool(scenario, 0).weightBytes() > 2.0 * plain.nodes[0].weightBytes);
}

TEST_CASE("speculation: a token takes the guesses and the verification, over the tokens that are expected") {
    for (const char* model : {"deepseek-v3", "llama3-1-70b", "gpt-oss-120b"}) {
        CAPTURE(std::string(model));
        auto scenario = twoNodes(model, "h200-sxm", "h200-sxm");
        scenario.techniques[pipelineOverNodes()].enabled = false;
        scenario.nodes.erase(scenario.nodes.begin() + 1);
        std::erase_if(scenario.links, [](const Link& link) { return link.from.value == "b"; });
        scenario.nodes[0].count = numberQuantity(8);
        scenario.workload.batch = numberQuantity(4);
        const auto plain = evaluate(scenario);
        REQUIRE(plain.feasible);
        scenario.techniques[speculation()].enabled = true;
        scenario.techniques[speculation()].quantity(kGuesses) = numberQuantity(3);
        scenario.techniques[speculation()].quantity(kAcceptance) = numberQuantity(0.8);
        CHECK(off(speculationOf(scenario).tokensAStep, 2.952) < 1e-12); // golden value 53
        checkWhole(scenario);
        const auto guessed = evaluate(scenario);
        // Few requests: weights are read for four tokens at once.
        CHECK(guessed.metric(Metric::Throughput) > 1.1 * plain.metric(Metric::Throughput));
        CHECK(guessed.metric(Metric::TimeToFirstToken) == plain.metric(Metric::TimeToFirstToken));
        CHECK(guessed.nodes[0].weightBytes > plain.nodes[0].weightBytes); // the layer that guesses
        const CompiledPool pool(scenario, 0);
        const auto compiled = pool.phase(Phase::Decode);
        CHECK(compiled.graph().shape().queryTokens == 4.0);
        const double step = compiled.step().cost(1056, 1056).at(1056);
        CHECK(off(compiled.cost(1056, 1056).at(1056), step / 2.952) < 1e-12);
        scenario.techniques[speculation()].quantity(kAcceptance) = numberQuantity(0.0);
        CHECK(evaluate(scenario).metric(Metric::Throughput) < plain.metric(Metric::Throughput));
    }
}

namespace {

/// Eight devices that share a replica, on one NVSwitch.
Scenario oneNode(const char* model, const char* runtime, double batch) {
    auto scenario = twoNodes(model, "h200-sxm", "h200-sxm");
    scenario.techniques[pipelineOverNodes()].enabled = false;
    scenario.nodes.erase(scenario.nodes.begin() + 1);
    std::erase_if(scenario.links, [](const Link& link) { return link.from.value == "b"; });
    scenario.nodes[0].count = numberQuantity(8);
    scenario.nodes[0].runtime = catalog().runtime(runtime, "test").on(scenario.nodes[0].device);
    scenario.workload.batch = numberQuantity(batch);
    return scenario;
}

} // namespace

TEST_CASE("speculation with a draft model: its steps on the same devices, its weights and caches beside") {
    for (const char* served : {"llama3-1-70b", "qwen3-235b-a22b"})
        for (const char* draft : {"llama3-1-8b", "qwen3-30b-a3b", "gpt-oss-20b"})
            for (const double dp : {1.0, 2.0}) {
                CAPTURE(std::string(served));
                CAPTURE(std::string(draft));
                CAPTURE(dp);
                auto scenario = oneNode(served, "ideal-operators", 16);
                scenario.nodes[0].dp = numberQuantity(dp);
                scenario.techniques[speculation()].enabled = true;
                scenario.techniques[speculation()].quantity(kGuesses) = numberQuantity(3);
                scenario.techniques[speculation()].quantity(kAcceptance) = numberQuantity(0.8);
                const auto none = CompiledPool(scenario, 0).weightBytes();
                scenario.draft = catalog().model(draft, "test");
                checkWhole(scenario);
                const auto alone = draftDesign(scenario, scenario.nodes[0]);
                const CompiledPool pool(scenario, 0);
                const CompiledPool guesser(alone, 0);
                const auto compiled = pool.phase(Phase::Decode);
                const auto guess = guesser.phase(Phase::Decode);
                for (const double context :
                     {1025.0, 1060.0, 1088.0}) { // direct: g steps and the verification
                    const double verified = compiled.step().verified(context, context).at(context);
                    const double one = guess.cost(context, context).at(context);
                    CHECK(off(compiled.step().cost(1025.0, 1088.0).at(context), verified + 3.0 * one) < 1e-9);
                    CHECK(one < verified);
                }
                auto off1 = scenario;
                off1.draft.reset();
                const auto without = evaluate(off1);
                const auto with = evaluate(scenario);
                CHECK(with.nodes[0].kvBytes ==
                      doctest::Approx(guesser.kvBytes(1088.0) + without.nodes[0].kvBytes).epsilon(1e-12));
                CHECK(with.nodes[0].weightBytes > none);
                CHECK(pool.draftModelBytes() == guesser.weightBytes());
                CHECK(with.metric(Metric::TimeToFirstToken) == without.metric(Metric::TimeToFirstToken));
                CHECK(scenarioKey(scenario) != scenarioKey(off1));
                CHECK(readScenario(writeScenario(scenario), catalog(), "test") == scenario);
                scenario.techniques[speculation()].enabled = false; // a draft alone changes nothing
                CHECK(CompiledPool(scenario, 0).draftModelBytes() == 0.0);
            }
    auto scenario = oneNode("llama3-1-70b", "ideal-operators", 16);
    scenario.techniques[speculation()].enabled = true;
    scenario = with(scenario, "draft_model", "opt-30b"); // 56 heads, eight devices
    CHECK(scenario.draft->id == "opt-30b");
    CHECK(evaluate(scenario).feasible);
    scenario = with(scenario, "draft_model", "none");
    CHECK_FALSE(scenario.draft.has_value());
    CHECK(errorOf([&] { with(scenario, "draft_model", "nothing-like-it"); }).find("Allowed") !=
          std::string::npos);
}

TEST_CASE(
    "a decode of measured kernels in stages is the larger of both paths over every stretch of contexts") {
    for (const char* model : {"llama3-1-70b", "deepseek-v3", "gpt-oss-120b"})
        for (const double batch : {8.0, 64.0}) {
            CAPTURE(std::string(model));
            auto scenario = oneNode(model, "best", batch);
            scenario.nodes[0].pp = numberQuantity(2);
            scenario.nodes[0].microbatches = numberQuantity(batch == 8.0 ? 4 : 2);
            const CompiledPool pool(scenario, 0);
            const auto compiled = pool.phase(Phase::Decode);
            double sum = 0.0;
            for (double context = 1025.0; context <= 9216.0; ++context) {
                double at = 0.0; // one context by itself
                compiled.at(context, [&](const CompiledPhase& phase) {
                    at = phase.step().cost(context, context).at(context);
                });
                sum += at;
            }
            const double whole = compiled.cost(1025.0, 9216.0).sumOverDecode(1024.0, 8192.0);
            CHECK(off(whole, sum) < 2e-3); // lines through stretches of a time that is not affine
        }
}

TEST_CASE(
    "timeline: every stage of a pipeline shows its microbatches and its waiting, up to the step's end") {
    const auto check = [](const Scenario& scenario, std::size_t stages, bool named) {
        for (const auto phase : {Phase::Prefill, Phase::Decode}) {
            const auto timeline = stepTimeline(scenario, scenario.nodes[0].id, phase);
            REQUIRE(timeline.stages.size() == stages);
            double layers = 0.0;
            for (const auto& lane : timeline.stages) {
                CHECK(lane.place.empty() != named);
                layers += lane.layers;
                double end = 0.0;
                double busy = 0.0;
                bool works = false;
                for (const auto& segment : lane.segments) {
                    CHECK(std::fabs(segment.start - end) <=
                          1e-9 * timeline.seconds); // no gap that is not shown
                    end = segment.end;
                    works = works || segment.work == Work::Microbatch;
                    if (segment.work != Work::Waiting)
                        busy += segment.end - segment.start;
                    CHECK((segment.microbatch >= 0) == (segment.work != Work::Waiting));
                }
                CHECK(works);
                CHECK(off(end, timeline.seconds) < 1e-9);
                CHECK(off(lane.busy, busy / timeline.seconds) < 1e-9);
                CHECK(lane.busy <= 1.0 + 1e-9);
            }
            CHECK(off(layers, scenario.model.layers.value) < 1e-12);
        }
    };
    auto scenario = oneNode("llama3-1-405b", "ideal-operators", 16);
    scenario.nodes[0].pp = numberQuantity(2);
    check(scenario, 2, false);
    scenario.nodes[0].microbatches = numberQuantity(5);
    scenario.nodes[0].pp = numberQuantity(4);
    check(scenario, 4, false);
    check(twoNodes("deepseek-v3", "h200-sxm", "h200-sxm"), 2, true);
    check(twoNodes("llama3-1-70b", "h100-sxm", "a100-sxm-80gb"), 2, true);
    scenario.nodes[0].pp = {};
    CHECK(stepTimeline(scenario, scenario.nodes[0].id, Phase::Decode).stages.empty());
}

TEST_CASE("KV transfer: a cache is dealt anew for the layout of the receiver") {
    auto scenario = twoNodes("deepseek-v3", "h200-sxm", "h200-sxm");
    auto& to = scenario.nodes[1];
    to.count = numberQuantity(8);
    const double byHeads = promptKvLayerBytes(scenario, to); // tp 8: latents on every rank
    to.dp = numberQuantity(8);
    const double byRequests = promptKvLayerBytes(scenario, to);
    CHECK(off(byHeads, 8.0 * byRequests) < 1e-12);
    CHECK(off(byRequests * 61.0, 16.0 * scenario.model.cacheBytes(1024, 2.0)) < 1e-12);
    scenario.model = catalog().model("qwen3-235b-a22b", "test"); // 4 KV heads
    to.dp = {};
    const double copied = promptKvLayerBytes(scenario, to);
    to.dp = numberQuantity(2);
    CHECK(off(copied, 2.0 * promptKvLayerBytes(scenario, to)) < 1e-12);
}

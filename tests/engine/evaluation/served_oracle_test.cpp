// SPDX-License-Identifier: GPL-3.0-or-later
// What is served request by request against the closed form of as many steps, over kinds of models, layouts
// and ways to batch, and served rates against what was made.
#include "engine/evaluation/breakdown.h"
#include "engine/evaluation/evaluate.h"
#include "engine/evaluation/explain.h"
#include "engine/evaluation/service_tables.h"
#include "engine/evaluation/simulate.h"
#include "engine/evaluation/timeline.h"
#include "engine/scenario/diagnostics.h"
#include "engine/study_run/evaluate_study.h"
#include "engine/units/number_text.h"
#include "tests/engine/fixtures.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <random>
#include <string_view>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

using Values = std::vector<std::pair<std::string, std::string>>;

constexpr double kPrompt = 1024.0, kBudget = 8192.0, kSteps = 12.0;

/// Eight H200 with measured kernels, prompts of `prompt` tokens for one token each.
Scenario serverOf(const std::string& model, const Values& layout, double prompt = kPrompt) {
    Values values{{"model", model},
                  {"nodes.gpu.runtime", "vllm"},
                  {"nodes.gpu.server", "none"}, // which the runtime brings
                  {"workload.prompt_tokens", std::to_string(static_cast<int>(prompt))},
                  {"workload.output_tokens", "1"}};
    values.insert(values.end(), layout.begin(), layout.end());
    return presetWith("served/deepseek-v3-8h200-tp8", values);
}

ServingEvaluation backlog(Scenario scenario, const std::string& batching, double requests) {
    scenario = with(scenario, "serving.arrivals", "backlog");
    scenario = with(scenario, "serving.batching", batching);
    scenario = with(scenario, "serving.requests", std::to_string(static_cast<int>(requests)));
    if (scenario.serving.batching->isServer())
        scenario = with(scenario, "serving.budget_tokens", std::to_string(static_cast<int>(kBudget)));
    REQUIRE_FALSE(hasErrors(validate(scenario)));
    auto serving = simulate(scenario, evaluate(scenario));
    REQUIRE_MESSAGE(serving.ran(), serving.reason);
    CHECK(serving.result.done == static_cast<std::uint64_t>(requests));
    return serving;
}

double closedForm(Scenario scenario, Metric metric, double batch, double microbatches = 0.0) {
    scenario = with(scenario, "workload.batch", std::to_string(static_cast<int>(batch)));
    if (microbatches > 0.0)
        scenario = with(scenario, "nodes.gpu.microbatches", std::to_string(static_cast<int>(microbatches)));
    return evaluate(scenario).metric(metric);
}

struct LayoutCase {
    Values values;
    double ranks = 1.0;
    double stages = 1.0;
};

/// Every kind: dense, windows beside full attention, mixtures, latent attention, a linear rule beside
/// full attention.
std::vector<std::pair<std::string, bool>> modelsAndWhetherMixtures() {
    return {{"llama3-1-70b", false}, {"gemma-3-27b", false},    {"gpt-oss-120b", true},
            {"deepseek-v3", true},   {"qwen3-235b-a22b", true}, {"qwen3-next-80b-a3b", true}};
}

std::vector<LayoutCase> layoutsOf(bool mixture) {
    std::vector<LayoutCase> layouts{
        {{}}, {{{"nodes.gpu.pp", "2"}}, 1.0, 2.0}, {{{"nodes.gpu.pp", "8"}}, 1.0, 8.0}};
    if (mixture) {
        layouts.push_back({{{"nodes.gpu.ep", "8"}}});
        layouts.push_back({{{"nodes.gpu.dp", "8"}, {"nodes.gpu.ep", "8"}}, 8.0});
        layouts.push_back({{{"nodes.gpu.dp", "4"}, {"nodes.gpu.ep", "8"}}, 4.0});
        layouts.push_back({{{"nodes.gpu.pp", "2"}, {"nodes.gpu.dp", "4"}, {"nodes.gpu.ep", "4"}}, 4.0, 2.0});
    }
    return layouts;
}

} // namespace

TEST_CASE("served oracle: a backlog of equal prompts takes the closed form's time of as many steps") {
    std::size_t cases = 0;
    for (const auto& [model, mixture] : modelsAndWhetherMixtures())
        for (const auto& layout : layoutsOf(mixture)) {
            const auto scenario = serverOf(model, layout.values);
            CAPTURE(model);
            CAPTURE(layout.ranks);
            CAPTURE(layout.stages);
            const double each = kBudget * layout.ranks / kPrompt; // prompts of a step
            const double closed = layout.stages > 1.0
                                      ? closedForm(scenario, Metric::TimeToFirstToken, kSteps * each, kSteps)
                                      : kSteps * closedForm(scenario, Metric::TimeToFirstToken, each);
            for (const auto* batching : {"mixed", "whole", "first"}) {
                CAPTURE(batching);
                const auto served = backlog(scenario, batching, kSteps * each);
                CHECK(off(served.result.end, closed) < 1e-3); // 20 % would do
                ++cases;
            }
        }
    CHECK(cases > 80);
}

TEST_CASE("served oracle: batches take the closed form's time of as many batches") {
    for (const auto& [model, mixture] : modelsAndWhetherMixtures())
        for (const auto& layout : layoutsOf(mixture)) {
            const auto scenario = with(serverOf(model, layout.values), "workload.batch", "16");
            CAPTURE(model);
            CAPTURE(layout.ranks);
            CAPTURE(layout.stages);
            const double whole = 6.0 * closedForm(scenario, Metric::Latency, 16.0);
            CHECK(off(backlog(scenario, "static", 96.0).result.end, whole) < 1e-3);
            // One prompt after the other, a batch of decodes for every sixteen.
            if (layout.stages > 1.0 && layout.ranks > 1.0)
                continue; // no closed form has microbatches of less than a prompt a rank
            const double decodes = 6.0 * closedForm(scenario, Metric::TimePerToken, 16.0);
            const double prompts = layout.stages > 1.0
                                       ? 6.0 * closedForm(scenario, Metric::TimeToFirstToken, 16.0, 16.0)
                                       : 96.0 * closedForm(scenario, Metric::TimeToFirstToken, 1.0);
            CHECK(off(backlog(scenario, "continuous", 96.0).result.end, prompts + decodes) < 0.02);
        }
}

TEST_CASE("served oracle: a budget split over more prompts costs no more than attention says") {
    for (const auto& [model, mixture] : modelsAndWhetherMixtures())
        for (const auto* runtime : {"vllm", "ideal-operators"}) {
            CAPTURE(model);
            CAPTURE(runtime);
            double longer = 0.0;
            for (const double prompt : {8192.0, 4096.0, 1024.0, 256.0, 64.0}) {
                CAPTURE(prompt);
                const auto scenario = with(with(serverOf(model, {}, prompt), "nodes.gpu.runtime", runtime),
                                           "nodes.gpu.server", "none");
                const double seconds = backlog(scenario, "mixed", 8.0 * kBudget / prompt).result.end;
                if (longer > 0.0) {
                    CHECK(seconds < 1.05 * longer); // logits of more prompts, launches of attention
                    CHECK(seconds > 0.5 * longer);
                }
                longer = seconds;
            }
        }
}

TEST_CASE("served oracle: what stands beside a piece of a prompt adds its own share to the step, once") {
    for (const auto& [model, mixture] : modelsAndWhetherMixtures()) {
        CAPTURE(model);
        const auto scenario = serverOf(model, {});
        std::size_t gpu = 0;
        while (!scenario.nodes[gpu].runtime)
            ++gpu;
        ServiceTables tables(scenario, gpu, {64.0, 16384.0, 20000.0}, 1.0);
        const auto step = [&](std::vector<PromptPiece> prompts, double decodes = 0.0) {
            return tables.pieces(prompts, {decodes, decodes > 0.0 ? 4000.0 : 0.0}).whole;
        };
        // The same tokens in other pieces: between a step of short ones and one of long ones.
        const double shortOnes = step(std::vector<PromptPiece>(16, {0.0, 512.0, true}));
        const double longOnes = step(std::vector<PromptPiece>(4, {0.0, 2048.0, true}));
        const double both = step({{0.0, 2048.0, true},
                                  {0.0, 512.0, true},
                                  {0.0, 2048.0, true},
                                  {0.0, 512.0, true},
                                  {0.0, 1536.0, true},
                                  {0.0, 512.0, true},
                                  {0.0, 1024.0, true}});
        CHECK(both > shortOnes * (1.0 - 1e-3));
        CHECK(both < longOnes * (1.0 + 1e-3));
        // What came before is attended to. Two halves attend as the whole does, and read all weights twice.
        const double first = step({{0.0, 4096.0, false}}), second = step({{4096.0, 4096.0, true}});
        CHECK(second > first);
        CHECK(step({{12288.0, 4096.0, true}}) > second);
        const double whole = step({{0.0, 8192.0, true}});
        CHECK(first + second > whole * (1.0 - 1e-3));
        CHECK(first + second < whole * 1.25);
        // Sequences that decode beside a prompt take less than in a step of their own.
        for (const double decodes : {1.0, 64.0}) {
            const double alone = tables.decode({decodes, 4000.0}, 1.0);
            const double beside = step({{0.0, 4096.0, true}}, decodes);
            CHECK(beside > step({{0.0, 4096.0, true}}));
            CHECK(beside < step({{0.0, 4096.0, true}}) + alone);
        }
    }
}

TEST_CASE("served oracle: steps that are summed up from what is known take the time of graphs of their own") {
    std::mt19937_64 random(44);
    const auto drawn = [&](std::initializer_list<double> of) { return of.begin()[random() % of.size()]; };
    for (const auto& [model, mixture] : modelsAndWhetherMixtures())
        for (const auto& layout : layoutsOf(mixture))
            for (const auto& served : Values{{"nodes.gpu.server", "vllm"}, {"nodes.gpu.runtime", "best"}}) {
                if (layout.stages > 1.0)
                    continue; // a graph for each
                CAPTURE(model);
                CAPTURE(layout.ranks);
                CAPTURE(served.second);
                auto values = layout.values;
                values.push_back(served);
                auto scenario = serverOf(model, values);
                const auto& node = scenario.nodes[0];
                const auto machine = machineOf(scenario, node);
                auto shape = phaseShape(scenario, node, Phase::Prefill);
                const auto times = stepTimesOf(scenario, node, shape, machine);
                REQUIRE(times);
                for (int i = 0; i < rounds(60); ++i) {
                    // Of few sizes: rows, groups and logits are met again, each beside others.
                    std::vector<StepSequences> sequences;
                    const auto kinds = 1 + random() % 3;
                    for (auto prompts = kinds % 2 == 1 ? 1 + random() % 3 : 0; prompts > 0; --prompts)
                        sequences.push_back({drawn({1, 2, 5}), drawn({16, 256, 1000}), drawn({0, 64, 3000}),
                                             false, drawn({0, 1})});
                    if (kinds > 1)
                        sequences.push_back({drawn({1, 16, 200}), 1.0, drawn({100, 1023, 9000}), true});
                    shape.sequences = sequences;
                    shape.groupRows = drawn({1, layout.ranks}) * shape.rows();
                    const double context = sequences.front().keys();
                    const CompiledPhase own(scenario, node, shape, machine);
                    CHECK(times->seconds(shape) == own.step().ofKernels(context, context).at(context));
                }
                const auto decodes =
                    stepTimesOf(scenario, node, phaseShape(scenario, node, Phase::Decode), machine);
                REQUIRE(decodes);
                for (const double batch : {1.0, 7.0, 64.0, 300.0}) {
                    scenario.workload.batch.value = batch;
                    const double first = drawn({50, 127, 1000}), last = first + drawn({0, 9000});
                    const auto kept = decodeCost(scenario, node, *decodes, first, last);
                    const CompiledPhase own(scenario, node, Phase::Decode, machine, nullptr);
                    const auto fresh = own.cost(first, last);
                    for (const double context : {first, 0.4 * first + 0.6 * last, last})
                        CHECK(kept.at(context) == fresh.at(context));
                }
            }
}

TEST_CASE("served oracle: a served rate is what was made by the time in which it was made") {
    for (const auto* design : {"served/gpt-oss-120b-h100", "glitches/8u280", "glitches/a100-7u280"})
        for (const auto* batching : {"static", "continuous", "mixed", "first"}) // in batches of 4
            for (const auto* arrivals : {"backlog", "poisson", "closed_loop"})
                for (const auto* requests : {"5", "16", "50"}) {
                    auto scenario = presetWith(design, {{"serving.arrivals", arrivals},
                                                        {"serving.batching", batching},
                                                        {"workload.batch", "4"},
                                                        {"serving.users", requests},
                                                        {"serving.waves", "2"},
                                                        {"serving.requests", requests},
                                                        {"serving.ttft_limit_s", "20"},
                                                        {"serving.rate_req_s", "3"}});
                    scenario = with(scenario, "techniques.gpu_assist.enabled", "false");
                    if (hasErrors(validate(scenario)))
                        continue; // users in a closed loop need steps
                    CAPTURE(design);
                    CAPTURE(batching);
                    CAPTURE(arrivals);
                    CAPTURE(requests);
                    auto evaluation = evaluate(scenario);
                    const auto serving = simulate(scenario, evaluation);
                    REQUIRE_MESSAGE(serving.ran(), serving.reason);
                    setServingMetrics(serving, evaluation);
                    const auto& result = serving.result;
                    const double seconds = result.end - result.firstArrival;
                    CHECK(off(evaluation.metric(Metric::ServedThroughput), result.outputTokens / seconds) <
                          1e-12);
                    CHECK(off(evaluation.metric(Metric::ServedRequests),
                              static_cast<double>(result.done) / seconds) < 1e-12);
                    CHECK(evaluation.metric(Metric::Goodput) ==
                          doctest::Approx(static_cast<double>(result.good) / seconds).epsilon(1e-12));
                    // Stopped on the way: what had been made until then.
                    double before = 0.0;
                    for (const double share : {0.3, 0.6, 0.9}) {
                        SimulationOptions options;
                        options.until = result.firstArrival + share * seconds;
                        const auto part = simulate(scenario, evaluation, options).result;
                        CHECK(part.ratedTokens >= before);
                        CHECK(part.ratedTokens >= part.outputTokens);
                        CHECK(part.ratedTokens <= result.outputTokens);
                        CHECK(part.tokenRate * share * seconds == doctest::Approx(part.ratedTokens));
                        before = part.ratedTokens;
                    }
                }
}

TEST_CASE("served oracle: one request at a time is rated in the middle of the run where that is steady") {
    std::size_t steady = 0, whole = 0;
    for (const auto* design : {"glitches/8u280", "glitches/a100-7u280"})
        for (const auto* arrivals : {"backlog", "poisson"})
            for (const int requests : {5, 12, 40, 100, 600}) {
                CAPTURE(design);
                CAPTURE(arrivals);
                CAPTURE(requests);
                const auto scenario = presetWith(design, {{"serving.arrivals", arrivals},
                                                          {"serving.batching", "static"},
                                                          {"serving.rate_req_s", "0.4"},
                                                          {"serving.requests", std::to_string(requests)}});
                SimulationOptions options;
                options.recorded = 10000;
                const auto result = simulate(scenario, evaluate(scenario), options).result;
                const double all = result.outputTokens / result.seconds();
                // The rate of GLITCHES section 4, from what was recorded.
                std::vector<double> ends;
                for (const auto& served : result.requests)
                    ends.push_back(served.finish);
                std::sort(ends.begin(), ends.end());
                const std::size_t from = ends.size() / 4, to = 3 * ends.size() / 4;
                const double middle = static_cast<double>(to - from) * scenario.workload.outputTokens.value /
                                      (ends[to] - ends[from]);
                const bool isSteady = requests >= 8 && off(middle, all) <= 0.02;
                // Some that come at random come sooner than at their rate: no more is served than is offered.
                const double offered = std::string_view(arrivals) == "poisson"
                                           ? 0.4 * scenario.workload.outputTokens.value
                                           : std::numeric_limits<double>::infinity();
                CHECK(off(result.tokenRate, std::min(isSteady ? middle : all, offered)) < 1e-12);
                ++(isSteady ? steady : whole);
            }
    CHECK(steady > 3);
    CHECK(whole > 3);
}

TEST_CASE("served oracle: a step of the steady state is the simulated one, its server's host and all") {
    for (const auto& [design, layout] : std::vector<std::pair<std::string, Values>>{
             {"served/gpt-oss-120b-h100", {}},
             {"served/deepseek-v3-8h200-tp8", {}},
             {"served/deepseek-v3-8h200-tp8", {{"nodes.gpu.dp", "8"}, {"nodes.gpu.ep", "8"}}},
             {"served/deepseek-v3-8h200-tp8",
              {{"model", "llama3-1-70b"}, {"nodes.gpu.runtime", "vllm"}, {"nodes.gpu.pp", "2"}}}}) {
        CAPTURE(design);
        auto values = layout;
        for (const auto& one : Values{{"nodes.gpu.server", "vllm"},
                                      {"workload.batch", "16"},
                                      {"workload.prompt_tokens", "512"},
                                      {"workload.output_tokens", "64"}})
            values.push_back(one);
        const auto scenario = presetWith(design, values);
        const auto evaluation = evaluate(scenario);
        REQUIRE_MESSAGE(evaluation.feasible, evaluation.reason);
        const auto& gpu = evaluation.nodes[0];
        ServiceTables tables(scenario, 0, {512.0, 512.0, 576.0}, 1.0);
        CHECK(tables.decode({16.0, 512.0, 512.0, 64.0}, 64.0) ==
              doctest::Approx(gpu.decode.totalSeconds).epsilon(1e-12));

        // What the host adds, by the words of Server.
        auto free = scenario;
        free.nodes[0].server = withoutHost(*scenario.nodes[0].server);
        const auto& server = *scenario.nodes[0].server;
        const double layers = scenario.model.layers.value;
        const double own = 16.0 / layoutOf(scenario.nodes[0]).dp;
        const double parallel = layoutOf(scenario.nodes[0]).ep > 1.0 ? scenario.model.mixtureLayers() : 0.0;
        const double host = layers * server.layer.value + parallel * server.expertParallel.value +
                            server.step.value + own * server.sequence.value;
        CHECK(gpu.decode.seconds - evaluate(free).nodes[0].decode.seconds ==
              doctest::Approx(host).epsilon(1e-9));
        CHECK(gpu.prefill.seconds >= layers * eagerOf(server, scenario.model));

        for (const auto phase : {Phase::Prefill, Phase::Decode}) {
            const auto rows = breakdown(scenario, scenario.nodes[0].id, phase);
            const auto timeline = stepTimeline(scenario, scenario.nodes[0].id, phase);
            const auto served = std::find_if(rows.operators.begin(), rows.operators.end(),
                                             [](const OperatorRow& row) { return row.key == "host"; });
            REQUIRE(served != rows.operators.end());
            CHECK(timeline.seconds == doctest::Approx(rows.seconds).epsilon(1e-9));
            if (phase == Phase::Prefill)
                CHECK(rows.seconds == doctest::Approx(gpu.prefill.seconds).epsilon(1e-9));
            else
                CHECK(served->seconds == doctest::Approx(host).epsilon(1e-9));
        }
    }
}

TEST_CASE("served oracle: what does not fit at once is let in later, in steady state as in the simulation") {
    struct Case {
        const char *preset, *batching, *batch;
        Values settings;
    };
    const std::vector<Case> cases{
        {"served/gpt-oss-120b-h100", "mixed", "200", {}},
        {"served/gpt-oss-120b-h100", "first", "300", {{"workload.prompt_tokens", "1024"}}},
        {"served/gpt-oss-120b-h100", "mixed", "200", {{"serving.max_sequences", "16"}}},
        {"served/deepseek-v3-8h200-tp8", "mixed", "1000", {}},
        {"served/deepseek-v3-8h200-dp8-ep8", "mixed", "2000", {}}};
    for (const auto& [preset, batching, batch, settings] : cases) {
        CAPTURE(preset);
        CAPTURE(batching);
        auto scenario = presetWith(preset, {{"serving.batching", batching},
                                            {"serving.arrivals", "closed_loop"},
                                            {"serving.length_ratio", "1"},
                                            {"serving.waves", "6"}});
        for (const auto& [path, value] : settings)
            scenario = with(scenario, path, value);
        scenario = with(with(scenario, "workload.batch", batch), "serving.users", batch);
        REQUIRE_FALSE(hasErrors(validate(scenario)));
        const double users = scenario.workload.batch.value;
        const auto steady = evaluate(scenario);
        REQUIRE_MESSAGE(steady.feasible, steady.reason);
        CHECK(steady.atOnce >= 1.0);
        CHECK(steady.atOnce < users);
        const bool fills = settings.empty() || settings.front().first != "serving.max_sequences";
        CHECK(steady.cacheIsFull == fills);
        const auto shown = plainText(steady.atOnce) + " of " + plainText(users);
        CHECK(letInText(scenario, steady) ==
              (fills ? shown + " requests fit in the KV cache at once; the others are let in later"
                     : "16 of 200 requests are served at once, as many as the server takes; the others are "
                       "let in later"));
        // What runs is a batch of so many, without a request behind it.
        const auto fewer = atOnce(scenario, steady);
        REQUIRE(fewer.has_value());
        const auto full = evaluate(*fewer);
        CHECK(full.feasible);
        CHECK(letInText(*fewer, full).empty());
        for (const auto same : {Metric::Throughput, Metric::Power, Metric::RequestRate})
            CHECK(steady.metric(same) == full.metric(same));
        CHECK(steady.metric(Metric::Latency) ==
              doctest::Approx(full.metric(Metric::Latency) * users / steady.atOnce).epsilon(1e-12));
        for (const auto which : {Metric::TimeToFirstToken, Metric::TimePerToken, Metric::Latency})
            CHECK(explain(scenario, std::string(metricSpec(which).key)).value() ==
                  doctest::Approx(steady.metric(which)).epsilon(1e-12));
        // A closed loop of as many users, whose scheduler does the same request by request.
        const auto run = simulate(scenario, steady);
        REQUIRE_MESSAGE(run.ran(), run.reason);
        CHECK(run.nodes.front().kvTokens > 0.0);
        CHECK(run.result.tpot.mean() == doctest::Approx(steady.metric(Metric::TimePerToken)).epsilon(0.2));
        CHECK(run.result.later.mean() ==
              doctest::Approx(steady.metric(Metric::TimeToFirstToken)).epsilon(0.2));
        CHECK(run.result.tokenRate == doctest::Approx(steady.metric(Metric::Throughput)).epsilon(0.2));
        // A sweep answers each point as it is evaluated, whatever it has seen of the node's steps before.
        Study study{"s", with(scenario, "serving.arrivals", "steady"), {}};
        const auto memory = "nodes.gpu.device.memory_gb=80,100,160";
        for (const auto& axis : {"workload.batch=1," + std::string(batch) + ",16,65536", std::string(memory)})
            study.axes.push_back(parseAxis(study.base, catalog(), axis));
        const auto table = evaluateStudy(study);
        const auto& first = table.find("ttft_s")->values;
        REQUIRE(first.size() == 12);
        for (std::size_t i = 0; i < first.size(); ++i) {
            auto point = study.base;
            for (std::size_t a = 0; a < 2; ++a)
                point = with(point, study.axes[a].path, study.axes[a].text(a == 0 ? i / 3 : i % 3));
            const auto own = evaluate(point);
            CHECK((first[i] == own.metric(Metric::TimeToFirstToken) || !own.feasible));
            CHECK(own.feasible == (evaluate(with(point, "workload.batch", "1")).feasible));
        }
        // Without a server nothing is let in later.
        for (auto& node : scenario.nodes)
            node.server.reset();
        const auto refused = evaluate(with(scenario, "workload.batch", "65536"));
        CHECK_FALSE(refused.feasible);
        CHECK(refused.shortNode < scenario.nodes.size());
    }
}

TEST_CASE("served oracle: a reserve that is set by hand is kept beside what the server keeps") {
    const auto with = [](const char* reserve) {
        return evaluate(presetWith("served/gpt-oss-120b-h100",
                                   {{"nodes.gpu.reserve_gb", reserve}, {"workload.batch", "200"}}));
    };
    CHECK_FALSE(with("64").feasible);
    const auto some = with("16"), none = with("0");
    CHECK(some.feasible);
    CHECK(some.atOnce < none.atOnce);
    CHECK(some.nodes[0].neededBytes() <= some.nodes[0].memoryCapacity);
}

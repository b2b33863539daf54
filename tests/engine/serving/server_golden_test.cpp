// SPDX-License-Identifier: GPL-3.0-or-later
// The golden values of silicon serving: section 10 (the twenty without tables) and the points of section 15.
#include "tests/engine/serving/affine_steps.h"

#include <doctest/doctest.h>
#include <functional>
#include <string>

using namespace heteroscape::engine;

namespace {

struct GoldenRun {
    std::string name;
    double users;
    double prompt;
    double output;
    double ttft; // ms
    double tpot;
    std::function<void(ServerTraffic&, ServerSettings&)> change = [](ServerTraffic&, ServerSettings&) {};
};

ServedRun served(const ServerTraffic& loop, const ServerSettings& settings) {
    AffineSteps steps;
    steps.ranks = settings.ranks;
    return serveTraffic(loop, settings, steps);
}

/// Over all requests; of TPOT those of more than one token.
Distribution valuesOf(const ServedRun& run, double (ServedRequest::*value)() const) {
    Distribution values;
    for (const auto& served : run.requests)
        if (const double one = (served.*value)(); !std::isnan(one))
            values.add(one);
    return values;
}

void checkGolden(const ServedRun& run, double ttft, double tpot) {
    CHECK(1e3 * valuesOf(run, &ServedRequest::ttft).mean() == doctest::Approx(ttft).epsilon(1e-4));
    CHECK(1e3 * valuesOf(run, &ServedRequest::tpot).mean() == doctest::Approx(tpot).epsilon(1e-4));
}

void rule(ServerSettings& settings, const StepRule& rule, double budget) {
    settings.rule = &rule;
    settings.budget = budget;
}

const std::vector<GoldenRun>& goldenRuns() {
    static const std::vector<GoldenRun> runs{
        {"1 user, fixed", 1, 1000, 100, 12.510, 8.5310,
         [](ServerTraffic& loop, ServerSettings&) {
             loop = loopOf(1, drawLengths({1000, 100, 1.0, 0}, 5));
         }},
        {"8 users", 8, 1024, 1024, 19.532, 8.8243},
        {"64 users", 64, 1024, 1024, 51.681, 11.1157},
        {"64 users, 8k prompts", 64, 8192, 1024, 568.279, 26.8732},
        {"64 users, 8k prompts, budget 2048", 64, 8192, 1024, 751.230, 25.3457,
         [](ServerTraffic&, ServerSettings& s) { s.budget = 2048; }},
        {"64 users, 8k answers", 64, 1024, 8192, 54.052, 14.9861},
        {"64 users, 32 sequences", 64, 1024, 1024, 8639.440, 9.8072,
         [](ServerTraffic&, ServerSettings& s) { s.sequences = 32; }},
        {"64 users, KV 200000", 64, 8192, 1024, 22096.193, 15.7045,
         [](ServerTraffic&, ServerSettings& s) {
             s.kvTokens = 200000;
             s.reserve = 0.5;
         }},
        {"whole", 64, 1024, 1024, 54.850, 11.1169,
         [](ServerTraffic&, ServerSettings& s) { rule(s, wholeRule(), 16384); }},
        {"whole, wait", 64, 1024, 1024, 216.918, 11.3423,
         [](ServerTraffic&, ServerSettings& s) {
             rule(s, wholeRule(), 16384);
             s.waitShare = 0.9;
             s.waitSteps = 20;
         }},
        {"first", 64, 1024, 1024, 61.789, 11.6444,
         [](ServerTraffic&, ServerSettings& s) { rule(s, firstRule(), 32768); }},
        {"first, looks", 64, 1024, 1024, 239.846, 11.4539,
         [](ServerTraffic&, ServerSettings& s) {
             rule(s, firstRule(), 32768);
             s.look = 30;
         }},
        {"first, 8k prompts", 64, 8192, 1024, 548.176, 27.4002,
         [](ServerTraffic&, ServerSettings& s) { rule(s, firstRule(), 8192); }},
        {"front end", 64, 1024, 1024, 52.044, 11.1085,
         [](ServerTraffic& loop, ServerSettings&) {
             loop.frontRequest = 8e-3;
             loop.frontToken = 3e-6;
         }},
        {"think", 64, 1024, 1024, 62.001, 11.1128,
         [](ServerTraffic& loop, ServerSettings&) { loop.think = 5e-3; }},
        {"8 ranks", 128, 1024, 1024, 24.235, 9.4805,
         [](ServerTraffic&, ServerSettings& s) {
             rule(s, wholeRule(), 8192);
             s.ranks = 8;
         }},
        {"8 ranks, balance", 128, 1024, 1024, 146.039, 9.1594,
         [](ServerTraffic&, ServerSettings& s) {
             rule(s, wholeRule(), 8192);
             s.ranks = 8;
             s.balance = 60;
         }},
    };
    return runs;
}

} // namespace

TEST_CASE("silicon serving: golden runs of one server") {
    for (const auto& golden : goldenRuns()) {
        CAPTURE(golden.name);
        auto loop = publicLoop(static_cast<std::uint64_t>(golden.users), golden.prompt, golden.output);
        ServerSettings settings;
        settings.rule = &mixedRule();
        golden.change(loop, settings);
        checkGolden(served(loop, settings), golden.ttft, golden.tpot);
    }
}

TEST_CASE("silicon serving: golden runs of disaggregated servers") {
    struct Golden {
        std::uint64_t users;
        double prompt;
        std::uint32_t prefillWorkers, decodeWorkers;
        double prefillRanks, decodeRanks, slots;
        double ttft, tpot;
    };
    const double endless = std::numeric_limits<double>::infinity();
    for (const auto& golden : {Golden{32, 8192, 1, 1, 1, 1, endless, 425.269, 13.6327},
                               Golden{256, 1024, 1, 2, 8, 8, endless, 46.825, 9.0933},
                               Golden{67, 8192, 2, 1, 1, 8, 8, 651.608, 9.7966}}) {
        CAPTURE(golden.users);
        AffineSteps prefillSteps;
        AffineSteps decodeSteps;
        ServingPool prefill;
        ServingPool decode;
        prefillSteps.ranks = prefill.server.ranks = golden.prefillRanks;
        decodeSteps.ranks = decode.server.ranks = golden.decodeRanks;
        prefill.replicas = golden.prefillWorkers;
        decode.replicas = golden.decodeWorkers;
        prefill.times = &prefillSteps;
        decode.times = &decodeSteps;
        decode.server.sequences = golden.slots;
        const double latency = 10e-3, token = 1e-6;
        const auto run = serveSplit(publicLoop(golden.users, golden.prompt, 1024),
                                    splitOf({prefill}, {&decode, 1}, {&latency, 1}, {&token, 1}, false));
        checkGolden(run, golden.ttft, golden.tpot);
    }
}

TEST_CASE("silicon serving: the first prompts of the public client") {
    const auto sizes = drawLengths({1024, 1024, 0.8, 0}, 10);
    const std::vector<std::uint32_t> first{991, 866, 936, 1011, 886};
    for (std::size_t i = 0; i < first.size(); ++i)
        CHECK(sizes[i].prompt == first[i]);
    for (const auto& size : drawLengths({1000, 100, 1.0, 0}, 10))
        CHECK(size == RequestSize{1000, 100});
}

TEST_CASE("silicon serving: throughput a GPU against interactivity") {
    struct Golden {
        std::uint64_t users;
        bool first;
        double output, total, perUser, median;
    };
    for (const auto& golden : {Golden{4, false, 55.737, 112.020, 115.4755, 115.4487},
                               Golden{16, false, 212.544, 427.351, 109.2742, 109.1455},
                               Golden{64, false, 688.745, 1377.800, 89.9632, 89.8754},
                               Golden{256, false, 1573.133, 3144.746, 51.0153, 50.7839},
                               Golden{64, true, 657.997, 1316.290, 85.8783, 85.3304}}) {
        CAPTURE(golden.users);
        ServerSettings settings;
        rule(settings, golden.first ? firstRule() : mixedRule(), golden.first ? 32768 : 8192);
        const auto run = served(publicLoop(golden.users, 1024, 1024), settings);
        const double tokens = run.pools[0].outputTokens + static_cast<double>(run.requests.size());
        CHECK(tokens / run.end / 8 == doctest::Approx(golden.output).epsilon(1e-4));
        CHECK((tokens + run.pools[0].promptTokens) / run.end / 8 ==
              doctest::Approx(golden.total).epsilon(1e-4));
        const auto tpot = valuesOf(run, &ServedRequest::tpot); // an even number: the mean of the middle two
        CHECK(1.0 / tpot.mean() == doctest::Approx(golden.perUser).epsilon(1e-4));
        const double above = 0.5 + 1.0 / static_cast<double>(tpot.count());
        CHECK(2.0 / (tpot.quantile(0.5) + tpot.quantile(above)) ==
              doctest::Approx(golden.median).epsilon(1e-4));
    }
}

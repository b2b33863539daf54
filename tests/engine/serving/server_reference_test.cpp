// SPDX-License-Identifier: GPL-3.0-or-later
// Servers event by event against servers step by step, on random systems, and what must hold of any of them.
#include "engine/base/parallel.h"
#include "tests/engine/serving/affine_steps.h"
#include "tests/engine/serving/reference_server.h"
#include "tests/rounds.h"

#include <deque>
#include <doctest/doctest.h>
#include <random>
#include <string>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

struct RandomServer {
    ServerTraffic traffic;
    ServerSettings settings;
    AffineSteps steps;
    std::string text;
};

class Dice {
public:
    explicit Dice(std::uint32_t seed) : m_random(seed) {}
    double real(double low, double high) {
        return low + (high - low) * static_cast<double>(m_random() >> 11) * 0x1p-53;
    }
    double whole(double low, double high) { return std::floor(real(low, high + 1.0)); }
    bool chance(double share) { return real(0.0, 1.0) < share; }

private:
    std::mt19937_64 m_random;
};

void drawSteps(Dice& dice, AffineSteps& steps) {
    steps.floor = dice.real(1e-3, 1e-2);
    steps.token = dice.real(1e-6, 1e-4);
    steps.context = dice.real(1e-8, 1e-6);
    steps.square = dice.real(1e-10, 1e-8);
    steps.eager = dice.real(0.0, 2e-2);
    steps.step = dice.real(0.0, 1e-3);
    steps.sequence = dice.real(0.0, 1e-4);
}

/// Of a third of all.
void drawStages(Dice& dice, AffineSteps& steps) {
    if (!dice.chance(0.33))
        return;
    steps.pipeline = dice.whole(2, 5);
    steps.longest = dice.real(1.0 / steps.pipeline, 1.0);
}

ServerTraffic drawTraffic(Dice& dice, bool plain) {
    ServerTraffic traffic;
    traffic.users = static_cast<std::uint64_t>(dice.whole(1, 16));
    traffic.turns = !plain && dice.chance(0.25) ? static_cast<std::uint64_t>(dice.whole(2, 4)) : 1;
    const auto sessions = static_cast<std::size_t>(dice.whole(1, 50));
    const double longest = dice.whole(2, 300);
    const double most = dice.whole(1, 100);
    const bool cached = !plain && dice.chance(0.3);
    for (std::size_t i = 0; i < sessions * traffic.turns; ++i) {
        ServerRequest request;
        request.size.prompt = static_cast<std::uint32_t>(dice.whole(1, longest));
        request.size.output = static_cast<std::uint32_t>(dice.whole(1, most));
        request.cached = cached ? dice.whole(0, request.size.prompt) : 0.0;
        request.priority = static_cast<std::uint32_t>(dice.whole(0, 2));
        traffic.requests.push_back(request);
    }
    if (!plain && dice.chance(0.3)) {
        double now = 0.0;
        for (std::size_t s = 0; s < sessions; ++s)
            traffic.starts.push_back(now += dice.real(0.0, 0.2));
    }
    traffic.pause = traffic.turns > 1 ? dice.real(0.0, 0.3) : 0.0;
    if (!plain && dice.chance(0.5)) {
        traffic.frontRequest = dice.real(0.0, 1e-2);
        traffic.frontToken = dice.real(0.0, 1e-5);
    }
    traffic.think = dice.chance(0.5) ? ServerTraffic::kHalfRequest : dice.real(0.0, 0.05);
    return traffic;
}

RandomServer drawServer(std::uint32_t seed) {
    Dice dice(seed);
    RandomServer server;
    drawSteps(dice, server.steps);
    server.traffic = drawTraffic(dice, false);
    auto& s = server.settings;
    const auto kind = static_cast<int>(seed % 4);
    s.rule = kind == 0 ? &mixedRule() : kind == 1 ? &wholeRule() : kind == 2 ? &firstRule() : &staticRule();
    s.budget = dice.whole(16, dice.chance(0.5) ? 600 : 60);
    s.sequences = dice.whole(1, 16);
    s.reserve = dice.chance(0.5) ? 1.0 : dice.chance(0.5) ? 0.5 : 0.0;
    s.ranks = dice.chance(0.3) ? dice.whole(2, 4) : 1.0;
    server.steps.ranks = s.ranks;
    const bool holds = kind == 1 && dice.chance(0.5);
    if (holds && dice.chance(0.7)) {
        s.waitShare = dice.real(0.1, 1.0);
        s.waitSteps = dice.whole(1, 20);
    }
    if (holds && dice.chance(0.7))
        s.balance = dice.whole(1, 20);
    if (!holds && dice.chance(0.3))
        s.look = dice.whole(2, 20);
    if (dice.chance(0.5)) {
        s.kvTokens = dice.whole(200, 1500);
        const double way = dice.real(0.0, 3.0);
        s.eviction = way < 1.0 ? Eviction::Reserved : way < 2.0 ? Eviction::Recompute : Eviction::Swap;
        s.block = dice.chance(0.5) ? 16.0 : 1.0;
        s.swapToken = dice.real(0.0, 1e-4);
    }
    const double order = dice.real(0.0, 4.0);
    s.order = order < 2.0   ? QueueOrder::FirstCome
              : order < 3.0 ? QueueOrder::ShortestFirst
                            : QueueOrder::Priority;
    if (dice.chance(0.5)) {
        s.request = dice.real(0.0, 0.05);
        s.token = dice.real(0.0, 1e-5);
    }
    drawStages(dice, server.steps);
    return server;
}

/// The largest difference of a time, relative to it.
double largestDifference(const std::vector<ServedRequest>& a, const std::vector<ServedRequest>& b) {
    double most = a.size() == b.size() ? 0.0 : 1.0;
    const auto differ = [&](double x, double y) {
        const double difference = std::fabs(x - y) / std::max(1e-3, std::fabs(y));
        most = difference <= most ? most : difference; // NaN counts
    };
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
        differ(a[i].request.arrival, b[i].request.arrival);
        differ(a[i].firstToken, b[i].firstToken);
        differ(a[i].finish, b[i].finish);
    }
    return most;
}

double littleDifference(const ServedRun& run) {
    double sojourn = 0.0;
    for (const auto& served : run.requests)
        if (served.request.output > 0)
            sojourn += served.latency();
    return std::fabs(sojourn - run.systemSeconds) / std::max(1e-12, run.systemSeconds);
}

} // namespace

TEST_CASE("servers: event by event as step by step, on 3,000 random systems of all rules") {
    double evictions = 0.0, swapped = 0.0, recomputed = 0.0, refused = 0.0, hits = 0.0, pipelines = 0.0;
    for (std::uint32_t seed = 1; seed <= rounds(3000u); ++seed) {
        CAPTURE(seed);
        auto server = drawServer(seed);
        const auto& s = server.settings;
        const auto run = serveTraffic(server.traffic, s, server.steps);
        CHECK(largestDifference(run.requests, referenceServer(server.traffic, s, server.steps)) < 1e-9);
        evictions += run.evictions;
        swapped += run.swapped;
        recomputed += run.recomputed;
        refused += static_cast<double>(run.refused);
        pipelines += server.steps.pipeline > 1.0 ? 1.0 : 0.0;
        double prompts = 0.0, outputs = 0.0, largest = 0.0;
        for (std::size_t i = 0; i < run.requests.size(); ++i) {
            const auto& answer = run.requests[i];
            const auto& request = server.traffic.requests[i];
            if (answer.request.output == 0)
                continue;
            CHECK(answer.request.output == request.size.output);
            CHECK(answer.firstToken > answer.request.arrival);
            CHECK(answer.finish >= answer.firstToken);
            const double cached = std::clamp(request.cached, 0.0, request.size.prompt - 1.0);
            hits += cached;
            prompts += request.size.prompt - cached;
            outputs += answer.request.output - 1.0;
            largest = std::max(largest, request.size.prompt + s.reserve * request.size.output);
        }
        const auto& did = run.pools.front();
        CHECK(did.promptTokens == doctest::Approx(prompts + run.recomputed).epsilon(1e-12));
        CHECK(did.outputTokens == outputs); // no token is lost, none made twice
        if (s.eviction != Eviction::Reserved)
            CHECK(did.largestKv <= s.kvTokens * s.ranks);
        else
            CHECK(did.largestKv <= std::max(s.kvTokens * s.ranks, largest) * (1.0 + 1e-12));
        if (s.request == 0.0 && s.token == 0.0)
            CHECK(littleDifference(run) < 1e-9);
    }
    // Everything that is compared happened.
    CHECK(evictions > scaled(1000.0));
    CHECK(swapped > scaled(1000.0));
    CHECK(recomputed > scaled(1000.0));
    CHECK(refused > scaled(10.0));
    CHECK(hits > scaled(1000.0));
    CHECK(pipelines > scaled(800.0));
}

namespace {

struct RandomSplit {
    ServerTraffic traffic;
    ReferencePrefill prefill;
    AffineSteps prefillSteps;
    std::vector<ServingPool> decode;
    std::deque<AffineSteps> decodeSteps;

    ServedRun serve(const SimulationOptions& options = {}) {
        std::vector<ServingPool> pools{prefill.pool}; // with shared links a pool a worker, which has its own
        if (prefill.sharedLinks) {
            pools.front().replicas = 1;
            pools.resize(prefill.pool.replicas, pools.front());
        }
        return serveSplit(
            traffic, splitOf(pools, decode, prefill.latency, prefill.token, prefill.sharedLinks), options);
    }
};

/// `full`: several decode groups, caches that are evicted, orders of the queue, times of their own.
void drawSplit(std::uint32_t seed, bool full, RandomSplit& split) {
    Dice dice(seed);
    drawSteps(dice, split.prefillSteps);
    split.traffic = drawTraffic(dice, !full);
    split.traffic.frontRequest = split.traffic.frontToken = split.traffic.think = 0.0;
    auto& prefill = split.prefill;
    prefill.pool.times = &split.prefillSteps;
    prefill.pool.server.budget = dice.whole(50, 600);
    prefill.pool.server.request = dice.chance(0.5) ? 0.0 : dice.real(0.0, 0.2);
    split.prefillSteps.ranks = prefill.pool.server.ranks = dice.whole(1, 3);
    prefill.pool.replicas = static_cast<std::uint32_t>(dice.whole(1, 3));
    prefill.sharedLinks = dice.chance(0.5);
    if (full) {
        const double order = dice.real(0.0, 4.0);
        prefill.pool.server.order = order < 2.0   ? QueueOrder::FirstCome
                                    : order < 3.0 ? QueueOrder::ShortestFirst
                                                  : QueueOrder::Priority;
    }
    const auto groups = full ? dice.whole(1, 3) : 1.0;
    for (double d = 0.0; d < groups; ++d) {
        auto& steps = split.decodeSteps.emplace_back();
        drawSteps(dice, steps);
        ServingPool group;
        group.times = &steps;
        steps.ranks = group.server.ranks = dice.whole(1, 3);
        group.replicas = static_cast<std::uint32_t>(dice.whole(1, 3));
        group.weight = full ? dice.real(0.5, 2.0) : 1.0;
        if (dice.chance(0.5))
            group.server.kvTokens = dice.whole(full ? 20 : 200, full ? 700 : 2000);
        if (full && dice.chance(0.7)) {
            group.server.eviction = dice.chance(0.5) ? Eviction::Recompute : Eviction::Swap;
            group.server.block = dice.chance(0.5) ? 16.0 : 1.0;
            group.server.swapToken = dice.real(0.0, 1e-4);
            group.server.reserve = dice.chance(0.3) ? 0.5 : 0.0;
        }
        if (dice.chance(0.5))
            group.server.sequences = dice.whole(1, 6);
        split.decode.push_back(group);
        prefill.latency.push_back(dice.real(1e-4, 2e-2));
        prefill.token.push_back(dice.real(1e-6, 3e-4));
    }
    drawStages(dice, split.prefillSteps);
}

} // namespace

TEST_CASE("servers: disaggregated as step by step, on 2,000 random systems") {
    double contended = 0.0, recomputed = 0.0, swapped = 0.0, refused = 0.0, groups = 0.0, pipelines = 0.0;
    for (std::uint32_t seed = 1; seed <= 2000; seed += std::min(stride(), 3u)) { // few are refused
        CAPTURE(seed);
        RandomSplit split;
        drawSplit(seed, seed > 1000, split);
        SimulationOptions options;
        options.recorded = 1000;
        const auto run = split.serve(options);
        CHECK(largestDifference(run.requests,
                                referenceDisaggregated(split.traffic, split.prefill, split.decode)) < 1e-9);
        if (split.prefill.sharedLinks)
            CHECK(run.largestLink <= 1.0 + 1e-9);
        else
            contended = std::max(contended, run.largestLink);
        if (split.prefill.pool.server.request == 0.0)
            CHECK(littleDifference(run) < 1e-9);
        recomputed += run.recomputed;
        swapped += run.swapped;
        refused += static_cast<double>(run.refused);
        groups += split.decode.size() > 1 ? 1.0 : 0.0;
        pipelines += split.prefillSteps.pipeline > 1.0 ? 1.0 : 0.0;
        double outputs = 0.0, prompts = 0.0, answers = 0.0;
        for (std::size_t i = 0; i < run.requests.size(); ++i) {
            if (run.requests[i].request.output == 0)
                continue;
            CHECK(run.requests[i].request.output == split.traffic.requests[i].size.output);
            const auto& [size, cached, priority] = split.traffic.requests[i];
            outputs += std::max(1.0, size.output - 1.0);
            prompts += size.prompt - std::clamp(cached, 0.0, size.prompt - 1.0);
            answers += 1.0;
        }
        double served = 0.0, decoded = 0.0, prefilled = 0.0;
        const auto groupsBefore = run.pools.size() - split.decode.size();
        for (std::size_t p = 0; p < run.pools.size(); ++p) {
            const auto& did = run.pools[p];
            served += did.decodes;
            decoded += did.outputTokens;
            prefilled += did.promptTokens;
            if (p < groupsBefore)
                continue;
            const auto& group = split.decode[p - groupsBefore];
            if (group.server.eviction != Eviction::Reserved)
                CHECK(did.largestKv <=
                      group.server.kvTokens * group.server.ranks * group.replicas * (1.0 + 1e-12));
        }
        CHECK(served == answers);
        CHECK(decoded == doctest::Approx(outputs).epsilon(1e-9)); // eviction loses no token
        CHECK(prefilled == doctest::Approx(prompts + run.recomputed).epsilon(1e-12));
        // Segments of a request follow each other, and end with its answer.
        std::vector<double> last(run.requests.size(), 0.0);
        for (const auto& segment : run.segments) {
            CHECK(segment.start >= last[segment.request]);
            CHECK(segment.end >= segment.start);
            last[segment.request] = segment.end;
        }
        for (std::size_t i = 0; i < run.requests.size(); ++i)
            if (run.requests[i].request.output > 0)
                CHECK(last[i] + split.prefill.pool.server.request ==
                      doctest::Approx(run.requests[i].finish).epsilon(1e-12));
    }
    // Everything that is compared happened.
    CHECK(contended > 1.0); // what shared links keep from happening
    CHECK(recomputed > scaled(1000.0));
    CHECK(swapped > scaled(1000.0));
    CHECK(refused > scaled(10.0));
    CHECK(groups > scaled(300.0));
    CHECK(pipelines > scaled(400.0));
}

TEST_CASE("servers: steps with prompts go through a pipeline one behind the other, by hand") {
    AffineSteps steps; // a step of four tokens takes 4 s, 1 s in its longest stage
    steps.floor = steps.context = steps.square = steps.eager = steps.step = steps.sequence = 0.0;
    steps.token = 1.0;
    steps.longest = 0.25;
    ServerTraffic traffic;
    traffic.users = 6;
    traffic.requests.assign(6, {{4, 1}});
    traffic.think = 0.0;
    for (const auto* rule : {&mixedRule(), &wholeRule(), &firstRule()})
        for (const auto& [stages, ends] :
             {std::pair(1.0, std::vector{4.0, 8.0, 12.0, 16.0, 20.0, 24.0}),
              std::pair(4.0, std::vector{4.0, 5.0, 6.0, 7.0, 8.0, 9.0}),
              std::pair(2.0, std::vector{4.0, 5.0, 8.0, 9.0, 12.0, 13.0})}) { // two at a time
            steps.pipeline = stages;
            ServerSettings settings;
            settings.rule = rule;
            settings.budget = 4.0;
            const auto run = serveTraffic(traffic, settings, steps);
            CHECK(run.end == ends.back());
            for (std::size_t i = 0; i < ends.size(); ++i)
                CHECK(run.requests[i].firstToken == ends[i]);
        }
    // A worker that prefills does the same, here with links that take no time.
    steps.pipeline = 4.0;
    ServerSettings settings;
    settings.rule = &mixedRule();
    settings.budget = 4.0;
    AffineSteps decode;
    const auto loop = loopOf(6, std::vector<RequestSize>(6, {4, 2}));
    ServingPool prefillers, decoders;
    prefillers.server = settings;
    prefillers.times = &steps;
    decoders.server.sequences = 6.0;
    decoders.times = &decode;
    const double none = 0.0;
    const auto run = serveSplit(loop, splitOf({prefillers}, {&decoders, 1}, {&none, 1}, {&none, 1}, false));
    CHECK(run.pools[0].prefillSeconds == 6.0); // a longest stage each
    CHECK(run.requests.back().firstToken == doctest::Approx(9.0).epsilon(1e-3));
}

TEST_CASE("servers: more users never lower the total rate in the fluid limit") {
    for (const auto* rule : {&mixedRule(), &wholeRule(), &firstRule()}) {
        double before = 0.0;
        for (const std::uint64_t users : {1, 2, 4, 8, 16, 32, 64, 128}) {
            const auto loop = loopOf(users, drawLengths({256, 256, 1.0, 0}, 40 * users));
            ServerSettings settings;
            settings.rule = rule;
            AffineSteps steps;
            const auto run = serveTraffic(loop, settings, steps);
            const double rate = run.pools[0].outputTokens / run.end;
            CHECK(rate > before * (1.0 - 1e-12));
            before = rate;
        }
    }
}

TEST_CASE("servers: byte for byte the same for 1, 2 and 8 jobs") {
    const auto all = [](int jobs) {
        std::vector<ServedRun> runs(96);
        const auto serveRange = [&](std::size_t begin, std::size_t end) {
            for (auto i = begin; i < end; ++i) {
                if (i >= 48) { // disaggregated
                    RandomSplit split;
                    drawSplit(static_cast<std::uint32_t>(5000 + i), true, split);
                    runs[i] = split.serve();
                    continue;
                }
                auto server = drawServer(static_cast<std::uint32_t>(5000 + i));
                runs[i] = serveTraffic(server.traffic, server.settings, server.steps);
            }
        };
        inParallel(runs.size(), 1, serveRange, jobs);
        return runs;
    };
    const auto one = all(1);
    for (const int jobs : {2, 8}) {
        const auto more = all(jobs);
        for (std::size_t i = 0; i < one.size(); ++i) {
            REQUIRE(one[i].requests.size() == more[i].requests.size());
            for (std::size_t r = 0; r < one[i].requests.size(); ++r) {
                CHECK(one[i].requests[r].request.arrival == more[i].requests[r].request.arrival);
                CHECK(one[i].requests[r].firstToken == more[i].requests[r].firstToken);
                CHECK(one[i].requests[r].finish == more[i].requests[r].finish);
            }
        }
    }
}

TEST_CASE("servers: a run that is asked to stop says so") {
    std::stop_source source;
    source.request_stop();
    const auto loop = publicLoop(64, 1024, 1024, 0.8, 20000);
    SimulationOptions options;
    options.stop = source.get_token();
    AffineSteps steps;
    ServerSettings settings;
    settings.rule = &mixedRule();
    CHECK(serveTraffic(loop, settings, steps, options).cancelled);
}

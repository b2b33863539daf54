// SPDX-License-Identifier: GPL-3.0-or-later
// What holds for every simulation, on random small systems.
#include "tests/engine/serving/random_system.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <random>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

constexpr double kRounding = 1e-9; // s

/// Everything in a result that is a number, one after the other.
std::string bytes(const ServingResult& result) {
    std::string out;
    const auto add = [&](const auto&... values) {
        const auto one = [&](double value) {
            char text[sizeof value];
            std::memcpy(text, &value, sizeof value);
            out.append(text, sizeof value);
        };
        (one(static_cast<double>(values)), ...);
    };
    add(result.arrived, result.done, result.running, result.queued, result.refused, result.end,
        result.tokenRate, result.requestRate, result.systemSeconds, result.sojournSeconds, result.good,
        result.outputTokens, result.ttft.mean(), result.tpot.quantile(0.9), result.wait.mean(),
        result.latency.largest());
    for (const auto& s : result.segments)
        add(s.start, s.end, s.waited, s.request, s.requests, s.lane, s.phase, s.reason);
    for (const auto& s : result.requests)
        add(s.request.id, s.prefillStart, s.firstToken, s.decodeStart, s.finish);
    for (std::size_t i = 0; i < result.depth.size(); ++i)
        add(result.depth.mean(i).waiting, result.depth.mean(i).staged, result.depth.mean(i).running);
    for (const auto& work : result.pools)
        add(work.prefillSeconds, work.decodeSeconds, work.transferSeconds, work.promptTokens);
    return out;
}

/// A change of an amount at one time.
using Changes = std::map<double, double>;

double most(const Changes& changes) {
    double sum = 0.0, largest = 0.0;
    for (const auto& [time, change] : changes)
        largest = std::max(largest, sum += change);
    return largest;
}

} // namespace

TEST_CASE("serving: nothing is lost, whenever the simulation is stopped") {
    for (std::uint64_t seed = 1; seed <= rounds(800u); ++seed) {
        const auto random = randomSystem(seed);
        CAPTURE(seed);
        CAPTURE(random.text());
        const auto whole = simulated(random.system, random.requests);
        CHECK(whole.arrived + whole.refused == random.requests.size());
        CHECK(whole.done == whole.arrived);
        CHECK(whole.queued == 0);
        CHECK(whole.running == 0);
        CHECK(whole.littleError() < 1e-9);
        CHECK(bytes(simulated(random.system, random.requests)) == bytes(whole));
        for (const double share : {0.0, 0.1, 0.35, 0.6, 0.99}) {
            SimulationOptions options;
            options.until = share * whole.end;
            const auto part = simulated(random.system, random.requests, options);
            CAPTURE(share);
            CHECK(part.arrived == part.done + part.running + part.queued);
            CHECK(part.end == options.until);
            CHECK(part.littleError() < 1e-9);
            CHECK(part.done == static_cast<std::uint64_t>(
                                   std::count_if(whole.requests.begin(), whole.requests.end(),
                                                 [&](const auto& one) { return one.finish <= part.end; })));
            const auto& depth = part.depth;
            CHECK(depth.mean().total() * depth.seconds() ==
                  doctest::Approx(part.systemSeconds).epsilon(1e-9));
        }
    }
}

TEST_CASE("serving: lanes do not overlap and a server does one thing at a time") {
    for (std::uint64_t seed = 1001; seed <= 1000 + rounds(800u); ++seed) {
        const auto random = randomSystem(seed);
        CAPTURE(seed);
        CAPTURE(random.text());
        const auto result = simulated(random.system, random.requests);
        for (std::size_t i = 1; i < result.segments.size(); ++i)
            if (result.segments[i].lane == result.segments[i - 1].lane)
                REQUIRE(result.segments[i].start >= result.segments[i - 1].end - kRounding);
        // What a replica did adds up to its pool's work; no pool works more than its replicas can.
        std::map<std::uint32_t, double> prefill, transfer;
        for (const auto& s : result.segments) {
            REQUIRE(s.end > s.start);
            REQUIRE(s.waited >= 0.0);
            REQUIRE((s.waited > 0.0) == (s.reason != WaitReason::None));
            const auto pool = result.lanes[s.lane].pool;
            if (s.phase == ServingPhase::Prefill)
                prefill[pool] += s.end - s.start;
            if (s.phase == ServingPhase::KvTransfer)
                transfer[pool] += s.end - s.start;
        }
        for (std::uint32_t p = 0; p < result.pools.size(); ++p) {
            const auto& work = result.pools[p];
            const auto& pool = random.system.pools[p];
            CHECK(transfer[p] == doctest::Approx(work.transferSeconds));
            if (pool.chunk == 0)
                CHECK(prefill[p] == doctest::Approx(work.prefillSeconds));
            CHECK(work.prefillSeconds + work.decodeSeconds <=
                  pool.replicas * (result.end - result.firstArrival) * (1.0 + 1e-12));
        }
        // No prefill takes less than it takes alone, but behind another in a pipeline, and a request's phases
        // are in their order.
        for (const auto& served : result.requests) {
            double shortest = kEndless, stage = kEndless;
            for (const auto& pool : random.system.pools) {
                if (pool.role == Role::Decode || pool.chunk > 0)
                    continue;
                const double alone = pool.times->prefill(1, served.request.prompt, 1);
                const bool pipeline = pool.times->stages() > 1.0;
                shortest = std::min(shortest, alone);
                stage =
                    std::min(stage, pipeline ? pool.times->prefillStage(1, served.request.prompt, 1) : alone);
            }
            if (shortest < kEndless) {
                CHECK(served.firstToken - served.prefillStart >= stage - kRounding);
                CHECK(served.firstToken - served.request.arrival >= shortest - kRounding);
            }
            CHECK(served.prefillStart >= served.request.arrival);
            CHECK(served.decodeStart >= served.firstToken);
            CHECK(served.finish > served.decodeStart);
        }
    }
}

TEST_CASE("serving: requests and KV cache never exceed what a server takes") {
    std::size_t tight = 0;
    for (std::uint64_t seed = 2001; seed <= 2000 + rounds(800u); ++seed) {
        const auto random = randomSystem(seed);
        CAPTURE(seed);
        CAPTURE(random.text());
        const auto result = simulated(random.system, random.requests);
        // Of replicas that decode: prompt and output of each unit from its KV transfer to its end. Units are
        // told apart by their first request; lengths of static batches are those of the longest.
        std::map<std::pair<std::uint32_t, std::uint32_t>, std::map<std::uint32_t, std::pair<double, double>>>
            stays;
        std::map<std::uint32_t, std::vector<const ServedRequest*>> members;
        for (const auto& s : result.segments)
            if (s.phase == ServingPhase::Prefill)
                for (const auto& served : result.requests)
                    if (served.request.id >= s.request && members[s.request].size() < s.requests &&
                        served.prefillStart == s.start)
                        members[s.request].push_back(&served);
        for (const auto& s : result.segments) {
            const auto& lane = result.lanes[s.lane];
            if (s.phase == ServingPhase::Prefill && random.system.pools[lane.pool].role != Role::Both)
                continue;
            auto& stay =
                stays[{lane.pool, lane.replica}].try_emplace(s.request, s.start, s.end).first->second;
            stay = {std::min(stay.first, s.start), std::max(stay.second, s.end)};
        }
        for (const auto& [at, units] : stays) {
            const auto& pool = random.system.pools[at.first];
            Changes tokens, requests;
            for (const auto& [unit, stay] : units) {
                double prompt = 0.0, output = 0.0;
                for (const auto* served : members.at(unit)) {
                    prompt = std::max(prompt, static_cast<double>(served->request.prompt));
                    output = std::max(output, static_cast<double>(served->request.output));
                }
                const auto count = static_cast<double>(members.at(unit).size());
                tokens[stay.first] += count * (prompt + output);
                tokens[stay.second] -= count * (prompt + output);
                requests[stay.first] += count;
                requests[stay.second] -= count;
            }
            CHECK(most(tokens) <= pool.memory);
            tight += most(tokens) > 0.8 * pool.memory ? 1 : 0;
            CHECK(most(requests) <= pool.batch);
        }
    }
    CHECK(tight > scaled(100u));
}

TEST_CASE("serving: Little's law holds over very long and very idle times") {
    FakeTimes times(1e-4, 1e-4);
    std::mt19937_64 random(1);
    std::vector<TracedRequest> requests; // three that meet, every 8,000 s for 25 years
    for (int i = 0; i < 100000; ++i)
        for (int k = 0; k < 3; ++k)
            requests.push_back(
                {8000.0 * i + 1e-3 * k + static_cast<double>(random() % 1000000) * 1e-9, 5, 70});
    const auto system = systemOf({poolOf(Role::Both, 2, times)});
    for (const double until : {kEndless, 7.99e8, 799992000.003}) {
        SimulationOptions options;
        options.until = until;
        const auto result = simulated(system, requests, options);
        CAPTURE(until);
        CHECK(result.latency.mean() < 0.02);
        CHECK(result.littleError() < 1e-9);
    }
}

TEST_CASE("serving: more decode servers do not lower the throughput of a backlog") {
    FakeTimes gpu(1e-4, 3e-2), fpga(3e-3, 2e-2);
    for (const bool assist : {false, true})
        for (const bool preempt : {false, true}) {
            double before = 0.0;
            for (std::uint32_t replicas = 1; replicas <= 12; ++replicas) {
                auto system = systemOf({poolOf(Role::Prefill, 1, gpu), poolOf(Role::Decode, replicas, fpga)},
                                       routeOf(0.0, 1e-5));
                system.assist = assist;
                system.preempt = preempt;
                system.stage = defaultStage(system);
                const auto result = simulated(system, std::vector<TracedRequest>(2000, {0.0, 512, 100}));
                CAPTURE(assist);
                CAPTURE(preempt);
                CAPTURE(replicas);
                CHECK(result.tokenRate > before * 0.99); // what the ends of the window do
                before = result.tokenRate;
            }
        }
}

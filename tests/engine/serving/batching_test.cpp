// SPDX-License-Identifier: GPL-3.0-or-later
// Batches and memory, worked by hand. A prefill takes 1 s a token, a decode step 1 s and 1 s for each
// request in it.
#include "tests/engine/serving/serving_fixtures.h"

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

struct OneServer {
    FakeTimes times{1.0, 1.0};
    ServingSystem system;

    explicit OneServer(std::uint32_t batch, bool grouped, std::uint32_t chunk = 0) {
        times.perRequest = 1.0;
        auto pool = poolOf(Role::Both, 1, times, batch, grouped);
        pool.chunk = chunk;
        system = systemOf({pool});
    }
};

} // namespace

TEST_CASE("batching by hand: static batches are padded and end together") {
    // Requests 0 and 1 at once: 2 prompts of 4 tokens, 8 s; steps of 3 s. Request 0 is done after 3 of them,
    // request 1 after 5, at 23. Request 2 waits for that; alone its step takes 2 s.
    const auto result = simulated(OneServer(2, kInGroups).system, {{0.0, 2, 3}, {0.0, 4, 5}, {1.0, 1, 1}});
    CHECK(finishes(result) == std::vector<double>{17.0, 23.0, 26.0});
    CHECK(laneText(result, {0, 0, 0}) == "P0 0-8, D0 8-23, P2 23-24, D2 24-26");
    CHECK(result.segments[0].requests == 2);
    CHECK(result.requests[0].firstToken == 8.0);
    CHECK(result.requests[2].prefillStart == 23.0);
    CHECK(result.pools[0].prefills == 2.0);
    CHECK(result.pools[0].promptTokens == 9.0); // with what is padded
    CHECK(result.pools[0].outputTokens == 9.0); // without
    CHECK(result.littleError() < 1e-12);
}

TEST_CASE("batching by hand: what is served is rated by when it was made") {
    // As above: steps of 3 s from 8 s on, of two requests up to 17 s, of one request from 17 s on.
    const OneServer server(2, kInGroups);
    const auto& system = server.system;
    const std::vector<TracedRequest> requests{{0.0, 2, 3}, {0.0, 4, 5}, {1.0, 1, 1}};
    const auto until = [&](double time) {
        SimulationOptions options;
        options.until = time;
        return simulated(system, requests, options).ratedTokens;
    };
    CHECK(until(8.0) == 0.0);
    CHECK(until(13.0) == 2.0);
    CHECK(until(16.0) == 4.0);
    CHECK(until(22.0) == 7.0);
    CHECK(until(25.0) == 8.0);
    const auto whole = simulated(system, requests);
    CHECK(whole.tokenRate == 9.0 / 26.0);
    CHECK(whole.requestRate == 3.0 / 26.0);
    // Forty at once, two by two: completions come in pairs, of which 11 to 31 would hold one too many.
    const auto pairs = simulated(system, std::vector<TracedRequest>(40, {0.0, 1, 1}));
    CHECK(pairs.tokenRate == 40.0 / pairs.end);
}

TEST_CASE("batching by hand: prefills of a pipeline go in one behind the other") {
    // Prompts of 4 tokens take 4 s, 1 s in the longest of four stages; each decodes in a step of 2 s or more.
    OneServer server(4, kOneByOne);
    server.times.pipeline = 4.0;
    server.times.longest = 0.25;
    const auto firstTokens = [&](const std::vector<TracedRequest>& requests) {
        std::vector<double> times;
        for (const auto& served : simulated(server.system, requests).requests)
            times.push_back(served.firstToken);
        return times;
    };
    CHECK(firstTokens({{0.0, 4, 1}, {0.0, 4, 1}, {0.0, 4, 1}}) == std::vector{4.0, 5.0, 6.0});
    // One that comes at 2 s went in then, behind the one that came out at 4 s.
    CHECK(firstTokens({{0.0, 4, 1}, {2.0, 4, 1}}) == std::vector{4.0, 6.0});
    // Behind a decode the pipeline is empty.
    CHECK(firstTokens({{0.0, 4, 1}, {4.5, 4, 1}}) == std::vector{4.0, 10.0});
}

TEST_CASE("batching by hand: a static batch takes what waits, not more") {
    const auto result = simulated(OneServer(4, kInGroups).system, {{0.0, 2, 1}, {1.0, 2, 1}, {1.5, 2, 1}});
    // Request 0 alone: 0-2, 2-4. The others together: 4 s, then a step of 3 s.
    CHECK(finishes(result) == std::vector<double>{4.0, 11.0, 11.0});
}

TEST_CASE("batching by hand: a static batch is as large as memory allows") {
    OneServer replica(4, kInGroups);
    replica.system.pools[0].memory = 13.0; // two requests of 3 + 3 tokens, and not a third
    const auto result = simulated(replica.system, std::vector<TracedRequest>(3, {0.0, 3, 3}));
    // 6 s and 3 x 3 s; then 3 s and 3 x 2 s
    CHECK(finishes(result) == std::vector<double>{15.0, 15.0, 24.0});
}

TEST_CASE("batching by hand: with continuous batching a request joins and leaves at the end of a token") {
    // Alone request 0 has steps of 2 s: 2-4, and 4-6 would follow. Request 1 comes at 3 and is prefilled from
    // 4 to 5. Then two steps of 3 s, to 11; the last of request 0 takes 2 s.
    const auto result = simulated(OneServer(2, kOneByOne).system, {{0.0, 2, 4}, {3.0, 1, 2}});
    CHECK(finishes(result) == std::vector<double>{13.0, 11.0});
    CHECK(laneText(result, {0, 0, 0}) == "P0 0-2, P1 4-5");
    CHECK(laneText(result, {0, 0, 1}) == "D0 2-13");
    CHECK(laneText(result, {0, 0, 2}) == "D1 5-11");
    CHECK(result.pools[0].prefillSeconds == 3.0);
    CHECK(result.pools[0].decodeSeconds == 10.0);
}

TEST_CASE("batching by hand: a full continuous batch makes requests wait for a slot") {
    const auto result = simulated(OneServer(2, kOneByOne).system,
                                  std::vector<TracedRequest>{{0.0, 1, 1}, {0.0, 1, 4}, {0.0, 1, 1}});
    // P0 0-1, P1 1-2, a step of 3 s to 5, where request 0 leaves; P2 5-6, a step of 3 s to 9, then 2 x 2 s.
    CHECK(finishes(result) == std::vector<double>{5.0, 13.0, 9.0});
}

TEST_CASE("batching by hand: chunks of a prompt go beside the decodes") {
    // Request 0 in chunks of 2 and 1 tokens to 3, its first step to 5. Request 1 comes at 4: 2 tokens beside
    // a step take 2 + 2 s, 1 token 1 + 2 s; with that, at 12, request 0 is done. One step of 2 s is left.
    const auto result = simulated(OneServer(2, kOneByOne, 2).system, {{0.0, 3, 3}, {4.0, 3, 1}});
    CHECK(finishes(result) == std::vector<double>{12.0, 14.0});
    CHECK(result.requests[0].firstToken == 3.0);
    CHECK(result.requests[1].prefillStart == 5.0);
    CHECK(result.requests[1].firstToken == 12.0);
    CHECK(laneText(result, {0, 0, 0}) == "P0 0-3, P1 5-12");
}

TEST_CASE("batching by hand: a request waits for memory, and is refused where it fits nowhere") {
    OneServer replica(2, kOneByOne);
    replica.system.pools[0].memory = 10.0;
    const auto result = simulated(replica.system, {{0.0, 3, 3}, {0.0, 8, 3}, {0.0, 3, 3}});
    CHECK(result.refused == 1);
    CHECK(result.arrived == 2);
    REQUIRE(result.requests.size() == 2);
    CHECK(result.requests[1].request.id == 2);
    CHECK(finishes(result) == std::vector<double>{9.0, 18.0}); // one after the other: 3 s and 3 x 2 s each
    CHECK(result.segments[1].phase == ServingPhase::Prefill);
    CHECK(result.segments[1].reason == WaitReason::Memory);
}

TEST_CASE("batching by hand: a batch that no decode server holds is not made") {
    FakeTimes times(1.0, 1.0);
    auto prefill = poolOf(Role::Prefill, 1, times, 4), decode = poolOf(Role::Decode, 1, times, 4);
    decode.memory = 12.0; // 2 of the requests
    const auto system = systemOf({prefill, decode}, routeOf(0.0, 1.0), 4);
    const auto result = simulated(system, std::vector<TracedRequest>(4, {0.0, 3, 3}));
    CHECK(result.done == 4);
    CHECK(result.segments.front().requests == 2);
}

TEST_CASE("batching by hand: a request that only servers of whole requests hold is left to them") {
    FakeTimes times(1.0, 1.0);
    auto decode = poolOf(Role::Decode, 1, times);
    decode.memory = 5.0;
    const auto system = systemOf({poolOf(Role::Prefill, 1, times), decode, poolOf(Role::Both, 1, times)},
                                 routeOf(0.0, 1.0), 4);
    const auto result = simulated(system, {{0.0, 2, 2}, {0.0, 3, 3}, {0.0, 3, 3}});
    CHECK(result.done == 3);
    CHECK(result.queued == 0);
}

TEST_CASE("batching by hand: memory that is on its way to a decode server counts") {
    // Both requests would go to the decode replica, which holds one of them. With stage 0 the second prefill
    // waits until the first request has left it: 2 s, 1 s of KV transfer a token, 4 s of decode.
    FakeTimes times(1.0, 1.0);
    auto decode = poolOf(Role::Decode, 1, times, 4, kOneByOne);
    decode.memory = 7.0;
    const auto system =
        systemOf({poolOf(Role::Prefill, 2, times, 4, kOneByOne), decode}, routeOf(0.0, 1.0), 0);
    const auto result = simulated(system, {{0.0, 2, 4}, {0.0, 2, 4}});
    CHECK(result.requests[1].prefillStart == 8.0);
    CHECK(finishes(result) == std::vector<double>{8.0, 16.0});
}

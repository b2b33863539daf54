// SPDX-License-Identifier: GPL-3.0-or-later
// Small schedules worked by hand. A prefill takes 1 s a token; a decode step 2 s on the replica that
// prefills and 1 s on a decode replica; prompts have 2 tokens unless told.
#include "tests/engine/serving/serving_fixtures.h"

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

const ServingLane kGpu{0, 0, 0};
const ServingLane kFpga{1, 0, 0};

struct Policies {
    FakeTimes gpu{1.0, 2.0};
    FakeTimes fpga{1.0, 1.0};
    ServingSystem system;

    /// One prefill and one decode replica with a direct link that takes 0.5 s a token.
    explicit Policies(std::uint32_t stage, bool assist = false, bool preempt = false) {
        system = systemOf({poolOf(Role::Prefill, 1, gpu), poolOf(Role::Decode, 1, fpga)}, routeOf(0.0, 0.5),
                          stage);
        system.assist = assist;
        system.preempt = preempt;
    }
    /// Puts a staging area on the way: 0.5 s a token to it, and from it.
    Policies& staging(double tokens) {
        system.staging = {tokens};
        system.pools[0].staging = 0;
        for (auto& route : system.routes)
            route = routeOf(0.5, 0.5);
        return *this;
    }
};

std::vector<TracedRequest> backlog(std::size_t count, std::uint32_t prompt = 2, std::uint32_t output = 5) {
    return std::vector<TracedRequest>(count, {0.0, prompt, output});
}

const ServingSegment& segment(const ServingResult& result, std::uint32_t request, ServingPhase phase,
                              std::size_t nth = 0) {
    for (const auto& one : result.segments)
        if (one.request == request && one.phase == phase && nth-- == 0)
            return one;
    FAIL("no such segment");
    return result.segments.front();
}

} // namespace

TEST_CASE("serving by hand: never") {
    // At 2 the decoder is taken; request 1 may be staged, request 2 only when the decoder takes request 1.
    // The KV cache of 2 tokens crosses in 1 s after a prefill of one layer.
    const auto result = simulated(Policies(1).system, backlog(3));
    CHECK(laneText(result, kGpu) == "P0 0-2, P1 2-4, P2 8-10");
    CHECK(laneText(result, kFpga) == "KV0 2-3, D0 3-8, KV1 8-9, D1 9-14, KV2 14-15, D2 15-20");
    CHECK(segment(result, 1, ServingPhase::KvTransfer).reason == WaitReason::DecodeBusy);
    CHECK(segment(result, 1, ServingPhase::KvTransfer).waited == 4.0);
    CHECK(segment(result, 2, ServingPhase::Prefill).reason == WaitReason::StageFull);
    CHECK(segment(result, 2, ServingPhase::Prefill).waited == 8.0);
    CHECK(result.end == 20.0);
}

TEST_CASE("serving by hand: a deeper stage lets prefills run ahead") {
    const auto result = simulated(Policies(2).system, backlog(4));
    CHECK(laneText(result, kGpu) == "P0 0-2, P1 2-4, P2 4-6, P3 8-10");
}

TEST_CASE("serving by hand: wait") {
    // At 4 the stage is full and the GPU decodes request 1 for 5 x 2 s; the decoder idles from 8.
    const auto result = simulated(Policies(1, true).system, backlog(3));
    CHECK(laneText(result, kGpu) == "P0 0-2, P1 2-4, D1 4-14, P2 14-16");
    CHECK(laneText(result, kFpga) == "KV0 2-3, D0 3-8, KV2 16-17, D2 17-22");
}

TEST_CASE("serving by hand: preempt stops with the token just begun") {
    // Taking request 1 from the stage at 4 makes room in it: the decode stops after one token, at 6.
    const auto result = simulated(Policies(1, true, true).system, backlog(3));
    CHECK(laneText(result, kGpu) == "P0 0-2, P1 2-4, D1 4-6, P2 6-8, D1 8-16");
    CHECK(laneText(result, kFpga) == "KV0 2-3, D0 3-8, KV2 8-9, D2 9-14");
}

TEST_CASE("serving by hand: preempt stops at the end of the token under way and resumes") {
    // Tokens of request 1 end at 6, 8, 10...; request 2 comes at 7.3. At 8 the decoder is free too.
    auto requests = backlog(3);
    requests[2].arrival = 7.3;
    const auto result = simulated(Policies(1, true, true).system, requests);
    CHECK(laneText(result, kGpu) == "P0 0-2, P1 2-4, D1 4-8, P2 8-10, D1 10-16");
    CHECK(laneText(result, kFpga) == "KV0 2-3, D0 3-8, KV2 10-11, D2 11-16");
    const auto& resumed = segment(result, 1, ServingPhase::Decode, 1);
    CHECK(resumed.reason == WaitReason::Preempted);
    CHECK(resumed.waited == 2.0);
    // Time per token counts the interruption: 4 to 16, 5 tokens.
    CHECK(result.tpot.largest() == doctest::Approx(12.0 / 5.0));
}

TEST_CASE("serving by hand: the last token is not stopped") {
    auto requests = backlog(3);
    requests[2].arrival = 12.5; // the last token of request 1 runs from 12 to 14
    const auto result = simulated(Policies(1, true, true).system, requests);
    CHECK(laneText(result, kGpu) == "P0 0-2, P1 2-4, D1 4-14, P2 14-16");
}

TEST_CASE("serving by hand: with stage 0 the GPU prefills for itself") {
    const auto result = simulated(Policies(0, true).system, backlog(3));
    CHECK(laneText(result, kGpu) == "P0 0-2, P1 2-4, D1 4-14, P2 14-16");
    CHECK(laneText(result, kFpga) == "KV0 2-3, D0 3-8, KV2 16-17, D2 17-22");
    // With outputs of one token the decoder is free at 4, as that prefill ends, and takes the request.
    const auto taken = simulated(Policies(0, true).system, backlog(2, 2, 1));
    CHECK(laneText(taken, kGpu) == "P0 0-2, P1 2-4");
    CHECK(laneText(taken, kFpga) == "KV0 2-3, D0 3-4, KV1 4-5, D1 5-6");
}

TEST_CASE(
    "serving by hand: a decoder is promised to the prefill that began first, and goes to the first staged") {
    FakeTimes gpu(1.0, 2.0), fpga(1.0, 1.0);
    auto system =
        systemOf({poolOf(Role::Prefill, 2, gpu), poolOf(Role::Decode, 1, fpga)}, routeOf(0.5, 0.25), 1);
    system.staging = {kEndless};
    system.pools[0].staging = 0;
    // Request 0 is done first and has been on its way over both hops: 2 x 0.75 s are left of one layer.
    const auto kept = simulated(system, {{0.0, 2, 4}, {0.0, 4, 4}});
    CHECK(laneText(kept, kFpga) == "KV0 2-3.5, D0 3.5-7.5, KV1 7.5-8.5, D1 8.5-12.5");
    // Request 1 is done first: it takes the decoder over the second hop, 2 x 0.25 s; request 0 has the whole
    // second hop to go, 4 x 0.25 s.
    const auto lost = simulated(system, {{0.0, 4, 4}, {0.0, 2, 4}});
    CHECK(laneText(lost, kFpga) == "KV1 2-2.5, D1 2.5-6.5, KV0 6.5-7.5, D0 7.5-11.5");
}

TEST_CASE("serving by hand: a full staging area holds prefills back") {
    // Pipelined over both hops 2 s are left: D0 runs from 4 to 9. Request 1 lies in the area (2 of 3 tokens)
    // until it has left it at 10.
    const auto result = simulated(Policies(5).staging(3.0).system, backlog(3));
    CHECK(laneText(result, kGpu) == "P0 0-2, P1 2-4, P2 10-12");
    CHECK(laneText(result, kFpga) == "KV0 2-4, D0 4-9, KV1 9-10, D1 10-15, KV2 15-16, D2 16-21");
    CHECK(segment(result, 2, ServingPhase::Prefill).reason == WaitReason::Memory);
}

TEST_CASE("serving by hand: over a direct link what is staged stays in the memory of the server") {
    // 5 tokens: requests 1 and 2 fill 4 of them until KV1 has arrived at 9.
    Policies policies(5);
    policies.system.pools[0].memory = 5.0;
    const auto result = simulated(policies.system, backlog(4));
    CHECK(laneText(result, kGpu) == "P0 0-2, P1 2-4, P2 4-6, P3 9-11");
    CHECK(segment(result, 3, ServingPhase::Prefill).reason == WaitReason::Memory);
}

TEST_CASE("serving by hand: two prefill servers do not fill a staging area twice") {
    // The decoder works on request 0 until 9. Both replicas would prefill for the area of 3 tokens at 4.
    FakeTimes gpu(1.0, 2.0), fpga(1.0, 1.0);
    auto system =
        systemOf({poolOf(Role::Prefill, 2, gpu), poolOf(Role::Decode, 1, fpga)}, routeOf(0.5, 0.5), 9);
    system.staging = {3.0};
    system.pools[0].staging = 0;
    const auto result = simulated(system, backlog(3));
    CHECK(segment(result, 1, ServingPhase::Prefill).start == 0.0);
    CHECK(segment(result, 2, ServingPhase::Prefill).start == 10.0); // when request 1 has left the area
}

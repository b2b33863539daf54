// SPDX-License-Identifier: GPL-3.0-or-later
// GLITCHES' systems, event by event, against an independent prototype (tests/data/glitches_schedule.json).
#include "engine/base/json.h"
#include "engine/evaluation/simulate.h"
#include "tests/engine/serving/serving_fixtures.h"
#include "tests/places.h"

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

/// The times of the file have 12 digits, and both sides add up tokens in another order: what is found is off
/// by up to 5e-10.
constexpr double kTolerance = 1e-9; // s

struct Piece {
    int phase;
    int request;
    double start;
    double end;
};
/// By lane (0: the GPU, from 1: the U280s), then by start.
using Schedule = std::map<int, std::vector<Piece>>;

/// Pieces of one decode that nothing came between are one.
void append(std::vector<Piece>& lane, const Piece& piece) {
    if (!lane.empty() && lane.back().phase == 2 && piece.phase == 2 && lane.back().request == piece.request &&
        std::fabs(lane.back().end - piece.start) < kTolerance)
        lane.back().end = piece.end;
    else
        lane.push_back(piece);
}

Schedule expected(const Json& segments) {
    Schedule schedule;
    std::vector<Json> sorted(segments.begin(), segments.end());
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const Json& a, const Json& b) { return a.at(3) < b.at(3); });
    for (const auto& s : sorted)
        append(schedule[s.at(0)], {s.at(1), s.at(2), s.at(3), s.at(4)});
    return schedule;
}

Schedule found(const ServingResult& result, std::uint32_t gpuPool) {
    Schedule schedule;
    for (const auto& s : result.segments) {
        const auto& lane = result.lanes[s.lane];
        append(schedule[lane.pool == gpuPool ? 0 : 1 + static_cast<int>(lane.replica)],
               {static_cast<int>(s.phase), static_cast<int>(s.request), s.start, s.end});
    }
    return schedule;
}

Scenario glitches(const std::string& gpu, int fpgas, const std::string& policy, const Json& stage) {
    auto scenario = presetWith("glitches/" + gpu + "-7u280",
                               {{"nodes.fpga.count", std::to_string(fpgas)},
                                {"techniques.gpu_assist.enabled", policy == "never" ? "false" : "true"},
                                {"techniques.gpu_assist.preempt", policy == "preempt" ? "true" : "false"}});
    if (!stage.is_null())
        scenario = with(std::move(scenario), "techniques.disaggregation.stage", stage.dump());
    return scenario;
}

ServingEvaluation simulated(Scenario scenario, std::vector<TracedRequest> requests) {
    SimulationOptions options;
    options.recorded = requests.size();
    scenario.serving = servingOf(std::move(requests));
    auto serving = simulate(scenario, evaluate(scenario), options);
    REQUIRE(serving.ran());
    return serving;
}

std::uint32_t poolOfNode(const ServingEvaluation& serving, std::size_t node) {
    const auto at = std::find(serving.poolNodes.begin(), serving.poolNodes.end(), node);
    return static_cast<std::uint32_t>(at - serving.poolNodes.begin());
}

} // namespace

TEST_CASE("serving: 64 schedules of GLITCHES agree with the prototype piece by piece") {
    const auto data = readJsonFile(std::string(heteroscape::places::kTestData) + "/glitches_schedule.json");
    REQUIRE(data.at("cases").size() == 64);
    std::size_t pieces = 0;
    for (std::size_t number = 0; number < 64; ++number) {
        const auto& one = data.at("cases")[number];
        CAPTURE(number);
        CAPTURE(one.at("policy").get<std::string>());
        std::vector<TracedRequest> requests;
        for (const auto& r : one.at("requests"))
            requests.push_back({r.at(0), r.at(1), r.at(2)});
        const auto scenario = glitches(one.at("gpu"), one.at("fpgas"), one.at("policy"), one.at("stage"));
        const auto serving = simulated(scenario, requests);
        const auto& result = serving.result;
        REQUIRE(result.done == requests.size());
        REQUIRE(result.requests.size() == requests.size());
        for (std::size_t i = 0; i < requests.size(); ++i) {
            CAPTURE(i);
            CHECK(std::fabs(result.requests[i].finish - one.at("finish")[i].get<double>()) < kTolerance);
            CHECK(std::fabs(result.requests[i].firstToken - one.at("first_token")[i].get<double>()) <
                  kTolerance);
        }
        const auto wanted = expected(one.at("segments"));
        auto made = found(result, poolOfNode(serving, 0));
        CHECK(made.size() == wanted.size());
        for (const auto& [lane, list] : wanted) {
            CAPTURE(lane);
            const auto& mine = made[lane];
            REQUIRE(mine.size() == list.size());
            for (std::size_t i = 0; i < list.size(); ++i) {
                CAPTURE(i);
                CHECK(mine[i].phase == list[i].phase);
                CHECK(mine[i].request == list[i].request);
                CHECK(std::fabs(mine[i].start - list[i].start) < kTolerance);
                CHECK(std::fabs(mine[i].end - list[i].end) < kTolerance);
                ++pieces;
            }
        }
        CHECK(result.littleError() < 1e-9);
    }
    CHECK(pieces > 3000);
}

// GLITCHES Fig 4: 1 A100 and 2 U280, [1536,512], a decode on the GPU is never stopped, nothing is staged.
TEST_CASE("serving: the schedule of GLITCHES' figure 4") {
    const auto scenario = glitches("a100", 2, "wait", 0);
    const auto serving = simulated(scenario, std::vector<TracedRequest>(6, {0.0, 1536, 512}));
    const auto made = found(serving.result, poolOfNode(serving, 0));
    const Schedule figure{{0,
                           {{0, 0, 0, 0.176},
                            {0, 1, 0.176, 0.352},
                            {0, 2, 0.352, 0.528},
                            {2, 2, 0.528, 12.949},
                            {0, 3, 12.949, 13.124},
                            {0, 4, 13.124, 13.300},
                            {0, 5, 13.300, 13.476},
                            {2, 5, 13.476, 25.897}}},
                          {1, {{2, 0, 0.178, 9.832}, {2, 3, 13.126, 22.780}}},
                          {2, {{2, 1, 0.353, 10.007}, {2, 4, 13.302, 22.956}}}};
    for (const auto& [lane, wanted] : figure) {
        CAPTURE(lane);
        std::vector<Piece> mine;
        for (const auto& piece : made.at(lane))
            if (piece.phase != 1)
                mine.push_back(piece);
        REQUIRE(mine.size() == wanted.size());
        for (std::size_t i = 0; i < wanted.size(); ++i) {
            CAPTURE(i);
            CHECK(mine[i].phase == wanted[i].phase);
            CHECK(mine[i].request == wanted[i].request);
            CHECK(std::fabs(mine[i].start - wanted[i].start) < 1e-3);
            CHECK(std::fabs(mine[i].end - wanted[i].end) < 1e-3);
        }
    }
}

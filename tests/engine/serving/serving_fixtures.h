// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/serving/simulation.h"
#include "tests/engine/fixtures.h"

#include <string>
#include <vector>

namespace heteroscape::engine::test {

/// Times that can be added up by hand. With costs that are multiples of a power of two every sum of them is
/// exact, so that events meant to coincide do.
struct FakeTimes : ServiceTimes {
    double perPrefill = 0.0;     ///< s
    double perPromptToken = 0.0; ///< s, of every prompt of a batch
    double perStep = 0.0;        ///< s of a decode step
    double perRequest = 0.0;     ///< s of a decode step for each of its requests
    double perKey = 0.0;         ///< s of a decode step for each key attended to
    double perChunk = 0.0;       ///< s of a step with a chunk, beside its tokens and the decode
    double pipeline = 1.0;       ///< stages
    double longest = 1.0;        ///< share of a prefill or chunk that the longest of them takes

    FakeTimes() = default;
    /// One second for each prompt token and decode step, unless told.
    FakeTimes(double promptToken, double step) : perPromptToken(promptToken), perStep(step) {}

    double prefill(double requests, double prompt, double output) override;
    double prefillStage(double requests, double prompt, double output) override {
        return longest * prefill(requests, prompt, output);
    }
    double stages() const override { return pipeline; }
    double decode(const DecodeBatch& batch, double steps) override;
    PieceSeconds pieces(std::span<const PromptPiece> prompts, const DecodeBatch& batch) override;
};

/// How a pool takes its requests.
inline constexpr bool kInGroups = true;
inline constexpr bool kOneByOne = false;

ServingPool poolOf(Role role, std::uint32_t replicas, ServiceTimes& times, std::uint32_t batch = 1,
                   bool grouped = kInGroups);

/// The pools with the same way from every prefill to every decode pool.
ServingSystem systemOf(std::vector<ServingPool> pools, const KvRoute& route = {}, std::uint32_t stage = 0);

/// A way of one layer that takes `first` seconds per prompt token to where requests are staged (none: 0) and
/// `second` from there.
KvRoute routeOf(double first, double second);

/// Requests as a trace in memory.
Serving servingOf(std::vector<TracedRequest> requests);

/// A workload whose requests have these lengths.
Workload workloadOf(double prompt = 1.0, double output = 1.0);

/// Simulates and records every request.
ServingResult simulated(const ServingSystem& system, const std::vector<TracedRequest>& requests,
                        SimulationOptions options = {});

/// The segments of one lane as "P0 0-2, KV0 2-3, D0 3-7" with times in %g.
std::string laneText(const ServingResult& result, const ServingLane& lane);

/// Finish times by id.
std::vector<double> finishes(const ServingResult& result);

} // namespace heteroscape::engine::test

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/schedule/pipeline.h"
#include "engine/techniques/speculation.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

using namespace heteroscape::engine;

namespace {

/// Event by event, first come first served: when the last of the microbatches has gone through all stages
/// `rounds` times. A stage is taken while it works and while it sends on; the last sends back to the first
/// where there is another round.
double simulatedPipeline(const std::vector<double>& stages, int microbatches, double send, int rounds) {
    const double x = stages.size() > 1 ? send : 0.0;
    std::vector<double> ready(static_cast<std::size_t>(microbatches), 0.0);
    std::vector<double> free(stages.size(), 0.0);
    double done = 0.0;
    for (int round = 0; round < rounds; ++round)
        for (auto& at : ready)
            for (std::size_t p = 0; p < stages.size(); ++p) {
                done = std::max(at, free[p]) + stages[p];
                const bool leaves = p + 1 == stages.size() && round + 1 == rounds;
                at = free[p] = done + (leaves ? 0.0 : x);
            }
    return done;
}

} // namespace

TEST_CASE("pipeline: golden values 54 and 55, and tokens of speculation, 53") {
    const std::vector<double> stages{10.0, 11.0, 10.0, 9.0};
    CHECK(pipelinePassSeconds(stages, 8.0, 1.0) == doctest::Approx(127.0).epsilon(1e-12));
    CHECK(pipelineRoundSeconds(stages, 8.0, 1.0) == doctest::Approx(96.0).epsilon(1e-12));
    CHECK(speculatedTokens(3.0, 0.8) == doctest::Approx(2.952).epsilon(1e-12));
}

TEST_CASE("pipeline: one stage takes its own time, without a send") {
    const std::vector<double> one{7.0};
    CHECK(pipelinePassSeconds(one, 1.0, 3.0) == 7.0);
    CHECK(pipelineRoundSeconds(one, 1.0, 3.0) == 7.0);
    CHECK(pipelinePassSeconds(one, 4.0, 3.0) == 28.0);
}

TEST_CASE("pipeline: equal stages pass as in a simulation, uneven ones never later than said") {
    for (int microbatches = 1; microbatches <= 9; ++microbatches)
        for (const double send : {0.0, 1.0, 4.0}) {
            CAPTURE(microbatches);
            CAPTURE(send);
            for (const std::size_t count : {1, 2, 3, 8}) {
                const std::vector<double> equal(count, 5.0);
                CHECK(pipelinePassSeconds(equal, microbatches, send) ==
                      doctest::Approx(simulatedPipeline(equal, microbatches, send, 1)).epsilon(1e-12));
            }
            for (const auto& uneven : {std::vector{3.0, 9.0, 2.0}, std::vector{1.0, 2.0, 8.0}}) {
                const double simulated = simulatedPipeline(uneven, microbatches, send, 1);
                const double said = pipelinePassSeconds(uneven, microbatches, send);
                CHECK(said >= simulated - 1e-9);
                CHECK(said <= simulated + (microbatches - 1) * send + 1e-9); // the last sends to nobody
            }
        }
}

TEST_CASE("pipeline: rounds of decode are those of a simulation in its steady state, even stages or not") {
    for (const auto& stages : {std::vector{5.0, 5.0, 5.0}, std::vector{3.0, 9.0, 2.0}, std::vector{4.0}})
        for (int microbatches = 1; microbatches <= 8; ++microbatches) {
            CAPTURE(microbatches);
            const double many = simulatedPipeline(stages, microbatches, 0.5, 200);
            const double fewer = simulatedPipeline(stages, microbatches, 0.5, 100);
            CHECK(pipelineRoundSeconds(stages, microbatches, 0.5) ==
                  doctest::Approx((many - fewer) / 100.0).epsilon(1e-9));
        }
}

TEST_CASE("speculation: no guesses or no acceptance yield one token, certain ones all of them") {
    CHECK(speculatedTokens(0.0, 0.9) == doctest::Approx(1.0).epsilon(1e-12));
    CHECK(speculatedTokens(5.0, 0.0) == 1.0);
    CHECK(speculatedTokens(3.0, 1.0) == 4.0);
    double before = 1.0;
    for (const double acceptance : {0.1, 0.3, 0.5, 0.8, 0.95}) {
        const double tokens = speculatedTokens(4.0, acceptance);
        CHECK(tokens > before);
        CHECK(tokens < 5.0);
        before = tokens;
    }
}

TEST_CASE("pipeline: turns of stages, each one at a time, as long as is said") {
    for (const bool decode : {false, true})
        for (std::size_t microbatches = 1; microbatches <= 7; ++microbatches)
            for (const auto& times :
                 {std::vector{5.0, 5.0}, std::vector{3.0, 9.0, 2.0}, std::vector{1.0, 2.0, 8.0}}) {
                CAPTURE(decode);
                CAPTURE(microbatches);
                constexpr double kSend = 1.0;
                const auto count = static_cast<double>(microbatches);
                const double step = decode ? pipelineRoundSeconds(times, count, kSend)
                                           : pipelinePassSeconds(times, count, kSend);
                std::vector<StageTime> stages;
                for (std::size_t i = 0; i < times.size(); ++i)
                    stages.push_back({"", 1.0, times[i], decode || i + 1 < times.size() ? kSend : 0.0});
                const auto turns = stageTurns(stages, microbatches, decode, step);
                std::vector<double> worked(times.size(), 0.0);
                std::vector<double> sent(times.size(), 0.0);
                for (std::size_t i = 0; i < turns.size(); ++i) {
                    const auto& turn = turns[i];
                    CHECK(turn.end > turn.start);
                    CHECK(turn.end <= step * (1.0 + 1e-12));
                    if (i > 0 && turns[i - 1].stage == turn.stage)
                        CHECK(turn.start >= turns[i - 1].end - 1e-9);
                    (turn.sends ? sent : worked)[turn.stage] += turn.end - turn.start;
                }
                for (std::size_t s = 0; s < times.size(); ++s) {
                    CHECK(worked[s] == doctest::Approx(count * times[s]).epsilon(1e-12));
                    CHECK(sent[s] == doctest::Approx(count * stages[s].send).epsilon(1e-12));
                }
            }
}

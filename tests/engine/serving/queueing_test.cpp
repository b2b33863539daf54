// SPDX-License-Identifier: GPL-3.0-or-later
// Against queueing theory: mean waits of M/D/1 and M/M/c.
#include "tests/engine/serving/serving_fixtures.h"

#include <cmath>
#include <random>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

const std::uint32_t kRequests = rounds(1000000u);
const double kTolerance = widened(0.03);

double meanWait(const ServingSystem& system, const Serving& serving) {
    const auto result = simulateServing(system, RequestStream(serving, workloadOf(2.0, 2.0)));
    CHECK(result.done == static_cast<std::uint64_t>(serving["requests"].value));
    CHECK(result.littleError() < 1e-9);
    return result.wait.mean();
}

/// Erlang's formula: the share of requests that wait at `replicas` under `load` (in replicas).
double erlangC(int replicas, double load) {
    double blocked = 1.0; // Erlang B, by recursion
    for (int i = 1; i <= replicas; ++i)
        blocked = load * blocked / (i + load * blocked);
    return blocked / (1.0 - load / replicas * (1.0 - blocked));
}

} // namespace

TEST_CASE("serving: M/D/1 waits as Pollaczek and Khinchine say") {
    FakeTimes times(0.25, 0.25);
    const auto system = systemOf({poolOf(Role::Both, 1, times)});
    for (const double load : {0.3, 0.6, 0.8}) {
        Serving serving;
        serving.arrivals = arrivalsNamed("poisson");
        serving["requests"].value = kRequests;
        serving["rate_req_s"].value = load; // of replicas of 1 s
        CAPTURE(load);
        CHECK(off(meanWait(system, serving), load / (2.0 * (1.0 - load))) < kTolerance);
    }
}

TEST_CASE("serving: M/M/c waits as Erlang says") {
    FakeTimes times(0.0, 1e-4); // 1 s for the mean of 10,000 tokens
    for (const int replicas : {1, 2, 4}) {
        const auto system = systemOf({poolOf(Role::Both, static_cast<std::uint32_t>(replicas), times)});
        for (const double load : {0.3, 0.6, 0.8}) {
            std::mt19937_64 random(7);
            const auto exponential = [&](double mean) {
                return -mean * std::log1p(-static_cast<double>(random() >> 11) * 0x1p-53);
            };
            std::vector<TracedRequest> requests(kRequests);
            double now = 0.0;
            for (auto& request : requests) {
                now += exponential(1.0 / (load * replicas));
                request.arrival = now;
                request.output = static_cast<std::uint32_t>(std::ceil(exponential(1e4)));
                request.output = std::max(request.output, 1U);
            }
            CAPTURE(replicas);
            CAPTURE(load);
            const double expected = erlangC(replicas, load * replicas) / (replicas * (1.0 - load));
            CHECK(off(meanWait(system, servingOf(std::move(requests))), expected) < kTolerance);
        }
    }
}

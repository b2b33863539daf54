// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/engine/serving/random_system.h"
#include "tests/engine/serving/reference_simulator.h"

#include <cmath>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

bool same(double a, double b) {
    return std::fabs(a - b) <= 1e-12 * std::max(1.0, std::fabs(b));
}

} // namespace

TEST_CASE("serving: 4000 random systems run as the token-by-token reference has them") {
    std::size_t requests = 0, refused = 0, staged = 0, batches = 0;
    for (std::uint64_t seed = 1; seed <= rounds(4000u); ++seed) {
        const auto random = randomSystem(seed);
        const auto wanted = ReferenceSimulator(random.system, random.requests).run();
        const auto result = simulated(random.system, random.requests);
        CAPTURE(seed);
        CAPTURE(random.text());
        std::size_t next = 0; // in the finished requests, which are by id
        for (std::size_t id = 0; id < wanted.size(); ++id) {
            const auto& expected = wanted[id];
            CAPTURE(id);
            ++requests;
            if (expected.refused) {
                ++refused;
                continue;
            }
            REQUIRE(expected.done);
            REQUIRE(next < result.requests.size());
            const auto& served = result.requests[next++];
            REQUIRE(served.request.id == id);
            REQUIRE(same(served.prefillStart, expected.prefillStart));
            REQUIRE(same(served.firstToken, expected.firstToken));
            REQUIRE(same(served.decodeStart, expected.decodeStart));
            REQUIRE(same(served.finish, expected.finish));
            staged += expected.decodeStart > expected.firstToken ? 1 : 0;
        }
        REQUIRE(next == result.requests.size());
        for (const auto& segment : result.segments)
            batches += segment.requests > 1 ? 1 : 0;
    }
    // The systems are of all kinds.
    CHECK(requests > scaled(50000u));
    CHECK(refused > scaled(100u));
    CHECK(staged > scaled(10000u));
    CHECK(batches > scaled(1000u));
}

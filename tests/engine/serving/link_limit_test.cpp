// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/serving/link_limit.h"

#include "engine/serving/fair_share.h"
#include "tests/engine/serving/serving_fixtures.h"

#include <random>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

TEST_CASE("fair shares: rates grow by weight until something is used up, the others go on") {
    // Two share a resource of 10; the second also has one of 2 for itself.
    std::vector<Activity> activities(2);
    activities[0] = {1.0, {{0, 1.0}}};
    activities[1] = {3.0, {{0, 1.0}, {1, 1.0}}};
    std::vector<double> left{10.0, 2.0};
    shareFairly(activities, left);
    CHECK(activities[1].rate == doctest::Approx(2.0));
    CHECK(activities[1].stopped == 1);
    CHECK(activities[0].rate == doctest::Approx(8.0));
    CHECK(activities[0].stopped == 0);
    CHECK(left[0] == 0.0);
}

TEST_CASE(
    "fair shares: nothing is used for more than there is, and whatever stops is stopped by something full") {
    std::mt19937 random(5);
    std::uniform_real_distribution<double> drawn(0.1, 3.0);
    for (int trial = 0; trial < rounds(500); ++trial) {
        std::vector<double> capacity(1 + random() % 5);
        for (auto& one : capacity)
            one = drawn(random);
        std::vector<Activity> activities(1 + random() % 6);
        for (auto& activity : activities) {
            activity.weight = random() % 8 == 0 ? 0.0 : drawn(random);
            for (std::size_t r = 0; r < capacity.size(); ++r)
                if (r == 0 || random() % 2 == 0)
                    activity.uses.push_back({r, drawn(random)});
        }
        auto left = capacity;
        shareFairly(activities, left);
        std::vector<double> used(capacity.size(), 0.0);
        for (const auto& activity : activities)
            for (const auto& use : activity.uses)
                used[use.resource] += activity.rate * use.amount;
        for (std::size_t r = 0; r < used.size(); ++r)
            CHECK(used[r] <= capacity[r] * (1 + 1e-12));
        for (const auto& activity : activities) {
            if (activity.weight == 0.0) {
                CHECK(activity.rate == 0.0);
                continue;
            }
            REQUIRE(activity.stopped < used.size());
            CHECK(off(used[activity.stopped], capacity[activity.stopped]) < 1e-12);
        }
    }
}

TEST_CASE("link shares: steps come first, and are stretched only where they leave too little") {
    const std::vector<LinkShares::Link> links{
        {100.0, {20.0, 10.0}, 0.5}, // both fit beside half of it
        {100.0, {0.0, 150.0}, 0.0}, // one pool wants more than there is
        {100.0, {0.0, 0.0}, 1.0},   // KV caches alone
    };
    const LinkShares shares(links);
    CHECK(shares.forCaches == std::vector<double>{70.0, 0.0, 100.0});
    CHECK(shares.stretch == std::vector<double>{1.0, 1.5});
}

namespace {

/// Requests of 4 prompt tokens at time 0, prefilled side by side, each transferred to a replica of its own: a
/// second a token over one of so many parallel links.
ServingResult overOneLink(double parallel, std::uint32_t requests, double prefillPerToken) {
    FakeTimes prefill(prefillPerToken, 1.0);
    FakeTimes decode(0.0, 1.0);
    auto route = routeOf(0.0, 1.0);
    route.crossings = {{0, 0.0}};
    route.bytesOnLinks = 1.0;
    auto system = systemOf({poolOf(Role::Prefill, requests, prefill), poolOf(Role::Decode, requests, decode)},
                           route, requests);
    system.links = {parallel};
    return simulated(system, std::vector<TracedRequest>(requests, TracedRequest{0.0, 4, 1}));
}

} // namespace

TEST_CASE("KV transfers share a link: it moves no more than it can, and delays nothing when it keeps up") {
    // Made in 8 s, moved in 4 s while they are made, the last layer's part after that: one layer, so all.
    const auto alone = overOneLink(1.0, 1, 2.0);
    CHECK(finishes(alone) == std::vector<double>{8.0 + 4.0 + 1.0});
    // Four at once: each is moved while the others are, if there is a link for each of them ...
    CHECK(finishes(overOneLink(4.0, 4, 2.0)) == std::vector<double>(4, 13.0));
    // ... and one after the other where all take the same, which may begin as they are made, at time 0.
    CHECK(finishes(overOneLink(1.0, 4, 2.0)) == std::vector<double>{13.0, 13.0, 13.0, 17.0});
    CHECK(finishes(overOneLink(1.0, 8, 2.0)) ==
          std::vector<double>{13.0, 13.0, 13.0, 17.0, 21.0, 25.0, 29.0, 33.0});
}

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/parallel.h"

#include <algorithm>
#include <atomic>
#include <doctest/doctest.h>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

using namespace heteroscape::engine;

TEST_CASE("a crew meets every place once, run after run") {
    for (const int threads : {1, 2, 7}) {
        Crew crew(threads);
        for (std::size_t count : {0UL, 1UL, 31UL, 32UL, 33UL, 5000UL})
            for (int round = 0; round < 20; ++round) {
                std::vector<std::atomic<int>> met(count);
                crew.run([&] {
                    forRanges(count, 32, [&](std::size_t begin, std::size_t end) {
                        for (auto i = begin; i < end; ++i)
                            ++met[i];
                    });
                });
                CHECK(std::all_of(met.begin(), met.end(), [](const auto& times) { return times == 1; }));
            }
    }
}

TEST_CASE("a crew has as many threads as asked for, more than cores too") {
    std::mutex mutex;
    std::set<std::thread::id> seen;
    const auto three = [&] {
        const std::lock_guard lock(mutex);
        return seen.size() >= 3;
    };
    // Each range holds its thread until three have come: with fewer this never ends.
    Crew(3).run([&] {
        forRanges(64, 1, [&](std::size_t, std::size_t) {
            {
                const std::lock_guard lock(mutex);
                seen.insert(std::this_thread::get_id());
            }
            while (!three())
                std::this_thread::yield();
        });
    });
    CHECK(seen.size() == 3);
    CHECK(seen.count(std::this_thread::get_id()) == 1);
}

TEST_CASE("what a crew's work throws reaches the caller, and the crew goes on") {
    Crew crew(4);
    const auto fail = [&] {
        crew.run([] {
            forRanges(1000, 1, [](std::size_t begin, std::size_t end) {
                if (begin <= 700 && 700 < end)
                    throw std::runtime_error("here");
            });
        });
    };
    CHECK_THROWS_WITH_AS(fail(), "here", std::runtime_error);
    std::atomic<std::size_t> met = 0;
    crew.run([&] { forRanges(1000, 1, [&](std::size_t begin, std::size_t end) { met += end - begin; }); });
    CHECK(met == 1000);
}

TEST_CASE("a loop in parallel") {
    std::vector<int> met(100'000, 0);
    inParallel(met.size(), 100, [&](std::size_t begin, std::size_t end) {
        for (auto i = begin; i < end; ++i)
            ++met[i];
    });
    CHECK(std::all_of(met.begin(), met.end(), [](int times) { return times == 1; }));
    inParallel(0, 100, [](std::size_t begin, std::size_t end) { CHECK(begin == end); });
}

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/timing/collective.h"

#include "tests/engine/fixtures.h"

#include <algorithm>
#include <array>
#include <random>
#include <vector>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

TEST_CASE("GLITCHES Fig 8: unpipelined KV transfer of LLaMA2-7B in int8") {
    const std::array<Hop, 2> a100{{{24e9, 20e-6}, {12e9, 20e-6}}};
    const std::array<Hop, 2> v100s{{{12e9, 20e-6}, {12e9, 20e-6}}};
    CHECK(KvTransfer{32, 128 * 8192.0}.serialSeconds(a100) == doctest::Approx(6.8e-3).epsilon(0.01));
    CHECK(KvTransfer{32, 1536 * 8192.0}.serialSeconds(a100) == doctest::Approx(52.9e-3).epsilon(0.002));
    CHECK(KvTransfer{32, 128 * 8192.0}.serialSeconds(v100s) == doctest::Approx(8.2e-3).epsilon(0.01));
    CHECK(KvTransfer{32, 1536 * 8192.0}.serialSeconds(v100s) == doctest::Approx(69.7e-3).epsilon(0.002));
}

TEST_CASE("GLITCHES section 4: the exposed tail on the A100") {
    const std::array<Hop, 2> path{{{24e9, 20e-6}, {12e9, 20e-6}}};
    CHECK(KvTransfer{32, 128 * 8192.0}.exposedSeconds(path, 24.26e-3) ==
          doctest::Approx(0.21e-3).epsilon(0.02));
    CHECK(KvTransfer{32, 1536 * 8192.0}.exposedSeconds(path, 175.85e-3) ==
          doctest::Approx(1.65e-3).epsilon(0.005));
}

TEST_CASE("the closed form equals the recurrence over layers and hops") {
    std::mt19937 random(3);
    std::uniform_real_distribution<double> bandwidth(1e9, 5e10);
    std::uniform_real_distribution<double> seconds(1e-4, 1.0);
    for (int trial = 0; trial < rounds(300); ++trial) {
        std::vector<Hop> path(1 + random() % 4);
        for (auto& hop : path)
            hop = {bandwidth(random), 1e-6 * static_cast<double>(random() % 200)};
        const KvTransfer transfer{1.0 + static_cast<double>(random() % 90),
                                  1e4 * static_cast<double>(1 + random() % 5000)};
        const double prefill = seconds(random);
        std::vector<double> free(path.size(), 0.0);
        double end = 0;
        for (double layer = 1; layer <= transfer.layers; ++layer) {
            double ready = prefill * layer / transfer.layers;
            for (std::size_t h = 0; h < path.size(); ++h)
                ready = free[h] = std::max(free[h], ready) + transfer.layerSeconds(path[h]);
            end = ready;
        }
        CHECK(transfer.exposedSeconds(path, prefill) == doctest::Approx(end - prefill).epsilon(1e-9));
    }
}

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/large_pages.h"

#include <doctest/doctest.h>

using namespace heteroscape::engine;

TEST_CASE("Large vectors end where a large page does, small ones take what they need") {
    std::vector<double> small, large;
    reserveLarge(small, 1000);
    CHECK(small.capacity() == 1000);
    for (const std::size_t count : {kLargePage / 8, std::size_t{1'000'000}, kLargePage - 4, kLargePage - 3}) {
        large = {};
        reserveLarge(large, count);
        CHECK(large.capacity() >= count);
        CHECK(large.capacity() * sizeof(double) < count * sizeof(double) + kLargePage);
        CHECK((large.capacity() * sizeof(double) + 32) % kLargePage == 0);
        large.resize(count, 1.0);
        CHECK(large.back() == 1.0);
    }
}

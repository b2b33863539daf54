// SPDX-License-Identifier: GPL-3.0-or-later
// Blocks of numbers: what is packed comes back to the last bit, small where it can be, and no bytes are taken
// for a block that are none.
#include "engine/store/column_block.h"
#include "tests/rounds.h"

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <iterator>
#include <limits>
#include <random>
#include <vector>

using namespace heteroscape::engine;

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

bool comesBack(const std::vector<double>& values, const std::string& bytes) {
    std::vector<double> back(values.size());
    if (!unpackBlock(bytes, back))
        return false;
    for (std::size_t i = 0; i < values.size(); ++i)
        if (std::isnan(values[i])
                ? !std::isnan(back[i])
                : std::bit_cast<std::uint64_t>(values[i]) != std::bit_cast<std::uint64_t>(back[i]))
            return false;
    return true;
}

std::vector<double> made(std::size_t count, double (*at)(std::size_t)) {
    std::vector<double> values;
    for (std::size_t i = 0; i < count; ++i)
        values.push_back(at(i));
    return values;
}

} // namespace

TEST_CASE("blocks: what is packed comes back, in the bytes that it needs") {
    struct Row {
        std::vector<double> values;
        std::size_t most; ///< bytes
    };
    const Row rows[] = {
        {made(8192, [](std::size_t) { return kNan; }), 0},
        {made(8192, [](std::size_t) { return 0.1; }), 9},
        {made(8192, [](std::size_t i) { return i % 2 == 0 ? 0.0 : -0.0; }), 8192 + 19},
        {made(8192, [](std::size_t i) { return static_cast<double>(i % 256); }), 8192 + 256 * 8 + 3},
        {made(8192, [](std::size_t i) { return std::sqrt(static_cast<double>(i)); }), 8192 * 4},
        {made(8192, [](std::size_t i) { return 3.0 + static_cast<double>(i) * 0.25; }), 2100},
        {made(8192, [](std::size_t i) { return 1e9 / static_cast<double>(16 + i % 1000); }), 8192 * 5},
        {made(8192, [](std::size_t i) { return std::sin(static_cast<double>(i) / 50) - 0.5; }), 8192 * 7},
        {made(8192, [](std::size_t i) { return std::sin(static_cast<double>(i * i * i)); }), 8192 * 8 + 1},
        {made(8192, [](std::size_t i) { return i < 4000 ? std::exp(static_cast<double>(i) / 100) : kNan; }),
         4000 * 8 + 12},
        {made(8192, [](std::size_t i) { return i % 8 == 0 ? static_cast<double>(i) : kNan; }), 1024 * 9 + 2},
        {made(8192, [](std::size_t i) { return i == 77 ? 5.0 : kNan; }), 20},
        {{1.0}, 9},
        {{kNan}, 0},
        {{kNan, 3.0}, 11},
        {{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity(),
          std::numeric_limits<double>::denorm_min(), std::numeric_limits<double>::max()},
         33},
    };
    for (const auto& [values, most] : rows) {
        const auto bytes = packBlock(values);
        CAPTURE(values.size());
        CHECK(bytes.size() <= most);
        CHECK(comesBack(values, bytes));
        std::size_t numbers = 0;
        for (const double value : values)
            numbers += std::isnan(value) ? 0 : 1;
        CHECK(bytes.size() <= 9 * numbers + 11); // nine bytes a number
    }
}

TEST_CASE("blocks: random values, absences and repeats come back") {
    std::mt19937_64 random(21);
    for (int round = 0; round < test::rounds(300); ++round) {
        std::vector<double> values(1 + random() % kMostBlockPoints);
        const auto different = 1 + random() % (round % 2 == 0 ? 300 : 100000);
        const auto absent = random() % 4;
        const auto run = 1 + random() % 50;
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] =
                absent > 0 && i / run % 4 < absent ? kNan : static_cast<double>(random() % different) * 0.7;
        REQUIRE(comesBack(values, packBlock(values)));
    }
}

TEST_CASE("blocks: smooth stretches between jumps, zeros of either sign and values without end come back") {
    std::mt19937_64 random(23);
    constexpr double odd[] = {0.0,
                              -0.0,
                              std::numeric_limits<double>::infinity(),
                              -std::numeric_limits<double>::infinity(),
                              std::numeric_limits<double>::denorm_min(),
                              -1e308};
    std::size_t smooth = 0;
    for (int round = 0; round < test::rounds(300); ++round) {
        std::vector<double> values(1 + random() % kMostBlockPoints);
        const auto stretch = 1 + random() % 2000;
        const auto power = static_cast<int>(random() % 7) - 3;
        double scale = 1;
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (i % stretch == 0)
                scale = static_cast<double>(random()) * (random() % 2 == 0 ? 1e-9 : -1e20);
            values[i] = scale * std::pow(static_cast<double>(100 + i % stretch), power);
            if (random() % 5000 == 0)
                values[i] = odd[random() % std::size(odd)];
        }
        const auto bytes = packBlock(values);
        CHECK(bytes.size() <= 8 * values.size() + 1);
        REQUIRE(comesBack(values, bytes));
        smooth += bytes[0] == 's' ? 1 : 0;
    }
    CHECK(smooth > test::scaled(150u));
}

TEST_CASE("blocks: bytes that are none are refused, whatever they are") {
    std::mt19937_64 random(22);
    const auto values =
        made(500, [](std::size_t i) { return i % 3 == 0 ? kNan : static_cast<double>(i % 100); });
    const auto whole = packBlock(values);
    std::vector<double> out(values.size());
    for (std::size_t length = 1; length < whole.size(); ++length)
        CHECK_FALSE(unpackBlock(whole.substr(0, length), out));
    CHECK_FALSE(unpackBlock(whole + '\0', out));
    const auto smooth = packBlock(made(500, [](std::size_t i) { return std::sqrt(static_cast<double>(i)); }));
    REQUIRE(smooth[0] == 's');
    for (std::size_t length = 1; length < smooth.size(); ++length)
        CHECK_FALSE(unpackBlock(smooth.substr(0, length), out));
    CHECK_FALSE(unpackBlock(smooth + '\0', out));
    for (const char order : {'\0', '\4', '\xff'})
        CHECK_FALSE(unpackBlock(std::string(smooth).replace(1, 1, 1, order), out));
    CHECK_FALSE(unpackBlock(std::string(smooth).replace(2, 1, 1, '\x9'), out));
    for (const auto* form : {"c", "d", "s", "r", "p", "b", "x", "pp"})
        CHECK_FALSE(unpackBlock(form, out));
    // Nothing is read beyond the bytes, nothing written beyond the values.
    for (int round = 0; round < test::rounds(20000); ++round) {
        std::string bytes(random() % 40, '\0');
        for (auto& byte : bytes)
            byte = static_cast<char>(random());
        if (!bytes.empty())
            bytes[0] = "cdsrpb"[random() % 6];
        unpackBlock(bytes, std::span(out).first(random() % out.size()));
    }
}

TEST_CASE("blocks: a checksum is of the bytes and of their place") {
    const auto bytes = packBlock(made(100, [](std::size_t i) { return static_cast<double>(i); }));
    const auto sum = blockSum("ttft_s", 0, 100, bytes);
    CHECK(sum == blockSum("ttft_s", 0, 100, bytes));
    CHECK(sum != blockSum("tpot_s", 0, 100, bytes));
    CHECK(sum != blockSum("ttft_s", 100, 100, bytes));
    CHECK(sum != blockSum("ttft_s", 0, 99, bytes));
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        auto flipped = bytes;
        flipped[i] = static_cast<char>(flipped[i] ^ 1 << i % 8);
        REQUIRE(sum != blockSum("ttft_s", 0, 100, flipped));
    }
}

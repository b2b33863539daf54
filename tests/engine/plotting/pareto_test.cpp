// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plotting/pareto.h"
#include "tests/engine/fixtures.h"

#include <cmath>
#include <doctest/doctest.h>
#include <limits>
#include <random>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

/// Whether a point beats another in what is wanted, by the definition.
bool beats(const std::vector<Objective>& objectives, std::size_t a, std::size_t b) {
    bool better = false;
    for (const auto& one : objectives) {
        const double x = one.better * one.values[a], y = one.better * one.values[b];
        if (x < y)
            return false;
        better = better || x > y;
    }
    return better;
}

} // namespace

TEST_CASE("a Pareto front of two objectives, by hand") {
    // Throughput over price: 3 is dearer than 1 and slower, 4 equals 1, 5 has no price.
    const std::vector<double> throughput{10, 30, 50, 20, 30, 99, 50};
    const std::vector<double> price{1, 4, 9, 5, 4, kNone, 12};
    CHECK(paretoFront({{throughput, 1}, {price, -1}}) == std::vector<std::size_t>{2, 1, 0});
    CHECK(paretoFront({{price, -1}, {throughput, 1}}) == std::vector<std::size_t>{0, 1, 2});
    CHECK(paretoFront({{throughput, 1}}).empty());
    const std::vector<double> none{kNone, kNone};
    CHECK(paretoFront({{none, 1}, {none, 1}}).empty());
}

TEST_CASE("a Pareto front of three objectives, by hand and against the definition") {
    const std::vector<double> a{1, 2, 3, 3, 2}, b{3, 2, 1, 1, 2}, c{1, 1, 1, 2, 2};
    // 3 beats 2 (same a and b, more c), 4 beats 1.
    CHECK(paretoFront({{a, 1}, {b, 1}, {c, 1}}) == std::vector<std::size_t>{3, 4, 0});
    std::mt19937 random(7);
    std::uniform_int_distribution<int> coarse(0, 12); // many equals
    std::vector<double> x, y, z;
    for (int i = 0; i < 400; ++i) {
        x.push_back(coarse(random));
        y.push_back(coarse(random));
        z.push_back(i % 17 == 0 ? kNone : coarse(random));
    }
    const std::vector<Objective> objectives{{x, 1}, {y, -1}, {z, 1}};
    const auto front = paretoFront(objectives);
    std::vector<bool> inFront(x.size());
    for (const auto i : front)
        inFront[i] = true;
    for (std::size_t i = 0; i < x.size(); ++i) {
        bool beaten = std::isnan(z[i]), first = true;
        for (std::size_t k = 0; k < x.size(); ++k) {
            if (std::isnan(z[k]))
                continue;
            beaten = beaten || beats(objectives, k, i);
            first = first && !(k < i && x[k] == x[i] && y[k] == y[i] && z[k] == z[i]);
        }
        CHECK(inFront[i] == (!beaten && first));
    }
}

TEST_CASE("a Pareto front that all are on, by hand") {
    const std::vector<double> rising{1, 2, 3}, falling{3, 2, 1};
    CHECK(paretoFront({{rising, -1}, {falling, -1}}) == std::vector<std::size_t>{0, 1, 2});
    CHECK(paretoFront({{rising, 1}, {falling, 1}}) == std::vector<std::size_t>{2, 1, 0});
    // Both rise together: one point is the best in both.
    CHECK(paretoFront({{rising, -1}, {rising, -1}}) == std::vector<std::size_t>{0});
    CHECK(paretoFront({{rising, 1}, {rising, 1}}) == std::vector<std::size_t>{2});
}

TEST_CASE("what is no front: one or four objectives, values of different length") {
    const std::vector<double> three{1, 2, 3}, two{1, 2}, none;
    CHECK(paretoFront({}).empty());
    CHECK(paretoFront({{three, 1}}).empty());
    CHECK(paretoFront({{three, 1}, {three, 1}, {three, 1}, {three, 1}}).empty());
    CHECK(paretoFront({{three, 1}, {two, 1}}).empty());
    CHECK(paretoFront({{two, 1}, {three, 1}}).empty());
    CHECK(paretoFront({{three, 1}, {three, 1}, {two, 1}}).empty());
    CHECK(paretoFront({{none, 1}, {three, 1}}).empty());
    CHECK(paretoFront({{none, 1}, {none, 1}}).empty());
}

TEST_CASE("infinite values are values: the best or the worst there are") {
    // Less is better in both; each has an end of its own, so none beats another.
    const std::vector<double> a{-kInfinite, 0, kInfinite}, b{kInfinite, 0, -kInfinite};
    CHECK(paretoFront({{a, -1}, {b, -1}}) == std::vector<std::size_t>{0, 1, 2});
    CHECK(paretoFront({{a, 1}, {b, 1}}) == std::vector<std::size_t>{2, 1, 0});
    // 1 is infinitely dear and no faster than 2: beaten. 0 equals 3 and stands for it.
    const std::vector<double> price{5, kInfinite, 4, 5}, speed{kInfinite, 7, 7, kInfinite};
    CHECK(paretoFront({{price, -1}, {speed, 1}}) == std::vector<std::size_t>{2, 0});
    const std::vector<double> unknown{5, kInfinite, kNone, 4};
    CHECK(paretoFront({{unknown, -1}, {speed, 1}}) == std::vector<std::size_t>{3});
}

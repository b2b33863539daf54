// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/timing/step_cost.h"

#include "tests/engine/fixtures.h"

#include <algorithm>
#include <array>
#include <random>
#include <utility>
#include <vector>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

TEST_CASE("the closed sum over a decode equals adding token by token") {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> constant(0.0, 2.0);
    std::uniform_real_distribution<double> slope(0.0, 0.01);
    for (int trial = 0; trial < rounds(500); ++trial) {
        StepCost cost;
        const int lines = 1 + static_cast<int>(random() % StepCost::kMaxLines);
        for (int i = 0; i < lines; ++i)
            cost.add(Bound::Memory, {constant(random), random() % 4 == 0 ? 0.0 : slope(random)});
        const double prompt = static_cast<double>(random() % 2000);
        const double tokens = 1.0 + static_cast<double>(random() % 500);
        double sum = 0.0;
        for (double i = 1; i <= tokens; ++i)
            sum += cost.at(prompt + i);
        CHECK(off(cost.sumOverDecode(prompt, tokens), sum) < 1e-11);
    }
}

TEST_CASE("the bound is the largest line at that context") {
    StepCost cost;
    cost.add(Bound::LaunchFloor, {1.0, 0.0});
    cost.add(Bound::Memory, {0.0, 0.001});
    CHECK(cost.boundAt(999) == Bound::LaunchFloor);
    CHECK(cost.boundAt(1001) == Bound::Memory);
    CHECK(cost.at(2000) == doctest::Approx(2.0));
}

namespace {

/// A time like that of a schedule: a chain of operators, each the largest of affine terms, some of which
/// wait for a second chain that runs beside.
struct RandomSchedule {
    struct Link {
        std::array<Affine, 3> terms;
        Affine beside;
        bool waits;
    };
    std::vector<Link> links;

    explicit RandomSchedule(std::mt19937& random) : links(1 + random() % 10) {
        std::uniform_real_distribution<double> part(0.0, 1.0);
        const auto line = [&] {
            return random() % 3 == 0 ? Affine{part(random), 0.0} : Affine{part(random), 0.01 * part(random)};
        };
        for (auto& link : links) {
            for (auto& term : link.terms)
                term = line();
            link.beside = line();
            link.waits = random() % 2 == 0;
        }
    }

    Tangent at(double context) const {
        const auto tangent = [context](const Affine& line) { return Tangent{line.at(context), line.perKey}; };
        Tangent now, beside;
        for (const auto& link : links) {
            now = now + max(max(tangent(link.terms[0]), tangent(link.terms[1])), tangent(link.terms[2]));
            beside = beside + tangent(link.beside);
            if (link.waits)
                now = max(now, beside);
        }
        return now;
    }
};

} // namespace

TEST_CASE("lines from tangents: sums over a decode equal adding token by token") {
    std::mt19937 random(20240311);
    std::size_t most = 0;
    for (int trial = 0; trial < rounds(1000); ++trial) {
        const RandomSchedule schedule(random);
        const double prompt = static_cast<double>(random() % 500);
        const double tokens = 1.0 + static_cast<double>(random() % 800);
        std::size_t evaluations = 0;
        const auto cost = StepCost::fromTangents(prompt + 1, prompt + tokens, [&](double context) {
            ++evaluations;
            return std::pair(schedule.at(context), Bound::Memory);
        });
        most = std::max(most, evaluations);
        double sum = 0.0;
        for (double i = 1; i <= tokens; ++i)
            sum += schedule.at(prompt + i).value;
        CHECK(off(cost.sumOverDecode(prompt, tokens), sum) < 1e-12);
        for (const double share : {0.0, 0.3, 0.5, 1.0}) {
            const double context = prompt + 1 + share * (tokens - 1);
            CHECK(off(cost.at(context), schedule.at(context).value) < 1e-12);
        }
    }
    // Each line after the first two and each kink between them takes one.
    CHECK(most <= 2 * StepCost::kMaxLines);
    CHECK(most > 8);
}

TEST_CASE("a time with k kinks takes at most 2 + 2 k evaluations") {
    std::mt19937 random(5);
    for (std::size_t kinks = 0; kinks <= 20; ++kinks)
        for (int trial = 0; trial < rounds(20); ++trial) {
            std::vector<double> at;
            std::uniform_real_distribution<double> place(100.0, 900.0);
            for (std::size_t i = 0; i < kinks; ++i)
                at.push_back(place(random));
            std::size_t evaluations = 0;
            const auto seconds = [&](double context) {
                Tangent sum{1.0 + 0.001 * context, 0.001};
                for (const double kink : at)
                    sum = sum + max(Tangent{0.01 * kink, 0.0}, Tangent{0.01 * context, 0.01});
                return sum;
            };
            const auto cost = StepCost::fromTangents(1, 1000, [&](double context) {
                ++evaluations;
                return std::pair(seconds(context), Bound::Memory);
            });
            CHECK(evaluations <= 2 + 2 * kinks);
            for (double context = 1; context <= 1000; context += 37)
                CHECK(off(cost.at(context), seconds(context).value) < 1e-12);
        }
}

TEST_CASE("one context takes one evaluation") {
    int evaluations = 0;
    const auto cost = StepCost::fromTangents(7, 7, [&](double) {
        ++evaluations;
        return std::pair(Tangent{3.0, 0.5}, Bound::L2);
    });
    CHECK(evaluations == 1);
    CHECK(cost.at(7) == 3.0);
    CHECK(cost.boundAt(7) == Bound::L2);
}

namespace {

/// A cost of a few stretches up to 4,000, each convex with lines of its own, and jumps between them.
StepCost stretched(std::mt19937& random) {
    std::uniform_real_distribution<double> part(0.0, 1.0);
    const auto lines = [&] {
        StepCost cost;
        for (auto left = 1 + random() % 4; left > 0; --left)
            cost.add(left % 2 ? Bound::Memory : Bound::Compute, {part(random), 1e-3 * part(random)});
        return cost;
    };
    auto cost = lines();
    for (double end = 500.0; end < 4000.0; end += 300.0 + std::floor(1500.0 * part(random)))
        cost.append(end, lines());
    return cost;
}

} // namespace

TEST_CASE("the larger of two costs with stretches of their own is that at every context, and so is its sum") {
    std::mt19937 random(18);
    for (int trial = 0; trial < rounds(200); ++trial) {
        const auto a = stretched(random);
        const auto b =
            trial % 4 == 0
                ? StepCost::fromTangents(1.0, 4000.0,
                                         [](double context) {
                                             return std::pair(Tangent{2e-4 * context, 2e-4}, Bound::Network);
                                         })
                : stretched(random);
        const double factor = 0.5 + static_cast<double>(random() % 4);
        auto larger = a;
        larger.raiseTo(b, factor);
        double sum = 0.0;
        for (double context = 1.0; context <= 4000.0; ++context) {
            const double wanted = std::max(a.at(context), factor * b.at(context));
            REQUIRE(off(larger.at(context), wanted) < 1e-12);
            sum += wanted;
        }
        CHECK(off(larger.sumOverDecode(0.0, 4000.0), sum) < 1e-10);
    }
}

TEST_CASE("a time built of costs with stretches of their own is exact at every context") {
    std::mt19937 random(19);
    for (int trial = 0; trial < rounds(200); ++trial) {
        const auto a = stretched(random);
        const auto b = stretched(random);
        const auto c = stretched(random);
        const auto at = [&](double context) { // as layers that are split between nodes
            const auto x = a.tangentAt(context);
            const auto y = b.tangentAt(context);
            const auto z = c.tangentAt(context);
            return std::pair(max(max(x, y) * 3.0, x + y + z), a.boundAt(context));
        };
        const auto cost = StepCost::overStretches(
            1.0, 4000.0,
            [&](double context) {
                return std::min({a.stretchEnd(context), b.stretchEnd(context), c.stretchEnd(context)});
            },
            at);
        for (double context = 1.0; context <= 4000.0; ++context)
            REQUIRE(off(cost.at(context), at(context).first.value) < 1e-9);
    }
}

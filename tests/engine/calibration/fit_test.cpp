// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/calibration/fit.h"

#include "tests/engine/fixtures.h"

#include <array>
#include <cmath>
#include <limits>
#include <random>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

/// A start, a rate and a norm of two rates: t = t0 + ((x/a)^2 + (y/b)^2)^(1/2).
struct Point {
    double x, y, measured;
};

double modelled(std::span<const double> v, const Point& p) {
    return v[0] + std::hypot(p.x / v[1], p.y / v[2]);
}

const std::array<double, 3> kTruth{5.0, 20.0, 3.0};

/// A grid of shapes with log-normal noise.
std::vector<Point> points(double noise, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::normal_distribution<double> normal;
    std::vector<Point> all;
    for (double x = 1; x < 5000; x *= 3)
        for (double y = 1; y < 800; y *= 3) {
            Point p{x, y, 0};
            p.measured = modelled(kTruth, p) * std::exp(noise * normal(random));
            all.push_back(p);
        }
    return all;
}

Residuals residualsOf(const std::vector<Point>& all) {
    return [&all](std::span<const double> values, std::span<double> out) {
        for (std::size_t i = 0; i < all.size(); ++i)
            out[i] = std::log(modelled(values, all[i]) / all[i].measured);
    };
}

const std::vector<FitParameter> kThree{{"t0", 1, 0.01, 100}, {"a", 100, 1, 1000}, {"b", 10, 0.1, 100}};

} // namespace

TEST_CASE("exact rows give their constants back, whatever the loss") {
    const auto all = points(0, 1);
    for (const auto loss : {Loss::Squares, Loss::Huber, Loss::SoftL1}) {
        FitOptions options;
        options.loss.loss = loss;
        const auto found = fit(residualsOf(all), all.size(), kThree, options);
        CHECK(found.converged);
        CHECK(found.undetermined.empty());
        for (std::size_t i = 0; i < 3; ++i) {
            CHECK(off(found.parameters[i].value, kTruth[i]) < 1e-6);
            CHECK(found.parameters[i].standing == Standing::Fitted);
            CHECK(found.correlation(i, i) == 1.0);
        }
        CHECK(found.cost < 1e-12);
        CHECK(found.startCost > 1.0);
    }
}

TEST_CASE("squares in a straight line: errors and correlation as the normal equations give them") {
    // ln y = ln a + n ln x with residuals linear in both logarithms of a and of e^n.
    const std::array<double, 5> x{0, 1, 2, 3, 4}, y{0.1, 0.9, 2.2, 2.9, 4.1};
    const Residuals line = [&](std::span<const double> v, std::span<double> out) {
        for (std::size_t i = 0; i < x.size(); ++i)
            out[i] = std::log(v[0]) + std::log(v[1]) * x[i] - y[i];
    };
    FitOptions options;
    options.loss.loss = Loss::Squares;
    const std::vector<FitParameter> two{{"intercept", 1.5, 0.1, 10}, {"slope", 2, 0.1, 100}};
    const auto found = fit(line, x.size(), two, options);
    // By hand: slope 1.0, intercept 0.04, residual sum of squares 0.072, 3 degrees of freedom.
    const double variance = 0.072 / 3;
    CHECK(std::log(found.parameters[1].value) == doctest::Approx(1.0).epsilon(1e-7));
    CHECK(std::log(found.parameters[0].value) == doctest::Approx(0.04).epsilon(1e-6));
    CHECK(found.parameters[1].standardError == doctest::Approx(std::sqrt(variance / 10)).epsilon(1e-6));
    CHECK(found.parameters[0].standardError ==
          doctest::Approx(std::sqrt(variance * (1.0 / 5 + 4.0 / 10))).epsilon(1e-6));
    CHECK(found.correlation(0, 1) == doctest::Approx(-2 / std::sqrt(6.0)).epsilon(1e-6));
    CHECK(found.spread == doctest::Approx(std::sqrt(variance)).epsilon(1e-6));
}

TEST_CASE("with 5 % noise each constant lies within two standard errors as often as it should") {
    const int kSeeds = rounds(1000);
    for (const auto loss : {Loss::Squares, Loss::Huber, Loss::SoftL1}) {
        std::array<int, 3> within{};
        for (int seed = 1; seed <= kSeeds; ++seed) {
            const auto all = points(0.05, static_cast<std::uint64_t>(seed));
            FitOptions options;
            options.loss = {loss, 0.1};
            const auto found = fit(residualsOf(all), all.size(), kThree, options);
            for (std::size_t i = 0; i < 3; ++i)
                within[i] += std::abs(std::log(found.parameters[i].value / kTruth[i])) <=
                             2.0 * found.parameters[i].standardError;
        }
        // 95.4 % are meant to; three standard deviations of a count of 1000 are 20.
        const double most = 20 * std::sqrt(kSeeds / 1000.0);
        for (std::size_t i = 0; i < 3; ++i) {
            CAPTURE(i);
            CHECK(within[i] >= 0.954 * kSeeds - most);
            CHECK(within[i] <= 0.954 * kSeeds + most);
        }
    }
}

TEST_CASE("an outlier moves squares far and a robust loss little") {
    auto all = points(0.01, 3);
    all[7].measured *= 30;
    all[20].measured *= 30;
    const auto errorOf = [&](Loss loss) {
        FitOptions options;
        options.loss = {loss, 0.05};
        return off(fit(residualsOf(all), all.size(), kThree, options).parameters[1].value, kTruth[1]);
    };
    CHECK(errorOf(Loss::Squares) > 0.05);
    CHECK(errorOf(Loss::Huber) < 0.02);
    CHECK(errorOf(Loss::SoftL1) < 0.02);
}

TEST_CASE("what rows do not tell apart is said, with its direction, and kept at its start") {
    // Only the product of u and v is in the model, and w is not at all.
    const auto all = points(0.02, 5);
    const Residuals product = [&](std::span<const double> v, std::span<double> out) {
        for (std::size_t i = 0; i < all.size(); ++i)
            out[i] = std::log(modelled(std::array{v[0], v[1] * v[2], v[4]}, all[i]) / all[i].measured);
    };
    const std::vector<FitParameter> five{
        {"t0", 1, 0.01, 100}, {"u", 5, 0.1, 1000}, {"v", 7, 0.1, 1000}, {"w", 3, 1, 9}, {"b", 10, 0.1, 100}};
    const auto found = fit(product, all.size(), five);
    REQUIRE(found.undetermined.size() == 2);
    const auto& u = found.undetermined[found.undetermined[0].kept == "w" ? 1 : 0];
    const auto& w = found.undetermined[found.undetermined[0].kept == "w" ? 0 : 1];
    CHECK(w.kept == "w");
    CHECK(w.text() == "w up by 1.00 %");
    CHECK(std::isinf(w.standardError));
    CHECK((u.kept == "u" || u.kept == "v"));
    CHECK(u.text() == u.kept + " up by 1.00 % with " + (u.kept == "u" ? "v" : "u") + " down by 1.00 %");
    for (const auto& parameter : found.parameters) {
        const bool kept = parameter.name == "w" || parameter.name == u.kept;
        CHECK((parameter.standing == Standing::Undetermined) == kept);
        CHECK(std::isnan(parameter.standardError) == kept);
        if (kept)
            CHECK(parameter.value == parameter.start);
    }
    CHECK(found.parameters[1].value * found.parameters[2].value == doctest::Approx(20).epsilon(0.02));
    CHECK(std::isnan(found.correlation(3, 0)));
}

TEST_CASE("nothing is determined by rows that nothing changes") {
    const Residuals constant = [](std::span<const double>, std::span<double> out) {
        std::fill(out.begin(), out.end(), 0.1);
    };
    const auto found = fit(constant, 10, kThree);
    CHECK(found.undetermined.size() == 3);
    for (const auto& parameter : found.parameters)
        CHECK(parameter.value == parameter.start);
}

TEST_CASE("a constant that rows know to no factor of 2 is open") {
    // t0 is 2 % of every time; what is measured is 5 % off, up and down in turn.
    std::vector<Point> all;
    for (int i = 0; i < 8; ++i) {
        Point p{100.0 * i, 729, 0};
        p.measured = modelled(kTruth, p) * std::exp(i % 4 == 0 || i % 4 == 3 ? 0.05 : -0.05);
        all.push_back(p);
    }
    auto three = kThree;
    three[0] = {"t0", 4, 1e-4, 100};
    const auto found = fit(residualsOf(all), all.size(), three);
    REQUIRE(found.undetermined.size() >= 1);
    for (const auto& open : found.undetermined) {
        CHECK(open.standardError > std::log(2.0));
        CHECK(!open.direction.empty());
    }
    FitOptions options;
    options.openAbove = std::numeric_limits<double>::infinity(); // the least sum, however open
    const auto all3 = fit(residualsOf(all), all.size(), three, options);
    CHECK(all3.undetermined.empty());
    CHECK(all3.cost < found.cost);
}

TEST_CASE("a bound that rows would pass is reached, and said") {
    const auto all = points(0.02, 11);
    auto three = kThree;
    three[1] = {"a", 12, 10, 15}; // the truth is 20
    const auto found = fit(residualsOf(all), all.size(), three);
    CHECK(found.parameters[1].standing == Standing::AtBound);
    CHECK(found.parameters[1].value == doctest::Approx(15));
    CHECK(found.parameters[1].value <= 15);
    CHECK(std::isnan(found.parameters[1].standardError));
    CHECK(found.parameters[0].standing == Standing::Fitted);
}

TEST_CASE("other starts find the lower of two valleys, the same one every time") {
    const Residuals valleys = [](std::span<const double> v, std::span<double> out) {
        const double x = std::log(v[0]); // valleys at -0.5 and, deeper, at 0.5
        for (std::size_t i = 0; i < out.size(); ++i)
            out[i] = i % 2 == 0 ? 4 * (x * x - 0.25) : 0.3 * (0.5 - x);
    };
    const std::vector<FitParameter> one{{"x", std::exp(-0.5), 0.1, 10}};
    FitOptions options;
    options.loss.loss = Loss::Squares;
    CHECK(fit(valleys, 20, one, options).parameters[0].value < 1);
    options.starts = 30;
    const auto found = fit(valleys, 20, one, options);
    CHECK(found.parameters[0].value > 1.5);
    CHECK(fit(valleys, 20, one, options).parameters[0].value == found.parameters[0].value);
}

TEST_CASE("the same input gives the same bits, and each point is told") {
    const auto all = points(0.05, 21);
    FitOptions options;
    options.starts = 3;
    const auto first = fit(residualsOf(all), all.size(), kThree, options);
    double last = std::numeric_limits<double>::infinity();
    int told = 0;
    options.onStep = [&](std::span<const double> values, double cost) {
        CHECK(values.size() == 3);
        last = std::min(last, cost);
        ++told;
    };
    const auto second = fit(residualsOf(all), all.size(), kThree, options);
    CHECK(told > 3);
    CHECK(off(last, second.cost) < 1e-8);
    CHECK(first.values() == second.values());
    CHECK(first.residuals == second.residuals);
    for (std::size_t i = 0; i < 3; ++i)
        CHECK(first.parameters[i].standardError == second.parameters[i].standardError);
}

TEST_CASE("a fit that makes no sense is refused by name") {
    const auto all = points(0, 1);
    const auto refused = [&](std::vector<FitParameter> parameters, std::size_t rows) {
        return errorOf([&] { fit(residualsOf(all), rows, parameters); });
    };
    CHECK(refused({}, 10).find("no constant to fit") != std::string::npos);
    CHECK(refused(kThree, 3).find("3 rows do not determine 3 constants") != std::string::npos);
    CHECK(refused(kThree, 1).find("1 row does not determine 3 constants") != std::string::npos);
    auto changed = kThree;
    changed[1].name = "t0";
    CHECK(refused(changed, all.size()).find("named twice") != std::string::npos);
    changed = kThree;
    changed[1].minimum = 0;
    CHECK(refused(changed, all.size()).find("a: bounds 0 to 1000") != std::string::npos);
    changed = kThree;
    changed[2].start = 1e6;
    CHECK(refused(changed, all.size()).find("b: its start 1000000 is not within") != std::string::npos);
    const Residuals broken = [](std::span<const double>, std::span<double> out) {
        std::fill(out.begin(), out.end(), 0.0);
        out[4] = std::numeric_limits<double>::quiet_NaN();
    };
    CHECK(errorOf([&] { fit(broken, 10, kThree); }).find("row 5: its residual is not finite") !=
          std::string::npos);
    FitOptions options;
    std::stop_source source;
    source.request_stop();
    options.stop = source.get_token();
    CHECK(errorOf([&] { fit(residualsOf(all), all.size(), kThree, options); }).find("cancelled") !=
          std::string::npos);
}

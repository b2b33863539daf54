// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/serving/distribution.h"
#include "tests/engine/serving/serving_fixtures.h"

#include <algorithm>
#include <cmath>
#include <random>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

double unit(std::mt19937_64& random) {
    return static_cast<double>(random() >> 11) * 0x1p-53;
}

/// Nearest rank, from all values.
double exactQuantile(std::vector<double>& sorted, double q) {
    const double rank = std::ceil(q * static_cast<double>(sorted.size()) - 1e-9);
    return sorted[static_cast<std::size_t>(std::max(1.0, rank)) - 1];
}

} // namespace

TEST_CASE("distribution: without values there is none") {
    const Distribution none;
    CHECK(none.count() == 0);
    CHECK(std::isnan(none.mean()));
    CHECK(std::isnan(none.largest()));
    CHECK(std::isnan(none.quantile(0.5)));
}

TEST_CASE("distribution: exact up to 2^20 values, and within 0.05% beyond") {
    std::mt19937_64 random(3);
    for (const std::size_t extra : {std::size_t{0}, std::size_t{1}, std::size_t{500000}}) {
        Distribution distribution;
        std::vector<double> values;
        double sum = 0.0;
        for (std::size_t i = 0; i < Distribution::kExact + extra; ++i) {
            const double value = 1e-3 * std::exp(6.0 * unit(random)); // three decades
            distribution.add(value);
            values.push_back(value);
            sum += value;
            if (i == 1000) // asking in between changes nothing
                CHECK(distribution.quantile(1.0) == distribution.largest());
        }
        std::sort(values.begin(), values.end());
        CAPTURE(extra);
        CHECK(distribution.count() == values.size());
        CHECK(distribution.mean() ==
              doctest::Approx(sum / static_cast<double>(values.size())).epsilon(1e-11));
        CHECK(distribution.largest() == values.back());
        for (const double q : {0.0, 0.01, 0.25, 0.5, 0.9, 0.99, 0.999, 0.9999, 1.0}) {
            CAPTURE(q);
            const double exact = exactQuantile(values, q);
            if (extra == 0)
                CHECK(distribution.quantile(q) == exact);
            else
                CHECK(off(distribution.quantile(q), exact) <= 5.01e-4);
        }
    }
}

TEST_CASE("distribution: bins hold values alike, zeros and very long times") {
    Distribution same, wide;
    for (std::size_t i = 0; i < Distribution::kExact + 2; ++i) {
        same.add(0.125);
        wide.add(i % 4 == 0 ? 0.0 : i % 4 == 1 ? 1e-9 : 1e9);
    }
    CHECK(same.quantile(0.5) == 0.125);
    CHECK(same.mean() == doctest::Approx(0.125).epsilon(1e-12));
    CHECK(wide.quantile(0.1) == 0.0);
    CHECK(off(wide.quantile(0.4), 1e-9) < 5.01e-4);
    CHECK(off(wide.quantile(0.99), 1e9) < 5.01e-4);
    CHECK(wide.quantile(1.0) <= 1e9);
}

TEST_CASE("depth: spans double and keep their request seconds") {
    std::mt19937_64 random(5);
    DepthSeries series;
    double now = 0.0, waiting = 0.0, staged = 0.0, running = 0.0, largest = 0.0;
    for (int i = 0; i < rounds(200000); ++i) {
        const double seconds = unit(random) < 0.1 ? 0.0 : std::exp(12.0 * unit(random) - 10.0);
        const Depth depth{std::floor(30.0 * unit(random)), std::floor(8.0 * unit(random)),
                          std::floor(4.0 * unit(random))};
        now += seconds;
        series.hold(depth, now);
        waiting += depth.waiting * seconds;
        staged += depth.staged * seconds;
        running += depth.running * seconds;
        largest = std::max(largest, seconds > 0.0 ? depth.waiting : 0.0);
        if (i % 1000 != 0)
            continue;
        REQUIRE(series.size() <= DepthSeries::kSpans);
        double sum = 0.0;
        for (std::size_t k = 0; k < series.size(); ++k) {
            const double begin = static_cast<double>(k) * series.spanSeconds();
            sum += series.mean(k).waiting * (std::min(begin + series.spanSeconds(), now) - begin);
            REQUIRE(series.mean(k).waiting <= series.largestWaiting(k) * (1.0 + 1e-9));
        }
        REQUIRE(sum == doctest::Approx(waiting).epsilon(1e-9));
        REQUIRE(series.mean().waiting * now == doctest::Approx(waiting).epsilon(1e-9));
    }
    CHECK(series.seconds() == now);
    CHECK(series.size() > DepthSeries::kSpans / 2);
    CHECK(series.mean().staged * now == doctest::Approx(staged).epsilon(1e-9));
    CHECK(series.mean().running * now == doctest::Approx(running).epsilon(1e-9));
    CHECK(series.largestWaiting() == largest);
    CHECK(DepthSeries().mean().total() == 0.0);
}

TEST_CASE("depth: each span has what was there then") {
    std::mt19937_64 random(6);
    DepthSeries series;
    std::vector<std::pair<double, double>> held; // until, waiting
    double now = 0.0;
    for (int i = 0; i < 500; ++i) {
        now += std::exp(8.0 * unit(random) - 6.0);
        held.emplace_back(now, std::floor(30.0 * unit(random)));
        series.hold({held.back().second, 0.0, 1.0}, now);
    }
    for (std::size_t k = 0; k < series.size(); ++k) {
        const double begin = static_cast<double>(k) * series.spanSeconds();
        const double end = std::min(begin + series.spanSeconds(), now);
        double sum = 0.0, largest = 0.0, from = 0.0;
        for (const auto& [until, waiting] : held) {
            const double seconds = std::min(until, end) - std::max(from, begin);
            sum += std::max(0.0, seconds) * waiting;
            largest = std::max(largest, seconds > 0.0 ? waiting : 0.0);
            from = until;
        }
        CAPTURE(k);
        CHECK(series.mean(k).waiting == doctest::Approx(sum / (end - begin)).epsilon(1e-9));
        CHECK(series.mean(k).running == doctest::Approx(1.0).epsilon(1e-9));
        CHECK(series.largestWaiting(k) == largest);
    }
}

TEST_CASE("requests: a seed gives one stream, at the rate asked for") {
    Serving serving;
    serving.arrivals = arrivalsNamed("poisson");
    serving["requests"].value = 200000;
    serving["rate_req_s"].value = 8.0;
    const auto workload = workloadOf(100, 50);
    RequestStream first(serving, workload), again(serving, workload);
    serving["seed"].value = 2;
    RequestStream other(serving, workload);
    CHECK(first.size() == 200000);
    double last = 0.0, squares = 0.0;
    std::size_t differ = 0;
    for (std::uint32_t i = 0; i < 200000; ++i) {
        const auto request = first.next();
        REQUIRE(request.has_value());
        REQUIRE(request->id == i);
        REQUIRE(request->prompt == 100);
        REQUIRE(request->output == 50);
        REQUIRE(request->arrival >= last);
        squares += (request->arrival - last) * (request->arrival - last);
        last = request->arrival;
        REQUIRE(again.next()->arrival == request->arrival);
        differ += other.next()->arrival != request->arrival ? 1 : 0;
    }
    CHECK_FALSE(first.next().has_value());
    CHECK(differ > 199000);
    CHECK(off(200000.0 / last, 8.0) < 0.01);
    CHECK(off(squares / 200000.0, 2.0 / 64.0) < 0.02); // of exponential times: twice the squared mean
    // The first waiting time by its definition, with the generator of the standard.
    std::mt19937_64 generator(1);
    serving["seed"].value = 1;
    CHECK(RequestStream(serving, workload).next()->arrival == -std::log1p(-unit(generator)) / 8.0);
}

TEST_CASE("requests: a backlog comes at once, a trace as recorded and no more than asked for") {
    Serving serving;
    serving.arrivals = arrivalsNamed("backlog");
    serving["requests"].value = 2;
    RequestStream backlog(serving, workloadOf());
    CHECK(backlog.next()->arrival == 0.0);
    CHECK(backlog.next()->arrival == 0.0);
    CHECK_FALSE(backlog.next().has_value());
    auto traced = servingOf({{1.5, 3, 4}, {2.5, 5, 6}, {9.0, 7, 8}});
    CHECK(traced["requests"].value == 3.0);
    traced["requests"].value = 2;
    RequestStream trace(traced, workloadOf());
    CHECK(trace.size() == 2);
    CHECK(trace.next()->prompt == 3);
    CHECK(trace.next()->arrival == 2.5);
    CHECK_FALSE(trace.next().has_value());
    traced.trace.requests.reset();
    CHECK(RequestStream(traced, workloadOf()).size() == 0);
}

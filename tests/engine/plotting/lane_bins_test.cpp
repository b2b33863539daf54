// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plotting/lane_bins.h"
#include "tests/engine/fixtures.h"

#include <cmath>
#include <random>

using namespace heteroscape::engine;

namespace {

constexpr auto kPrefill = static_cast<std::size_t>(ServingPhase::Prefill);
constexpr auto kDecode = static_cast<std::size_t>(ServingPhase::Decode);

ServingSegment segment(double start, double end, ServingPhase phase, std::uint32_t lane = 0) {
    ServingSegment made;
    made.start = start;
    made.end = end;
    made.phase = phase;
    made.lane = lane;
    return made;
}

/// Segments of many lengths, from far below to far above a microsecond, with gaps.
std::vector<ServingSegment> manySegments(std::size_t lanes, std::size_t each) {
    std::mt19937_64 random(7);
    const auto share = [&] { return static_cast<double>(random() >> 11) * 0x1p-53; };
    std::vector<ServingSegment> segments;
    for (std::uint32_t lane = 0; lane < lanes; ++lane) {
        double now = share();
        for (std::size_t i = 0; i < each; ++i) {
            now += share() < 0.5 ? 0.0 : share() * 1e-3;
            const double end = now + std::pow(10.0, -7.0 + 7.0 * share());
            segments.push_back(segment(now, end, static_cast<ServingPhase>(i % kServingPhaseCount), lane));
            now = end;
        }
    }
    return segments;
}

} // namespace

TEST_CASE("segments as wide as a cell stand for themselves, narrower ones share one") {
    const std::vector segments{
        segment(0.0, 2.0, ServingPhase::Prefill), segment(2.5, 2.75, ServingPhase::Decode),
        segment(2.75, 3.0, ServingPhase::Prefill), segment(5.0, 8.0, ServingPhase::Decode)};
    const LaneBins bins(segments, 1);
    const auto marks = bins.marks(0, 0.0, 10.0, 1.0);
    REQUIRE(marks.size() == 3);
    CHECK(!marks[0].merged);
    CHECK(marks[0].start == 0.0);
    CHECK(marks[0].end == 2.0);
    CHECK(marks[0].share[kPrefill] == 1.0);
    CHECK(marks[1].merged);
    CHECK(marks[1].start == 2.0);
    CHECK(marks[1].end == 3.0);
    CHECK(marks[1].first == 1);
    CHECK(marks[1].last == 3);
    CHECK(marks[1].share[kDecode] == doctest::Approx(0.25));
    CHECK(marks[1].share[kPrefill] == doctest::Approx(0.25));
    CHECK(marks[1].filled() == doctest::Approx(0.5));
    CHECK(marks[2].first == 3);
    CHECK(bins.marks(0, 8.0, 10.0, 1.0).empty());
    CHECK(bins.marks(0, 3.5, 4.5, 1.0).empty());
    CHECK(bins.marks(0, 1.0, 1.5, 0.1).size() == 1); // reaches in from both sides
}

TEST_CASE("a segment over the border of two cells counts in both") {
    const std::vector segments{segment(0.75, 1.25, ServingPhase::Decode)};
    const auto marks = LaneBins(segments, 1).marks(0, 0.0, 4.0, 1.0);
    REQUIRE(marks.size() == 2);
    CHECK(marks[0].filled() == doctest::Approx(0.25));
    CHECK(marks[1].filled() == doctest::Approx(0.25));
    CHECK(marks[1].start == 1.0);
}

TEST_CASE("a cell ends where a segment begins that stands for itself") {
    const std::vector segments{segment(0.25, 0.5, ServingPhase::Prefill),
                               segment(0.5, 2.25, ServingPhase::Decode),
                               segment(2.25, 2.5, ServingPhase::Prefill)};
    const auto marks = LaneBins(segments, 1).marks(0, 0.0, 4.0, 1.0);
    REQUIRE(marks.size() == 3);
    CHECK(marks[0].end == 0.5);
    CHECK(marks[0].filled() == doctest::Approx(0.5));
    CHECK(!marks[1].merged);
    CHECK(marks[2].start == 2.25);
    CHECK(marks[2].end == 3.0);
    CHECK(marks[2].filled() == doctest::Approx(1.0 / 3.0));
}

TEST_CASE("lanes without segments are empty, wherever they lie") {
    const std::vector segments{segment(0.0, 1.0, ServingPhase::Prefill, 1),
                               segment(0.5, 2.0, ServingPhase::Decode, 3)};
    const LaneBins bins(segments, 6);
    CHECK(bins.lanes() == 6);
    for (const std::size_t lane : {0, 2, 4, 5}) {
        CHECK(bins.of(lane).first == bins.of(lane).second);
        CHECK(bins.marks(lane, 0.0, 9.0, 0.1).empty());
    }
    CHECK(bins.of(1) == std::pair<std::size_t, std::size_t>(0, 1));
    CHECK(bins.of(3) == std::pair<std::size_t, std::size_t>(1, 2));
    CHECK(LaneBins({}, 0).lanes() == 0);
}

TEST_CASE("marks lie in order, add up to what is filled, and are few") {
    const auto segments = manySegments(3, 20000);
    const LaneBins bins(segments, 3);
    for (std::size_t lane = 0; lane < 3; ++lane) {
        const auto [first, last] = bins.of(lane);
        const double begin = segments[first].start, end = segments[last - 1].end;
        for (const double zoom : {1.0, 0.1, 1e-3, 1e-5}) {
            const double from = begin + (end - begin) * (1.0 - zoom) * 0.4;
            const double to = from + (end - begin) * zoom;
            for (const double pixels : {50.0, 1000.0}) {
                const double cell = (to - from) / pixels;
                const auto marks = bins.marks(lane, from, to, cell);
                CHECK(static_cast<double>(marks.size()) <= 2.0 * pixels + 4.0);
                double shown = 0.0, before = -1.0, exact = 0.0;
                for (const auto& mark : marks) {
                    CHECK(mark.start >= before);
                    CHECK(mark.end > mark.start);
                    CHECK(mark.last > mark.first);
                    before = mark.end;
                    double share = 0.0;
                    for (const double part : mark.share)
                        share += part;
                    CHECK(share <= 1.0 + 1e-6);
                    CHECK(share > 0.0);
                    shown += share * (mark.end - mark.start);
                }
                if (marks.empty())
                    continue;
                // The same by going through all segments, over the stretch that the marks cover.
                for (auto i = first; i < last; ++i)
                    exact += std::max(0.0, std::min(segments[i].end, marks.back().end) -
                                               std::max(segments[i].start, marks.front().start));
                CHECK(shown == doctest::Approx(exact).epsilon(1e-6));
                const auto sums = bins.filled(lane, marks.front().start, marks.back().end);
                CHECK(sums[0] + sums[1] + sums[2] == doctest::Approx(exact).epsilon(1e-6));
            }
        }
    }
}

TEST_CASE("moving by whole cells keeps the cells") {
    const auto segments = manySegments(1, 20000);
    const LaneBins bins(segments, 1);
    const double cell = segments.back().end / 400.0;
    const auto at = bins.marks(0, 0.0, 200 * cell, cell);
    const auto moved = bins.marks(0, 10 * cell, 200 * cell, cell);
    REQUIRE(moved.size() > 20);
    for (std::size_t i = 1; i < moved.size(); ++i)
        CHECK(moved[moved.size() - i] == at[at.size() - i]);
}

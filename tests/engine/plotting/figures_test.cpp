// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plotting/heat.h"
#include "engine/plotting/label_placement.h"
#include "engine/plotting/series.h"
#include "tests/engine/fixtures.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {}

TEST_CASE("bars of a group stand side by side around their category") {
    CHECK(barStretch(3, 0, 1).from == doctest::Approx(2.6));
    CHECK(barStretch(3, 0, 1).to == doctest::Approx(3.4));
    for (int bar = 0; bar < 5; ++bar) {
        const auto stretch = barStretch(2, bar, 5);
        CHECK(stretch.to - stretch.from == doctest::Approx(0.16));
        const auto found = barAt(stretch.middle(), 4, 5);
        REQUIRE(found);
        CHECK(found->category == 2);
        CHECK(found->bar == bar);
        if (bar > 0)
            CHECK(stretch.from == doctest::Approx(barStretch(2, bar - 1, 5).to));
    }
    CHECK_FALSE(barAt(2.5, 4, 5)); // between groups
    CHECK_FALSE(barAt(-1, 4, 5));
    CHECK_FALSE(barAt(4, 4, 5));
    CHECK_FALSE(barAt(kNone, 4, 5));
}

TEST_CASE("stacked pieces stand on each other, below zero hang, and gaps take no room") {
    const auto pieces = stackPieces({2, 3, kNone, 4, -1, -2}, {0, 1, 0, 0, 0, 0});
    CHECK(pieces[0].from == 0);
    CHECK(pieces[0].to == 2);
    CHECK(pieces[1].from == 0); // another bar
    CHECK(std::isnan(pieces[2].from));
    CHECK(pieces[3].from == 2);
    CHECK(pieces[3].to == 6);
    CHECK(pieces[4].to == -1);
    CHECK(pieces[5].from == -1);
    CHECK(pieces[5].to == -3);
}

TEST_CASE("heat: range, share and best cell leave out what is not there") {
    const std::vector<std::vector<double>> rows{{1, kNone, 100}, {10, 100, -5}};
    CHECK(heatRange(rows, false) == AxisRange{-5, 100});
    CHECK(heatRange(rows, true) == AxisRange{1, 100});
    CHECK(heatShare(10, {1, 100}, true) == doctest::Approx(0.5));
    CHECK(heatShare(25, {0, 100}, false) == doctest::Approx(0.25));
    CHECK(heatShare(1000, {0, 100}, false) == 1);
    CHECK(std::isnan(heatShare(kNone, {0, 1}, false)));
    CHECK(std::isnan(heatShare(-5, {1, 100}, true)));
    CHECK(bestCell(rows, 1) == Cell{0, 2});
    CHECK(bestCell(rows, -1) == Cell{1, 2});
    CHECK_FALSE(bestCell(rows, 0));
    CHECK_FALSE(bestCell({{kNone}}, 1));
    for (const int better : {1, 0, -1}) // of equals the first, never what is not there
        for (std::size_t row = 0; row < rows.size(); ++row)
            for (std::size_t column = 0; column < rows[row].size(); ++column)
                CHECK(isBest(rows, better, {row, column}) == (bestCell(rows, better) == Cell{row, column}));
    for (const bool log : {false, true}) { // one value, or none, still is a scale
        CHECK(heatShare(7, heatRange({{7}}, log), log) == doctest::Approx(0.5));
        CHECK(heatRange({{kNone}}, log).upper > heatRange({{kNone}}, log).lower);
    }
    CHECK(heatRange({{0}}, false).upper > 0);
}

TEST_CASE("hatching stays inside its box and continues in the next") {
    const auto lines = hatchLines({10, 20, 50, 30}, 7);
    CHECK(lines.size() == 11); // the multiples of 7 between 30 and 110
    for (const auto& line : lines) {
        CHECK(line.x1 >= 10);
        CHECK(line.x2 <= 60);
        CHECK(line.y1 <= 50);
        CHECK(line.y2 >= 20);
        CHECK(line.x1 + line.y1 == doctest::Approx(line.x2 + line.y2));
        CHECK(std::fmod(line.x1 + line.y1 + 1e-9, 7) == doctest::Approx(0).epsilon(1e-6));
    }
    CHECK(hatchLines({0, 0, 0, 10}, 7).empty());
    CHECK(hatchLines({0, 0, 10, 10}, 0).empty());
}

TEST_CASE("names stand level, slanted, upright or thinned, as there is room") {
    const std::vector<double> widths{30, 60, 30, 60};
    using Way = NameFit::Way;
    CHECK(fitNames(widths, 14, 53, 8) == NameFit{Way::Level, 1});
    CHECK(fitNames(widths, 14, 52, 8) == NameFit{Way::Slanted, 1});
    CHECK(fitNames(widths, 14, 20, 8) == NameFit{Way::Slanted, 1});
    CHECK(fitNames(widths, 14, 15, 8) == NameFit{Way::Upright, 1});
    CHECK(fitNames(widths, 14, 5, 8) == NameFit{Way::Upright, 3});
    CHECK(fitNames({100}, 14, 5, 8) == NameFit{Way::Level, 1}); // alone there is nothing to run into
}

TEST_CASE("names of close lines never overlap and keep off words") {
    const PlotBox bounds{0, 0, 600, 200};
    const PlotBox word{500, 80, 100, 20};
    std::vector<LineLabelRequest> requests;
    for (const double y : {100.0, 103.0, 106.0, 109.0})
        requests.push_back({false, y, 90, 14});
    requests.push_back({true, 300, 14, 90});
    const auto placed = placeLineLabels(requests, {{word}, {}, {}, {}}, bounds);
    for (std::size_t i = 0; i < placed.size(); ++i) {
        REQUIRE(placed[i]);
        CHECK_FALSE(overlap(*placed[i], word));
        CHECK(placed[i]->left >= 0);
        CHECK(placed[i]->right() <= 600);
        for (std::size_t k = 0; k < i; ++k)
            CHECK_FALSE(overlap(*placed[i], *placed[k]));
    }
    CHECK(placed[0]->bottom() <= 100);
    // With nothing around: at the right end, above.
    const auto alone = placeLineLabels({{false, 100, 90, 14}}, {}, bounds);
    CHECK(alone[0]->right() == doctest::Approx(600));
    CHECK(alone[0]->bottom() <= 100);
    CHECK_FALSE(placeLineLabels({{false, 100, 900, 14}}, {}, bounds)[0]);
}

TEST_CASE("a label beside a point: above, else where it hides nothing, inside") {
    const PlotBox bounds{0, 0, 400, 300};
    const auto above = placeBeside({200, 150, 8, 60, 14}, {}, bounds);
    CHECK(above.bottom() <= 142);
    CHECK(above.left + above.width / 2 == doctest::Approx(200));
    const PlotBox word{150, 100, 100, 42};
    const auto aside = placeBeside({200, 150, 8, 60, 14}, {{word}, {}, {}, {}}, bounds);
    CHECK_FALSE(overlap(aside, word));
    CHECK_FALSE(overlap(aside, {192, 142, 16, 16}));
    const auto corner = placeBeside({2, 2, 8, 60, 14}, {}, bounds);
    CHECK(corner.left >= 0);
    CHECK(corner.top >= 0);
    CHECK_FALSE(overlap(corner, {-6, -6, 16, 16}));
}

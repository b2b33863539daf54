// SPDX-License-Identifier: GPL-3.0-or-later
// Where labels of plots may lie: on no word and no line, in whatever crowd.
#include "engine/plotting/label_placement.h"

#include "tests/engine/fixtures.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

using namespace heteroscape::engine;

namespace {

const PlotBox kBounds{0, 0, 600, 400};

struct Crowd {
    std::vector<PlotSegment> lines;
    std::vector<PlotBox> words;
    std::vector<LabelRequest> marks;
};

/// Curves of the kinds that plots have, words, and points on the curves.
Crowd crowd(unsigned seed) {
    std::mt19937 random(seed);
    const auto number = [&](double from, double to) {
        return from + (to - from) * static_cast<double>(random()) / static_cast<double>(random.max());
    };
    Crowd all;
    for (int curve = 0; curve < 6; ++curve) {
        const double from = number(0, 400), to = number(0, 400), bend = number(-150, 150);
        for (int i = 0; i < 40; ++i) {
            const auto y = [&](double x) { return from + (to - from) * x + bend * std::sin(3 * x); };
            all.lines.push_back({15.0 * i, y(i / 40.0), 15.0 * (i + 1), y((i + 1) / 40.0)});
        }
        const auto& on = all.lines[all.lines.size() - 20];
        if (PlotBox{on.x1, on.y1, 1, 1}.isInside(kBounds))
            all.marks.push_back({on.x1, on.y1, 6, number(30, 110), 14});
    }
    all.lines.push_back({number(0, 600), 0, number(0, 600), 400}); // a rule across the plot
    for (int i = 0; i < 3; ++i)
        all.words.push_back({number(0, 500), number(0, 380), 90, 14});
    return all;
}

void checkFree(const PlotBox& box, const Crowd& all) {
    for (const auto& line : all.lines)
        REQUIRE_FALSE(crosses(line, box));
    for (const auto& word : all.words)
        REQUIRE_FALSE(overlap(word, box));
    REQUIRE(box.isInside(kBounds));
}

} // namespace

TEST_CASE("free room: the nearest places are offered in their order, and no more than 500 of them") {
    FreeRoom room({0, 0, 800, 600});
    const LabelRequest request{400, 300, 5, 40, 12};
    std::vector<double> away;
    const auto refuse = [&](const PlotBox& box) {
        const double x = request.x - std::clamp(request.x, box.left, box.right()),
                     y = request.y - std::clamp(request.y, box.top, box.bottom());
        away.push_back(std::hypot(x, y));
        return false;
    };
    CHECK_FALSE(room.nearest(request, refuse));
    CHECK(away.size() == 500);
    CHECK(std::is_sorted(away.begin(), away.end()));
    CHECK(room.nearest(request).has_value());
}

TEST_CASE("no label lies on a line or a word, beside its point, along its line or further away") {
    std::size_t besides = 0, placed = 0, along = 0;
    for (unsigned seed = 1; seed <= rounds(60u); ++seed) {
        CAPTURE(seed);
        const auto all = crowd(seed);
        const auto labels = placeLabels(all.marks, all.words, all.lines, kBounds);
        for (std::size_t i = 0; i < labels.size(); ++i) {
            if (!labels[i])
                continue;
            ++placed;
            checkFree(labels[i]->box, all);
            for (std::size_t k = 0; k < i; ++k)
                if (labels[k])
                    REQUIRE_FALSE(overlap(labels[i]->box, labels[k]->box));
        }
        besides += labels.size();
        for (const auto& mark : all.marks)
            checkFree(placeBeside(mark, {all.words, {}, all.lines, {}}, kBounds), all);
        for (const double at : {50.0, 200.0, 350.0})
            for (const auto& name : placeLineLabels({{false, at, 80, 14}, {true, at, 14, 80}},
                                                    {all.words, {}, all.lines, {}}, kBounds))
                if (name)
                    checkFree(*name, all);
        const PlotSegment line{20, 380, 580, 40};
        auto lines = all.lines;
        lines.push_back(line);
        if (const auto words = placeAlong(line, 120, 14, seed % 2 == 0, all.words, lines, kBounds)) {
            ++along;
            for (const auto& other : lines)
                REQUIRE_FALSE(crosses(other, *words));
            for (const auto& part : boxesOf(*words))
                for (const auto& word : all.words)
                    REQUIRE_FALSE(overlap(word, part));
        }
    }
    CHECK(placed > besides * 9 / 10); // a crowd of six curves leaves room for nearly all
    CHECK(along > rounds(60u) / 2);
}

TEST_CASE("words along a line: its slope, its side, and none where it is too short") {
    const PlotSegment line{100, 300, 500, 100};
    const auto above = placeAlong(line, 100, 14, false, {}, {line}, kBounds);
    REQUIRE(above);
    CHECK(above->radians == doctest::Approx(std::atan2(-200, 400)));
    CHECK(above->y < 300 - (above->x - 100) / 2);
    const auto below = placeAlong(line, 100, 14, true, {}, {line}, kBounds);
    REQUIRE(below);
    CHECK(below->y > 300 - (below->x - 100) / 2);
    CHECK_FALSE(placeAlong({0, 0, 90, 0}, 100, 14, false, {}, {}, kBounds));
    // The box of a turned text is its own: a line that only the box around it meets is none of its lines.
    const TurnedBox turned{300, 200, 200, 14, std::atan2(-200, 400)};
    CHECK(crosses({300, 150, 300, 250}, turned));
    CHECK_FALSE(crosses({220, 180, 230, 185}, turned));
}

TEST_CASE("the nearest free room, and none where everything is taken") {
    const LabelRequest request{300, 200, 5, 60, 14};
    const auto box = nearestFree(request, {}, {}, kBounds);
    REQUIRE(box);
    CHECK(std::hypot(300 - std::clamp(300.0, box->left, box->right()),
                     200 - std::clamp(200.0, box->top, box->bottom())) < 12);
    std::vector<PlotSegment> hatching;
    for (int y = 0; y < 400; y += 10)
        hatching.push_back({0, static_cast<double>(y), 600, static_cast<double>(y)});
    CHECK_FALSE(nearestFree(request, {}, hatching, kBounds));
    CHECK_FALSE(placeLabels({request}, {}, hatching, kBounds)[0]);
    CHECK_FALSE(nearestFree(request, {}, {}, kBounds, [](const PlotBox&) { return false; }));
    CHECK_FALSE(nearestFree({300, 200, 5, 700, 14}, {}, {}, kBounds)); // wider than the whole
    CHECK_FALSE(nearestFree({300, std::nan(""), 5, 60, 14}, {}, {}, kBounds));
}

TEST_CASE("room that is kept is the room of one label after the other, and nothing free is nearer") {
    std::mt19937 random(7);
    const auto within = [&](double from, double to) {
        return std::uniform_real_distribution<double>(from, to)(random);
    };
    for (int round = 0; round < rounds(60); ++round) {
        FreeRoom room(kBounds);
        std::vector<PlotBox> words;
        std::vector<PlotSegment> lines;
        int found = 0;
        for (int i = 0; i < 25; ++i) {
            const LabelRequest request{within(-200, 800), within(-200, 600), within(0, 12), within(10, 120),
                                       14};
            const double edge = within(0, 700);
            const auto accept = [&](const PlotBox& box) { return i % 3 != 0 || box.left > edge; };
            const auto box = room.nearest(request, accept);
            const auto afresh = nearestFree(request, words, lines, kBounds, accept);
            REQUIRE(box.has_value() == afresh.has_value());
            if (!box)
                continue;
            ++found;
            CHECK(box->left == afresh->left);
            CHECK(box->top == afresh->top);
            CHECK(box->isInside(kBounds));
            CHECK(accept(*box));
            for (const auto& word : words)
                CHECK_FALSE(overlap(*box, word));
            for (const auto& line : lines)
                CHECK_FALSE(crosses(line, *box));
            words.push_back(*box);
            room.take(*box);
            if (i % 2) {
                lines.push_back({request.x, request.y, box->left, box->top});
                room.take(lines.back());
            }
        }
        CHECK(found > 5);
    }
}

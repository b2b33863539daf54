// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plotting/label_placement.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace heteroscape::engine {

std::vector<PlotSegment> hatchLines(const PlotBox& box, double spacing) {
    std::vector<PlotSegment> lines;
    if (!(box.width > 0) || !(box.height > 0) || !(spacing > 0))
        return lines;
    // Along a rising line x + y is constant (y points down).
    const double first = box.left + box.top, last = box.right() + box.bottom();
    for (double i = std::floor(first / spacing) + 1; i * spacing < last; ++i) {
        const double sum = i * spacing;
        const double left = std::max(box.left, sum - box.bottom());
        const double right = std::min(box.right(), sum - box.top);
        if (right > left)
            lines.push_back({left, sum - left, right, sum - right});
    }
    return lines;
}

namespace {

constexpr double kGap = 5.0;      // between a mark and its label
constexpr double kLeaderFrom = 8; // a gap wider than this gets a line

PlotBox boxAround(const LabelRequest& r, double distance, double angle) {
    const double cx = r.x + (r.radius + distance) * std::cos(angle);
    const double cy = r.y + (r.radius + distance) * std::sin(angle);
    // The point of the box nearest to the mark sits on the circle.
    const double horizontal = std::cos(angle), vertical = std::sin(angle);
    const double left = cx - r.width / 2 + horizontal * r.width / 2;
    const double top = cy - r.height / 2 + vertical * r.height / 2;
    return {left, top, r.width, r.height};
}

PlotSegment leaderOf(const LabelRequest& r, const PlotBox& box) {
    return {r.x, r.y, std::clamp(r.x, box.left, box.right()), std::clamp(r.y, box.top, box.bottom())};
}

double side(const PlotSegment& s, double x, double y) {
    return (s.x2 - s.x1) * (y - s.y1) - (s.y2 - s.y1) * (x - s.x1);
}

bool cross(const PlotSegment& a, const PlotSegment& b) {
    return side(a, b.x1, b.y1) * side(a, b.x2, b.y2) < 0 && side(b, a.x1, a.y1) * side(b, a.x2, a.y2) < 0;
}

} // namespace

bool overlap(const PlotBox& a, const PlotBox& b) {
    return a.left < b.right() && b.left < a.right() && a.top < b.bottom() && b.top < a.bottom();
}

bool crosses(const PlotSegment& s, const PlotBox& box) {
    if (std::max(s.x1, s.x2) < box.left || std::min(s.x1, s.x2) > box.right() ||
        std::max(s.y1, s.y2) < box.top || std::min(s.y1, s.y2) > box.bottom())
        return false; // as nearly all
    // Liang-Barsky: the stretch of the segment inside each slab.
    double from = 0.0, to = 1.0;
    const double dx = s.x2 - s.x1, dy = s.y2 - s.y1;
    const double p[] = {-dx, dx, -dy, dy};
    const double q[] = {s.x1 - box.left, box.right() - s.x1, s.y1 - box.top, box.bottom() - s.y1};
    for (int i = 0; i < 4; ++i) {
        if (p[i] == 0) {
            if (q[i] < 0)
                return false;
            continue;
        }
        const double t = q[i] / p[i];
        if (p[i] < 0)
            from = std::max(from, t);
        else
            to = std::min(to, t);
    }
    return from <= to;
}

std::vector<std::optional<PlacedLabel>> placeLabels(const std::vector<LabelRequest>& requests,
                                                    std::vector<PlotBox> obstacles,
                                                    std::vector<PlotSegment> lines, const PlotBox& bounds) {
    std::vector<PlotBox> words = obstacles; // what no leader may run through
    for (const auto& r : requests)
        obstacles.push_back({r.x - r.radius, r.y - r.radius, 2 * r.radius, 2 * r.radius});
    std::vector<PlotSegment> leaders;
    std::vector<std::optional<PlacedLabel>> placed(requests.size());
    std::optional<FreeRoom> room; ///< once a label looks further

    const auto isInTheWay = [&](const PlotSegment& leader) {
        const auto hit =
            std::find_if(words.begin(), words.end(), [&](const auto& word) { return crosses(leader, word); });
        if (hit != words.end()) { // most likely of the next leader too
            std::iter_swap(words.begin(), hit);
            return true;
        }
        return std::any_of(leaders.begin(), leaders.end(),
                           [&](const auto& other) { return cross(leader, other); });
    };
    const auto tryPlace = [&](const LabelRequest& r, bool far) -> std::optional<PlacedLabel> {
        constexpr int kAngles = 16;
        for (const double distance : {kGap, 18.0, 32.0, 48.0, 66.0, 88.0, 115.0, 150.0, 190.0, 240.0})
            for (int i = 0; i < kAngles; ++i) {
                // From the right, alternately below and above.
                const int turn = (i % 2 ? -1 : 1) * ((i + 1) / 2);
                const auto box = boxAround(r, distance, turn * 2 * std::numbers::pi / kAngles);
                const auto leader = leaderOf(r, box);
                const auto hits = [&](const auto& obstacle) { return overlap(box, obstacle); };
                if (!box.isInside(bounds) || std::any_of(obstacles.begin(), obstacles.end(), hits))
                    continue;
                const auto hitByLine = [&](const auto& line) { return crosses(line, box); };
                if (std::any_of(leaders.begin(), leaders.end(), hitByLine) ||
                    std::any_of(lines.begin(), lines.end(), hitByLine))
                    continue;
                const bool needsLeader = distance > kLeaderFrom;
                if (needsLeader && isInTheWay(leader))
                    continue;
                return PlacedLabel{box, needsLeader};
            }
        if (!far || isInTheWay({r.x, r.y, r.x, r.y})) // under a word: so is the beginning of every leader
            return std::nullopt;
        if (!room) {
            room.emplace(bounds);
            for (const auto& box : obstacles)
                room->take(box);
            for (const auto* several : {&lines, &leaders})
                for (const auto& line : *several)
                    room->take(line);
        }
        const auto free = room->nearest(r, [&](const PlotBox& box) { return !isInTheWay(leaderOf(r, box)); });
        return free ? std::optional(PlacedLabel{*free, true}) : std::nullopt;
    };

    for (std::size_t i = 0; i < requests.size(); ++i) {
        const auto label = tryPlace(requests[i], i < kFarLabels);
        if (!label)
            continue;
        obstacles.push_back(label->box);
        words.push_back(label->box);
        if (room)
            room->take(label->box);
        if (label->leader) {
            leaders.push_back(leaderOf(requests[i], label->box));
            if (room)
                room->take(leaders.back());
        }
        placed[i] = label;
    }
    return placed;
}

std::vector<double> spreadLabels(const std::vector<double>& wished, double height, double top,
                                 double bottom) {
    std::vector<std::size_t> order(wished.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return wished[a] < wished[b]; });

    // Pool adjacent violators: blocks of touching labels, each centred on the mean of its wishes.
    struct Block {
        double sum = 0; // of (wish - offset within the block)
        std::size_t count = 0;
        double start() const { return sum / static_cast<double>(count); }
    };
    const double first = top + height / 2, last = bottom - height / 2;
    std::vector<Block> blocks;
    const auto clamped = [&](const Block& b) {
        return std::max(first, std::min(b.start(), last - height * static_cast<double>(b.count - 1)));
    };
    for (const auto i : order) {
        blocks.push_back({wished[i], 1});
        while (blocks.size() > 1) {
            auto& before = blocks[blocks.size() - 2];
            const auto& here = blocks.back();
            const double end = clamped(before) + height * static_cast<double>(before.count);
            if (clamped(here) >= end)
                break;
            before.sum += here.sum - height * static_cast<double>(before.count * here.count);
            before.count += here.count;
            blocks.pop_back();
        }
    }
    std::vector<double> middles(wished.size());
    std::size_t next = 0;
    for (const auto& block : blocks)
        for (std::size_t k = 0; k < block.count; ++k)
            middles[order[next++]] = clamped(block) + height * static_cast<double>(k);
    return middles;
}

} // namespace heteroscape::engine

// SPDX-License-Identifier: GPL-3.0-or-later

#include "engine/plotting/label_placement.h"

#include <algorithm>
#include <array>
#include <limits>

namespace heteroscape::engine {

namespace {

constexpr double kLabelGap = 3.0;
constexpr double kWord = 1e6; // covering a word is worse than anything else
constexpr double kCurve = 1e4;

PlotBox movedInside(PlotBox box, const PlotBox& bounds) {
    box.left = std::max(bounds.left, std::min(box.left, bounds.right() - box.width));
    box.top = std::max(bounds.top, std::min(box.top, bounds.bottom() - box.height));
    return box;
}

/// How much a label at a place hides.
double covered(const PlotBox& box, const LabelGround& ground) {
    double cost = 0;
    for (const auto& word : ground.words)
        cost += overlap(box, word) ? kWord : 0;
    for (const auto& area : ground.areas)
        cost += overlap(box, area) ? 2 : 0;
    for (const auto& curve : ground.curves)
        cost += crosses(curve, box) ? kCurve : 0;
    for (const auto& rule : ground.rules)
        cost += crosses(rule, box) ? 1 : 0;
    return cost;
}

PlotSegment lineOf(const LineLabelRequest& request, const PlotBox& bounds) {
    if (request.vertical)
        return {request.at, bounds.top, request.at, bounds.bottom()};
    return {bounds.left, request.at, bounds.right(), request.at};
}

PlotBox boxAlong(const LineLabelRequest& r, double place, bool first, const PlotBox& bounds) {
    const double across = bounds.left + (bounds.width - r.width) * (r.vertical ? 0 : place);
    const double down = bounds.top + (bounds.height - r.height) * (r.vertical ? 1 - place : 0);
    if (r.vertical)
        return {first ? r.at + kLabelGap : r.at - kLabelGap - r.width, down, r.width, r.height};
    return {across, first ? r.at - kLabelGap / 2 - r.height : r.at + kLabelGap / 2, r.width, r.height};
}

} // namespace

std::vector<std::optional<PlotBox>> placeLineLabels(const std::vector<LineLabelRequest>& requests,
                                                    LabelGround ground, const PlotBox& bounds) {
    constexpr int kPlaces = 72;
    std::vector<std::optional<PlotBox>> placed(requests.size());
    for (const auto& request : requests)
        ground.rules.push_back(lineOf(request, bounds));
    for (std::size_t i = 0; i < requests.size(); ++i) {
        double least = std::numeric_limits<double>::infinity();
        for (const bool first : {true, false})
            for (int k = 0; k <= kPlaces; ++k) {
                const auto box = boxAlong(requests[i], 1.0 - k / static_cast<double>(kPlaces), first, bounds);
                // Far from the end, or on the other side, only for a reason.
                const double cost = covered(box, ground) + 0.5 * k / kPlaces + (first ? 0.0 : 0.8);
                if (cost >= kCurve || cost >= least || !box.isInside(bounds))
                    continue;
                least = cost;
                placed[i] = box;
            }
        if (placed[i])
            ground.words.push_back(*placed[i]);
    }
    return placed;
}

PlotBox placeBeside(const LabelRequest& r, const LabelGround& ground, const PlotBox& bounds) {
    struct Side {
        double across, down;
    };
    // Above; then by its upper and lower corners; then beside; then below. Each again, further off.
    static constexpr std::array kSides{Side{0, -1},    Side{-0.6, -1}, Side{0.6, -1}, Side{1, -0.5},
                                       Side{-1, -0.5}, Side{1, 0},     Side{-1, 0},   Side{1, 0.7},
                                       Side{-1, 0.7},  Side{1, 1},     Side{-1, 1},   Side{0, 1}};
    PlotBox best =
        movedInside({r.x - r.width / 2, r.y - r.radius - kLabelGap - r.height, r.width, r.height}, bounds);
    double least = std::numeric_limits<double>::infinity();
    double order = 0;
    for (const double away : {1.0, 10.0, 22.0}) {
        order = 0.2 * (away - 1); // a label far from its point is taken for another's
        for (const auto& side : kSides) {
            const double reach = r.radius + kLabelGap * away;
            const PlotBox wished{r.x + side.across * (reach + r.width / 2) - r.width / 2,
                                 r.y + side.down * (reach + r.height / 2) - r.height / 2, r.width, r.height};
            const auto box = movedInside(wished, bounds);
            const PlotBox mark{r.x - r.radius, r.y - r.radius, 2 * r.radius, 2 * r.radius};
            const double cost = covered(box, ground) + (overlap(box, mark) ? kWord : 0) + order;
            order += 0.05;
            if (cost < least) {
                least = cost;
                best = box;
            }
        }
    }
    if (least >= kCurve)
        if (const auto far = nearestFree(r, ground.words, ground.curves, bounds))
            return *far;
    return best;
}

} // namespace heteroscape::engine

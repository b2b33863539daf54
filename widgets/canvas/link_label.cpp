// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/link_label.h"

#include "widgets/canvas/canvas_metrics.h"

#include <QLineF>

#include <algorithm>
#include <cmath>
#include <optional>

namespace heteroscape::widgets {

namespace {

constexpr double kKindHeight = 32;
constexpr double kLine = 16;
constexpr double kChip = 20;
constexpr double kStep = 8; ///< from one place to try to the next

using Covered = std::function<bool(const QRectF&)>;

/// The pill lies on its own wire; words do not.
bool isFree(const LabelSpot& spot, const LabelBlock& block, const Covered& words, const Covered& pill) {
    if (words(kindRect(spot, block)))
        return false;
    if (block.traffic > 0.0 && words(trafficRect(spot, block)))
        return false;
    if (block.chips > 0.0 && words(chipsRect(spot, block)))
        return false;
    return block.pill.isEmpty() ||
           !pill({spot.at - QPointF(block.pill.width(), block.pill.height()) / 2, block.pill});
}

LabelSpot middleOf(const LinkRoute& route) {
    const auto middle = labelPlace(route);
    return {middle.middle, middle.horizontal, false, middle.middle};
}

std::optional<LabelSpot> freeSpot(const LinkRoute& route, const LabelBlock& block, const Covered& words,
                                  const Covered& pill) {
    const auto usual = middleOf(route);
    if (isFree(usual, block, words, pill))
        return usual;
    // Aside a little: what stands out behind a card of several takes no more.
    for (const double aside : {kStackStep, -kStackStep, 2 * kStackStep, -2 * kStackStep}) {
        auto spot = usual;
        spot.at += usual.horizontal ? QPointF(aside, 0) : QPointF(0, aside);
        spot.wire = spot.at;
        if (isFree(spot, block, words, pill))
            return spot;
    }
    for (const auto share : {0.5, 0.25, 0.75})
        for (qsizetype i = 0; i + 1 < route.size(); ++i) {
            const QLineF stretch(route[i], route[i + 1]);
            LabelSpot spot{
                stretch.pointAt(share), std::abs(stretch.dx()) >= std::abs(stretch.dy()), false, {}};
            spot.wire = spot.at;
            if (isFree(spot, block, words, pill))
                return spot;
        }
    // Beyond the cards that stand too near, as little as it takes.
    for (double away = kStep; away <= kLabelAway; away += kStep)
        for (const auto& step : {QPointF(0, -away), QPointF(0, away), QPointF(away, 0), QPointF(-away, 0)}) {
            auto spot = usual;
            spot.away = true;
            spot.at += step;
            if (isFree(spot, block, words, pill))
                return spot;
        }
    return std::nullopt;
}

} // namespace

double halfBeside(const LabelSpot& spot, const LabelBlock& block) {
    if (block.pill.isEmpty())
        return block.half;
    return (spot.horizontal ? block.pill.height() : block.pill.width()) / 2;
}

QRectF kindRect(const LabelSpot& spot, const LabelBlock& block) {
    const auto half = halfBeside(spot, block);
    if (spot.horizontal)
        return {spot.at.x() - block.kind / 2, spot.at.y() - half - 3 - kKindHeight, block.kind, kKindHeight};
    return {spot.at.x() + half + 10, spot.at.y() - kKindHeight / 2, block.kind, kKindHeight};
}

QRectF trafficRect(const LabelSpot& spot, const LabelBlock& block) {
    const auto half = halfBeside(spot, block);
    if (spot.horizontal)
        return {spot.at.x() - block.traffic / 2, spot.at.y() + half + 4, block.traffic, kLine};
    return {spot.at.x() - half - 10 - block.traffic, spot.at.y() - kLine / 2, block.traffic, kLine};
}

QRectF chipsRect(const LabelSpot& spot, const LabelBlock& block) {
    const auto half = halfBeside(spot, block);
    const auto below = block.traffic > 0.0 && spot.horizontal ? kLine : 0.0;
    if (spot.horizontal)
        return {spot.at.x() - block.chips / 2, spot.at.y() + half + 6 + below, block.chips, kChip};
    return {spot.at.x() + half + 10, spot.at.y() + kKindHeight / 2 + 4, block.chips, kChip};
}

LabelSpot labelSpotFor(const LinkRoute& route, const LabelBlock& block, const Covered& covered) {
    const auto crossed = [&](const QRectF& rect) {
        for (qsizetype i = 0; i + 1 < route.size(); ++i)
            if (QRectF(route[i], route[i + 1])
                    .normalized()
                    .adjusted(-block.half, -block.half, block.half, block.half)
                    .intersects(rect))
                return true;
        return covered(rect);
    };
    if (const auto spot = freeSpot(route, block, crossed, covered))
        return *spot;
    return freeSpot(route, block, covered, covered)
        .value_or(middleOf(route)); // a card hides more than a wire
}

} // namespace heteroscape::widgets

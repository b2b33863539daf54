// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/link_label.h"

#include <QLineF>

#include <algorithm>
#include <cmath>

namespace heteroscape::widgets {

namespace {

constexpr double kKindHeight = 32;
constexpr double kLine = 16;
constexpr double kChip = 20;
constexpr double kStep = 8; ///< from one place to try to the next

bool isFree(const LabelSpot& spot, const LabelBlock& block,
            const std::function<bool(const QRectF&)>& covered) {
    if (covered(kindRect(spot, block)))
        return false;
    if (block.traffic > 0.0 && covered(trafficRect(spot, block)))
        return false;
    if (block.chips > 0.0 && covered(chipsRect(spot, block)))
        return false;
    return block.pill.isEmpty() ||
           !covered({spot.at - QPointF(block.pill.width(), block.pill.height()) / 2, block.pill});
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

LabelSpot labelSpotFor(const LinkRoute& route, const LabelBlock& block,
                       const std::function<bool(const QRectF&)>& covered) {
    const auto middle = labelPlace(route);
    const LabelSpot usual{middle.middle, middle.horizontal, false, middle.middle};
    if (isFree(usual, block, covered))
        return usual;
    for (const auto share : {0.5, 0.25, 0.75})
        for (qsizetype i = 0; i + 1 < route.size(); ++i) {
            const QLineF stretch(route[i], route[i + 1]);
            LabelSpot spot{
                stretch.pointAt(share), std::abs(stretch.dx()) >= std::abs(stretch.dy()), false, {}};
            spot.wire = spot.at;
            if (isFree(spot, block, covered))
                return spot;
        }
    // Beyond the cards that stand too near, as little as it takes.
    for (double away = kStep; away <= kLabelAway; away += kStep)
        for (const auto& step : {QPointF(0, -away), QPointF(0, away), QPointF(away, 0), QPointF(-away, 0)}) {
            auto spot = usual;
            spot.away = true;
            spot.at += step;
            if (isFree(spot, block, covered))
                return spot;
        }
    return usual;
}

} // namespace heteroscape::widgets

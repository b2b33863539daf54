// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/canvas/link_routing.h"

#include <QSizeF>

#include <functional>

namespace heteroscape::widgets {

/// How much room the words of a link take, scene px.
struct LabelBlock {
    double kind = 0.0;    ///< width of bandwidth and kind, two lines
    double traffic = 0.0; ///< width of one line; 0: there is none
    double chips = 0.0;   ///< width of the techniques that act on it
    double half = 1.5;    ///< of the wire's width
    QSizeF pill;          ///< in the middle; empty: none
};

/// Where they stand: around a point of the wire, or away from it where cards leave no room.
struct LabelSpot {
    QPointF at;
    bool horizontal = true; ///< above and below the point; else right and left of it
    bool away = false;
    QPointF wire; ///< the point of the wire that they belong to
    bool operator==(const LabelSpot&) const = default;
};

inline constexpr double kLabelAway = 190; ///< how far they may go

/// The first place where `covered` says no of every part and no words lie on the link's own way: the middle
/// of the longest stretch, a little aside of it, other places along the way, then beside it. Where there is
/// none, the first that is not covered, else the middle of the longest stretch.
LabelSpot labelSpotFor(const LinkRoute& route, const LabelBlock& block,
                       const std::function<bool(const QRectF&)>& covered);

double halfBeside(const LabelSpot& spot, const LabelBlock& block); ///< from the point to the words
QRectF kindRect(const LabelSpot& spot, const LabelBlock& block);
QRectF trafficRect(const LabelSpot& spot, const LabelBlock& block);
QRectF chipsRect(const LabelSpot& spot, const LabelBlock& block);

} // namespace heteroscape::widgets

// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/snap_guides.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace heteroscape::widgets {

namespace {

/// Start, middle and end along one axis.
std::array<double, 3> marks(const QRectF& rect, bool across) {
    if (across)
        return {rect.left(), rect.center().x(), rect.right()};
    return {rect.top(), rect.center().y(), rect.bottom()};
}

std::optional<double> nearest(const QRectF& moving, const std::vector<QRectF>& others, bool across,
                              double reach) {
    std::optional<double> best;
    const auto own = marks(moving, across);
    for (const auto& other : others) {
        const auto theirs = marks(other, across);
        for (std::size_t i = 0; i < own.size(); ++i) // like to like: left to left, middle to middle
            if (const auto apart = theirs[i] - own[i];
                std::abs(apart) <= reach && (!best || std::abs(apart) < std::abs(*best)))
                best = apart;
    }
    return best;
}

/// One line through everything that is in line with the rectangle where it has come to lie.
void addLines(std::vector<QLineF>& lines, const QRectF& placed, const std::vector<QRectF>& others,
              bool across) {
    const auto own = marks(placed, across);
    for (std::size_t i = 0; i < own.size(); ++i) {
        QRectF all;
        for (const auto& other : others)
            if (std::abs(marks(other, across)[i] - own[i]) < 0.01)
                all |= other;
        if (all.isNull())
            continue;
        all |= placed;
        lines.push_back(across ? QLineF(own[i], all.top(), own[i], all.bottom())
                               : QLineF(all.left(), own[i], all.right(), own[i]));
    }
}

} // namespace

GuideSnap snapToGuides(const QRectF& moving, const std::vector<QRectF>& others, double reach) {
    GuideSnap snap{nearest(moving, others, true, reach), nearest(moving, others, false, reach), {}};
    const auto placed = moving.translated(snap.dx.value_or(0.0), snap.dy.value_or(0.0));
    if (snap.dx)
        addLines(snap.lines, placed, others, true);
    if (snap.dy)
        addLines(snap.lines, placed, others, false);
    return snap;
}

} // namespace heteroscape::widgets

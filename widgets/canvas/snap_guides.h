// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLineF>
#include <QPointF>
#include <QRectF>

#include <optional>
#include <vector>

namespace heteroscape::widgets {

/// Where edges or middles of a dragged rectangle come near those of others. Scene px.
struct GuideSnap {
    std::optional<double> dx; ///< to add to the rectangle's place; none: nothing is near
    std::optional<double> dy;
    std::vector<QLineF> lines; ///< to be shown
};

inline constexpr double kGuideReach = 6;

/// The nearest guide on each axis, if one is within `reach`. Pure.
GuideSnap snapToGuides(const QRectF& moving, const std::vector<QRectF>& others, double reach);

} // namespace heteroscape::widgets

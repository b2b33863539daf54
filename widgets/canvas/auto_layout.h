// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/canvas/link_routing.h"

#include <QSizeF>

#include <vector>

namespace heteroscape::widgets {

enum class LayoutDirection { LeftToRight, TopDown };

/// Top left corners for boxes of these sizes (scene px), in layers along the links; the first layer begins at
/// the origin. By Graphviz's "dot", which is not thread-safe: UI thread only. Beyond kAllLinks links only a
/// spanning forest of them shapes the layout, because dot's time grows with the square of what crosses.
/// Empty when Graphviz fails.
inline constexpr std::size_t kAllLinks = 300;
std::vector<QPointF> layeredPlaces(const std::vector<QSizeF>& sizes, const std::vector<LinkEnds>& links,
                                   LayoutDirection direction);

} // namespace heteroscape::widgets

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/canvas/link_routing.h"

#include <QSizeF>

#include <vector>

namespace heteroscape::widgets {

enum class LayoutDirection { LeftToRight, TopDown };

/// Top left corners for boxes of these sizes (scene px), in layers along the links, from the origin on. By
/// Graphviz's "dot", which is not thread-safe: from any thread, one after the other. Beyond kAllLinks links
/// only a spanning forest of them shapes the layout, because dot's time grows with the square of what
/// crosses. A layout that is a pole is folded(). Empty when Graphviz fails.
inline constexpr std::size_t kAllLinks = 300;
std::vector<QPointF> layeredPlaces(const std::vector<QSizeF>& sizes, const std::vector<LinkEnds>& links,
                                   LayoutDirection direction);

/// A layout of more than kPole px and of kPoleRatio times its breadth (hundreds of leaves of one switch, a
/// ring of accelerators, parts without links) is cut across into strips, which are placed beside each other
/// like lines of a text, so that the whole has about the shape of a screen. Others come back as they are.
inline constexpr double kPole = 4000.0;
inline constexpr double kPoleRatio = 3.0;
std::vector<QPointF> folded(std::vector<QPointF> places, const std::vector<QSizeF>& sizes);

} // namespace heteroscape::widgets

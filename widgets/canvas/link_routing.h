// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPainterPath>
#include <QPolygonF>
#include <QRectF>

#include <vector>

namespace heteroscape::widgets {

/// A link's ends as indices into the list of node rectangles.
struct LinkEnds {
    std::size_t from = 0;
    std::size_t to = 0;
};

/// Right-angled way of one link; the first and last point lie on the edges of its nodes.
using LinkRoute = QPolygonF;

/// Routes every link: it leaves by the sides that face each other; links that share a side are spread along
/// it. Pure geometry in scene px; does not walk around other nodes.
std::vector<LinkRoute> routeLinks(const std::vector<QRectF>& nodes, const std::vector<LinkEnds>& links);

/// The route with its corners rounded.
QPainterPath roundedPath(const LinkRoute& route, double radius);

/// Where a link's text goes: the middle of its longest stretch.
struct LabelPlace {
    QPointF middle;
    bool horizontal = true;
    double room = 0.0; ///< length of the stretch
};
LabelPlace labelPlace(const LinkRoute& route);

/// The middles of the four sides, where a new link can start.
std::vector<QPointF> sideMiddles(const QRectF& rect);

/// Wire width, 3 to 9 px by the logarithm of the bandwidth (B/s).
double wireWidth(double bytesPerSecond);

} // namespace heteroscape::widgets

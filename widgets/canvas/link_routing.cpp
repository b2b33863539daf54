// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/link_routing.h"

#include "widgets/canvas/canvas_metrics.h"

#include <QLineF>

#include <algorithm>
#include <cmath>
#include <map>

namespace heteroscape::widgets {

namespace {

enum class Side { Left, Right, Top, Bottom };

constexpr double kSpread = 26; ///< between links on one side
constexpr double kInset = 14;  ///< from the corner of a card

bool isHorizontal(Side side) {
    return side == Side::Left || side == Side::Right;
}

/// The facing sides: along the axis on which the rectangles are farther apart.
std::pair<Side, Side> facingSides(const QRectF& from, const QRectF& to) {
    const auto gapX = std::max(to.left() - from.right(), from.left() - to.right());
    const auto gapY = std::max(to.top() - from.bottom(), from.top() - to.bottom());
    if (gapX >= gapY)
        return from.center().x() <= to.center().x() ? std::pair{Side::Right, Side::Left}
                                                    : std::pair{Side::Left, Side::Right};
    return from.center().y() <= to.center().y() ? std::pair{Side::Bottom, Side::Top}
                                                : std::pair{Side::Top, Side::Bottom};
}

struct Exit {
    std::size_t link;
    bool start;
    double order; ///< place of the other end along the side
};

/// Links leave a card's left and right in the middle of its upper part, which every card has: so wires
/// between cards of unlike height that stand in a row are straight.
double sideMiddle(const QRectF& rect) {
    return rect.top() + std::min(rect.height(), kCardHeight) / 2;
}

QPointF pointOn(const QRectF& rect, Side side, double offset) {
    const auto along = isHorizontal(side) ? std::min(rect.height(), kCardHeight) : rect.width();
    const auto limit = along / 2 - kInset;
    const auto shift = std::clamp(offset, -limit, limit);
    switch (side) {
    case Side::Left:
        return {rect.left(), sideMiddle(rect) + shift};
    case Side::Right:
        return {rect.right(), sideMiddle(rect) + shift};
    case Side::Top:
        return {rect.center().x() + shift, rect.top()};
    case Side::Bottom:
        return {rect.center().x() + shift, rect.bottom()};
    }
    return rect.center();
}

LinkRoute route(QPointF start, QPointF end, bool horizontal) {
    const auto apart = horizontal ? end.y() - start.y() : end.x() - start.x();
    if (std::abs(apart) < 0.5)
        return LinkRoute({start, end});
    const auto middle = (start + end) / 2;
    if (horizontal)
        return LinkRoute({start, {middle.x(), start.y()}, {middle.x(), end.y()}, end});
    return LinkRoute({start, {start.x(), middle.y()}, {end.x(), middle.y()}, end});
}

} // namespace

std::vector<LinkRoute> routeLinks(const std::vector<QRectF>& nodes, const std::vector<LinkEnds>& links) {
    std::map<std::pair<std::size_t, Side>, std::vector<Exit>> sides;
    std::vector<std::pair<Side, Side>> chosen;
    for (std::size_t i = 0; i < links.size(); ++i) {
        const auto& from = nodes[links[i].from];
        const auto& to = nodes[links[i].to];
        chosen.push_back(facingSides(from, to));
        const auto along = [](Side side, const QRectF& rect) {
            return isHorizontal(side) ? sideMiddle(rect) : rect.center().x();
        };
        sides[{links[i].from, chosen[i].first}].push_back({i, true, along(chosen[i].first, to)});
        sides[{links[i].to, chosen[i].second}].push_back({i, false, along(chosen[i].second, from)});
    }
    std::vector<std::pair<QPointF, QPointF>> ends(links.size());
    for (auto& [place, stubs] : sides) {
        std::stable_sort(stubs.begin(), stubs.end(),
                         [](const Exit& a, const Exit& b) { return a.order < b.order; });
        const auto first = -(static_cast<double>(stubs.size()) - 1) / 2 * kSpread;
        for (std::size_t i = 0; i < stubs.size(); ++i) {
            const auto point =
                pointOn(nodes[place.first], place.second, first + static_cast<double>(i) * kSpread);
            (stubs[i].start ? ends[stubs[i].link].first : ends[stubs[i].link].second) = point;
        }
    }
    std::vector<LinkRoute> routes;
    for (std::size_t i = 0; i < links.size(); ++i)
        routes.push_back(route(ends[i].first, ends[i].second, isHorizontal(chosen[i].first)));
    return routes;
}

QPainterPath roundedPath(const LinkRoute& route, double radius) {
    QPainterPath path;
    if (route.isEmpty())
        return path;
    path.moveTo(route.first());
    for (qsizetype i = 1; i + 1 < route.size(); ++i) {
        const QLineF in(route[i], route[i - 1]);
        const QLineF out(route[i], route[i + 1]);
        const auto cut = std::min({radius, in.length() / 2, out.length() / 2});
        if (cut <= 0.0)
            continue;
        path.lineTo(in.pointAt(cut / in.length()));
        path.quadTo(route[i], out.pointAt(cut / out.length()));
    }
    path.lineTo(route.last());
    return path;
}

LabelPlace labelPlace(const LinkRoute& route) {
    LabelPlace place;
    for (qsizetype i = 0; i + 1 < route.size(); ++i) {
        const QLineF stretch(route[i], route[i + 1]);
        if (stretch.length() > place.room)
            place = {stretch.center(), std::abs(stretch.dx()) >= std::abs(stretch.dy()), stretch.length()};
    }
    return place;
}

std::vector<QPointF> sideMiddles(const QRectF& rect) {
    return {pointOn(rect, Side::Left, 0), pointOn(rect, Side::Right, 0), pointOn(rect, Side::Top, 0),
            pointOn(rect, Side::Bottom, 0)};
}

double wireWidth(double bytesPerSecond) {
    if (!(bytesPerSecond > 0.0))
        return 3.0;
    // 1 GB/s is thinnest, 1 TB/s thickest.
    return std::clamp(3.0 + 2.0 * std::log10(bytesPerSecond / 1e9), 3.0, 9.0);
}

} // namespace heteroscape::widgets

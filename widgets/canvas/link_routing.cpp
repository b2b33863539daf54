// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/link_routing.h"

#include "widgets/canvas/canvas_metrics.h"

#include <QLineF>

#include <algorithm>
#include <cmath>

namespace heteroscape::widgets {

namespace {

constexpr double kSpread = 26; ///< between links on one side
constexpr double kInset = 14;  ///< from the corner of a card

/// Links leave a card's left and right in the middle of its upper part, which every card has: so wires
/// between cards of unlike height that stand in a row are straight.
double sideMiddle(const QRectF& rect) {
    return rect.top() + std::min(rect.height(), kCardHeight) / 2;
}

void sortUnique(std::vector<std::size_t>& values) {
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
}

} // namespace

bool LinkRouter::isHorizontal(Side side) {
    return side == Side::Left || side == Side::Right;
}

/// Along the axis on which the rectangles are farther apart.
std::pair<LinkRouter::Side, LinkRouter::Side> LinkRouter::facingSides(const QRectF& from, const QRectF& to) {
    const auto gapX = std::max(to.left() - from.right(), from.left() - to.right());
    const auto gapY = std::max(to.top() - from.bottom(), from.top() - to.bottom());
    if (gapX >= gapY)
        return from.center().x() <= to.center().x() ? std::pair{Side::Right, Side::Left}
                                                    : std::pair{Side::Left, Side::Right};
    return from.center().y() <= to.center().y() ? std::pair{Side::Bottom, Side::Top}
                                                : std::pair{Side::Top, Side::Bottom};
}

QPointF LinkRouter::pointOn(const QRectF& rect, Side side, double offset) {
    const auto room = isHorizontal(side) ? std::min(rect.height(), kCardHeight) : rect.width();
    const auto limit = room / 2 - kInset;
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

LinkRoute LinkRouter::route(QPointF start, QPointF end, bool horizontal) {
    const auto apart = horizontal ? end.y() - start.y() : end.x() - start.x();
    if (std::abs(apart) < 0.5)
        return LinkRoute({start, end});
    const auto middle = (start + end) / 2;
    if (horizontal)
        return LinkRoute({start, {middle.x(), start.y()}, {middle.x(), end.y()}, end});
    return LinkRoute({start, {start.x(), middle.y()}, {end.x(), middle.y()}, end});
}

/// The place of a rectangle along a side that looks at it.
double LinkRouter::along(Side side, const QRectF& rect) {
    return isHorizontal(side) ? sideMiddle(rect) : rect.center().x();
}

std::size_t LinkRouter::groupOf(std::size_t node, Side side) const {
    return node * kSides + static_cast<std::size_t>(side);
}

void LinkRouter::leave(std::size_t link) {
    const auto [from, to] = m_sides[link];
    for (const auto group : {groupOf(m_links[link].from, from), groupOf(m_links[link].to, to)})
        std::erase_if(m_groups[group], [link](const Exit& exit) { return exit.link == link; });
}

void LinkRouter::join(std::size_t link) {
    const auto [from, to] = m_sides[link];
    m_groups[groupOf(m_links[link].from, from)].push_back({link, true});
    m_groups[groupOf(m_links[link].to, to)].push_back({link, false});
}

void LinkRouter::spread(std::size_t group, Changed& changed) {
    auto& exits = m_groups[group];
    const auto node = group / kSides;
    const auto side = static_cast<Side>(group % kSides);
    const auto order = [&](const Exit& exit) {
        const auto& link = m_links[exit.link];
        return along(side, m_nodes[exit.start ? link.to : link.from]);
    };
    std::sort(exits.begin(), exits.end(), [&](const Exit& a, const Exit& b) {
        return std::pair{order(a), a.link} < std::pair{order(b), b.link};
    });
    const auto first = -(static_cast<double>(exits.size()) - 1) / 2 * kSpread;
    for (std::size_t i = 0; i < exits.size(); ++i) {
        const auto point = pointOn(m_nodes[node], side, first + static_cast<double>(i) * kSpread);
        auto& end = exits[i].start ? m_ends[exits[i].link].first : m_ends[exits[i].link].second;
        if (end == point)
            continue;
        end = point;
        changed.links.push_back(exits[i].link);
        changed.nodes.push_back(node);
    }
}

LinkRouter::Changed LinkRouter::routeAgain(const std::vector<std::size_t>& nodes) {
    std::vector<std::size_t> links;
    for (const auto node : nodes)
        links.insert(links.end(), m_linksOf[node].begin(), m_linksOf[node].end());
    sortUnique(links);
    std::vector<std::size_t> groups;
    Changed changed;
    const auto touch = [&](std::size_t link) {
        groups.push_back(groupOf(m_links[link].from, m_sides[link].first));
        groups.push_back(groupOf(m_links[link].to, m_sides[link].second));
    };
    for (const auto link : links) {
        touch(link);
        const auto facing = facingSides(m_nodes[m_links[link].from], m_nodes[m_links[link].to]);
        if (facing == m_sides[link])
            continue;
        leave(link);
        m_sides[link] = facing;
        join(link);
        touch(link);
        changed.links.push_back(link);
        changed.nodes.push_back(m_links[link].from);
        changed.nodes.push_back(m_links[link].to);
    }
    sortUnique(groups);
    for (const auto group : groups)
        spread(group, changed);
    sortUnique(changed.links);
    sortUnique(changed.nodes);
    for (const auto link : changed.links)
        m_routes[link] = route(m_ends[link].first, m_ends[link].second, isHorizontal(m_sides[link].first));
    return changed;
}

void LinkRouter::reset(std::vector<QRectF> nodes, std::vector<LinkEnds> links) {
    m_nodes = std::move(nodes);
    m_links = std::move(links);
    m_linksOf.assign(m_nodes.size(), {});
    m_groups.assign(m_nodes.size() * kSides, {});
    m_sides.clear();
    m_ends.assign(m_links.size(), {});
    m_routes.assign(m_links.size(), {});
    for (std::size_t i = 0; i < m_links.size(); ++i) {
        m_linksOf[m_links[i].from].push_back(i);
        m_linksOf[m_links[i].to].push_back(i);
        m_sides.push_back(facingSides(m_nodes[m_links[i].from], m_nodes[m_links[i].to]));
        join(i);
    }
    Changed all;
    for (std::size_t group = 0; group < m_groups.size(); ++group)
        spread(group, all);
    for (std::size_t i = 0; i < m_links.size(); ++i)
        m_routes[i] = route(m_ends[i].first, m_ends[i].second, isHorizontal(m_sides[i].first));
}

LinkRouter::Changed LinkRouter::move(const std::vector<Place>& places) {
    std::vector<std::size_t> moved;
    for (const auto& place : places) {
        if (m_nodes[place.node] == place.rect)
            continue;
        m_nodes[place.node] = place.rect;
        moved.push_back(place.node);
    }
    return routeAgain(moved);
}

std::vector<QPointF> LinkRouter::ports(std::size_t node) const {
    std::vector<QPointF> points;
    for (const auto link : m_linksOf[node])
        points.push_back(m_links[link].from == node ? m_ends[link].first : m_ends[link].second);
    return points;
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
    using Side = LinkRouter::Side;
    return {LinkRouter::pointOn(rect, Side::Left, 0), LinkRouter::pointOn(rect, Side::Right, 0),
            LinkRouter::pointOn(rect, Side::Top, 0), LinkRouter::pointOn(rect, Side::Bottom, 0)};
}

double wireWidth(double bytesPerSecond) {
    if (!(bytesPerSecond > 0.0))
        return 3.0;
    // 1 GB/s is thinnest, 1 TB/s thickest.
    return std::clamp(3.0 + 2.0 * std::log10(bytesPerSecond / 1e9), 3.0, 9.0);
}

} // namespace heteroscape::widgets

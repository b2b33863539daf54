// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPainterPath>
#include <QPolygonF>
#include <QRectF>

#include <utility>
#include <vector>

namespace heteroscape::widgets {

/// A link's ends as indices into the list of node rectangles.
struct LinkEnds {
    std::size_t from = 0;
    std::size_t to = 0;
};

/// Right-angled way of one link; the first and last point lie on the edges of its nodes.
using LinkRoute = QPolygonF;

/// The ways of many links, kept so that moving a node only routes again what its place touches: its own
/// links, and those that share a side with one of them. A link leaves by the sides that face each other;
/// links that share a side are spread along it. Pure geometry in scene px; does not walk around other nodes.
class LinkRouter {
public:
    /// Routes everything. Every end must be an index into `nodes`.
    void reset(std::vector<QRectF> nodes, std::vector<LinkEnds> links);

    struct Place {
        std::size_t node = 0;
        QRectF rect;
    };
    struct Changed {
        std::vector<std::size_t> links; ///< with another way now, ascending
        std::vector<std::size_t> nodes; ///< with other ports now, ascending
    };
    Changed move(const std::vector<Place>& places);

    const std::vector<LinkRoute>& routes() const { return m_routes; }
    std::vector<QPointF> ports(std::size_t node) const; ///< where its links begin or end
    const std::vector<std::size_t>& linksOf(std::size_t node) const { return m_linksOf[node]; }
    const QRectF& rect(std::size_t node) const { return m_nodes[node]; }

private:
    enum class Side { Left, Right, Top, Bottom };
    static constexpr std::size_t kSides = 4;
    struct Exit {
        std::size_t link = 0;
        bool start = true;
    };
    using Group = std::vector<Exit>; ///< the links on one side of a node

    static bool isHorizontal(Side side);
    static std::pair<Side, Side> facingSides(const QRectF& from, const QRectF& to);
    static QPointF pointOn(const QRectF& rect, Side side, double offset);
    static LinkRoute route(QPointF start, QPointF end, bool horizontal);
    static double along(Side side, const QRectF& rect);
    friend std::vector<QPointF> sideMiddles(const QRectF& rect);

    std::size_t groupOf(std::size_t node, Side side) const;
    void leave(std::size_t link);
    void join(std::size_t link);
    void spread(std::size_t group, Changed& changed);
    Changed routeAgain(const std::vector<std::size_t>& nodes);

    std::vector<QRectF> m_nodes;
    std::vector<LinkEnds> m_links;
    std::vector<std::vector<std::size_t>> m_linksOf; ///< a node
    std::vector<Group> m_groups;                     ///< kSides for each node
    std::vector<std::pair<Side, Side>> m_sides;      ///< of each link
    std::vector<std::pair<QPointF, QPointF>> m_ends;
    std::vector<LinkRoute> m_routes;
};

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

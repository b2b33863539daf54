// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/auto_layout.h"

#include <graphviz/gvc.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <mutex>
#include <numeric>
#include <string>

extern "C" gvplugin_library_t gvplugin_dot_layout_LTX_library;

namespace heteroscape::widgets {

namespace {

constexpr double kPointsPerInch = 72.0;  // a scene px is a point of Graphviz
constexpr double kBesideCards = 64.0;    ///< between cards of one layer
constexpr double kBetweenLayers = 136.0; ///< with room for what a link is labelled with
constexpr double kScreenRatio = 1.6;     ///< width to height
constexpr std::size_t kMostStrips = 40;

int silent(char*) {
    return 0; // what Graphviz thinks of a graph is no concern of the terminal
}

/// The one context of the program, made at first use. Linked with its layout plugin, it needs no plugin
/// configuration of the system.
GVC_t* context() {
    static std::array<lt_symlist_t, 2> plugins{
        {{"gvplugin_dot_layout_LTX_library", &gvplugin_dot_layout_LTX_library}, {nullptr, nullptr}}};
    static GVC_t* made = [] {
        agseterrf(silent);
        agseterr(AGMAX);
        return gvContextPlugins(plugins.data(), 0);
    }();
    return made;
}

/// A Graphviz graph that is closed at the end.
class Graph {
public:
    Graph() : m_graph(agopen(text("design"), Agdirected, nullptr)) {}
    ~Graph() {
        if (m_laidOut)
            gvFreeLayout(context(), m_graph);
        agclose(m_graph);
    }
    Graph(const Graph&) = delete;
    Graph& operator=(const Graph&) = delete;

    void defaults(int kind, const char* name, const std::string& value) {
        agattr(m_graph, kind, text(name), text(value.c_str()));
    }
    Agnode_t* addNode(std::size_t index, QSizeF size) {
        auto* node = agnode(m_graph, text(std::to_string(index).c_str()), 1);
        agset(node, text("width"), text(inches(size.width()).c_str()));
        agset(node, text("height"), text(inches(size.height()).c_str()));
        return node;
    }
    void addLink(Agnode_t* from, Agnode_t* to) { agedge(m_graph, from, to, nullptr, 1); }
    bool layOut() {
        m_laidOut = gvLayout(context(), m_graph, "dot") == 0;
        return m_laidOut;
    }

    static std::string inches(double px) {
        return std::to_string(static_cast<int>(px * 1000.0 / kPointsPerInch)) + "e-3"; // in any locale
    }

private:
    /// Graphviz takes char* and copies.
    static char* text(const char* constant) { return const_cast<char*>(constant); }

    Agraph_t* m_graph;
    bool m_laidOut = false;
};

/// Of many links those that join what no earlier link has joined.
std::vector<LinkEnds> spanningForest(std::size_t nodes, const std::vector<LinkEnds>& links) {
    std::vector<std::size_t> root(nodes);
    std::iota(root.begin(), root.end(), std::size_t{0});
    const auto find = [&root](std::size_t node) {
        while (root[node] != node)
            node = root[node] = root[root[node]];
        return node;
    };
    std::vector<LinkEnds> kept;
    for (const auto& link : links) {
        const auto a = find(link.from);
        const auto b = find(link.to);
        if (a == b)
            continue;
        root[a] = b;
        kept.push_back(link);
    }
    return kept;
}

QRectF boundsOf(const std::vector<QPointF>& places, const std::vector<QSizeF>& sizes) {
    QRectF bounds;
    for (std::size_t i = 0; i < places.size(); ++i)
        bounds |= QRectF(places[i], sizes[i]);
    return bounds;
}

/// Cut across its longer side into as many strips of one length, beside each other.
std::vector<QPointF> inStrips(std::vector<QPointF> places, const std::vector<QSizeF>& sizes,
                              const QRectF& bounds, std::size_t count) {
    const bool tall = bounds.height() > bounds.width();
    std::vector<std::vector<std::size_t>> strips(count);
    for (std::size_t i = 0; i < places.size(); ++i) {
        const auto middle = QRectF(places[i], sizes[i]).center() - bounds.topLeft();
        const double along = tall ? middle.y() / bounds.height() : middle.x() / bounds.width();
        strips[std::min(static_cast<std::size_t>(along * static_cast<double>(count)), count - 1)].push_back(
            i);
    }
    QPointF next;
    for (const auto& strip : strips) {
        if (strip.empty())
            continue;
        QRectF taken;
        for (const auto i : strip)
            taken |= QRectF(places[i], sizes[i]);
        for (const auto i : strip)
            places[i] += next - taken.topLeft();
        next +=
            tall ? QPointF(taken.width() + kBetweenLayers, 0) : QPointF(0, taken.height() + kBetweenLayers);
    }
    return places;
}

} // namespace

std::vector<QPointF> layeredPlaces(const std::vector<QSizeF>& sizes, const std::vector<LinkEnds>& links,
                                   LayoutDirection direction) {
    if (sizes.empty())
        return {};
    static std::mutex oneAtATime;
    const std::lock_guard lock(oneAtATime);
    const bool many = links.size() > kAllLinks;
    Graph graph;
    graph.defaults(AGRAPH, "rankdir", direction == LayoutDirection::LeftToRight ? "LR" : "TB");
    graph.defaults(AGRAPH, "nodesep", Graph::inches(kBesideCards));
    graph.defaults(AGRAPH, "ranksep", Graph::inches(kBetweenLayers));
    graph.defaults(AGRAPH, "splines", "none"); // wires are the canvas's own matter
    if (many) {
        graph.defaults(AGRAPH, "nslimit", "1e-1");
        graph.defaults(AGRAPH, "nslimit1", "1e-1");
        graph.defaults(AGRAPH, "mclimit", "5e-2");
    }
    graph.defaults(AGNODE, "shape", "box");
    graph.defaults(AGNODE, "label", "");
    graph.defaults(AGNODE, "fixedsize", "true");
    graph.defaults(AGNODE, "width", "1");
    graph.defaults(AGNODE, "height", "1");
    std::vector<Agnode_t*> nodes;
    for (const auto& size : sizes)
        nodes.push_back(graph.addNode(nodes.size(), size));
    for (const auto& link : many ? spanningForest(sizes.size(), links) : links)
        if (link.from != link.to)
            graph.addLink(nodes[link.from], nodes[link.to]);
    if (!graph.layOut())
        return {};
    // Graphviz gives middles, y upwards.
    std::vector<QPointF> places;
    for (std::size_t i = 0; i < sizes.size(); ++i)
        places.push_back(
            {ND_coord(nodes[i]).x - sizes[i].width() / 2, -ND_coord(nodes[i]).y - sizes[i].height() / 2});
    const auto origin = boundsOf(places, sizes).topLeft();
    for (auto& place : places)
        place -= origin;
    return folded(std::move(places), sizes);
}

std::vector<QPointF> folded(std::vector<QPointF> places, const std::vector<QSizeF>& sizes) {
    const auto bounds = boundsOf(places, sizes);
    const double length = std::max(bounds.width(), bounds.height());
    const double breadth = std::min(bounds.width(), bounds.height());
    if (length <= kPole || length <= kPoleRatio * breadth)
        return places;
    auto best = places;
    const auto farFromScreen = [&sizes](const std::vector<QPointF>& them) {
        const auto all = boundsOf(them, sizes);
        return std::fabs(std::log(all.width() / all.height() / kScreenRatio));
    };
    for (std::size_t count = 2; count <= kMostStrips; ++count)
        if (auto cut = inStrips(places, sizes, bounds, count); farFromScreen(cut) < farFromScreen(best))
            best = std::move(cut);
    return best;
}

} // namespace heteroscape::widgets

// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/widgets/widget_test.h"
#include "widgets/canvas/link_routing.h"

#include <QTest>

using namespace heteroscape::widgets;

namespace {

std::vector<LinkRoute> routesOf(const std::vector<QRectF>& nodes, const std::vector<LinkEnds>& links) {
    LinkRouter router;
    router.reset(nodes, links);
    return router.routes();
}

} // namespace

class LinkRoutingTest : public QObject {
    Q_OBJECT

private slots:
    void nodesInALineAreJoinedStraight() {
        const auto routes = routesOf({{0, 0, 200, 120}, {300, 0, 200, 120}}, {{0, 1}});
        QCOMPARE(routes.front(), LinkRoute({QPointF(200, 60), QPointF(300, 60)}));
        QVERIFY(labelPlace(routes.front()).horizontal);
        QCOMPARE(labelPlace(routes.front()).middle, QPointF(250, 60));
    }

    void everyStretchIsLevelOrUpright_data() {
        QTest::addColumn<QPointF>("offset");
        for (const auto& offset : {QPointF(400, 90), QPointF(-400, 300), QPointF(30, 400), QPointF(-50, -300),
                                   QPointF(20, 30), QPointF(0, 0)})
            QTest::addRow("%g,%g", offset.x(), offset.y()) << offset;
    }
    void everyStretchIsLevelOrUpright() {
        QFETCH(QPointF, offset);
        const QRectF from(0, 0, 212, 127);
        const auto to = from.translated(offset);
        const auto route = routesOf({from, to}, {{0, 1}}).front();
        QVERIFY(route.size() >= 2);
        for (qsizetype i = 0; i + 1 < route.size(); ++i)
            QVERIFY(qFuzzyIsNull(route[i].x() - route[i + 1].x()) ||
                    qFuzzyIsNull(route[i].y() - route[i + 1].y()));
        const auto onEdge = [](const QRectF& rect, QPointF point) {
            return point.x() == rect.left() || point.x() == rect.right() || point.y() == rect.top() ||
                   point.y() == rect.bottom();
        };
        QVERIFY(onEdge(from, route.first()));
        QVERIFY(onEdge(to, route.last()));
        const auto path = roundedPath(route, 8);
        QCOMPARE(path.pointAtPercent(0), route.first());
        QCOMPARE(path.currentPosition(), route.last());
    }

    void linksOnOneSideAreSpreadWithoutCrossing() {
        const auto routes =
            routesOf({{0, 0, 200, 120}, {400, 200, 200, 120}, {400, -200, 200, 120}}, {{0, 1}, {0, 2}});
        QVERIFY(routes[0].first().y() > routes[1].first().y()); // the lower node is joined lower
        QVERIFY(routes[0].first().y() - routes[1].first().y() >= 20);
    }

    void widthGrowsWithBandwidthWithinBounds() {
        QCOMPARE(wireWidth(0.0), 3.0);
        QCOMPARE(wireWidth(1e3), 3.0);
        QVERIFY(wireWidth(12e9) < wireWidth(24e9));
        QCOMPARE(wireWidth(1e15), 9.0);
    }
};

WIDGET_TEST(LinkRoutingTest)
#include "link_routing_test.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// How the work of the canvas grows with the design: counted, not timed.
#include "tests/rounds.h"
#include "tests/shipped_catalog.h"
#include "tests/widgets/canvas/canvas_fixture.h"
#include "tests/widgets/canvas/synthetic_design.h"
#include "tests/widgets/widget_test.h"
#include "widgets/document/remedy_finder.h"

#include <algorithm>
#include <random>

class CanvasSpeedTest : public CanvasFixture {
    Q_OBJECT

    CanvasScene& scene() { return m_view->canvasScene(); }
    void openMany() {
        m_document->replaceScenario(widgets::test::syntheticDesign(*shippedCatalog(), 1000), "many");
        m_view->camera().setZoom(1.0);
        m_view->centerOn(item("node-500"));
        QTRY_VERIFY_WITH_TIMEOUT(!m_document->isEvaluating(), 30000); // cards may be higher then
        settle();
    }
    void settle() {
        scene().finish();
        QApplication::processEvents();
        QApplication::processEvents();
    }

private slots:
    void theWholeDesignFitsTheView() {
        openMany();
        m_view->camera().fitAll();
        QVERIFY(m_view->mapToScene(port()->rect()).boundingRect().contains(scene().contentRect()));
    }

    void draggingOneOfAThousandRoutesAFewLinks() {
        openMany();
        const auto before = scene().work().routedLinks;
        QTest::mousePress(port(), Qt::LeftButton, {}, body("node-500"));
        move(body("node-500") + QPoint(30, 30));
        move(body("node-500") + QPoint(8, 16));
        settle();
        const auto routed = scene().work().routedLinks - before;
        QVERIFY2(routed > 0 && routed <= 60, qPrintable(QString::number(routed)));
        QTest::mouseRelease(port(), Qt::LeftButton, {}, body("node-500"));
        QVERIFY(scene().work().routedLinks - before <= 160);
    }

    void onlyWhatIsSeenIsPainted() {
        openMany();
        const auto before = scene().work().paintedNodes;
        m_view->camera().panBy({-7, -3});
        settle();
        const auto painted = scene().work().paintedNodes - before;
        QVERIFY2(painted > 0 && painted <= 40, qPrintable(QString::number(painted)));
    }

    void hoveringPaintsOneCard() {
        openMany();
        move(body("node-500"), Qt::NoButton);
        settle();
        const auto before = scene().work().paintedNodes;
        move(body("node-501"), Qt::NoButton);
        settle();
        const auto painted = scene().work().paintedNodes - before;
        QVERIFY2(painted >= 2 && painted <= 8, qPrintable(QString::number(painted)));
    }

    void whatIsFoundOutReadsNoCardAgain() {
        openMany();
        const auto before = scene().work().readNodes;
        QVERIFY(before >= 1000);
        emit RemedyFinder::of(*m_document).found();
        emit LayoutFinder::of(*m_document).found();
        settle();
        QCOMPARE(scene().work().readNodes, before);
    }

    void anEditThatMovesNothingRoutesNothing() {
        openMany();
        select("node-500");
        m_view->edits().changeCount(+1); // several devices have a layout, which makes a card higher
        settle();
        const auto before = scene().work().routedLinks;
        m_view->edits().changeCount(+1);
        scene().finish();
        QCOMPARE(scene().work().routedLinks, before);
        QCOMPARE(item("node-500")->card().count,
                 static_cast<int>(scenario().findNode({"node-500"})->count.value));
    }

    void routesAreTheSameWhicheverWayTheyCame() {
        std::mt19937 random(3);
        const auto pick = [&random](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
        std::vector<QRectF> nodes;
        std::vector<LinkEnds> links;
        for (int i = 0; i < 40; ++i)
            nodes.push_back({pick(200) * 8.0, pick(200) * 8.0, 212, 127.0 + pick(3) * 30});
        for (int i = 0; i < 90; ++i)
            links.push_back({std::size_t(pick(40)), std::size_t(pick(40))});
        std::erase_if(links, [](const LinkEnds& link) { return link.from == link.to; });
        LinkRouter router;
        router.reset(nodes, links);
        const auto afresh = [&] {
            LinkRouter another;
            another.reset(nodes, links);
            return another.routes();
        };
        for (int round = 0; round < engine::test::rounds(200); ++round) {
            std::vector<LinkRouter::Place> places;
            for (int moved = 1 + pick(4); moved > 0; --moved) {
                const auto node = std::size_t(pick(40));
                nodes[node].moveTo(pick(200) * 8.0, pick(200) * 8.0);
                places.push_back({node, nodes[node]});
            }
            const auto before = router.routes();
            const auto changed = router.move(places);
            QCOMPARE(router.routes(), afresh());
            for (std::size_t i = 0; i < links.size(); ++i)
                QVERIFY(before[i] == router.routes()[i] ||
                        std::binary_search(changed.links.begin(), changed.links.end(), i));
        }
    }

    void aPanThereAndBackShowsTheSamePixels_data() {
        QTest::addColumn<double>("zoom");
        for (const auto zoom : {0.3, 0.55, 0.83, 1.0, 1.37})
            QTest::addRow("%g", zoom) << zoom;
    }
    void aPanThereAndBackShowsTheSamePixels() {
        QFETCH(double, zoom);
        openPreset();
        m_view->camera().setZoom(zoom);
        const auto first = port()->grab().toImage();
        m_view->camera().panBy({5, 3});
        port()->grab();
        m_view->camera().panBy({-5, -3}); // cards come from the cache now
        const auto cached = port()->grab().toImage();
        QCOMPARE(cached, first);
    }

    void whatIsDroppedOrUndoneLeavesNothingBehind() {
        openPreset();
        settle();
        const auto before = port()->grab().toImage();
        drag(body("gpu"), body("gpu") + QPoint(-70, 160));
        settle();
        m_document->undoStack()->undo();
        m_document->select({});
        move(emptyPlace(), Qt::NoButton);
        settle();
        QCOMPARE(port()->grab().toImage(), before);
    }
};

WIDGET_TEST(CanvasSpeedTest)
#include "canvas_speed_test.moc"

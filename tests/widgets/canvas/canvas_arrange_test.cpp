// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/shipped_catalog.h"
#include "tests/widgets/canvas/canvas_fixture.h"
#include "tests/widgets/canvas/synthetic_design.h"
#include "tests/widgets/widget_test.h"
#include "widgets/canvas/auto_layout.h"
#include "widgets/canvas/card_arranger.h"

#include <QMenu>

#include <cmath>

class CanvasArrangeTest : public CanvasFixture {
    Q_OBJECT

    std::vector<ArrangeBox> boxes() {
        return {{{"a"}, {0, 10, 100, 50}}, {{"b"}, {300, 40, 100, 90}}, {{"c"}, {90, 200, 100, 50}}};
    }
    /// Where the boxes are after the edit.
    std::map<engine::NodeId, QRectF> after(const engine::EditList& edit) {
        std::map<engine::NodeId, QRectF> rects;
        for (const auto& box : boxes())
            rects[box.id] = box.rect;
        for (const auto& one : edit.edits) {
            const auto& move = *one.as<engine::MoveNode>();
            rects.at(move.id).moveTopLeft(toPoint(move.position));
        }
        return rects;
    }
    void openMany(std::size_t nodes) {
        m_document->replaceScenario(widgets::test::syntheticDesign(*shippedCatalog(), nodes), "many");
        QTRY_VERIFY(!m_document->isEvaluating()); // what is wrong with a node makes its card higher
    }
    void layOut(LayoutDirection direction) {
        m_view->arranger()->layOut(direction);
        QTRY_VERIFY_WITH_TIMEOUT(!m_view->arranger()->isBusy(), 30000);
    }
    bool onGrid(QPointF point) { return snapped(point) == point; }

private slots:
    void aligningBringsEveryCardToOneEdgeOrMiddle() {
        const auto rects = [this](Align how) { return after(alignEdit(boxes(), how)); };
        for (const auto& [id, rect] : rects(Align::Left))
            QCOMPARE(rect.left(), 0.0);
        for (const auto& [id, rect] : rects(Align::Centre))
            QCOMPARE(rect.center().x(), 200.0);
        for (const auto& [id, rect] : rects(Align::Right))
            QCOMPARE(rect.right(), 400.0);
        for (const auto& [id, rect] : rects(Align::Top))
            QCOMPARE(rect.top(), 10.0);
        for (const auto& [id, rect] : rects(Align::Middle))
            QCOMPARE(rect.center().y(), 130.0);
        for (const auto& [id, rect] : rects(Align::Bottom))
            QCOMPARE(rect.bottom(), 250.0);
        QCOMPARE(alignEdit(boxes(), Align::Left).edits.size(), std::size_t{2}); // one stands there already
    }

    void distributingMakesGapsEqualAndKeepsTheOutermost() {
        auto rects = after(distributeEdit(boxes(), Distribute::Horizontally));
        QCOMPARE(rects.at({"a"}).left(), 0.0);
        QCOMPARE(rects.at({"b"}).left(), 300.0);
        QCOMPARE(rects.at({"c"}).left() - rects.at({"a"}).right(),
                 rects.at({"b"}).left() - rects.at({"c"}).right());
        rects = after(distributeEdit(boxes(), Distribute::Vertically));
        QCOMPARE(rects.at({"a"}).top(), 10.0);
        QCOMPARE(rects.at({"c"}).top(), 200.0);
        QCOMPARE(rects.at({"b"}).top() - rects.at({"a"}).bottom(),
                 rects.at({"c"}).top() - rects.at({"b"}).bottom());
        auto two = boxes();
        two.pop_back();
        QVERIFY(distributeEdit(two, Distribute::Vertically).edits.empty());
    }

    void aligningOnTheCanvasIsOneNamedStep() {
        openPreset();
        const auto before = positionOf("host");
        m_document->select({{{"gpu"}, {"host"}, {"fpga"}}, {}});
        m_view->arranger()->align(Align::Top);
        QCOMPARE(positionOf("gpu").y(), positionOf("host").y());
        QCOMPARE(positionOf("fpga").y(), positionOf("host").y());
        m_view->arranger()->align(Align::Bottom);
        const auto bottom = item("gpu")->cardRect().bottom();
        QCOMPARE(item("fpga")->cardRect().bottom(), bottom);
        m_view->arranger()->align(Align::Left);
        QCOMPARE(m_document->undoStack()->undoText(), QString("Align left"));
        QCOMPARE(m_document->selection().nodes.size(), std::size_t{3});
        while (m_document->undoStack()->canUndo())
            m_document->undoStack()->undo();
        QCOMPARE(positionOf("host"), before);
        select("gpu");
        m_view->arranger()->align(Align::Left); // one card has nothing to be in line with
        QVERIFY(!m_document->undoStack()->canUndo());
    }

    void theContextMenuArranges() {
        openPreset();
        m_document->select({{{"gpu"}, {"host"}}, {}});
        const auto menu = m_view->edits().makeMenu();
        auto* arrange = menu->findChild<QMenu*>();
        QVERIFY(arrange);
        QAction* left = nullptr;
        for (auto* action : arrange->actions()) {
            if (action->text() == "Align left")
                left = action;
            if (action->text().startsWith("Distribute"))
                QVERIFY(!action->isEnabled());
        }
        QVERIFY(left && left->isEnabled());
        left->trigger();
        QCOMPARE(positionOf("gpu").x(), positionOf("host").x());
    }

    void layersFollowTheLinksAndNothingOverlaps_data() {
        QTest::addColumn<int>("direction");
        QTest::addRow("across") << static_cast<int>(LayoutDirection::LeftToRight);
        QTest::addRow("down") << static_cast<int>(LayoutDirection::TopDown);
    }
    void layersFollowTheLinksAndNothingOverlaps() {
        QFETCH(int, direction);
        const bool across = direction == static_cast<int>(LayoutDirection::LeftToRight);
        const std::vector<QSizeF> sizes(13, QSizeF(212, 127));
        std::vector<LinkEnds> links;
        for (std::size_t i = 1; i < sizes.size(); ++i)
            links.push_back({(i - 1) / 3, i});
        const auto places = layeredPlaces(sizes, links, static_cast<LayoutDirection>(direction));
        QCOMPARE(places.size(), sizes.size());
        for (const auto& link : links)
            QVERIFY(across ? places[link.to].x() >= places[link.from].x() + 212
                           : places[link.to].y() >= places[link.from].y() + 127);
        for (std::size_t i = 0; i < places.size(); ++i)
            for (std::size_t j = 0; j < i; ++j)
                QVERIFY(!QRectF(places[i], sizes[i]).intersects(QRectF(places[j], sizes[j])));
        QVERIFY(layeredPlaces({}, {}, LayoutDirection::TopDown).empty());
    }

    void layingOutIsOneStepOnTheGrid() {
        openMany(60);
        const auto before = scenario();
        const auto steps = m_document->undoStack()->count();
        layOut(LayoutDirection::LeftToRight);
        QCOMPARE(m_document->undoStack()->count(), steps + 1);
        QCOMPARE(m_document->undoStack()->undoText(), QString("Lay out the design"));
        const auto& nodes = m_view->canvasScene().nodes();
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            QVERIFY(onGrid(nodes[i]->pos()));
            for (std::size_t j = 0; j < i; ++j)
                QVERIFY(!nodes[i]->cardRect().intersects(nodes[j]->cardRect()));
        }
        m_document->undoStack()->undo();
        QVERIFY(scenario() == before);
    }

    void layingOutASelectionLeavesTheRestAlone() {
        openMany(60);
        QRectF around;
        const std::vector<engine::NodeId> chosen{{"node-0"}, {"node-1"}, {"node-2"}, {"node-3"}};
        for (const auto& id : chosen)
            around |= m_view->canvasScene().nodeItem(id)->cardRect();
        const auto rest = positionOf("node-20");
        m_document->select({chosen, {}});
        layOut(LayoutDirection::TopDown);
        QCOMPARE(m_document->selection().nodes, chosen);
        QCOMPARE(positionOf("node-20"), rest);
        QRectF now;
        for (const auto& id : chosen)
            now |= m_view->canvasScene().nodeItem(id)->cardRect();
        QVERIFY((now.center() - around.center()).manhattanLength() <= 2 * kSnap);
        QVERIFY(positionOf("node-1").y() > positionOf("node-0").y());
    }

    void noLayoutIsAPole_data() {
        QTest::addColumn<QString>("links");
        for (const char* links : {"none", "star", "ring", "servers"})
            QTest::newRow(links) << QString(links);
    }
    void noLayoutIsAPole() {
        QFETCH(QString, links);
        const std::vector<QSizeF> sizes(768, QSizeF(212, 127));
        std::vector<LinkEnds> ends;
        for (std::size_t i = 1; i < sizes.size(); ++i)
            if (links == "star")
                ends.push_back({0, i});
            else if (links == "ring")
                ends.push_back({i - 1, i});
            else if (links == "servers") // of eight on a switch each
                ends.push_back({i % 9 == 0 ? 0 : i / 9 * 9, i});
        if (links == "ring")
            ends.push_back({sizes.size() - 1, 0});
        for (const auto direction : {LayoutDirection::LeftToRight, LayoutDirection::TopDown}) {
            const auto places = layeredPlaces(sizes, ends, direction);
            QCOMPARE(places.size(), sizes.size());
            QRectF all;
            for (std::size_t i = 0; i < sizes.size(); ++i) {
                all |= QRectF(places[i], sizes[i]);
                for (std::size_t j = 0; j < i; ++j)
                    QVERIFY(!QRectF(places[i], sizes[i]).intersects(QRectF(places[j], sizes[j])));
            }
            const double ratio = all.width() / all.height();
            QVERIFY2(ratio < kPoleRatio && ratio > 1 / kPoleRatio, qPrintable(QString::number(ratio)));
        }
    }

    void anotherDesignDropsALayout() {
        openMany(60);
        m_view->arranger()->layOut(LayoutDirection::TopDown);
        m_document->openPreset("glitches/8u280");
        const auto before = scenario();
        QTRY_VERIFY(!m_view->arranger()->isBusy());
        QVERIFY(scenario() == before && !m_document->isModified());
    }

    void aThousandNodesAreLaidOutToo() {
        std::vector<QSizeF> sizes(1000, QSizeF(212, 127));
        std::vector<LinkEnds> links;
        for (std::size_t i = 0; i + 1 < sizes.size(); ++i) {
            links.push_back({i / 8, i + 1});
            links.push_back({i, (i * 7 + 3) % sizes.size()});
        }
        QCOMPARE(layeredPlaces(sizes, links, LayoutDirection::LeftToRight).size(), sizes.size());
    }

    void guidesTakeTheNearestEdgeOrMiddle() {
        const QRectF moving(103, 40, 100, 50);
        const auto snap = snapToGuides(moving, {{100, 300, 200, 50}, {600, 44, 100, 50}}, 6);
        QCOMPARE(snap.dx.value_or(99), -3.0);
        QCOMPARE(snap.dy.value_or(99), 4.0);
        QVERIFY(!snap.lines.empty());
        const auto none = snapToGuides(moving, {{400, 300, 70, 77}}, 6);
        QVERIFY(!none.dx && !none.dy && none.lines.empty());
    }

    void dragsSnapToTheGridUnlessTurnedOffOrControlIsHeld() {
        openPreset();
        m_view->camera().setZoom(1.0);
        const auto dragBy = [this](QPoint distance, Qt::KeyboardModifiers modifiers) {
            const auto from = body("gpu");
            QTest::mousePress(port(), Qt::LeftButton, {}, from);
            for (const auto& at : {from + distance / 2, from + distance}) {
                QMouseEvent event(QEvent::MouseMove, at, port()->mapToGlobal(at), Qt::NoButton,
                                  Qt::LeftButton, modifiers);
                QApplication::sendEvent(port(), &event);
            }
            QTest::mouseRelease(port(), Qt::LeftButton, modifiers, from + distance);
        };
        auto before = positionOf("gpu");
        dragBy({-37, 101}, {});
        QVERIFY(onGrid(positionOf("gpu")));
        QVERIFY(positionOf("gpu") != before);
        before = positionOf("gpu");
        dragBy({-37, 101}, Qt::ControlModifier);
        QCOMPARE(positionOf("gpu"), before + QPointF(-37, 101));
        before = positionOf("gpu");
        m_view->placing().setSnaps(false);
        dragBy({21, -43}, {});
        QCOMPARE(positionOf("gpu"), before + QPointF(21, -43));
        dragBy({21, -43}, Qt::ControlModifier);
        QVERIFY(onGrid(positionOf("gpu")));
    }

    void aDraggedCardFallsInLineWithAnother() {
        openPreset();
        m_view->camera().setZoom(1.0);
        m_document->perform(engine::MoveNode{{"host"}, {403, 603}}); // off the grid
        m_document->perform(engine::MoveNode{{"gpu"}, {200, 200}});
        m_view->camera().fitAll();
        m_view->camera().setZoom(1.0);
        const auto from = body("gpu");
        const QPoint to = from + QPoint(200, 100);
        drag(from, to);
        QCOMPARE(positionOf("gpu").x(), 403.0); // the host's edge, not 400 of the grid
        QVERIFY(onGrid({0, positionOf("gpu").y()}));
    }
};

WIDGET_TEST(CanvasArrangeTest)
#include "canvas_arrange_test.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/shipped_catalog.h"
#include "tests/widgets/canvas/canvas_fixture.h"
#include "tests/widgets/canvas/synthetic_design.h"
#include "tests/widgets/widget_test.h"
#include "widgets/canvas/canvas_overlays.h"

#include <QWheelEvent>

class MiniMapTest : public CanvasFixture {
    Q_OBJECT

    MiniMap& map() { return *m_view->miniMap(); }
    void openMany() {
        m_document->replaceScenario(widgets::test::syntheticDesign(*shippedCatalog(), 120), "many");
        m_view->camera().setZoom(1.0);
    }
    QPointF seenMiddle() { return m_view->mapToScene(port()->rect()).boundingRect().center(); }
    QPoint inMap(QPointF scenePoint) { return map().fromScene({scenePoint, QSizeF()}).topLeft().toPoint(); }
    void wheel(QPoint turn, Qt::KeyboardModifiers modifiers, QPoint pixels = {},
               Qt::ScrollPhase phase = Qt::NoScrollPhase) {
        const QPoint at(500, 250);
        QWheelEvent event(at, port()->mapToGlobal(at), pixels, turn, Qt::NoButton, modifiers, phase, false);
        QApplication::sendEvent(port(), &event);
    }

private slots:
    void itIsThereWhenTheDesignIsLargerThanTheView() {
        QVERIFY(map().isHidden()); // an empty canvas keeps its hint
        openPreset();
        QVERIFY(map().isHidden());
        openMany();
        QVERIFY(map().isVisible());
        QCOMPARE(map().accessibleName(), QString("Mini-map"));
        QCOMPARE(map().focusPolicy(), Qt::NoFocus);
        m_view->camera().fitAll();
        QVERIFY(map().isHidden());
        m_view->camera().setZoom(1.0);
        m_view->miniMap()->setShown(false);
        QVERIFY(map().isHidden());
        m_view->miniMap()->setShown(true);
        QVERIFY(map().isVisible());
        m_view->resize(380, 300); // nothing would be left of the canvas
        QVERIFY(map().isHidden());
    }

    void itCoversNoOtherOverlay() {
        openMany();
        for (auto* child : port()->findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly))
            if (child != &map() && child->isVisible())
                QVERIFY2(!child->geometry().intersects(map().geometry()), child->metaObject()->className());
        QVERIFY(port()->rect().contains(map().geometry()));
    }

    void aClickAndADragLookElsewhere() {
        openMany();
        const auto target = map().content().center();
        const auto zoom = m_view->camera().zoom();
        QTest::mousePress(&map(), Qt::LeftButton, {}, inMap(target));
        QVERIFY(QLineF(seenMiddle(), target).length() < 120); // a px of the map is some 70 of the scene
        const auto before = seenMiddle();
        QMouseEvent event(QEvent::MouseMove, inMap(target) + QPoint(20, 0),
                          map().mapToGlobal(inMap(target) + QPoint(20, 0)), Qt::NoButton, Qt::LeftButton, {});
        QApplication::sendEvent(&map(), &event);
        QTest::mouseRelease(&map(), Qt::LeftButton, {}, inMap(target) + QPoint(20, 0));
        QVERIFY(seenMiddle().x() > before.x() + 100);
        QCOMPARE(m_view->camera().zoom(), zoom);
        QVERIFY(m_document->selection().empty());
    }

    void theFrameFollowsPanning() {
        openMany();
        const auto frame = [this] {
            return map().fromScene(m_view->mapToScene(port()->rect()).boundingRect());
        };
        QVERIFY(QRectF(map().rect()).intersects(frame()));
        const auto before = frame();
        m_view->camera().panBy({-400, 0});
        QVERIFY(frame().left() > before.left());
    }

    void panningStartsOnCardsToo() {
        openPreset();
        const auto seen = m_view->mapToScene(QPoint(0, 0));
        const auto card = body("gpu");
        QTest::keyPress(m_view.get(), Qt::Key_Space);
        drag(card, card + QPoint(60, 20));
        QTest::keyRelease(m_view.get(), Qt::Key_Space);
        QVERIFY(m_view->mapToScene(QPoint(0, 0)).x() < seen.x());
        QVERIFY(m_document->selection().empty());
        QCOMPARE(m_document->undoStack()->count(), 0);
        const auto after = positionOf("gpu");
        drag(body("gpu"), body("gpu") + QPoint(64, 64)); // and without Space the card moves again
        QVERIFY(positionOf("gpu") != after);
    }

    void wheelsZoomAndPanAsInOtherEditors() {
        openPreset();
        const auto zoom = m_view->camera().zoom();
        const auto corner = [this] { return m_view->mapToScene(QPoint(0, 0)); };
        wheel({0, -120}, Qt::ControlModifier);
        QVERIFY(m_view->camera().zoom() < zoom);
        auto before = corner();
        const auto now = m_view->camera().zoom();
        wheel({0, -120}, Qt::ShiftModifier);
        QVERIFY(corner().x() > before.x());
        QCOMPARE(corner().y(), before.y());
        before = corner();
        wheel({0, -30}, {}, {0, -25}, Qt::ScrollUpdate); // two fingers
        QVERIFY(corner().y() > before.y());
        QCOMPARE(corner().x(), before.x());
        before = corner();
        wheel({-120, 0}, {}); // a wheel that tilts
        QVERIFY(corner().x() > before.x());
        QCOMPARE(m_view->camera().zoom(), now);
        wheel({0, 30}, Qt::ControlModifier, {0, 25}, Qt::ScrollUpdate);
        QVERIFY(m_view->camera().zoom() > now);
    }
};

WIDGET_TEST(MiniMapTest)
#include "mini_map_test.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/widgets/canvas/canvas_fixture.h"
#include "tests/widgets/widget_test.h"

#include <QWheelEvent>

class CanvasViewTest : public CanvasFixture {
    Q_OBJECT

private slots:
    void theWheelZoomsAtTheCursor() {
        openPreset();
        const QPoint at(700, 200);
        const auto held = m_view->mapToScene(at);
        const auto zoom = m_view->camera().zoom();
        QWheelEvent wheel(at, port()->mapToGlobal(at), {}, {0, 120}, Qt::NoButton, {}, Qt::NoScrollPhase,
                          false);
        QApplication::sendEvent(port(), &wheel);
        QVERIFY(m_view->camera().zoom() > zoom);
        const auto off = m_view->mapFromScene(held) - at;
        QVERIFY2(off.manhattanLength() <= 2, qPrintable(QString("%1, %2").arg(off.x()).arg(off.y())));
        for (int i = 0; i < 60; ++i)
            QApplication::sendEvent(port(), &wheel);
        QCOMPARE(m_view->camera().zoom(), kMaxZoom);
        QTest::keyClick(m_view.get(), Qt::Key_F);
        QVERIFY(m_view->camera().zoom() <= 1.0);
        for (const auto* id : {"gpu", "host", "fpga"})
            QVERIFY(port()->rect().contains(m_view->mapFromScene(item(id)->cardRect()).boundingRect()));
    }

    void middleAndSpaceDragPan() {
        openPreset();
        const auto seen = m_view->mapToScene(QPoint(0, 0));
        QTest::mousePress(port(), Qt::MiddleButton, {}, body("gpu"));
        move(body("gpu") + QPoint(50, 30), Qt::MiddleButton);
        QTest::mouseRelease(port(), Qt::MiddleButton, {}, body("gpu"));
        const auto panned = m_view->mapToScene(QPoint(0, 0));
        QVERIFY(panned.x() < seen.x() && panned.y() < seen.y());
        QTest::keyPress(m_view.get(), Qt::Key_Space);
        drag(emptyPlace(), emptyPlace() + QPoint(40, 0));
        QTest::keyRelease(m_view.get(), Qt::Key_Space);
        QVERIFY(m_view->mapToScene(QPoint(0, 0)).x() < panned.x());
        QVERIFY(m_document->selection().empty());
        QCOMPARE(m_document->undoStack()->count(), 0);
    }

    void tabWalksOverNodesAndLinksAndNamesThem() {
        openPreset();
        QTest::keyClick(m_view.get(), Qt::Key_Tab);
        QCOMPARE(m_document->selection(), (Selection{{{"gpu"}}, {}}));
        QTest::keyClick(m_view.get(), Qt::Key_Tab);
        QTest::keyClick(m_view.get(), Qt::Key_Tab);
        const auto spoken = m_view->accessibleDescription();
        QVERIFY2(spoken.startsWith("Alveo U280, 7 cards, decode, "), qPrintable(spoken));
        QVERIFY2(spoken.contains("busy, bottleneck"), qPrintable(spoken));
        QTest::keyClick(m_view.get(), Qt::Key_Tab);
        QCOMPARE(m_document->selection(), (Selection{{}, {{"gpu-host"}}}));
        QVERIFY(m_view->accessibleDescription().startsWith("Link from A100 80GB to Host CPU"));
        QTest::keyClick(m_view.get(), Qt::Key_Tab, Qt::ShiftModifier);
        QCOMPARE(m_document->selection(), (Selection{{{"fpga"}}, {}}));
    }

    void cardsTellWhatTheEngineSays() {
        openPreset();
        const auto& evaluation = m_document->evaluation();
        QVERIFY(evaluation.feasible);
        for (std::size_t i = 0; i < scenario().nodes.size(); ++i) {
            const auto& card = m_view->canvasScene().nodeItem(scenario().nodes[i].id)->card();
            QCOMPARE(card.bottleneck, evaluation.nodes[i].bottleneck);
            if (engine::isAccelerator(scenario().nodes[i].device.kind)) {
                QVERIFY(card.bar && card.bar->share);
                QCOMPARE(*card.bar->share, std::min(1.0, evaluation.nodes[i].busy()));
            }
        }
        QCOMPARE(item("fpga")->card().quantities.front().value, QString("6.91"));
        QCOMPARE(m_view->canvasScene().linkItem({"host-fpga"})->label().bandwidth,
                 QString("7 \u00d7 12 GB/s"));
        QVERIFY(item("fpga")->card().error.isEmpty());
        // Cut off, the FPGA has no way to the GPU: the card says so and claims no quantity.
        m_document->perform(engine::RemoveLink{{"host-fpga"}});
        bool wrong = false;
        for (const auto* id : {"gpu", "host", "fpga"})
            wrong = wrong || !item(id)->card().error.isEmpty();
        QVERIFY(wrong);
        QVERIFY(!item("fpga")->card().bar->share);
        QVERIFY(!item("fpga")->card().bottleneck);
    }

    void aPoolTellsHowManyDevicesShareTheModel() {
        m_document->openPreset("preserve/llama3-70b-8npu");
        const auto& card = item("npu")->card();
        QCOMPARE(card.role, QString("NPU, prefill and decode"));
        QCOMPARE(card.layout, (std::vector<LayoutChip>{{QStringLiteral("tp"), QStringLiteral("8")}}));
        QVERIFY(nodeSentence(*m_document, {"npu"}).contains(QStringLiteral("tp 8")));
        const auto shared = item("npu")->cardRect().height();
        QCOMPARE(card.quantities.size(), std::size_t{3});
        QCOMPARE(card.quantities[0].value + ' ' + card.quantities[0].unit,
                 QString("800 TOP/s")); // of an INT8 runtime
        QCOMPARE(card.quantities[2].value + ' ' + card.quantities[2].unit, QString("192 MB L2"));
        QVERIFY(!m_view->canvasScene().linkItem({"npu-switch"})->label().traffic.isEmpty());
        m_document->set("nodes.npu.replicas", "none");
        QVERIFY(item("npu")->card().layout.empty());
        QVERIFY(item("npu")->cardRect().height() < shared);
    }

    void anotherDesignReplacesEveryItem() {
        openPreset();
        QTest::mousePress(port(), Qt::LeftButton, {}, body("gpu"));
        move(body("gpu") + QPoint(40, 40));
        m_document->newDesign();
        QVERIFY(!m_view->hasGesture());
        QCOMPARE(m_view->canvasScene().nodes().size(), std::size_t{0});
        QCOMPARE(m_view->canvasScene().linkCount(), std::size_t{0});
        move({200, 200});
        QTest::mouseRelease(port(), Qt::LeftButton, {}, {200, 200});
        QVERIFY(scenario().nodes.empty());
    }
};

WIDGET_TEST(CanvasViewTest)
#include "canvas_view_test.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/widgets/canvas/canvas_fixture.h"

#include "tests/widgets/widget_test.h"
#include "widgets/canvas/part_mime.h"

#include <QAction>
#include <QMenu>
#include <QSignalSpy>
#include <optional>

class CanvasEditTest : public CanvasFixture {
    Q_OBJECT

private slots:
    void altDragLeavesTheNodeAndPutsACopy() {
        openPreset();
        const auto before = positionOf("fpga");
        drag(body("fpga"), body("fpga") + QPoint(0, 150), Qt::AltModifier);
        QCOMPARE(scenario().nodes.size(), std::size_t{4});
        QCOMPARE(positionOf("fpga"), before);
        QCOMPARE(item("fpga")->pos(), before);
        const auto& copy = scenario().nodes.back();
        QVERIFY(toPoint(copy.position).y() > before.y() + 100);
        QCOMPARE(m_document->selection().nodes, std::vector{copy.id});
        QCOMPARE(m_document->undoStack()->count(), 1);
    }

    void clicksSelect() {
        openPreset();
        QTest::mouseClick(port(), Qt::LeftButton, {}, body("gpu"));
        QCOMPARE(m_document->selection(), (Selection{{{"gpu"}}, {}}));
        QVERIFY(item("gpu")->card().selected);
        QTest::mouseClick(port(), Qt::LeftButton, Qt::ShiftModifier, body("fpga"));
        QCOMPARE(m_document->selection().nodes.size(), std::size_t{2});
        QTest::mouseClick(port(), Qt::LeftButton, Qt::ShiftModifier, body("gpu"));
        QCOMPARE(m_document->selection(), (Selection{{{"fpga"}}, {}}));
        const auto* link = m_view->canvasScene().linkItem({"host-fpga"});
        QVERIFY(link);
        const auto middle = m_view->mapFromScene(labelPlace(link->route()).middle);
        QTest::mouseClick(port(), Qt::LeftButton, {}, middle);
        QCOMPARE(m_document->selection(), (Selection{{}, {{"host-fpga"}}}));
        QTest::mouseClick(port(), Qt::LeftButton, {}, emptyPlace());
        QVERIFY(m_document->selection().empty());
        QCOMPARE(m_document->undoStack()->count(), 0);
    }

    void aRubberBandSelectsWhatItTouches() {
        openPreset();
        drag(on("gpu", -20, -30), on("host", 40, 20));
        QCOMPARE(m_document->selection(), (Selection{{{"gpu"}, {"host"}}, {}}));
        drag(on("fpga", -20, -30), on("fpga", 60, 30), Qt::ShiftModifier);
        QCOMPARE(m_document->selection().nodes.size(), std::size_t{3});
    }

    void draggingMovesSnappedAndUndoes() {
        openPreset();
        const auto before = positionOf("gpu");
        QTest::mousePress(port(), Qt::LeftButton, {}, body("gpu"));
        move(body("gpu") + QPoint(30, 50));
        move(body("gpu") + QPoint(0, 0));
        const auto previewed = item("gpu")->pos();
        QVERIFY(previewed != before);
        QCOMPARE(positionOf("gpu"), before); // only shown so far
        QCOMPARE(m_document->undoStack()->count(), 0);
        const auto* link = m_view->canvasScene().linkItem({"gpu-host"});
        QCOMPARE(link->route().first().x(), item("gpu")->cardRect().right()); // the link follows
        QTest::mouseRelease(port(), Qt::LeftButton, {}, body("gpu"));
        QCOMPARE(m_document->undoStack()->count(), 1);
        const auto after = positionOf("gpu");
        QVERIFY(after != before);
        QCOMPARE(snapped(after), after);
        QCOMPARE(item("gpu")->pos(), after);
        m_document->undoStack()->undo();
        QCOMPARE(positionOf("gpu"), before);
        QCOMPARE(item("gpu")->pos(), before);
        m_document->undoStack()->redo();
        QCOMPARE(item("gpu")->pos(), after);
    }

    void draggingMovesAllSelectedInOneStep() {
        openPreset();
        m_view->edits().selectAll();
        const auto apart = positionOf("fpga") - positionOf("gpu");
        const auto before = positionOf("fpga");
        drag(body("gpu"), body("gpu") + QPoint(60, 40));
        QVERIFY(positionOf("fpga") != before);
        QCOMPARE(positionOf("fpga") - positionOf("gpu"), apart);
        QCOMPARE(m_document->undoStack()->count(), 1);
        QCOMPARE(m_document->selection().nodes.size(), std::size_t{3});
    }

    void escapeCancelsADrag() {
        openPreset();
        const auto before = positionOf("gpu");
        const auto start = body("gpu");
        QTest::mousePress(port(), Qt::LeftButton, {}, start);
        move(start + QPoint(80, 60));
        QVERIFY(item("gpu")->pos() != before);
        QTest::keyClick(m_view.get(), Qt::Key_Escape);
        QVERIFY(!m_view->hasGesture());
        QCOMPARE(item("gpu")->pos(), before);
        QTest::mouseRelease(port(), Qt::LeftButton, {}, start + QPoint(80, 60));
        QCOMPARE(positionOf("gpu"), before);
        QCOMPARE(m_document->undoStack()->count(), 0);
    }

    void deleteTakesNodesAndTheirLinks() {
        openPreset();
        QTest::mouseClick(port(), Qt::LeftButton, {}, body("host"));
        QTest::keyClick(m_view.get(), Qt::Key_Delete);
        QCOMPARE(scenario().nodes.size(), std::size_t{2});
        QVERIFY(scenario().links.empty());
        QVERIFY(!item("host"));
        QCOMPARE(m_view->canvasScene().linkCount(), std::size_t{0});
        QVERIFY(m_document->selection().empty());
        m_document->undoStack()->undo();
        QVERIFY(item("host"));
        QCOMPARE(m_view->canvasScene().linkCount(), std::size_t{2});
        m_document->select({{}, {{"gpu-host"}}});
        QTest::keyClick(m_view.get(), Qt::Key_Backspace);
        QCOMPARE(scenario().links.size(), std::size_t{1});
        QCOMPARE(scenario().nodes.size(), std::size_t{3});
    }

    void arrowsNudgeAndHoldingIsOneStep() {
        openPreset();
        select("gpu");
        const auto before = positionOf("gpu");
        QTest::keyClick(m_view.get(), Qt::Key_Right);
        QCOMPARE(positionOf("gpu"), before + QPointF(8, 0));
        QTest::keyClick(m_view.get(), Qt::Key_Down, Qt::ShiftModifier);
        QCOMPARE(positionOf("gpu"), before + QPointF(8, 1));
        QCOMPARE(m_document->undoStack()->count(), 2);
        for (const bool repeat : {false, true, true}) {
            QKeyEvent press(QEvent::KeyPress, Qt::Key_Left, {}, {}, repeat);
            QApplication::sendEvent(m_view.get(), &press);
        }
        QCOMPARE(positionOf("gpu"), before + QPointF(-16, 1));
        QCOMPARE(m_document->undoStack()->count(), 3);
        m_document->undoStack()->undo();
        QCOMPARE(positionOf("gpu"), before + QPointF(8, 1));
    }

    void draggingFromAPortLinks() {
        QVERIFY(dropAt(*encodePart({PartKind::Device, "a100-80gb"}), {250, 280}));
        QVERIFY(dropAt(*encodePart({PartKind::Device, "u280"}), {800, 280}));
        const auto from = scenario().nodes[0].id;
        const auto to = scenario().nodes[1].id;
        const auto start = on(from.value.c_str(), kCardWidth, kCardHeight / 2);
        drag(start, body(to.value.c_str()));
        QCOMPARE(scenario().links.size(), std::size_t{1});
        const auto& link = scenario().links.front();
        QCOMPARE(link.from, from);
        QCOMPARE(link.to, to);
        // The slower end decides: a U280 has PCIe 3.0 only.
        QCOMPARE(link.type.id, std::string("pcie-gen3-x16"));
        QCOMPARE(m_view->canvasScene().linkCount(), std::size_t{1});
        QCOMPARE(m_document->selection().links, std::vector{link.id});
        m_document->undoStack()->undo();
        QVERIFY(scenario().links.empty());
    }

    void impossibleLinksAreRefusedWithAReason() {
        openPreset();
        const auto links = scenario().links.size();
        QSignalSpy said(m_view.get(), &CanvasView::message);
        const auto start = on("gpu", kCardWidth / 2, kCardHeight);
        QTest::mousePress(port(), Qt::LeftButton, {}, start);
        move(start + QPoint(0, 60));
        move(body("host"));
        QCOMPARE(item("host")->dropMark(), DropMark::Invalid);
        QTest::mouseRelease(port(), Qt::LeftButton, {}, body("host"));
        QCOMPARE(said.count(), 1);
        QVERIFY(said.front().front().toString().contains("linked already"));
        QCOMPARE(item("host")->dropMark(), DropMark::None);
        // To itself.
        QTest::mousePress(port(), Qt::LeftButton, {}, start);
        move(start + QPoint(0, 60));
        move(body("gpu"));
        QCOMPARE(item("gpu")->dropMark(), DropMark::Invalid);
        QTest::mouseRelease(port(), Qt::LeftButton, {}, body("gpu"));
        QCOMPARE(said.count(), 2);
        QCOMPARE(scenario().links.size(), links);
        QCOMPARE(m_document->undoStack()->count(), 0);
    }

    void countIsEditedInPlace() {
        openPreset();
        const auto badge = m_view->mapFromScene(item("fpga")->badgeRect()).boundingRect().center();
        QTest::mouseDClick(port(), Qt::LeftButton, {}, badge);
        QVERIFY(m_view->values().editor());
        QTest::keyClicks(m_view->values().editor(), "12");
        QTest::keyClick(m_view->values().editor(), Qt::Key_Return);
        QVERIFY(!m_view->values().editor());
        QCOMPARE(scenario().findNode({"fpga"})->count.value, 12.0);
        QCOMPARE(item("fpga")->card().count, 12);
        QCOMPARE(m_document->undoStack()->count(), 1);
        m_document->undoStack()->undo();
        QCOMPARE(item("fpga")->card().count, 7);
        QCOMPARE(m_document->selection(), (Selection{{{"fpga"}}, {}}));
        // Escape leaves it.
        QTest::keyClick(m_view.get(), Qt::Key_Return);
        QVERIFY(m_view->values().editor());
        QTest::keyClicks(m_view->values().editor(), "3");
        QTest::keyClick(m_view->values().editor(), Qt::Key_Escape);
        QVERIFY(!m_view->values().editor());
        QCOMPARE(scenario().findNode({"fpga"})->count.value, 7.0);
    }

    void plusAndMinusChangeTheCount() {
        openPreset();
        m_document->select({{{"gpu"}, {"fpga"}}, {}});
        QTest::keyClick(m_view.get(), Qt::Key_Plus);
        QCOMPARE(item("gpu")->card().count, 2);
        QCOMPARE(item("fpga")->card().count, 8);
        QCOMPARE(m_document->undoStack()->count(), 1);
        QTest::keyClick(m_view.get(), Qt::Key_Minus);
        QTest::keyClick(m_view.get(), Qt::Key_Minus); // the GPU is at one and stays
        QCOMPARE(item("gpu")->card().count, 1);
        QCOMPARE(item("fpga")->card().count, 6);
    }

    void duplicateCopiesNodesAndTheLinksAmongThem() {
        openPreset();
        m_document->select({{{"gpu"}, {"host"}}, {}});
        QTest::keyClick(m_view.get(), Qt::Key_D, Qt::ControlModifier);
        QCOMPARE(scenario().nodes.size(), std::size_t{5});
        QCOMPARE(scenario().links.size(), std::size_t{3});
        QCOMPARE(m_document->selection().nodes.size(), std::size_t{2});
        const auto copy = m_document->selection().nodes.front();
        QCOMPARE(toPoint(scenario().findNode(copy)->position), positionOf("gpu") + QPointF(24, 24));
        m_document->undoStack()->undo();
        QCOMPARE(m_view->canvasScene().nodes().size(), std::size_t{3});
    }

    void theContextMenuFitsTheSelection() {
        openPreset();
        const auto enabled = [this](const QString& text) -> std::optional<bool> {
            const auto menu = m_view->edits().makeMenu();
            for (const auto* action : menu->actions())
                if (action->text() == text)
                    return action->isEnabled();
            return {};
        };
        QCOMPARE(enabled("Delete"), std::optional(false));
        select("fpga");
        QCOMPARE(enabled("Delete"), std::optional(true));
        QCOMPARE(enabled("Edit count"), std::optional(true));
        m_view->edits().selectAll();
        QCOMPARE(enabled("Edit count"), std::optional(false));
        const auto menu = m_view->edits().makeMenu();
        for (auto* action : menu->actions())
            if (action->text() == "Delete")
                action->trigger();
        QVERIFY(scenario().nodes.empty());
    }
};

WIDGET_TEST(CanvasEditTest)
#include "canvas_edit_test.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// Drives the canvas as a user does: real events at places taken from the items' geometry.
#include "widgets/canvas/canvas_view.h"

#include "engine/catalog/catalog.h"
#include "widgets/canvas/canvas_metrics.h"
#include "widgets/canvas/count_editor.h"
#include "widgets/canvas/device_mime.h"
#include "widgets/theme/theme.h"

#include <QAction>
#include <QApplication>
#include <QMenu>
#include <QMimeData>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QWheelEvent>

#include <optional>

using namespace heteroscape;
using namespace heteroscape::widgets;

class CanvasTest : public QObject {
    Q_OBJECT

    std::shared_ptr<const engine::Catalog> m_catalog;
    std::unique_ptr<Document> m_document;
    std::unique_ptr<CanvasView> m_view;

    QWidget* port() { return m_view->viewport(); }
    const engine::Scenario& scenario() { return m_document->scenario(); }
    NodeItem* item(const char* id) { return m_view->canvasScene().nodeItem({id}); }
    QPointF positionOf(const char* id) { return toPoint(scenario().findNode({id})->position); }

    /// A place on a card, in the viewport.
    QPoint on(const char* id, double x, double y) {
        return m_view->mapFromScene(item(id)->cardRect().topLeft() + QPointF(x, y));
    }
    QPoint body(const char* id) { return on(id, 60, 70); }
    QPoint emptyPlace() { return {20, 20}; }

    void move(QPoint to, Qt::MouseButtons buttons = Qt::LeftButton) {
        QMouseEvent event(QEvent::MouseMove, to, port()->mapToGlobal(to), Qt::NoButton, buttons, {});
        QApplication::sendEvent(port(), &event);
    }
    void drag(QPoint from, QPoint to, Qt::KeyboardModifiers modifiers = {}) {
        QTest::mousePress(port(), Qt::LeftButton, modifiers, from);
        move(from + (to - from) / 2);
        move(to);
        QTest::mouseRelease(port(), Qt::LeftButton, modifiers, to);
    }
    /// Enters, moves and, when the move is accepted, drops. False: the canvas refused it.
    bool dropAt(const QMimeData& data, QPoint at) {
        QDragEnterEvent enter(at, Qt::CopyAction, &data, Qt::LeftButton, {});
        QApplication::sendEvent(port(), &enter);
        QDragMoveEvent over(at, Qt::CopyAction, &data, Qt::LeftButton, {});
        QApplication::sendEvent(port(), &over);
        if (!over.isAccepted() || over.dropAction() == Qt::IgnoreAction) {
            QDragLeaveEvent leave;
            QApplication::sendEvent(port(), &leave);
            return false;
        }
        QDropEvent drop(at, Qt::CopyAction, &data, Qt::LeftButton, {});
        QApplication::sendEvent(port(), &drop);
        return drop.isAccepted();
    }
    void openPreset() {
        m_document->openPreset("glitches/a100-7u280");
        QCOMPARE(m_view->canvasScene().nodeCount(), std::size_t{3});
    }
    void select(const char* id) { m_document->select({{{id}}, {}}); }

private slots:
    void initTestCase() {
        Theme::instance().install(*qApp);
        m_catalog = std::make_shared<engine::Catalog>(engine::loadCatalog(TEST_PRESETS));
    }
    void init() {
        m_document = std::make_unique<Document>(m_catalog);
        m_view = std::make_unique<CanvasView>(*m_document);
        m_view->resize(1100, 560);
        m_view->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_view.get()));
        m_view->setFocus();
    }
    void cleanup() {
        m_view.reset();
        m_document.reset();
    }

    void anEmptyCanvasOffersAPreset() {
        auto* button = m_view->findChild<QPushButton*>();
        QVERIFY(button && button->isVisible());
        QSignalSpy asked(m_view.get(), &CanvasView::openPresetRequested);
        QTest::mouseClick(button, Qt::LeftButton);
        QCOMPARE(asked.count(), 1);
        openPreset();
        QVERIFY(!button->isVisible());
    }

    void droppingADeviceAddsANode() {
        m_view->setZoom(1.0);
        const QPoint at(400, 300);
        QVERIFY(dropAt(*encodeDevice("u280"), at));
        QCOMPARE(scenario().nodes.size(), std::size_t{1});
        const auto& node = scenario().nodes.front();
        QCOMPARE(node.device.id, std::string("u280"));
        QCOMPARE(node.role, engine::Role::Both);
        QVERIFY(node.runtime.has_value());
        const auto place = toPoint(node.position);
        QCOMPARE(snapped(place), place);
        QVERIFY(cardRectAt(place).contains(m_view->mapToScene(at)));
        QVERIFY(item(node.id.value.c_str()));
        QCOMPARE(m_document->selection().nodes, std::vector{node.id});
        QVERIFY(!m_view->showsGhost());
        QCOMPARE(m_document->undoStack()->count(), 1);
        m_document->undoStack()->undo();
        QCOMPARE(m_view->canvasScene().nodeCount(), std::size_t{0});
        m_document->undoStack()->redo();
        QCOMPARE(m_view->canvasScene().nodeCount(), std::size_t{1});
    }

    void aGhostFollowsTheDrag() {
        const auto data = encodeDevice("u280");
        QDragEnterEvent enter(QPoint(300, 200), Qt::CopyAction, data.get(), Qt::LeftButton, {});
        QApplication::sendEvent(port(), &enter);
        QVERIFY(m_view->showsGhost());
        QDragLeaveEvent leave;
        QApplication::sendEvent(port(), &leave);
        QVERIFY(!m_view->showsGhost());
        QVERIFY(scenario().nodes.empty());
    }

    void rolesOfDroppedDevicesFollowTheSplit() {
        m_document->set("techniques.disaggregation.enabled", "true");
        QVERIFY(dropAt(*encodeDevice("u280"), {300, 150}));
        QVERIFY(dropAt(*encodeDevice("a100-80gb"), {300, 350}));
        QVERIFY(dropAt(*encodeDevice("host-cpu"), {700, 150}));
        QCOMPARE(scenario().nodes[0].role, engine::Role::Decode);
        QCOMPARE(scenario().nodes[1].role, engine::Role::Prefill);
        QCOMPARE(scenario().nodes[2].role, engine::Role::Fabric);
    }

    void wrongDataIsRefused_data() {
        QTest::addColumn<QString>("format");
        QTest::addColumn<QByteArray>("payload");
        const QString right = QLatin1String(kDeviceMimeType);
        QTest::newRow("text") << "text/plain" << QByteArray("u280");
        QTest::newRow("other version")
            << "application/x-heteroscape.device;version=2" << QByteArray(R"({"device":"u280"})");
        QTest::newRow("not JSON") << right << QByteArray("u280");
        QTest::newRow("array") << right << QByteArray(R"(["u280"])");
        QTest::newRow("number") << right << QByteArray(R"({"device":7})");
        QTest::newRow("extra key") << right << QByteArray(R"({"device":"u280","count":2})");
        QTest::newRow("unknown device") << right << QByteArray(R"({"device":"no-such"})");
        QTest::newRow("empty") << right << QByteArray();
        QTest::newRow("too long") << right << QByteArray(R"({"device":")" + QByteArray(300, 'a') + R"("})");
    }
    void wrongDataIsRefused() {
        QFETCH(QString, format);
        QFETCH(QByteArray, payload);
        QMimeData data;
        data.setData(format, payload);
        QSignalSpy said(m_view.get(), &CanvasView::message);
        QVERIFY(!dropAt(data, {400, 300}));
        QDropEvent forced(QPointF(400, 300), Qt::CopyAction, &data, Qt::LeftButton, {});
        QApplication::sendEvent(port(), &forced);
        QVERIFY(scenario().nodes.empty());
        QCOMPARE(m_document->undoStack()->count(), 0);
        QVERIFY(said.count() >= 1);
        QVERIFY(!said.front().front().toString().isEmpty());
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
        m_view->selectAll();
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
        QVERIFY(dropAt(*encodeDevice("a100-80gb"), {250, 280}));
        QVERIFY(dropAt(*encodeDevice("u280"), {800, 280}));
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
        QVERIFY(m_view->countEditor());
        QTest::keyClicks(m_view->countEditor(), "12");
        QTest::keyClick(m_view->countEditor(), Qt::Key_Return);
        QVERIFY(!m_view->countEditor());
        QCOMPARE(scenario().findNode({"fpga"})->count.value, 12.0);
        QCOMPARE(item("fpga")->card().count, 12);
        QCOMPARE(m_document->undoStack()->count(), 1);
        m_document->undoStack()->undo();
        QCOMPARE(item("fpga")->card().count, 7);
        QCOMPARE(m_document->selection(), (Selection{{{"fpga"}}, {}}));
        // Escape leaves it.
        QTest::keyClick(m_view.get(), Qt::Key_Return);
        QVERIFY(m_view->countEditor());
        QTest::keyClicks(m_view->countEditor(), "3");
        QTest::keyClick(m_view->countEditor(), Qt::Key_Escape);
        QVERIFY(!m_view->countEditor());
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
        QCOMPARE(m_view->canvasScene().nodeCount(), std::size_t{3});
    }

    void theWheelZoomsAtTheCursor() {
        openPreset();
        const QPoint at(700, 200);
        const auto held = m_view->mapToScene(at);
        const auto zoom = m_view->zoom();
        QWheelEvent wheel(at, port()->mapToGlobal(at), {}, {0, 120}, Qt::NoButton, {}, Qt::NoScrollPhase,
                          false);
        QApplication::sendEvent(port(), &wheel);
        QVERIFY(m_view->zoom() > zoom);
        const auto off = m_view->mapFromScene(held) - at;
        QVERIFY2(off.manhattanLength() <= 2, qPrintable(QString("%1, %2").arg(off.x()).arg(off.y())));
        for (int i = 0; i < 60; ++i)
            QApplication::sendEvent(port(), &wheel);
        QCOMPARE(m_view->zoom(), kMaxZoom);
        QTest::keyClick(m_view.get(), Qt::Key_F);
        QVERIFY(m_view->zoom() <= 1.0);
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
        QCOMPARE(item("fpga")->card().figures.front().value, QString("24.5"));
        QCOMPARE(m_view->canvasScene().linkItem({"host-fpga"})->label().bandwidth,
                 QString("7 \u00d7 12 GB/s"));
        QVERIFY(item("fpga")->card().error.isEmpty());
        // Cut off, the FPGA has no way to the GPU: the card says so and claims no figure.
        m_document->perform(engine::RemoveLink{{"host-fpga"}});
        bool wrong = false;
        for (const auto* id : {"gpu", "host", "fpga"})
            wrong = wrong || !item(id)->card().error.isEmpty();
        QVERIFY(wrong);
        QVERIFY(!item("fpga")->card().bar->share);
        QVERIFY(!item("fpga")->card().bottleneck);
    }

    void anotherDesignReplacesEveryItem() {
        openPreset();
        QTest::mousePress(port(), Qt::LeftButton, {}, body("gpu"));
        move(body("gpu") + QPoint(40, 40));
        m_document->newDesign();
        QVERIFY(!m_view->hasGesture());
        QCOMPARE(m_view->canvasScene().nodeCount(), std::size_t{0});
        QCOMPARE(m_view->canvasScene().linkCount(), std::size_t{0});
        move({200, 200});
        QTest::mouseRelease(port(), Qt::LeftButton, {}, {200, 200});
        QVERIFY(scenario().nodes.empty());
    }

    void placingFromThePaletteAvoidsWhatIsThere() {
        m_view->placeDevice("u280");
        m_view->placeDevice("u280");
        QCOMPARE(scenario().nodes.size(), std::size_t{2});
        const auto first = cardRectAt(toPoint(scenario().nodes[0].position));
        QVERIFY(!first.intersects(cardRectAt(toPoint(scenario().nodes[1].position))));
        QVERIFY(scenario().nodes[0].id != scenario().nodes[1].id);
    }

    void theContextMenuFitsTheSelection() {
        openPreset();
        const auto enabled = [this](const QString& text) -> std::optional<bool> {
            const auto menu = m_view->makeContextMenu();
            for (const auto* action : menu->actions())
                if (action->text() == text)
                    return action->isEnabled();
            return {};
        };
        QCOMPARE(enabled("Delete"), std::optional(false));
        select("fpga");
        QCOMPARE(enabled("Delete"), std::optional(true));
        QCOMPARE(enabled("Edit count"), std::optional(true));
        m_view->selectAll();
        QCOMPARE(enabled("Edit count"), std::optional(false));
        const auto menu = m_view->makeContextMenu();
        for (auto* action : menu->actions())
            if (action->text() == "Delete")
                action->trigger();
        QVERIFY(scenario().nodes.empty());
    }
};

QTEST_MAIN(CanvasTest)
#include "canvas_test.moc"

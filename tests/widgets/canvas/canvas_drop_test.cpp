// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/widgets/canvas/canvas_fixture.h"

#include "tests/widgets/widget_test.h"
#include "widgets/canvas/part_mime.h"

#include <QPushButton>
#include <QSignalSpy>

class CanvasDropTest : public CanvasFixture {
    Q_OBJECT

private slots:
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
        m_view->camera().setZoom(1.0);
        const QPoint at(400, 300);
        QVERIFY(dropAt(*encodePart({PartKind::Device, "u280"}), at));
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
        QVERIFY(!m_view->dragged().showsGhost());
        QCOMPARE(m_document->undoStack()->count(), 1);
        m_document->undoStack()->undo();
        QCOMPARE(m_view->canvasScene().nodes().size(), std::size_t{0});
        m_document->undoStack()->redo();
        QCOMPARE(m_view->canvasScene().nodes().size(), std::size_t{1});
    }

    void aGhostFollowsTheDrag() {
        const auto data = encodePart({PartKind::Device, "u280"});
        QDragEnterEvent enter(QPoint(300, 200), Qt::CopyAction, data.get(), Qt::LeftButton, {});
        QApplication::sendEvent(port(), &enter);
        QVERIFY(m_view->dragged().showsGhost());
        QDragLeaveEvent leave;
        QApplication::sendEvent(port(), &leave);
        QVERIFY(!m_view->dragged().showsGhost());
        QVERIFY(scenario().nodes.empty());
    }

    void rolesOfDroppedDevicesFollowTheSplit() {
        m_document->set("techniques.disaggregation.enabled", "true");
        QVERIFY(dropAt(*encodePart({PartKind::Device, "u280"}), {300, 150}));
        QVERIFY(dropAt(*encodePart({PartKind::Device, "a100-80gb"}), {300, 350}));
        QVERIFY(dropAt(*encodePart({PartKind::Device, "host-cpu"}), {700, 150}));
        QCOMPARE(scenario().nodes[0].role, engine::Role::Decode);
        QCOMPARE(scenario().nodes[1].role, engine::Role::Prefill);
        QCOMPARE(scenario().nodes[2].role, engine::Role::Fabric);
    }

    void wrongDataIsRefused_data() {
        QTest::addColumn<QString>("format");
        QTest::addColumn<QByteArray>("payload");
        const QString right = partMimeType(PartKind::Device);
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

    void placingFromThePaletteAvoidsWhatIsThere() {
        m_view->placing().placeDevice("u280");
        m_view->placing().placeDevice("u280");
        QCOMPARE(scenario().nodes.size(), std::size_t{2});
        const auto first = cardRectAt(toPoint(scenario().nodes[0].position));
        QVERIFY(!first.intersects(cardRectAt(toPoint(scenario().nodes[1].position))));
        QVERIFY(scenario().nodes[0].id != scenario().nodes[1].id);
    }
};

WIDGET_TEST(CanvasDropTest)
#include "canvas_drop_test.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/shipped_catalog.h"
#include "tests/widgets/canvas/canvas_fixture.h"
#include "tests/widgets/widget_test.h"
#include "widgets/canvas/selection_edits.h"

#include <QClipboard>
#include <QSignalSpy>

class CanvasClipboardTest : public CanvasFixture {
    Q_OBJECT

    const QMimeData* clipboard() { return QApplication::clipboard()->mimeData(); }
    void leave() {
        QEvent event(QEvent::Leave);
        QApplication::sendEvent(port(), &event);
    }
    void key(Qt::Key which) { QTest::keyClick(m_view.get(), which, Qt::ControlModifier); }

private slots:
    void copiesHoldNodesAndTextAlike() {
        openPreset();
        m_document->select({{{"gpu"}, {"host"}}, {}});
        key(Qt::Key_C);
        QVERIFY(clipboard()->hasFormat(kNodesMimeType));
        QVERIFY(clipboard()->text().contains("heteroscape-clip"));
        QCOMPARE(m_document->undoStack()->count(), 0);
    }

    void pastesStandBesideTheOriginalFartherEachTime() {
        openPreset();
        m_document->select({{{"gpu"}, {"host"}}, {}});
        key(Qt::Key_C);
        leave();
        const auto from = positionOf("gpu");
        for (int round = 1; round <= 3; ++round) {
            key(Qt::Key_V);
            QCOMPARE(scenario().nodes.size(), std::size_t(3 + 2 * round));
            QCOMPARE(scenario().links.size(), std::size_t(2 + round));
            QCOMPARE(m_document->selection().nodes.size(), std::size_t{2});
            const auto& pasted = m_document->selection().nodes.front();
            QCOMPARE(toPoint(scenario().findNode(pasted)->position), from + QPointF(24, 24) * round);
            QVERIFY(m_view->canvasScene().nodeItem(pasted));
        }
        QCOMPARE(m_document->undoStack()->undoText(), QString("Paste 2 nodes"));
        m_document->undoStack()->undo();
        QCOMPARE(scenario().nodes.size(), std::size_t{7});
    }

    void pastesGoToThePointer() {
        openPreset();
        select("gpu");
        key(Qt::Key_C);
        const QPoint at(300, 430);
        move(at, Qt::NoButton);
        key(Qt::Key_V);
        const auto& pasted = m_document->selection().nodes.front();
        const auto middle = m_view->canvasScene().nodeItem(pasted)->cardRect().center();
        QVERIFY((middle - m_view->mapToScene(at)).manhattanLength() <= 2 * kSnap);
    }

    void cuttingTakesAwayAndIsOneStep() {
        openPreset();
        select("fpga");
        key(Qt::Key_X);
        QCOMPARE(scenario().nodes.size(), std::size_t{2});
        QCOMPARE(scenario().links.size(), std::size_t{1});
        QCOMPARE(m_document->undoStack()->count(), 1);
        QCOMPARE(m_document->undoStack()->undoText(), QString("Cut a node"));
        leave();
        key(Qt::Key_V);
        QCOMPARE(scenario().nodes.size(), std::size_t{3});
        QCOMPARE(scenario().nodes.back().device.name, std::string("Alveo U280"));
    }

    void anotherDesignTakesThemToo() {
        openPreset();
        m_document->select({{{"gpu"}, {"host"}, {"fpga"}}, {}});
        key(Qt::Key_C);
        const auto copied = scenario();
        Document other(shippedCatalog());
        CanvasView view(other);
        view.resize(900, 500);
        view.show();
        QTest::keyClick(&view, Qt::Key_V, Qt::ControlModifier);
        QCOMPARE(other.scenario().nodes.size(), std::size_t{3});
        QCOMPARE(other.scenario().links.size(), std::size_t{2});
        for (std::size_t i = 0; i < 3; ++i) {
            QVERIFY(other.scenario().nodes[i].device == copied.nodes[i].device);
            QVERIFY(other.scenario().nodes[i].runtime == copied.nodes[i].runtime);
            QCOMPARE(other.scenario().nodes[i].count.value, copied.nodes[i].count.value);
        }
    }

    void plainTextOfNodesIsPastedAndOtherTextIsNot() {
        openPreset();
        select("gpu");
        key(Qt::Key_C);
        const auto text = clipboard()->text();
        QApplication::clipboard()->setText("\n" + text + "\n");
        key(Qt::Key_V);
        QCOMPARE(scenario().nodes.size(), std::size_t{4});
        QSignalSpy said(m_view.get(), &CanvasView::message);
        QApplication::clipboard()->setText("dear diary");
        key(Qt::Key_V);
        QApplication::clipboard()->setText(QString(text).replace("\"role\": \"", "\"role\": \"un"));
        key(Qt::Key_V);
        QCOMPARE(scenario().nodes.size(), std::size_t{4});
        QCOMPARE(said.count(), 2);
        QVERIFY2(said[1][0].toString().contains("clipboard.nodes[0].role"),
                 qPrintable(said[1][0].toString()));
    }
};

WIDGET_TEST(CanvasClipboardTest)
#include "canvas_clipboard_test.moc"

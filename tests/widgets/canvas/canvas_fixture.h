// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/catalog.h"
#include "tests/shipped_catalog.h"
#include "tests/widgets/widget_test.h"
#include "widgets/canvas/canvas_metrics.h"
#include "widgets/canvas/canvas_view.h"

#include <QApplication>
#include <QMimeData>
#include <QTest>

using namespace heteroscape;
using namespace heteroscape::widgets;

/// A document and a canvas over it, fresh for each test, and the user's hands: real events at places taken
/// from the items' geometry.
class CanvasFixture : public QObject {
    Q_OBJECT

protected:
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
        QCOMPARE(m_view->canvasScene().nodes().size(), std::size_t{3});
    }
    void select(const char* id) { m_document->select({{{id}}, {}}); }

private slots:
    void init() {
        m_document = std::make_unique<Document>(shippedCatalog());
        m_view = std::make_unique<CanvasView>(*m_document);
        expose(*m_view, {1100, 560});
        m_view->setFocus();
    }
    void cleanup() {
        m_view.reset();
        m_document.reset();
    }
};

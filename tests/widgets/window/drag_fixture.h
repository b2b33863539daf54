// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/scenario/scenario_json.h"
#include "tests/widgets/window/window_fixture.h"
#include "widgets/canvas/canvas_metrics.h"
#include "widgets/canvas/canvas_view.h"
#include "widgets/canvas/drop_targets.h"
#include "widgets/palette/palette_list.h"
#include "widgets/palette/palette_panel.h"

#include <QLineEdit>
#include <QMimeData>

#include <cmath>

namespace heteroscape::widgets {

/// A window with an empty canvas, and the hands that pull parts out of its palette and let them go over it.
class DragFixture : public WindowFixture {
    Q_OBJECT

protected:
    std::unique_ptr<QMimeData> m_dragged;
    const char* m_words = ""; ///< what was pulled out last

    CanvasView& canvas() { return *m_window->canvas(); }
    QWidget* port() { return canvas().viewport(); }
    NodeItem* cardOf(const std::string& device) {
        for (const auto& node : scenario().nodes)
            if (node.device.id == device)
                return canvas().canvasScene().nodeItem(node.id);
        return nullptr;
    }
    QPoint middleOf(const std::string& device) {
        return canvas().mapFromScene(cardOf(device)->cardRect().center());
    }

    void moveOver(QWidget* widget, QPoint to, Qt::MouseButtons buttons) {
        QMouseEvent event(QEvent::MouseMove, to, widget->mapToGlobal(to), Qt::NoButton, buttons, {});
        QApplication::sendEvent(widget, &event);
    }

    /// Finds the part by typing, and pulls its row out with the mouse.
    void pullOut(PartKind kind, const std::string& id, const char* words) {
        m_words = words;
        auto* panel = child<PalettePanel>(m_window);
        panel->focusSearch();
        auto* search = qobject_cast<QLineEdit*>(QApplication::focusWidget());
        QVERIFY(search);
        search->selectAll();
        QTest::keyClicks(search, words);
        auto* list = panel->findChild<PaletteList*>();
        int row = 0;
        while (list->row(row) && !(list->row(row)->part && *list->row(row)->part == PartRef{kind, id}))
            ++row;
        QVERIFY2(list->row(row), words);
        list->scrollToItem(list->item(row));
        const auto from = list->visualItemRect(list->item(row)).center();
        m_dragged.reset();
        QTest::mousePress(list->viewport(), Qt::LeftButton, {}, from);
        for (int step = 1; step <= 4 && !m_dragged; ++step)
            moveOver(list->viewport(), from + QPoint(10 * step, 0), Qt::LeftButton);
        QTest::mouseRelease(list->viewport(), Qt::LeftButton, {}, from + QPoint(40, 0));
        QVERIFY2(m_dragged, words);
    }
    /// ... and lets it go over the canvas.
    void letGo(QPoint at) {
        QDragEnterEvent enter(at, Qt::CopyAction, m_dragged.get(), Qt::LeftButton, {});
        QApplication::sendEvent(port(), &enter);
        QDragMoveEvent over(at, Qt::CopyAction, m_dragged.get(), Qt::LeftButton, {});
        QApplication::sendEvent(port(), &over);
        QVERIFY2(over.isAccepted() && over.dropAction() != Qt::IgnoreAction, m_words);
        QVERIFY2(canvas().dragged().plan(), m_words);
        const bool already = canvas().dragged().plan()->verdict == DropPlan::Verdict::Already;
        QDropEvent drop(at, Qt::CopyAction, m_dragged.get(), Qt::LeftButton, {});
        QApplication::sendEvent(port(), &drop);
        QVERIFY2(drop.isAccepted() != already, m_words);
    }
    void place(const std::string& device, const char* words, QPointF topLeft) {
        pullOut(PartKind::Device, device, words);
        if (QTest::currentTestFailed())
            return;
        letGo(canvas().mapFromScene(topLeft + QPointF(kCardWidth, kCardHeight) / 2));
        QVERIFY(cardOf(device));
    }
    void dropOn(const std::string& device, PartKind kind, const std::string& id, const char* words) {
        pullOut(kind, id, words);
        if (!QTest::currentTestFailed())
            letGo(middleOf(device));
    }
    void addUpTo(int count, const std::string& device, const char* words) {
        pullOut(PartKind::Device, device, words);
        for (int i = 2; i <= count && !QTest::currentTestFailed(); ++i)
            letGo(middleOf(device));
        for (const auto& node : scenario().nodes)
            if (node.device.id == device)
                QCOMPARE(node.count.value, static_cast<double>(count));
    }
    void link(const std::string& from, const std::string& to, const char* type) {
        const auto left = cardOf(from)->cardRect();
        const auto right = cardOf(to)->cardRect();
        const bool across = std::abs(left.center().x() - right.center().x()) > kCardWidth;
        const auto start = canvas().mapFromScene(
            across ? QPointF(left.center().x() < right.center().x() ? left.right() : left.left(),
                             left.center().y())
                   : QPointF(left.center().x(),
                             left.center().y() < right.center().y() ? left.bottom() : left.top()));
        QTest::mousePress(port(), Qt::LeftButton, {}, start);
        const auto end = canvas().mapFromScene(right.center());
        for (int step = 1; step <= 4; ++step)
            moveOver(port(), start + (end - start) * step / 4, Qt::LeftButton);
        QTest::mouseRelease(port(), Qt::LeftButton, {}, end);
        QVERIFY(!scenario().links.empty());
        QCOMPARE(QString::fromStdString(scenario().links.back().type.id), QString::fromLatin1(type));
    }
    void dropOnCanvas(PartKind kind, const std::string& id, const char* words) {
        pullOut(kind, id, words);
        if (!QTest::currentTestFailed())
            letGo({30, port()->height() - 60});
    }

    std::string m_empty; ///< the design before anything was done

protected slots:
    void init() {
        WindowFixture::init();
        m_window->setWorkspace(Workspace::Design);
        document().newDesign();
        m_empty = engine::scenarioText(scenario());
        child<PalettePanel>(m_window)->setDragStarter(
            [this](std::unique_ptr<QMimeData> data, const QPixmap& picture) {
                m_dragged = std::move(data);
                return !picture.isNull();
            });
        canvas().camera().setZoom(0.7);
    }
};

} // namespace heteroscape::widgets

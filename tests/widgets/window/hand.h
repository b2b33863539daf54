// SPDX-License-Identifier: GPL-3.0-or-later
// The user's hand: mouse events go to the window of the platform, which finds what lies under them, so that
// only what can be seen and reached is hit.
#pragma once

#include "tests/widgets/widget_test.h"

#include <QAction>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QFileDialog>
#include <QLineEdit>
#include <QMenu>
#include <QMimeData>
#include <QScrollArea>
#include <QTimer>
#include <QUrl>
#include <QWheelEvent>
#include <QWindow>

#include <optional>

namespace heteroscape::widgets {

/// Scrolls what a widget lies in until a place of it can be seen.
inline void reveal(QWidget* widget, QPoint at) {
    QCoreApplication::processEvents(); // what came just now has its place then
    for (auto* over = widget->parentWidget(); over; over = over->parentWidget())
        if (auto* area = qobject_cast<QScrollArea*>(over)) {
            const auto place = widget->mapTo(area->widget(), at);
            area->ensureVisible(place.x(), place.y(), 24, 24);
        }
    QCoreApplication::processEvents();
}

/// Whether a place of a widget is what the mouse hits there, and not something over it.
inline bool isReached(const QWidget* widget, QPoint at) {
    if (!widget->isVisible() || !widget->rect().contains(at))
        return false;
    const auto* window = widget->window();
    const auto* hit = window->childAt(widget->mapTo(window, at));
    return hit ? hit == widget || widget->isAncestorOf(hit) : widget == window;
}

struct Hand {
    Qt::MouseButton button = Qt::LeftButton;
    Qt::KeyboardModifiers keys = {};

    /// Goes to a place, or away from it, with nothing pressed.
    static void moveTo(QWidget* widget, QPoint at) {
        QTest::mouseMove(widget->window()->windowHandle(), widget->mapTo(widget->window(), at));
        QCoreApplication::processEvents();
    }
    void click(QWidget* widget, QPoint at) const {
        reveal(widget, at);
        QVERIFY2(isReached(widget, at), widget->metaObject()->className());
        QTest::mouseClick(widget->window()->windowHandle(), button, keys,
                          widget->mapTo(widget->window(), at));
        QCoreApplication::processEvents();
    }
    void click(QWidget* widget) const { click(widget, widget->rect().center()); }
    void doubleClick(QWidget* widget, QPoint at) const {
        reveal(widget, at);
        QVERIFY2(isReached(widget, at), widget->metaObject()->className());
        QTest::mouseDClick(widget->window()->windowHandle(), button, keys,
                           widget->mapTo(widget->window(), at));
        QCoreApplication::processEvents();
    }
    void press(QWidget* widget, QPoint at) const {
        reveal(widget, at);
        QVERIFY2(isReached(widget, at), widget->metaObject()->className());
        QTest::mousePress(widget->window()->windowHandle(), button, keys,
                          widget->mapTo(widget->window(), at));
    }
    void release(QWidget* widget, QPoint at) const {
        QTest::mouseRelease(widget->window()->windowHandle(), button, keys,
                            widget->mapTo(widget->window(), at));
        QCoreApplication::processEvents();
    }
    void drag(QWidget* widget, QPoint from, QPoint to) const {
        press(widget, from);
        for (int step = 1; step <= 6; ++step)
            QTest::mouseMove(widget->window()->windowHandle(),
                             widget->mapTo(widget->window(), from + (to - from) * step / 6));
        release(widget, to);
    }
};

inline void click(QWidget* widget) {
    Hand().click(widget);
}

inline void wheel(QWidget* widget, QPoint at, int notches, Qt::KeyboardModifiers keys = {}) {
    QWheelEvent event(at, widget->mapToGlobal(at), {}, QPoint(0, 120 * notches), Qt::NoButton, keys,
                      Qt::NoScrollPhase, false);
    QApplication::sendEvent(widget, &event);
    QCoreApplication::processEvents();
}

/// Types over what stands in a field, and presses Enter.
inline void retype(QLineEdit* field, const QString& text) {
    Hand().click(field, QPoint(6, field->height() / 2));
    field->selectAll();
    QTest::keyClicks(field, text);
    QTest::keyClick(field, Qt::Key_Return);
}

inline QAction* entryOf(const QMenu* menu, const QString& start) {
    for (auto* action : menu->actions())
        if (action->text().remove(u'&').startsWith(start))
            return action;
    return nullptr;
}

/// Clicks an entry of an open menu; the text up to which it is named is enough.
inline void choose(QMenu* menu, const QString& start) {
    QTRY_VERIFY(menu->isVisible());
    auto* action = entryOf(menu, start);
    QVERIFY2(action && action->isEnabled(), qPrintable(start));
    Hand().click(menu, menu->actionGeometry(action).center());
}

/// The menu that is open now.
inline QMenu* openMenu() {
    return qobject_cast<QMenu*>(QApplication::activePopupWidget());
}

/// Whether a widget paints more than its ground.
inline bool isDrawn(QWidget* widget) {
    const auto picture = widget->grab().toImage();
    const auto ground = picture.pixel(2, 2);
    int others = 0;
    for (int y = 0; y < picture.height(); y += 2)
        for (int x = 0; x < picture.width(); x += 2)
            others += picture.pixel(x, y) != ground;
    return others > 200;
}

/// Takes a drag to a place of a widget as the window system does: whatever there takes drops is entered.
class Carried {
public:
    explicit Carried(std::unique_ptr<QMimeData> data) : m_data(std::move(data)) {}

    /// Whether it could be let go there.
    bool over(QWidget* widget, QPoint at) {
        auto* under = widget->window()->childAt(widget->mapTo(widget->window(), at));
        while (under && !under->acceptDrops())
            under = under->parentWidget();
        if (under != m_under) {
            leave();
            m_under = under;
            if (!under)
                return false;
            QDragEnterEvent enter(under->mapFrom(widget->window(), widget->mapTo(widget->window(), at)),
                                  Qt::CopyAction, m_data.get(), Qt::LeftButton, {});
            QApplication::sendEvent(under, &enter);
            if (!enter.isAccepted())
                m_under = nullptr;
        }
        if (!m_under)
            return false;
        m_at = m_under->mapFrom(widget->window(), widget->mapTo(widget->window(), at));
        QDragMoveEvent move(m_at, Qt::CopyAction, m_data.get(), Qt::LeftButton, {});
        QApplication::sendEvent(m_under, &move);
        return move.isAccepted();
    }
    bool letGo() {
        if (!m_under)
            return false;
        QDropEvent drop(m_at, Qt::CopyAction, m_data.get(), Qt::LeftButton, {});
        QApplication::sendEvent(m_under, &drop);
        m_under = nullptr;
        QCoreApplication::processEvents();
        return drop.isAccepted();
    }

private:
    void leave() {
        if (!m_under)
            return;
        QDragLeaveEvent event;
        QApplication::sendEvent(m_under, &event);
        m_under = nullptr;
    }

    std::unique_ptr<QMimeData> m_data;
    QWidget* m_under = nullptr;
    QPoint m_at;
};

/// Drags files to a widget as the window system does and lets them fall, in its middle or at a place of it;
/// whether they were taken.
inline bool dropFiles(QWidget* widget, const QStringList& files, std::optional<QPoint> place = {}) {
    const auto at = place.value_or(widget->rect().center());
    QMimeData data;
    QList<QUrl> urls;
    for (const auto& file : files)
        urls << QUrl::fromLocalFile(file);
    data.setUrls(urls);
    data.setText(files.join(u'\n')); // as file managers do
    QDragEnterEvent enter(at, Qt::CopyAction, &data, Qt::LeftButton, {});
    enter.ignore();
    QApplication::sendEvent(widget, &enter);
    if (!enter.isAccepted())
        return false;
    QDropEvent drop(at, Qt::CopyAction, &data, Qt::LeftButton, {});
    QApplication::sendEvent(widget, &drop);
    return drop.isAccepted();
}

/// Answers each file dialog that opens while this lives with a path.
class FileAnswer {
public:
    explicit FileAnswer(QString path) {
        QObject::connect(&m_timer, &QTimer::timeout, &m_timer, [this, path = std::move(path)] {
            auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
            if (dialog == m_answered)
                return;
            m_answered = dialog; // or that there is none
            if (!dialog)
                return;
            ++m_asked;
            m_offered = dialog->selectedFiles().value(0);
            auto* name = dialog->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"));
            name->setText(path); // typed letters would open the list of completions
            QMetaObject::invokeMethod(dialog, "accept");
        });
        m_timer.start(20);
    }
    int asked() const { return m_asked; }
    const QString& offered() const { return m_offered; } ///< the file that the last one proposed

private:
    QTimer m_timer;
    const QFileDialog* m_answered = nullptr;
    int m_asked = 0;
    QString m_offered;
};

} // namespace heteroscape::widgets

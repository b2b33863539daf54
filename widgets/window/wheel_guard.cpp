// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/window/wheel_guard.h"

#include <QAbstractSpinBox>
#include <QApplication>
#include <QComboBox>
#include <QPointer>
#include <QScopedValueRollback>
#include <QScrollBar>
#include <QTabBar>
#include <QWheelEvent>

namespace heteroscape::widgets {

namespace {

/// Whether Qt lets the wheel turn what the widget holds.
bool holdsValue(const QObject* object) {
    return qobject_cast<const QAbstractSpinBox*>(object) || qobject_cast<const QComboBox*>(object) ||
           qobject_cast<const QTabBar*>(object) ||
           (qobject_cast<const QAbstractSlider*>(object) && !qobject_cast<const QScrollBar*>(object));
}

} // namespace

void WheelGuard::install() {
    static QPointer<WheelGuard> guard; // goes with the application
    if (guard)
        return;
    guard = new WheelGuard(qApp);
    qApp->installEventFilter(guard);
}

bool WheelGuard::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Polish && holdsValue(watched)) {
        // Else a wheel that passes gives it the focus, and the keys with it.
        if (auto* field = static_cast<QWidget*>(watched); field->focusPolicy() == Qt::WheelFocus)
            field->setFocusPolicy(Qt::StrongFocus);
        return false;
    }
    if (m_turning || event->type() != QEvent::Wheel || !holdsValue(watched))
        return false;
    const auto* wheel = static_cast<QWheelEvent*>(event);
    const auto* field = static_cast<QWidget*>(watched);
    if (!field->hasFocus() || !wheel->modifiers().testFlag(Qt::ControlModifier)) {
        event->ignore(); // what it lies on scrolls
        return true;
    }
    // Without Ctrl, which to Qt means ten steps.
    QWheelEvent turn(wheel->position(), wheel->globalPosition(), wheel->pixelDelta(), wheel->angleDelta(),
                     wheel->buttons(), wheel->modifiers() & ~Qt::KeyboardModifiers(Qt::ControlModifier),
                     wheel->phase(), wheel->inverted(), wheel->source());
    const QScopedValueRollback own(m_turning, true);
    QCoreApplication::sendEvent(watched, &turn);
    event->accept();
    return true;
}

} // namespace heteroscape::widgets

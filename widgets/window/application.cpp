// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/window/application.h"

#include "engine/base/parallel.h"

#include <QAbstractSpinBox>
#include <QApplication>
#include <QComboBox>
#include <QEvent>
#include <QMessageBox>
#include <QPointer>
#include <QScopedValueRollback>
#include <QScrollBar>
#include <QTabBar>
#include <QWheelEvent>
#include <cstdio>
#include <new>

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

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace heteroscape::widgets {

namespace {

constexpr int kMostShown = 5; // in one box

/// Something that the user did, and not what follows from it by the way: moving over things, painting.
bool isDeed(QEvent::Type type) {
    switch (type) {
    case QEvent::MouseButtonPress:
    case QEvent::MouseButtonRelease:
    case QEvent::MouseButtonDblClick:
    case QEvent::Wheel:
    case QEvent::KeyPress:
    case QEvent::KeyRelease:
    case QEvent::InputMethod:
    case QEvent::Shortcut:
    case QEvent::ContextMenu:
    case QEvent::Drop:
    case QEvent::Close:
        return true;
    default:
        return false;
    }
}

QString words(const std::exception& error) {
    if (dynamic_cast<const std::bad_alloc*>(&error))
        return Application::tr(
            "Out of memory. Make the design or the study smaller, or close other programs.");
    return QString::fromUtf8(error.what());
}

/// The window that a box belongs to: popups go as soon as it comes.
QWidget* shownWindow() {
    auto* window = QApplication::activeModalWidget();
    if (!window)
        window = QApplication::activeWindow();
    while (window && window->windowType() == Qt::Popup)
        window = window->parentWidget() ? window->parentWidget()->window() : nullptr;
    return window;
}

} // namespace

Application::Application(int& argc, char** argv) : QApplication(argc, argv) {
#ifdef __GLIBC__
    // Jobs come and go on threads of their own; of eight heaps a core, as is usual, each keeps some of what
    // was given back to it.
    mallopt(M_ARENA_MAX, engine::coreCount());
    // Columns of a million points go back when they are freed. By itself the bound between what does and what
    // stays in the heap rises to the largest that was ever freed, and the heap is never again as small.
    // Copies of large designs and pictures of windows stay: to ask the system for their pages anew takes far
    // longer than to fill them.
    mallopt(M_MMAP_THRESHOLD, 7 << 20);
    mallopt(M_TRIM_THRESHOLD, 64 << 20);
#endif
}

bool Application::notify(QObject* receiver, QEvent* event) {
    if (!m_attended)
        return QApplication::notify(receiver, event);
    const auto type = event->type();
    try {
        return QApplication::notify(receiver, event);
    } catch (const std::exception& error) {
        if (type == QEvent::Close)
            event->ignore(); // nobody was asked, or not all of it is saved
        report(error, isDeed(type));
        return true; // dealt with: nobody else shall have it
    }
}

void Application::report(const std::exception& error, bool asked) noexcept {
    try { // later, because Qt is in the middle of something, and any thread may come here
        QMetaObject::invokeMethod(
            this, [this, message = words(error), asked] { tell(message, asked); }, Qt::QueuedConnection);
    } catch (const std::exception&) {
        std::fputs("heteroscape: out of memory\n", stderr);
    }
}

void Application::tell(const QString& message, bool asked) {
    const bool isShown = isBoxOpen() && (m_shown.contains(message) || m_shown.size() >= kMostShown);
    const bool isKnown = m_unasked.contains(message) || m_unasked.size() >= kMostUnasked;
    if (isShown || (!asked && isKnown))
        return;
    if (!asked)
        m_unasked << message; // first: what follows may throw too
    if (!isBoxOpen())
        m_shown.clear();
    m_shown << message;
    showBox();
}

bool Application::isBoxOpen() const {
    return m_box && m_box->isVisible(); // else it is on its way out
}

void Application::showBox() {
    const auto text = m_shown.join(QStringLiteral("\n\n"));
    if (isBoxOpen()) {
        m_box->setInformativeText(text);
        return;
    }
    m_box = new QMessageBox(QMessageBox::Critical, tr("Something went wrong"), tr("Something went wrong"),
                            QMessageBox::Ok, shownWindow());
    m_box->setAttribute(Qt::WA_DeleteOnClose);
    m_box->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_box->setInformativeText(text);
    m_box->open();
}

} // namespace heteroscape::widgets

#include "moc_application.cpp"

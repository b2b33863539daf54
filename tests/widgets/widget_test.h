// SPDX-License-Identifier: GPL-3.0-or-later
// The tests of the window are one program, which runs the one that it is asked for: widgets_test theme_test.
#pragma once

#include "widgets/theme/theme.h"

#include <QApplication>
#include <QFile>
#include <QLabel>
#include <QPushButton>
#include <QStandardPaths>
#include <QTest>

#include <memory>

namespace heteroscape::widgets {

/// The part of `parent` that has this type, and this name if it is given; ends the test where there is none.
template <class Child, class Parent>
Child* child(const Parent& parent, const char* name = "") {
    auto* found = parent->template findChild<Child*>(QLatin1String(name));
    if (!found)
        qFatal("%s has no %s \"%s\"", parent->metaObject()->className(), Child::staticMetaObject.className(),
               name);
    return found;
}

} // namespace heteroscape::widgets

namespace heteroscape::widgets::test {

/// A test by the name of its file, "theme_test"; static, one a file.
class WidgetTest {
public:
    using Make = std::unique_ptr<QObject> (*)();
    WidgetTest(const char* file, Make make);
};

} // namespace heteroscape::widgets::test

namespace heteroscape::widgets {

/// What a program does before its first test.
inline void startTests() {
    QStandardPaths::setTestModeEnabled(true);
    QApplication::setQuitOnLastWindowClosed(false);
    QApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
    Theme::instance().install(*qApp);
}

/// Shows a widget at a size and waits until it can be seen.
inline void expose(QWidget& widget, QSize size) {
    widget.resize(size);
    widget.show();
    QVERIFY(QTest::qWaitForWindowExposed(&widget));
}

/// Brings a window to the front, as a window system does where a menu closes.
inline void activate(QWidget* window) {
    window->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(window));
}

/// Shows a window and waits until it has the keyboard.
inline void present(QWidget* window, QSize size = {1440, 900}) {
    window->resize(size);
    window->show();
    activate(window);
}

/// All that is written in the labels of a widget which can be seen.
inline QString words(const QWidget* within) {
    QStringList all;
    for (const auto* label : within->findChildren<QLabel*>())
        if (label->isVisible() && !label->text().isEmpty())
            all << label->text();
    return all.join(u'\n');
}

/// The button with this text that can be seen.
template <class Button = QPushButton>
Button* buttonSaying(const QWidget* within, const QString& text) {
    for (auto* button : within->findChildren<Button*>())
        if (button->isVisible() && button->text() == text)
            return button;
    return nullptr;
}

/// The path of a file that has these bytes then.
inline QString writeFile(const QString& path, const QByteArray& bytes) {
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
        qFatal("cannot write %s", qPrintable(path));
    return path;
}

inline QByteArray bytesOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace heteroscape::widgets

#define WIDGET_TEST(Class)                                                                                   \
    namespace {                                                                                              \
    const heteroscape::widgets::test::WidgetTest registered##Class{                                          \
        __FILE__, [] { return std::unique_ptr<QObject>(std::make_unique<Class>()); }};                       \
    }

// SPDX-License-Identifier: GPL-3.0-or-later
// The tests of the window are one program, which runs the one that it is asked for: widgets_test theme_test.
#pragma once

#include <QObject>

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

#define WIDGET_TEST(Class)                                                                                   \
    namespace {                                                                                              \
    const heteroscape::widgets::test::WidgetTest registered##Class{                                          \
        __FILE__, [] { return std::unique_ptr<QObject>(std::make_unique<Class>()); }};                       \
    }

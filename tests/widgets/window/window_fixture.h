// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/widgets/window/test_window.h"

#include <memory>
#include <set>

namespace heteroscape::widgets {

/// The base of tests of the program's window: each test function, and each row of one that does not share(),
/// gets a new one with a shipped design in it.
class WindowFixture : public QObject {
    Q_OBJECT

protected:
    std::unique_ptr<TestWindow> m_test;
    MainWindow* m_window = nullptr;

    Document& document() const { return m_test->document(); }
    const engine::Scenario& scenario() const { return m_test->scenario(); }
    void settle() const { m_test->awaitMetrics(); }

    /// A test function whose rows do not disturb each other: they share one window, until one of them fails.
    void share(const char* function) { m_sharing.insert(function); }

protected slots:
    void init() {
        if (m_test && m_sharing.contains(QTest::currentTestFunction()) &&
            m_of == QTest::currentTestFunction())
            return;
        m_of = QTest::currentTestFunction();
        m_test.reset();
        m_test = std::make_unique<TestWindow>();
        m_window = m_test->window.get();
    }
    void cleanup() {
        if (QTest::currentTestFailed() || !m_sharing.contains(QTest::currentTestFunction()))
            m_test.reset();
    }

private:
    std::set<QByteArray> m_sharing;
    QByteArray m_of; ///< the function that the window was made for
};

} // namespace heteroscape::widgets

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/widgets/window/test_window.h"

#include <QObject>
#include <QTest>

#include <memory>

namespace heteroscape::widgets {

/// The base of tests of the program's window: each test function gets a new one with a shipped design in it.
class WindowFixture : public QObject {
    Q_OBJECT

protected:
    std::unique_ptr<TestWindow> m_test;
    MainWindow* m_window = nullptr;

    Document& document() const { return m_test->document(); }
    /// Waits for the metrics of the open design: on a busy machine they come after changed().
    void settle() const { QTRY_VERIFY_WITH_TIMEOUT(!document().isEvaluating(), 30000); }

private slots:
    void initTestCase() { startWindowTests(); }
    void init() {
        m_test = std::make_unique<TestWindow>();
        m_window = m_test->window.get();
    }
    void cleanup() { m_test.reset(); }
};

} // namespace heteroscape::widgets

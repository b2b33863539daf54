// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/widgets/window/test_window.h"

#include <memory>

namespace heteroscape::widgets {

/// The base of tests of the program's window: each test function gets a new one with a shipped design in it.
class WindowFixture : public QObject {
    Q_OBJECT

protected:
    std::unique_ptr<TestWindow> m_test;
    MainWindow* m_window = nullptr;

    Document& document() const { return m_test->document(); }
    const engine::Scenario& scenario() const { return m_test->scenario(); }
    void settle() const { m_test->awaitMetrics(); }

protected slots:
    void init() {
        m_test = std::make_unique<TestWindow>();
        m_window = m_test->window.get();
    }
    void cleanup() { m_test.reset(); }
};

} // namespace heteroscape::widgets

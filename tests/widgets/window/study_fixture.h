// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/widgets/window/study_window.h"

#include <memory>

namespace heteroscape::widgets {

/// The base of tests of the window with studies: each test function gets a new one.
class StudyWindowFixture : public QObject {
    Q_OBJECT

protected:
    std::unique_ptr<StudyWindow> m_test;

    MainWindow* window() const { return m_test->window.get(); }
    Document& document() const { return m_test->document(); }

protected slots:
    void init() { m_test = std::make_unique<StudyWindow>(); }
    void cleanup() { m_test.reset(); }
};

/// The same, with the first study run in the Explore workspace.
class StudyFixture : public StudyWindowFixture {
    Q_OBJECT

protected slots:
    void init() {
        StudyWindowFixture::init();
        m_test->goTo(Workspace::Explore);
        m_test->run();
    }
};

} // namespace heteroscape::widgets

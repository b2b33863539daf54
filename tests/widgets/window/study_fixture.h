// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/widgets/window/study_window.h"

#include <QObject>

#include <memory>

namespace heteroscape::widgets {

/// The base of tests of studies: each test function gets a new window in which the first study has run.
class StudyFixture : public QObject {
    Q_OBJECT

protected:
    std::unique_ptr<StudyWindow> m_test;

private slots:
    void initTestCase() { startWindowTests(); }
    void init() {
        m_test = std::make_unique<StudyWindow>();
        m_test->goTo(Workspace::Explore);
        m_test->run();
    }
    void cleanup() { m_test.reset(); }
};

} // namespace heteroscape::widgets

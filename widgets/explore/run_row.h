// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/study_run/run_study.h"

#include <QWidget>

class QProgressBar;
class QPushButton;

namespace heteroscape::widgets {

class TextLabel;

/// Run, Pause, Resume and Cancel of a study, its progress with rate and time left, and how it ended. A paused
/// run keeps what is stored; its study can be resumed or set up anew. UI thread.
class RunRow : public QWidget {
    Q_OBJECT
public:
    explicit RunRow(QWidget* parent = nullptr);

    void setRunnable(bool runnable); ///< there is a study that holds
    void setRunning(bool running);   ///< ended after Pause: it waits, and offers Resume
    bool isRunning() const { return m_state == State::Running || m_state == State::Pausing; }
    bool isPaused() const { return m_state == State::Paused; }
    void showPaused(std::size_t done, std::size_t total); ///< a study that was not finished
    void reset();                                         ///< another study: nothing waits any more

    void pause(); ///< asks for it, as its button does; nothing unless it runs
    void showProgress(const engine::StudyProgress& progress);
    void showDone(const engine::StudyRun& run);
    void showStatus(const QString& text);

signals:
    void runRequested(); ///< Run or Resume
    void pauseRequested();
    void cancelRequested(); ///< of a run; a paused one just goes back to the set-up

private:
    enum class State { Idle, Running, Pausing, Paused };
    void enter(State state);
    void cancel();

    State m_state = State::Idle;
    bool m_runnable = false;
    std::size_t m_done = 0;
    std::size_t m_total = 0;
    QPushButton* m_run;
    QPushButton* m_pause;
    QPushButton* m_cancel;
    QProgressBar* m_bar;
    TextLabel* m_status;
};

} // namespace heteroscape::widgets

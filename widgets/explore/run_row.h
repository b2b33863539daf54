// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/study_run/evaluate_study.h"
#include "engine/study_run/run_study.h"
#include "widgets/jobs/job.h"

#include <QObject>
#include <QString>
#include <QWidget>
#include <cstddef>
#include <optional>
#include <string>

class QProgressBar;
class QPushButton;
class QTimer;

namespace heteroscape::widgets {

/// Tells what running a study would come to, from a thread of its own: a little after the last question, and
/// only to that one. UI thread.
class StudyForecaster : public QObject {
    Q_OBJECT
public:
    explicit StudyForecaster(QObject* parent = nullptr);

    void setStorePath(const QString& path); ///< where points may be stored already; empty: nowhere
    void ask(const engine::Study& study);   ///< instead of what was asked before
    void drop();                            ///< nothing is asked any more

signals:
    void told(const heteroscape::engine::StudyForecast& forecast);
    void failed(const QString& message);

private:
    void hand(); ///< the question to the thread

    std::string m_storePath;
    std::optional<engine::Study> m_next; ///< asked, not handed over yet
    QTimer* m_delay;
    Job m_job;
};

/// "2,560".
QString countText(std::size_t count);

/// How long something may take, for people: "under a second", "about 12 s", "about 3 min", "about 2 h",
/// "about 3 days". Empty for NaN.
QString timeWords(double seconds);

/// The same while it runs: "under a second left", "12 s left", "3 min left".
QString timeLeftWords(double seconds);

/// "41,000": a rate with two digits.
QString pointRateText(double perSecond);

/// The size of a file: "1.2 MB", "640 kB".
QString fileSizeText(std::size_t bytes);

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

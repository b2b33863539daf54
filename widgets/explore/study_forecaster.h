// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/store/study_forecast.h"

#include <QObject>
#include <QString>

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <thread>

class QTimer;

namespace heteroscape::widgets {

/// Tells what running a study would come to, from a thread of its own: a little after the last question, and
/// only to that one. UI thread; it never waits but when it goes (then at most for one simulation to stop).
class StudyForecaster : public QObject {
    Q_OBJECT
public:
    explicit StudyForecaster(QObject* parent = nullptr);
    ~StudyForecaster() override;

    void setStorePath(const QString& path); ///< where points may be stored already; empty: nowhere
    void ask(const engine::Study& study);   ///< instead of what was asked before
    void drop();                            ///< nothing is asked any more

signals:
    void told(const heteroscape::engine::StudyForecast& forecast);
    void failed(const QString& message);

private:
    struct Question {
        engine::Study study;
        std::string storePath;
        std::uint64_t generation = 0;
    };

    void hand(); ///< the question to the thread
    void work(const std::stop_token& stop);
    void answer(Question question, const std::stop_token& stop);

    std::string m_storePath;
    std::optional<engine::Study> m_next; ///< asked, not handed over yet
    std::uint64_t m_generation = 0;
    QTimer* m_delay;

    std::mutex m_mutex;
    std::condition_variable_any m_wake;
    std::optional<Question> m_question; ///< guarded by m_mutex
    std::stop_source m_current;         ///< of the question being answered; guarded by m_mutex
    std::jthread m_thread;              ///< last: starts when all else is there
};

} // namespace heteroscape::widgets

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QTimer>

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>

namespace heteroscape::widgets {

/// Work on a thread of its own of which only the newest counts: while one job runs, the next one waits, and a
/// newer one takes its place. At most one runs at a time; it is asked to stop when what it finds is dropped
/// or the newest one has waited for some time. Destroying it stops and joins.
class NewestJob : public QObject {
    Q_OBJECT
public:
    using Show = std::function<void()>; ///< called on the UI thread with what the work found
    /// Must copy its inputs. An exception: failed(), unless it was asked to stop.
    using Work = std::function<Show(std::stop_token)>;

    explicit NewestJob(QObject* parent = nullptr);
    ~NewestJob() override;

    void start(Work work);
    void drop(); ///< what waits and what runs shows nothing any more
    bool isBusy() const { return m_waiting > 0; }

signals:
    void failed(const QString& message);

private:
    void loop(const std::stop_token& stop);

    std::mutex m_mutex;
    std::condition_variable_any m_wake;
    Work m_next;
    std::uint64_t m_dropped = 0; ///< how often; under the mutex where the worker reads it
    int m_waiting = 0;           ///< jobs that have not come back; UI thread only
    std::stop_source m_running;  ///< of the job that runs; under the mutex
    QTimer m_patience;           ///< since the newest start()
    std::jthread m_thread;
};

} // namespace heteroscape::widgets

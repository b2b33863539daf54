// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/newest_job.h"

#include <chrono>
#include <exception>
#include <utility>

namespace heteroscape::widgets {

namespace {
constexpr std::chrono::milliseconds kPatience{300};
}

NewestJob::NewestJob(QObject* parent) : QObject(parent) {
    m_patience.setSingleShot(true);
    m_patience.setInterval(kPatience);
    connect(&m_patience, &QTimer::timeout, this, [this] {
        const std::lock_guard lock(m_mutex);
        if (m_next)
            m_running.request_stop();
    });
}

NewestJob::~NewestJob() {
    m_thread.request_stop();
    if (m_thread.joinable())
        m_thread.join(); // before this object goes: the thread posts to it
}

void NewestJob::start(Work work) {
    if (!m_thread.joinable())
        m_thread = std::jthread([this](const std::stop_token& stop) { loop(stop); });
    {
        const std::lock_guard lock(m_mutex);
        if (!m_next)
            ++m_waiting;
        m_next = std::move(work);
    }
    m_wake.notify_one();
    m_patience.start(); // anew: jobs that follow each other, as of a drag, let one another show
}

void NewestJob::drop() {
    const std::lock_guard lock(m_mutex);
    if (std::exchange(m_next, {}))
        --m_waiting;
    ++m_dropped;
    m_running.request_stop();
}

void NewestJob::loop(const std::stop_token& stop) {
    for (;;) {
        Work work;
        std::uint64_t dropped = 0;
        std::stop_source own;
        {
            std::unique_lock lock(m_mutex);
            if (!m_wake.wait(lock, stop, [this] { return static_cast<bool>(m_next); }))
                return;
            work = std::exchange(m_next, {});
            dropped = m_dropped;
            m_running = own;
        }
        const std::stop_callback ends(stop, [&own] { own.request_stop(); });
        Show show;
        QString error;
        try {
            show = work(own.get_token());
        } catch (const std::exception& problem) {
            error = QString::fromUtf8(problem.what());
        }
        if (stop.stop_requested())
            return;
        if (own.stop_requested()) { // what it found may be half, and that it was cancelled is no error
            show = {};
            error.clear();
        }
        QMetaObject::invokeMethod(
            this,
            [this, dropped, show = std::move(show), error] {
                --m_waiting;
                if (dropped != m_dropped)
                    return;
                if (!error.isEmpty())
                    emit failed(error);
                else if (show)
                    show();
            },
            Qt::QueuedConnection);
    }
}

} // namespace heteroscape::widgets

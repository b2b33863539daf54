// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/jobs/job.h"

#include <QCoreApplication>
#include <QPointer>
#include <QScopedValueRollback>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace heteroscape::widgets {

Slices::Slices(Slice slice, QObject* parent) : QObject(parent), m_slice(std::move(slice)) {
    connect(&m_next, &QTimer::timeout, this, &Slices::doOne);
}

void Slices::start() {
    m_next.start(0);
    m_again = m_inSlice;
    doOne();
}

void Slices::finish() {
    while (isBusy() && !m_inSlice)
        doOne();
}

void Slices::doOne() {
    if (m_inSlice)
        return;
    const QScopedValueRollback<bool> inSlice(m_inSlice, true);
    m_again = false;
    if (!m_slice() && !m_again)
        m_next.stop();
}

void letGo(std::shared_ptr<const void> value) {
    static QPointer<Job> job; // as long as the application
    if (!qApp)
        return;
    if (!job)
        job = new Job(Job::Order::EachToTheEnd, qApp);
    job->start([value = std::move(value)](JobRun&) mutable -> Job::Show {
        value.reset();
        return {};
    });
}

namespace {

constexpr std::chrono::seconds kExitPatience{10};

/// How many threads of jobs there are.
class Threads {
public:
    void enter() {
        const std::lock_guard lock(m_mutex);
        ++m_count;
    }
    void leave() {
        const std::lock_guard lock(m_mutex);
        --m_count;
        m_changed.notify_all();
    }
    bool wait(std::chrono::milliseconds patience) {
        std::unique_lock lock(m_mutex);
        return m_changed.wait_for(lock, patience, [this] { return m_count == 0; });
    }

private:
    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::size_t m_count = 0;
};

/// Never destroyed: a thread that is not waited for leaves it whenever it ends.
Threads& threads() {
    static auto* const all = new Threads;
    return *all;
}

void waitAtExit() {
    waitForJobs(kExitPatience);
}

QString textOf(const std::exception_ptr& problem) {
    try {
        std::rethrow_exception(problem);
    } catch (const std::exception& error) {
        return QString::fromUtf8(error.what());
    } catch (...) {
        return QCoreApplication::translate("heteroscape::widgets::Job", "An unknown error ended the work.");
    }
}

} // namespace

bool waitForJobs(std::chrono::milliseconds patience) {
    return threads().wait(patience);
}

struct Job::Core {
    struct Entry {
        std::uint64_t serial = 0;
        Work work;
        std::stop_source stop;
    };

    std::mutex mutex;     ///< of all that follows
    Job* owner = nullptr; ///< null: it is gone
    std::deque<Entry> waiting;
    std::deque<std::function<void(Job&)>> posted; ///< one for each event under way to the owner
    std::stop_source running{std::nostopstate};
    bool hasThread = false;

    /// Calls on the owner's thread, while the owner is there. What is called, with all that it holds, waits
    /// here and not in the event: Qt shares an event's function with whoever posts it, and so might destroy
    /// it on the job's thread.
    void post(std::function<void(Job&)> call) {
        const std::lock_guard lock(mutex); // the owner does not go meanwhile
        if (!owner)
            return;
        posted.push_back(std::move(call));
        QMetaObject::invokeMethod(owner, "deliver", Qt::QueuedConnection);
    }
};

/// Of one thread: made before all that the work leaves in thread-local storage, hence gone after it.
class Job::Presence {
public:
    Presence() = default;
    ~Presence() { threads().leave(); }
    Presence(const Presence&) = delete;
    Presence& operator=(const Presence&) = delete;
};

JobRun::JobRun(std::shared_ptr<Job::Core> core, std::uint64_t serial, std::stop_token stop)
    : m_core(std::move(core)), m_serial(serial), m_stop(std::move(stop)),
      m_told(std::chrono::steady_clock::now()) {}

void JobRun::tell(Job::Show show) const {
    m_core->post([serial = m_serial, show = std::move(show)](const Job& job) {
        if (serial >= job.m_counted)
            show();
    });
}

void JobRun::progress(const Job::Show& show) {
    const auto now = std::chrono::steady_clock::now();
    if (now - m_told < Job::kProgressEvery)
        return;
    m_told = now;
    tell(show);
}

Job::Job(Order order, QObject* parent) : QObject(parent), m_order(order), m_core(std::make_shared<Core>()) {
    static const bool waits = (qAddPostRoutine(waitAtExit), true);
    Q_UNUSED(waits);
    m_core->owner = this;
    m_patience.setSingleShot(true);
    m_patience.setInterval(kPatience);
    connect(&m_patience, &QTimer::timeout, this, [this] {
        std::stop_source late{std::nostopstate};
        {
            const std::lock_guard lock(m_core->mutex);
            if (m_core->waiting.empty())
                return;
            m_counted = m_core->waiting.front().serial; // what runs may come back with half of it
            late = m_core->running;
        }
        late.request_stop();
    });
}

Job::~Job() {
    std::deque<Core::Entry> forgotten; // both go after the lock: they may own much
    std::deque<std::function<void(Job&)>> undelivered;
    std::stop_source running{std::nostopstate};
    {
        const std::lock_guard lock(m_core->mutex);
        m_core->owner = nullptr;
        undelivered.swap(m_core->posted);
        if (m_order != Order::EachToTheEnd) {
            forgotten.swap(m_core->waiting);
            running = m_core->running;
        }
    }
    running.request_stop();
}

void Job::deliver() {
    std::function<void(Job&)> call;
    {
        const std::lock_guard lock(m_core->mutex);
        call = std::move(m_core->posted.front());
        m_core->posted.pop_front();
    }
    call(*this); // last: it may destroy the job
}

void Job::start(Work work) {
    const bool replaces = m_order == Order::Newest || m_order == Order::Patient;
    std::deque<Core::Entry> replaced;
    std::stop_source older{std::nostopstate};
    bool needsThread = false;
    const auto serial = ++m_started;
    {
        const std::lock_guard lock(m_core->mutex);
        if (replaces)
            replaced.swap(m_core->waiting);
        if (m_order == Order::Newest) {
            m_counted = serial;
            older = m_core->running;
        }
        m_core->waiting.push_back({serial, std::move(work), {}});
        needsThread = !std::exchange(m_core->hasThread, true);
    }
    older.request_stop();
    if (m_order == Order::Patient)
        m_patience.start(); // anew: jobs that follow each other, as of a drag, let one another show
    if (needsThread)
        launch();
}

void Job::launch() {
    threads().enter();
    try {
        std::thread([core = m_core] { runOn(core); }).detach();
    } catch (const std::system_error& error) { // the system has no thread left
        threads().leave();
        {
            const std::lock_guard lock(m_core->mutex);
            m_core->waiting.clear();
            m_core->hasThread = false;
        }
        m_core->post([serial = m_started, problem = QString::fromUtf8(error.what())](Job& job) {
            job.take(serial, {}, problem);
        });
    }
}

void Job::cancel() {
    std::vector<std::stop_source> all;
    {
        const std::lock_guard lock(m_core->mutex);
        all.push_back(m_core->running);
        for (const auto& entry : m_core->waiting)
            all.push_back(entry.stop);
    }
    for (auto& one : all)
        one.request_stop();
}

void Job::drop() {
    m_counted = m_started + 1;
    std::deque<Core::Entry> forgotten;
    std::stop_source running{std::nostopstate};
    {
        const std::lock_guard lock(m_core->mutex);
        forgotten.swap(m_core->waiting);
        running = m_core->running;
    }
    running.request_stop();
}

void Job::take(std::uint64_t serial, const Show& show, const std::optional<QString>& problem) {
    m_back = serial;
    if (serial < m_counted)
        return;
    const QPointer<Job> self(this); // what is called may destroy it
    std::exception_ptr thrown;      // by what shows it: who waits for the end is not left waiting
    try {
        if (problem)
            emit failed(*problem);
        else if (show)
            show();
    } catch (...) {
        thrown = std::current_exception();
    }
    if (self && !isBusy())
        emit finished();
    if (thrown)
        std::rethrow_exception(thrown);
}

void Job::runOn(const std::shared_ptr<Core>& core) {
    thread_local const Presence presence;
    for (;;) {
        Core::Entry entry;
        {
            const std::lock_guard lock(core->mutex);
            core->running = std::stop_source(std::nostopstate);
            if (core->waiting.empty()) {
                core->hasThread = false;
                return;
            }
            entry = std::move(core->waiting.front());
            core->waiting.pop_front();
            core->running = entry.stop;
        }
        JobRun run(core, entry.serial, entry.stop.get_token());
        Show show;
        std::optional<QString> problem;
        try {
            show = entry.work(run);
        } catch (...) {
            problem = textOf(std::current_exception());
        }
        entry.work = {};
        core->post([serial = entry.serial, show = std::move(show), problem = std::move(problem)](Job& job) {
            job.take(serial, show, problem);
        });
    }
}

} // namespace heteroscape::widgets

#include "moc_job.cpp"

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <QTimer>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <type_traits>
#include <utility>

namespace heteroscape::widgets {

/// Work of the UI thread on very many things, done in slices between which events come in: the first when it
/// is started, so that little work is done at once, and one in each turn of the event loop after that. What
/// is left to do is its owner's to know. UI thread.
class Slices : public QObject {
public:
    /// Does one slice and tells whether anything is left after it. May call start() or finish(): the work
    /// then goes on after this slice.
    using Slice = std::function<bool()>;
    explicit Slices(Slice slice, QObject* parent = nullptr);

    void start();  ///< also while it is under way, when its owner knows of more
    void finish(); ///< does what is left of it now
    bool isBusy() const { return m_next.isActive(); }

private:
    void doOne();

    Slice m_slice;
    QTimer m_next;
    bool m_inSlice = false;
    bool m_again = false; ///< started from within the slice
};

/// Gives up what is very large: where nobody else holds it, it is destroyed on another thread, since giving
/// back the memory of a million points takes longer than a picture may. So nothing in it may belong to the
/// UI thread. UI thread.
void letGo(std::shared_ptr<const void> value);

template <class Value>
void letGoOf(Value&& value) {
    letGo(std::make_shared<const std::decay_t<Value>>(std::forward<Value>(value)));
}

class JobRun;

/// Work off the UI thread, and the only way to do any. What was handed over is done one after the other on a
/// thread that lives while there is something to do. The UI thread never waits for it: a job that is
/// destroyed asks its work to stop and lets the thread end by itself, and what is found after that is
/// dropped. So a work owns or shares all that it uses; it may name the owner of the job only in what it hands
/// back to be called on the UI thread. Functions are for the UI thread.
class Job : public QObject {
    Q_OBJECT
public:
    /// What becomes of older work when newer comes.
    enum class Order {
        Newest,  ///< the older is asked to stop, and shows nothing more
        Patient, ///< what waits is replaced; what runs may finish and show, until the newest waited kPatience
        Each,    ///< all of it counts, in the order handed over
        EachToTheEnd, ///< the same, and it is done even when the job is destroyed before
    };
    static constexpr std::chrono::milliseconds kPatience{300};
    static constexpr std::chrono::milliseconds kProgressEvery{50};

    using Show = std::function<void()>; ///< called on the UI thread with what the work found; may be empty
    /// Called on the job's thread. An exception ends it: failed().
    using Work = std::function<Show(JobRun&)>;

    explicit Job(Order order = Order::Newest, QObject* parent = nullptr);
    ~Job() override;

    void start(Work work);
    void cancel(); ///< asks what runs and waits to stop; what it still finds counts
    void drop();   ///< forgets what waits, asks what runs to stop, and shows nothing of either
    bool isBusy() const {
        return m_started >= m_counted && m_back < m_started;
    } ///< something counts and is not back

signals:
    void failed(const QString& message); ///< the work that counts threw
    void finished();                     ///< after what was shown or failed: nothing is under way any more

private:
    friend class JobRun;
    struct Core;
    class Presence;
    static void runOn(const std::shared_ptr<Core>& core);
    void launch();
    Q_INVOKABLE void deliver(); ///< the next of what was posted
    void take(std::uint64_t serial, const Show& show, const std::optional<QString>& problem);

    Order m_order;
    std::shared_ptr<Core> m_core; ///< shared with the thread
    std::uint64_t m_started = 0;  ///< number of the newest work
    std::uint64_t m_counted = 1;  ///< number of the oldest work that counts
    std::uint64_t m_back = 0;     ///< number of the last work that ended
    QTimer m_patience;            ///< since the newest start()
};

/// What a work sees of its job. For the job's thread, while the work runs.
class JobRun {
public:
    JobRun(const JobRun&) = delete;
    JobRun& operator=(const JobRun&) = delete;

    const std::stop_token& stop() const { return m_stop; }
    bool isStopped() const { return m_stop.stop_requested(); }
    /// Calls `show` on the UI thread, unless the work does not count any more by then.
    void tell(Job::Show show) const;
    /// The same for what comes often and may be left out: at most once every Job::kProgressEvery.
    void progress(const Job::Show& show);

private:
    friend class Job;
    JobRun(std::shared_ptr<Job::Core> core, std::uint64_t serial, std::stop_token stop);

    std::shared_ptr<Job::Core> m_core;
    std::uint64_t m_serial;
    std::stop_token m_stop;
    std::chrono::steady_clock::time_point m_told;
};

/// Waits until no job's thread runs any more, at most so long; false: some still do. An application that goes
/// calls it by itself. A program for which it is false after that must end without its static data being
/// destroyed (std::_Exit): those threads still use it.
bool waitForJobs(std::chrono::milliseconds patience);

} // namespace heteroscape::widgets

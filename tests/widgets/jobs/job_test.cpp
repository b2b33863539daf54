// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/widgets/widget_test.h"
#include "widgets/jobs/job.h"

#include <QPointer>
#include <QSignalSpy>
#include <QStringList>
#include <QTest>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

using heteroscape::widgets::Job;
using heteroscape::widgets::JobRun;
using heteroscape::widgets::waitForJobs;

namespace {

constexpr std::chrono::seconds kLong{20}; ///< more than any of this takes

/// Holds a work up until the test lets it go; shared by both, so that either may end first.
class Gate {
public:
    void pass() { ///< the work
        std::unique_lock lock(m_mutex);
        m_reached = true;
        m_changed.wait(lock, [this] { return m_open; });
    }
    void open() {
        const std::lock_guard lock(m_mutex);
        m_open = true;
        m_changed.notify_all();
    }
    bool isReached() {
        const std::lock_guard lock(m_mutex);
        return m_reached;
    }

private:
    std::mutex m_mutex;
    std::condition_variable m_changed;
    bool m_open = false;
    bool m_reached = false;
};

void pollUntilStopped(const JobRun& run) {
    while (!run.isStopped())
        std::this_thread::yield();
}

} // namespace

class JobTest : public QObject {
    Q_OBJECT

    QStringList m_shown;

    Job::Work showing(const QString& name) {
        return [this, name](JobRun&) -> Job::Show { return [this, name] { m_shown << name; }; };
    }
    Job::Work gated(const QString& name, const std::shared_ptr<Gate>& gate) {
        return [this, name, gate](JobRun&) -> Job::Show {
            gate->pass();
            return [this, name] { m_shown << name; };
        };
    }

private slots:
    void init() { m_shown.clear(); }
    void cleanup() { QVERIFY(waitForJobs(kLong)); }

    void whatIsLetGoIsDestroyedOnAnotherThread() {
        std::atomic<bool> gone = false;
        std::thread::id where;
        std::shared_ptr<int> value(new int(1), [&](const int* held) {
            delete held;
            where = std::this_thread::get_id();
            gone = true;
        });
        heteroscape::widgets::letGo(value);
        QVERIFY(waitForJobs(kLong));
        QVERIFY(!gone); // it is held here too
        heteroscape::widgets::letGo(std::exchange(value, nullptr));
        QTRY_VERIFY(gone);
        QVERIFY(where != std::this_thread::get_id());
    }

    void ofNewerAndOlderOnlyTheNewestShows() {
        Job job;
        QSignalSpy finished(&job, &Job::finished);
        const auto gate = std::make_shared<Gate>();
        job.start(gated(QStringLiteral("first"), gate));
        QTRY_VERIFY(gate->isReached());
        job.start(showing(QStringLiteral("replaced")));
        job.start(showing(QStringLiteral("newest")));
        QVERIFY(job.isBusy());
        gate->open();
        QTRY_VERIFY(!job.isBusy());
        QCOMPARE(m_shown, QStringList{QStringLiteral("newest")});
        QCOMPARE(finished.count(), 1);
    }

    void aNewerOneStopsTheOlder() {
        Job job;
        std::atomic<bool> begun = false;
        job.start([&begun](JobRun& run) -> Job::Show {
            begun = true;
            pollUntilStopped(run);
            return {};
        });
        QTRY_VERIFY(begun);
        job.start(showing(QStringLiteral("newest")));
        QTRY_COMPARE(m_shown, QStringList{QStringLiteral("newest")});
    }

    void whatIsPatientLetsTheOlderShow() {
        Job job(Job::Order::Patient);
        const auto gate = std::make_shared<Gate>();
        job.start(gated(QStringLiteral("first"), gate));
        QTRY_VERIFY(gate->isReached());
        job.start(showing(QStringLiteral("replaced")));
        job.start(showing(QStringLiteral("newest")));
        gate->open();
        QTRY_VERIFY(!job.isBusy());
        QCOMPARE(m_shown, (QStringList{QStringLiteral("first"), QStringLiteral("newest")}));
    }

    void patienceEnds() {
        Job job(Job::Order::Patient);
        QSignalSpy failed(&job, &Job::failed);
        job.start([](JobRun& run) -> Job::Show { // ends only when it is asked to
            pollUntilStopped(run);
            throw std::runtime_error("it was cancelled");
        });
        job.start(showing(QStringLiteral("newest")));
        QTRY_VERIFY(!job.isBusy());
        QCOMPARE(m_shown, QStringList{QStringLiteral("newest")});
        QVERIFY(failed.isEmpty()); // that it was cancelled is no failure
    }

    void whatIsToldIsDestroyedWhereItIsCalled() {
        constexpr int kTold = 3000; // Qt may hold an event's function a little longer than it needs it
        const auto here = std::this_thread::get_id();
        std::atomic<int> elsewhere = 0;
        int called = 0;
        Job job;
        job.start([&](JobRun& run) -> Job::Show {
            for (int i = 0; i < kTold; ++i) {
                std::shared_ptr<int> held(new int(i), [&elsewhere, here](const int* value) {
                    if (std::this_thread::get_id() != here)
                        ++elsewhere;
                    delete value;
                });
                run.tell([&called, held = std::move(held)] { ++called; });
            }
            return {};
        });
        QTRY_COMPARE(called, kTold);
        QTRY_VERIFY(!job.isBusy());
        QCOMPARE(elsewhere.load(), 0);
    }

    void eachShowsInOrder() {
        Job job(Job::Order::Each);
        QSignalSpy finished(&job, &Job::finished);
        const QStringList names{QStringLiteral("a"), QStringLiteral("b"), QStringLiteral("c")};
        const auto gate = std::make_shared<Gate>();
        for (const auto& name : names)
            job.start(gated(name, gate));
        gate->open();
        QTRY_COMPARE(m_shown, names);
        QCOMPARE(finished.count(), 1);
    }

    void whatIsDroppedShowsNothing() {
        Job job(Job::Order::Each);
        const auto gate = std::make_shared<Gate>();
        job.start(gated(QStringLiteral("runs"), gate));
        job.start(showing(QStringLiteral("waits")));
        QTRY_VERIFY(gate->isReached());
        job.drop();
        QVERIFY(!job.isBusy());
        job.start(showing(QStringLiteral("next")));
        gate->open();
        QTRY_VERIFY(!job.isBusy());
        QCOMPARE(m_shown, QStringList{QStringLiteral("next")});
    }

    void cancelIsNoticedAtOnceAndWhatWasFoundCounts() {
        Job job;
        std::atomic<bool> begun = false, ended = false;
        job.start([&](JobRun& run) -> Job::Show {
            begun = true;
            pollUntilStopped(run);
            ended = true;
            return [this] { m_shown << QStringLiteral("so far"); };
        });
        QTRY_VERIFY(begun);
        QVERIFY(job.isBusy() && !ended);
        job.cancel();
        QTRY_VERIFY_WITH_TIMEOUT(ended, 100);
        QTRY_VERIFY(!job.isBusy());
        QCOMPARE(m_shown, QStringList{QStringLiteral("so far")});
    }

    void whatThrowsIsToldAndTheProgramGoesOn() {
        Job job;
        QSignalSpy failed(&job, &Job::failed), finished(&job, &Job::finished);
        job.start([](JobRun&) -> Job::Show { throw std::runtime_error("broken"); });
        QTRY_COMPARE(failed.count(), 1);
        QCOMPARE(failed[0][0].toString(), QStringLiteral("broken"));
        QVERIFY(!job.isBusy());
        QCOMPARE(finished.count(), 1);
        job.start([](JobRun&) -> Job::Show { throw 7; }); // no exception of the standard library
        QTRY_COMPARE(failed.count(), 2);
        QVERIFY(!failed[1][0].toString().isEmpty());
        job.start(showing(QStringLiteral("next")));
        QTRY_COMPARE(m_shown, QStringList{QStringLiteral("next")});
        QCOMPARE(failed.count(), 2);
    }

    void destroyingItDoesNotWaitAndDropsWhatComes() {
        const auto gate = std::make_shared<Gate>();
        const auto stopped = std::make_shared<std::atomic<bool>>(false);
        auto job = std::make_unique<Job>();
        job->start([this, gate, stopped](JobRun& run) -> Job::Show {
            gate->pass();
            *stopped = run.isStopped();
            run.tell([this] { m_shown << QStringLiteral("told"); });
            return [this] { m_shown << QStringLiteral("shown"); };
        });
        QTRY_VERIFY(gate->isReached());
        job.reset(); // the gate is opened only after it
        QVERIFY(!waitForJobs({}));
        gate->open();
        QVERIFY(waitForJobs(kLong));
        QVERIFY(*stopped);
        QCoreApplication::processEvents();
        QVERIFY(m_shown.isEmpty());
    }

    void whatMustBeDoneIsDoneAfterItIsGone() {
        const auto gate = std::make_shared<Gate>();
        const auto done = std::make_shared<std::atomic<int>>(0);
        {
            Job job(Job::Order::EachToTheEnd);
            for (int i = 0; i < 2; ++i)
                job.start([gate, done](JobRun& run) -> Job::Show {
                    gate->pass();
                    *done += run.isStopped() ? 0 : 1;
                    return {};
                });
            QTRY_VERIFY(gate->isReached());
        }
        QCOMPARE(done->load(), 0);
        gate->open();
        QVERIFY(waitForJobs(kLong));
        QCOMPARE(done->load(), 2);
    }

    void whatWaitsIsForgottenWhenItGoes() {
        const auto gate = std::make_shared<Gate>();
        const auto begun = std::make_shared<std::atomic<bool>>(false);
        {
            Job job(Job::Order::Each);
            job.start([gate](JobRun&) -> Job::Show {
                gate->pass();
                return {};
            });
            job.start([begun](JobRun&) -> Job::Show {
                *begun = true;
                return {};
            });
            QTRY_VERIFY(gate->isReached());
        }
        gate->open();
        QVERIFY(waitForJobs(kLong));
        QVERIFY(!*begun);
    }

    void progressIsThrottled() {
        Job job;
        using Clock = std::chrono::steady_clock;
        struct Counts {
            std::vector<int> shown;
            int asked = 0;
            std::int64_t room = 0; ///< spans that passed
        };
        const auto counts = std::make_shared<Counts>();
        job.start([counts](JobRun& run) -> Job::Show {
            const auto begin = Clock::now();
            int asked = 0;
            while (Clock::now() - begin < 3 * Job::kProgressEvery)
                run.progress([counts, now = ++asked] { counts->shown.push_back(now); });
            const auto room = (Clock::now() - begin) / Job::kProgressEvery;
            return [counts, asked, room] {
                counts->asked = asked;
                counts->room = room + 1;
            };
        });
        QTRY_VERIFY(!job.isBusy());
        QVERIFY(!counts->shown.empty()); // three spans passed
        QVERIFY(static_cast<std::int64_t>(counts->shown.size()) <= counts->room);
        QVERIFY(counts->asked > static_cast<int>(counts->shown.size()));
        QVERIFY(std::is_sorted(counts->shown.begin(), counts->shown.end()));
    }

    void whatIsShownMayDestroyIt() {
        auto* job = new Job;
        const QPointer<Job> alive(job);
        job->start([job](JobRun&) -> Job::Show { return [job] { delete job; }; });
        QTRY_VERIFY(!alive);
    }
};

WIDGET_TEST(JobTest)
#include "job_test.moc"

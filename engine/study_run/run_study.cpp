// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/study_run/run_study.h"

#include "engine/base/error.h"
#include "engine/base/parallel.h"
#include "engine/evaluation/metric.h"
#include "engine/scenario/diagnostics.h"
#include "engine/store/column_block.h"
#include "engine/store/point_writer.h"
#include "engine/study_run/point_evaluator.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <map>
#include <mutex>
#include <numeric>
#include <oneapi/tbb/enumerable_thread_specific.h>
#include <optional>
#include <system_error>
#include <utility>

namespace heteroscape::engine {

namespace {

using Clock = std::chrono::steady_clock;

// A window is evaluated and packed by a crew, then written in one transaction by the calling thread, while
// the crew goes on: some windows may wait, as a log that goes home holds the writer up. A window grows until
// it takes about kCycleSeconds, so that a killed sweep of slow points loses little and one of fast points
// writes large batches. Sizes are powers of two, so that blocks are.
constexpr std::size_t kFirstWindow = 1024; // the thousand points that the time is measured on
constexpr std::size_t kLeastWindow = 64;
constexpr std::size_t kFirstSimulated = 8; // points that are simulated take milliseconds to seconds
constexpr std::size_t kLeastSimulated = 4;
constexpr std::size_t kMostWindow = 2 * kMostBlockPoints;
constexpr std::size_t kMostWaiting = 4;
constexpr double kCycleSeconds = 0.1;
constexpr auto kProgressEvery = std::chrono::milliseconds(50);

double secondsSince(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

int threadCount(int jobs) {
    return jobs > 0 ? std::min(jobs, 1024) : coreCount();
}

std::shared_ptr<const std::vector<std::string>> columnsOf(const Study& study) {
    std::vector<std::string> columns{kFeasibleColumn};
    for (const auto& spec : metricSpecs())
        columns.emplace_back(spec.key);
    columns.insert(columns.end(), study.nodeMetrics.begin(), study.nodeMetrics.end());
    return std::make_shared<const std::vector<std::string>>(std::move(columns));
}

/// How fast points come.
class PointRate {
public:
    /// `done` points in this run after `seconds`. Points/s; 0 until a thousand are done, or a second is over.
    double at(std::size_t done, double seconds) {
        constexpr std::size_t enough = 1000;
        constexpr double span = 2.0; // s: what was longer ago counts little
        const bool begun = m_rate > 0;
        if (seconds <= m_seconds || (!begun && done < enough && (seconds < 1.0 || done == 0)))
            return m_rate;
        const double passed = seconds - m_seconds;
        const double now = static_cast<double>(done - m_done) / passed;
        m_rate += (now - m_rate) * (begun ? 1.0 - std::exp(-passed / span) : 1.0);
        m_seconds = seconds;
        m_done = done;
        return m_rate;
    }

private:
    double m_rate = 0;
    double m_seconds = 0;
    std::size_t m_done = 0;
};

class Sweep {
public:
    Sweep(const Study& study, Store& store, const RunOptions& options)
        : m_study(study), m_store(store), m_options(options), m_info(store.ensureStudy(study, options.stop)),
          m_setter(study), m_columns(columnsOf(study)), m_evaluators([this] {
              return PointEvaluator(m_setter, m_names, m_options.stop, {}, m_study.nodeMetrics);
          }),
          m_range{options.shard.begin(m_info.points), options.shard.end(m_info.points)},
          m_missing(store.missing(m_info, m_range, &m_damage)), m_simulated(isSimulatedStudy(study)),
          m_windowSize(m_simulated ? kFirstSimulated : kFirstWindow),
          m_firstNode(study.nodeMetrics.size(), m_info.points), m_windows{PointWindow(m_columns, kMostWindow),
                                                                          PointWindow(m_columns,
                                                                                      kMostWindow)},
          m_log(store.path()), m_crew(threadCount(options.jobs)) {
        std::size_t missing = 0;
        for (const auto& range : m_missing)
            missing += range.size();
        std::reverse(m_missing.begin(), m_missing.end()); // taken off the back
        m_progress.total = m_range.size();
        m_reused = m_progress.before = m_range.size() - missing;
        if (!m_simulated && missing > 0)
            m_lenders = store.lenders(study);
    }
    ~Sweep() {
        m_abandoned = true;
        m_changed.notify_all();
    }
    Sweep(const Sweep&) = delete;
    Sweep& operator=(const Sweep&) = delete;

    StudyRun run() {
        bool cancelled = false;
        try {
            pass();
            addNodeMetrics();
        } catch (const Error& error) {
            if (error.code() != ErrorCode::Cancelled)
                throw;
            cancelled = true;
        }
        nameNodeMetrics();
        m_store.checkInPlace();
        StudyRun result;
        result.study = m_store.study(m_info.id);
        result.computed = m_written;
        result.reused = m_reused;
        result.cancelled = cancelled || stopping() || m_reused + m_written < m_range.size();
        result.seconds = secondsSince(m_start);
        result.damage = m_damage;
        report(true);
        return result;
    }

private:
    const Study& m_study;
    Store& m_store;
    const RunOptions& m_options;
    const StudyInfo m_info;
    const PointSetter m_setter;
    BoundNames m_names;
    const std::shared_ptr<const std::vector<std::string>> m_columns;
    oneapi::tbb::enumerable_thread_specific<PointEvaluator> m_evaluators;
    const PointRange m_range; ///< of the shard
    std::vector<std::string> m_damage;
    std::vector<PointRange> m_missing; ///< the source: last first
    std::vector<Lender> m_lenders;
    std::map<std::int64_t, std::optional<std::uint32_t>> m_lentBounds;
    const Clock::time_point m_start = Clock::now();
    Clock::time_point m_reported = m_start;
    StudyProgress m_progress;
    PointRate m_rate;
    std::atomic<std::size_t> m_evaluated = 0;
    std::atomic<bool> m_abandoned = false;
    std::size_t m_written = 0;
    std::size_t m_reused = 0;
    const bool m_simulated;
    std::size_t m_windowSize;
    std::vector<std::size_t> m_firstNode; ///< of each metric of nodes: the first ordinal that has it
    std::array<PointWindow, 2> m_windows; ///< one being evaluated, and the one before
    /// A window that is to be written.
    struct Batch {
        std::vector<PackedPoints> points;
        std::size_t computed;
        std::size_t reused;
    };
    LogKeeper m_log;
    std::mutex m_storeMutex; ///< one of the two threads uses the store at a time
    std::mutex m_mutex;      ///< of what follows
    std::condition_variable m_changed;
    std::deque<Batch> m_waiting; ///< the first may be being written
    bool m_produced = false;     ///< no more come
    bool m_isAlone = false;      ///< the system gives no second thread
    Crew m_crew;
    std::future<void> m_working; ///< last: waited for first, as it refers to the above

    bool stopping() const { return m_options.stop.stop_requested() || m_abandoned; }

    void report(bool last = false) {
        const auto now = Clock::now();
        if (!m_options.progress || (!last && now - m_reported < kProgressEvery))
            return;
        m_reported = now;
        m_progress.computed = last ? m_written : m_evaluated.load();
        m_progress.done = std::min(m_progress.total, m_reused + m_progress.computed);
        m_progress.seconds = secondsSince(m_start);
        const auto done = std::max(m_progress.done, m_progress.before) - m_progress.before;
        m_progress.measured = m_rate.at(done, m_progress.seconds);
        if (last && m_progress.measured == 0 && m_progress.seconds > 0)
            m_progress.measured = static_cast<double>(done) / m_progress.seconds;
        m_options.progress(m_progress);
    }

    /// Work beside the calling thread.
    void start(const std::function<void()>& work) {
        try {
            m_working = std::async(std::launch::async, work);
        } catch (const std::system_error&) { // the system gives no thread: while it is waited for, then
            m_isAlone = true;
            m_working = std::async(std::launch::deferred, work);
        }
    }

    void wait() {
        while (m_working.wait_for(kProgressEvery) == std::future_status::timeout)
            report();
        m_working.get();
    }

    /// All points that are missing, once.
    void pass() {
        start([this] { produce(); });
        while (!m_isAlone && !stopping()) {
            std::unique_lock lock(m_mutex);
            m_changed.wait_for(lock, kProgressEvery, [&] { return !m_waiting.empty() || m_produced; });
            if (m_waiting.empty() && m_produced)
                break;
            const auto* batch = m_waiting.empty() ? nullptr : &m_waiting.front(); // nobody else takes it away
            lock.unlock();
            if (batch) {
                write(*batch);
                lock.lock();
                m_waiting.pop_front();
                lock.unlock();
                m_changed.notify_all();
            }
            report();
        }
        wait();
    }

    void produce() {
        struct End {
            Sweep& sweep;
            ~End() {
                const std::lock_guard lock(sweep.m_mutex);
                sweep.m_produced = true;
                sweep.m_changed.notify_all();
            }
        } const end{*this};
        for (std::size_t turn = 0; !stopping(); turn = 1 - turn) {
            auto& window = m_windows[turn];
            const auto& before = m_windows[1 - turn];
            const auto begin = Clock::now();
            window.clear();
            window.take(m_missing, m_windowSize);
            if (window.isEmpty())
                return;
            window.reserve();
            borrow(window, before);
            m_crew.run([&] { evaluate(window); });
            if (stopping())
                return;
            noteFirstNodes(window);
            hand({std::move(window.packed()), window.missing.size(), window.size() - window.missing.size()});
            adapt(secondsSince(begin));
        }
    }

    /// To the calling thread. Of simulated points one window waits at most: the next looks for its points in
    /// it, and in the store.
    void hand(Batch batch) {
        if (m_isAlone) {
            write(batch);
            report();
            return;
        }
        std::unique_lock lock(m_mutex);
        while (m_waiting.size() >= (m_simulated ? 1 : kMostWaiting)) {
            if (stopping())
                return;
            m_changed.wait_for(lock, kProgressEvery);
        }
        m_waiting.push_back(std::move(batch));
        m_changed.notify_all();
    }

    /// Fills what others have, and lists the rest.
    void borrow(PointWindow& window, const PointWindow& before) {
        if (!m_simulated && m_lenders.empty()) {
            window.missing.resize(window.size());
            std::iota(window.missing.begin(), window.missing.end(), std::size_t{0});
            return;
        }
        const std::lock_guard lock(m_storeMutex);
        std::vector<double> values(m_columns->size());
        std::vector<std::size_t> positions(m_study.axes.size());
        std::int64_t bound = 0;
        if (m_simulated)
            makeKeys(window);
        const auto places = m_store.findSimulated(window.keys);
        for (std::size_t row = 0; row < window.size(); ++row) {
            if (m_simulated && takeTwin(window, before, row))
                continue;
            bool found = false;
            if (m_simulated)
                found = places[row] && m_store.lend(*places[row], *m_columns, values, bound);
            for (std::size_t i = 0; i < m_lenders.size() && !found; ++i) {
                auto ordinal = window.ordinal(row);
                for (auto axis = positions.size(); axis-- > 0;) {
                    const auto length = m_study.axes[axis].values.size();
                    positions[axis] = ordinal % length;
                    ordinal /= length;
                }
                const auto there = m_lenders[i].ordinal(positions);
                found = there != Lender::kNone &&
                        m_store.lend({m_lenders[i].study, there}, *m_columns, values, bound);
            }
            const auto number = found ? boundNumber(bound) : std::nullopt;
            if (number)
                window.set(row, values, *number);
            else
                window.missing.push_back(row);
        }
    }

    /// Of a bound in the store, in this run; none where the store's text is damaged.
    std::optional<std::uint32_t> boundNumber(std::int64_t stored) {
        const auto known = m_lentBounds.find(stored);
        if (known != m_lentBounds.end())
            return known->second;
        const auto text = m_store.boundText(stored);
        return m_lentBounds[stored] = text.empty() ? std::nullopt : std::optional(m_names.number(text));
    }

    void makeKeys(PointWindow& window) {
        auto& evaluator = m_evaluators.local();
        for (std::size_t row = 0; row < window.size(); ++row) {
            window.keys.push_back(evaluator.key(window.ordinal(row)));
            window.byKey.emplace(window.keys.back(), row);
        }
    }

    /// The same point earlier in this window, or in the one that is about to be written.
    static bool takeTwin(PointWindow& window, const PointWindow& before, std::size_t row) {
        if (const auto first = window.byKey.at(window.keys[row]); first != row) {
            window.twins.emplace_back(row, first);
            return true;
        }
        const auto there = before.byKey.find(window.keys[row]);
        if (there != before.byKey.end())
            window.copy(row, before, there->second);
        return there != before.byKey.end();
    }

    void evaluate(PointWindow& window) {
        forRanges(window.missing.size(), m_simulated ? 1 : 64, [&](std::size_t begin, std::size_t end) {
            auto& evaluator = m_evaluators.local();
            std::array<EvaluatedPoint, kPointsAtOnce> points;
            const auto rows = std::span(window.missing).subspan(begin, end - begin);
            for (std::size_t first = 0; first < rows.size() && !stopping(); first += kPointsAtOnce) {
                const auto some = rows.subspan(first, std::min(kPointsAtOnce, rows.size() - first));
                for (std::size_t i = 0; i < some.size() && !stopping(); ++i)
                    evaluator.evaluate(window.ordinal(some[i]), points[i]);
                if (!stopping()) // else not all of them are there
                    window.set(some, points);
            }
            m_evaluated.fetch_add(end - begin, std::memory_order_relaxed);
        });
        if (stopping())
            return;
        for (const auto& [row, first] : window.twins)
            window.copy(row, window, first);
        forRanges(window.packings(), 4, [&](std::size_t begin, std::size_t end) {
            for (auto i = begin; i != end; ++i)
                window.pack(i);
        });
    }

    void noteFirstNodes(const PointWindow& window) {
        for (std::size_t i = 0; i < m_firstNode.size(); ++i)
            for (std::size_t row = 0; row < window.size() && window.ordinal(row) < m_firstNode[i]; ++row)
                if (!std::isnan(window.value(row, 1 + kMetricCount + i)))
                    m_firstNode[i] = window.ordinal(row);
    }

    void write(const Batch& batch) {
        if (stopping())
            return;
        const std::lock_guard lock(m_storeMutex);
        m_store.addPoints(m_info, batch.points, m_names.names(), m_options.stop);
        std::size_t bytes = 0;
        for (const auto& points : batch.points)
            for (const auto& block : points.blocks)
                bytes += block.size();
        m_log.wrote(bytes);
        m_written += batch.computed;
        m_reused += batch.reused;
    }

    void adapt(double seconds) {
        const auto least = m_simulated ? kLeastSimulated : kLeastWindow;
        if (seconds < kCycleSeconds / 2 && m_windowSize < kMostWindow)
            m_windowSize *= 2;
        else if (seconds > 2 * kCycleSeconds && m_windowSize > least)
            m_windowSize /= 2;
    }

    /// Metrics of nodes of points that were stored without them.
    void addNodeMetrics() {
        const auto nodes = m_study.nodeMetrics.size();
        const auto names = std::make_shared<const std::vector<std::string>>(m_study.nodeMetrics);
        for (const auto& range : m_store.withoutNodeMetrics(m_info, m_study.nodeMetrics, m_range)) {
            if (stopping())
                throw Error(ErrorCode::Cancelled, m_info.name, "stopped");
            std::vector<std::vector<double>> values(nodes, std::vector<double>(range.size()));
            start([&] {
                m_crew.run([&] {
                    forRanges(range.size(), 16, [&](std::size_t begin, std::size_t end) {
                        auto& evaluator = m_evaluators.local();
                        std::vector<double> point;
                        for (auto i = begin; i != end && !stopping(); ++i) {
                            evaluator.evaluateNodes(range.begin + i, point);
                            for (std::size_t k = 0; k < nodes; ++k)
                                values[k][i] = point[k];
                        }
                    });
                });
            });
            wait();
            if (stopping())
                throw Error(ErrorCode::Cancelled, m_info.name, "stopped");
            PackedPoints points{range.begin, range.size(), names, {}, {}, {}};
            for (std::size_t k = 0; k < nodes; ++k) {
                points.blocks.push_back(packBlock(values[k]));
                const auto first =
                    std::find_if(values[k].begin(), values[k].end(), [](double v) { return !std::isnan(v); });
                if (first != values[k].end())
                    m_firstNode[k] = std::min(
                        m_firstNode[k], range.begin + static_cast<std::size_t>(first - values[k].begin()));
            }
            m_store.addColumns(m_info, points);
        }
    }

    /// By the first point that has it, whichever thread came first.
    void nameNodeMetrics() {
        for (std::size_t i = 0; i < m_firstNode.size(); ++i)
            if (const auto& metric = m_study.nodeMetrics[i];
                m_firstNode[i] < m_info.points && !m_store.isNamed(m_info, metric))
                m_store.nameNodeMetric(m_info, metric, nodeMetricName(m_study, metric, m_firstNode[i]));
    }
};

} // namespace

StudyRun runStudy(const Study& study, Store& store, const RunOptions& options) {
    std::vector<Diagnostic> findings; // every point would fail on them
    study.base->serving.arrivals->check(study.base->serving, findings);
    for (const auto& finding : findings)
        if (finding.severity == Severity::Error)
            throwInvalid(finding.subject, finding.message, finding.remedy);
    return Sweep(study, store, options).run();
}

} // namespace heteroscape::engine

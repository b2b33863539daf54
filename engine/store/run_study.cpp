// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/run_study.h"

#include "engine/base/error.h"
#include "engine/base/parallel.h"
#include "engine/scenario/diagnostics.h"
#include "engine/store/evaluate_study.h"
#include "engine/store/point_evaluator.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <functional>
#include <future>
#include <numeric>
#include <oneapi/tbb/enumerable_thread_specific.h>
#include <system_error>
#include <utility>

namespace heteroscape::engine {

namespace {

using Clock = std::chrono::steady_clock;

// A window is evaluated, then written in one transaction. It grows until a cycle takes about kCycleSeconds,
// so that a killed sweep of slow points loses little and one of fast points writes large batches.
constexpr std::size_t kFirstWindow = 2048;
constexpr std::size_t kLeastWindow = 64;
constexpr std::size_t kFirstSimulated = 8; // points that are simulated take milliseconds to seconds
constexpr std::size_t kLeastSimulated = 4;
constexpr std::size_t kMostWindow = 65536;
constexpr std::size_t kNodeMetricWindow = 4096;
constexpr double kCycleSeconds = 0.2;
constexpr auto kProgressEvery = std::chrono::milliseconds(50);

double secondsSince(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

int threadCount(int jobs) {
    return jobs > 0 ? std::min(jobs, 1024) : coreCount();
}

/// Some points on their way: ordinals, then keys, then answers.
struct Window {
    std::vector<PointRow> rows;
    std::vector<std::size_t> byKey;   ///< rows, sorted by key, then ordinal
    std::vector<std::size_t> missing; ///< rows to evaluate
};

bool keyLess(const ScenarioKey& a, const ScenarioKey& b) {
    return a < b;
}

class Sweep {
public:
    Sweep(const Study& study, Store& store, const RunOptions& options)
        : m_store(store), m_options(options), m_info(store.ensureStudy(study, options.stop)), m_setter(study),
          m_validity(study),
          m_evaluators([this] { return PointEvaluator(m_setter, m_validity, m_names, m_options.stop); }),
          m_stored(store.storedOrdinals(m_info)), m_begin(options.shard.begin(m_info.points)),
          m_end(options.shard.end(m_info.points)), m_crew(threadCount(options.jobs)) {
        m_simulated = study.base.serving.isSimulated() ||
                      std::any_of(study.axes.begin(), study.axes.end(),
                                  [](const Axis& axis) { return axis.path == "serving.arrivals"; });
        if (m_simulated)
            m_windowSize = kFirstSimulated;
        m_progress.total = total();
        m_progress.before =
            static_cast<std::size_t>(std::count(m_stored.begin() + static_cast<std::ptrdiff_t>(m_begin),
                                                m_stored.begin() + static_cast<std::ptrdiff_t>(m_end), true));
        m_reused = m_progress.before;
    }
    ~Sweep() { m_abandoned = true; }
    Sweep(const Sweep&) = delete;
    Sweep& operator=(const Sweep&) = delete;

    StudyRun run() {
        try {
            // A second pass is needed only for points that another process removed under our hands.
            while (storedCount() < total() && !stopping())
                pass();
        } catch (const Error& error) {
            if (error.code() != ErrorCode::Cancelled)
                throw;
        }
        m_store.checkInPlace();
        StudyRun result;
        result.study = m_store.study(m_info.id);
        result.computed = m_written;
        result.reused = m_reused;
        result.cancelled = storedCount() < total();
        result.seconds = secondsSince(m_start);
        report(true);
        return result;
    }

private:
    Store& m_store;
    const RunOptions& m_options;
    const StudyInfo m_info;
    const PointSetter m_setter;
    const PointValidity m_validity;
    BoundNames m_names;
    oneapi::tbb::enumerable_thread_specific<PointEvaluator> m_evaluators;
    std::vector<bool> m_stored; ///< by ordinal
    const std::size_t m_begin;  ///< of the shard
    const std::size_t m_end;
    const Clock::time_point m_start = Clock::now();
    Clock::time_point m_reported = m_start;
    StudyProgress m_progress;
    std::atomic<std::size_t> m_evaluated = 0;
    std::atomic<bool> m_abandoned = false;
    std::size_t m_written = 0;
    std::size_t m_reused = 0;
    std::size_t m_next = 0; ///< the first ordinal that no window has taken
    bool m_simulated = false;
    std::size_t m_windowSize = kFirstWindow;
    std::array<Window, 3> m_windows; ///< being written, being evaluated, the next
    Crew m_crew;
    std::future<void> m_working; ///< last: waited for first, as it refers to the above

    bool stopping() const { return m_options.stop.stop_requested() || m_abandoned; }
    std::size_t total() const { return m_end - m_begin; }
    std::size_t storedCount() const { return m_reused + m_written; }

    void report(bool last = false) {
        const auto now = Clock::now();
        if (!m_options.progress || (!last && now - m_reported < kProgressEvery))
            return;
        m_reported = now;
        m_progress.computed = last ? m_written : m_evaluated.load();
        m_progress.done = std::min(m_progress.total, m_reused + m_progress.computed);
        m_progress.seconds = secondsSince(m_start);
        m_options.progress(m_progress);
    }

    /// The crew works while the calling thread does something else.
    void start(const std::function<void()>& work) {
        const auto run = [this, work] { m_crew.run(work); };
        try {
            m_working = std::async(std::launch::async, run);
        } catch (const std::system_error&) { // the system gives no thread: while it is waited for, then
            m_working = std::async(std::launch::deferred, run);
        }
    }

    void wait() {
        while (m_working.wait_for(kProgressEvery) == std::future_status::timeout)
            report();
        m_working.get();
    }

    /// All ordinals not stored, once: while one window is written, the next is evaluated and the keys of the
    /// one after it are made.
    void pass() {
        m_next = m_begin;
        auto& [written, evaluated, next] = m_windows;
        for (auto& window : m_windows)
            window.rows.clear();
        take(next);
        start([this] { makeKeys(m_windows[2]); });
        wait();
        while (!next.rows.empty() || !evaluated.rows.empty()) {
            const auto begin = Clock::now();
            std::swap(written, evaluated);
            std::swap(evaluated, next);
            choose(evaluated, written);
            take(next);
            start([this] {
                evaluate(m_windows[1]);
                makeKeys(m_windows[2]);
            });
            write(written);
            wait();
            report();
            if (stopping())
                return;
            adapt(secondsSince(begin));
        }
    }

    void take(Window& window) {
        window.rows.clear();
        window.byKey.clear();
        window.missing.clear();
        for (; m_next < m_end && window.rows.size() < m_windowSize; ++m_next)
            if (!m_stored[m_next]) {
                window.rows.emplace_back();
                window.rows.back().ordinal = m_next;
            }
    }

    template <class Body>
    void forAll(std::size_t count, const Body& body) {
        forRanges(count, m_simulated ? 1 : 32, [&](std::size_t begin, std::size_t end) {
            auto& evaluator = m_evaluators.local();
            for (auto i = begin; i != end && !stopping(); ++i)
                body(evaluator, i);
        });
    }

    void makeKeys(Window& window) {
        forAll(window.rows.size(),
               [&](PointEvaluator& evaluator, std::size_t i) { evaluator.setKey(window.rows[i]); });
        window.byKey.resize(window.rows.size());
        std::iota(window.byKey.begin(), window.byKey.end(), std::size_t{0});
        std::sort(window.byKey.begin(), window.byKey.end(), [&](std::size_t a, std::size_t b) {
            const auto& x = window.rows[a].key;
            const auto& y = window.rows[b].key;
            return x != y ? keyLess(x, y) : a < b;
        });
    }

    void evaluate(Window& window) {
        forAll(window.missing.size(), [&](PointEvaluator& evaluator, std::size_t i) {
            evaluator.evaluate(window.rows[window.missing[i]]);
            m_evaluated.fetch_add(1, std::memory_order_relaxed);
        });
    }

    /// Decides what of the window needs evaluating: the first row of each key that is neither stored nor in
    /// the window before, which is about to be stored.
    void choose(Window& window, const Window& before) {
        if (stopping())
            return;
        std::vector<ScenarioKey> keys;
        std::vector<std::size_t> firsts;
        for (const auto i : window.byKey)
            if (keys.empty() || keys.back() != window.rows[i].key) {
                keys.push_back(window.rows[i].key);
                firsts.push_back(i);
            }
        const auto found = m_store.lookUp(keys);
        auto pending = before.byKey.begin();
        for (std::size_t k = 0; k < keys.size(); ++k) {
            while (pending != before.byKey.end() && keyLess(before.rows[*pending].key, keys[k]))
                ++pending;
            const bool coming = pending != before.byKey.end() && before.rows[*pending].key == keys[k];
            if (!found[k] && !coming)
                window.missing.push_back(firsts[k]);
        }
        std::sort(window.missing.begin(), window.missing.end());
    }

    void write(const Window& window) {
        if (window.rows.empty() || stopping())
            return;
        const auto gone = m_store.addRows(m_info, window.rows, m_names.names(), m_options.stop);
        for (const auto& row : window.rows)
            m_stored[row.ordinal] = true;
        for (const auto ordinal : gone)
            m_stored[ordinal] = false;
        m_written += window.missing.size();
        m_reused += window.rows.size() - window.missing.size() - gone.size();
    }

    void adapt(double seconds) {
        const double wanted = static_cast<double>(m_windowSize) * kCycleSeconds / std::max(seconds, 1e-4);
        const auto limit = std::min(kMostWindow, 2 * m_windowSize);
        const auto least = m_simulated ? kLeastSimulated : kLeastWindow;
        m_windowSize = std::clamp(static_cast<std::size_t>(wanted), least, std::max(least, limit));
    }
};

/// The metrics of nodes, of the points for which they were not stored yet; a few thousand at a
/// time, so that little is lost when it ends early. Throws Error (Cancelled).
void storeNodeMetrics(const Study& study, Store& store, const StudyInfo& info, const RunOptions& options) {
    for (const auto& metric : study.nodeMetrics) {
        auto missing = store.withoutNodeMetric(info, metric);
        std::erase_if(missing, [&](std::size_t ordinal) {
            return ordinal < options.shard.begin(info.points) || ordinal >= options.shard.end(info.points);
        });
        NodeMetricName name;
        for (std::size_t begin = 0; begin < missing.size(); begin += kNodeMetricWindow) {
            const auto end = std::min(begin + kNodeMetricWindow, missing.size());
            const std::vector<std::size_t> ordinals(missing.begin() + static_cast<std::ptrdiff_t>(begin),
                                                    missing.begin() + static_cast<std::ptrdiff_t>(end));
            const auto values =
                evaluateNodeMetric(study, metric, ordinals, name, options.stop, threadCount(options.jobs));
            std::vector<std::pair<std::size_t, double>> found; // NaN: there is none, which is known then
            for (std::size_t i = 0; i < ordinals.size(); ++i)
                found.emplace_back(ordinals[i], values[i]);
            store.addNodeMetricValues(info, metric, name, found);
        }
    }
}

} // namespace

StudyRun runStudy(const Study& study, Store& store, const RunOptions& options) {
    std::vector<Diagnostic> findings; // every point would fail on them
    study.base.serving.arrivals->check(study.base.serving, findings);
    for (const auto& finding : findings)
        if (finding.severity == Severity::Error)
            throwInvalid(finding.subject, finding.message, finding.remedy);
    auto run = Sweep(study, store, options).run();
    try {
        if (!run.cancelled)
            storeNodeMetrics(study, store, run.study, options);
    } catch (const Error& error) {
        if (error.code() != ErrorCode::Cancelled)
            throw;
        run.cancelled = true;
    }
    return run;
}

} // namespace heteroscape::engine

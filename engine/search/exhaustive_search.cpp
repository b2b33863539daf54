// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/error.h"
#include "engine/base/parallel.h"
#include "engine/search/search_method.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <future>
#include <mutex>
#include <oneapi/tbb/enumerable_thread_specific.h>
#include <utility>

namespace heteroscape::engine {

namespace {

using Clock = std::chrono::steady_clock;

/// The points of one shard, in stretches that are long enough to be worth all threads and short enough to
/// wait for when it is stopped. A state is told between two of them: what workers found is added to what
/// there was, in any order, which comes to the same.
class Walk {
public:
    Walk(const SearchProblem& problem, const SearchOptions& options)
        : m_problem(problem), m_options(options), m_space(problem),
          m_begin(options.shard.begin(m_space.size())), m_count(options.shard.end(m_space.size()) - m_begin),
          m_threads(options.jobs > 0 ? options.jobs : coreCount()),
          m_simulates(problem.study.base->serving.isSimulated()),
          m_grain(m_simulates ? 1 : kBlock), m_prototype{{problem, m_space, options.stop},
                                                         {problem, m_space}},
          m_workers([this] { return m_prototype; }), m_before(m_prototype.tally) {
        if (!options.from)
            return;
        if (options.from->done > m_count)
            throwInvalid("search", "it goes on from beyond its last point", "Begin it anew");
        m_before = options.from->tally;
        m_done = m_reached = options.from->done;
    }

    /// On a thread of its own.
    void walkAll() {
        Crew crew(m_threads);
        auto stretch = static_cast<std::uint64_t>(m_threads) * m_grain;
        while (m_done < m_count && !m_options.stop.stop_requested()) {
            stretch = std::min(stretch, m_count - m_done);
            const auto start = Clock::now();
            crew.run([&] {
                forRanges(stretch, m_grain,
                          [&](std::size_t first, std::size_t last) { walk(m_done + first, m_done + last); });
            });
            if (m_simulates && m_options.stop.stop_requested())
                break; // simulations were cut off: the state before them stands
            m_done += stretch;
            keepState();
            if (Clock::now() - start < kStretch / 2)
                stretch *= 2;
            else if (Clock::now() - start > kStretch && stretch > 1)
                stretch /= 2;
        }
    }

    /// On the calling thread.
    void report() {
        if (m_options.progress)
            m_options.progress({std::min<std::uint64_t>(m_reached, m_count), m_count, m_front,
                                std::chrono::duration<double>(Clock::now() - m_start).count()});
        std::shared_ptr<const SearchState> state;
        {
            const std::lock_guard lock(m_mutex);
            state = std::exchange(m_state, nullptr);
        }
        if (state)
            m_options.soFar(state);
    }

    bool isDone() const { return m_done == m_count; }
    SearchTally tally() const {
        auto sum = m_before;
        for (const auto& worker : m_workers)
            sum.add(worker.tally);
        return sum;
    }

private:
    static constexpr std::size_t kBlock = 4096;
    static constexpr std::chrono::milliseconds kStretch{250};
    struct Worker {
        SearchWalker walker;
        SearchTally tally;
    };

    const SearchProblem& m_problem;
    const SearchOptions& m_options;
    const SearchSpace m_space;
    const std::uint64_t m_begin;
    const std::uint64_t m_count;
    const int m_threads;
    const bool m_simulates;
    const std::size_t m_grain;
    const Worker m_prototype;
    oneapi::tbb::enumerable_thread_specific<Worker> m_workers;
    SearchTally m_before;
    std::uint64_t m_done = 0;
    std::atomic<std::uint64_t> m_reached = 0;
    std::atomic<std::size_t> m_front = 0;
    std::mutex m_mutex;
    std::shared_ptr<const SearchState> m_state; ///< to be told; guarded
    const Clock::time_point m_start = Clock::now();
    Clock::time_point m_told = m_start;

    void walk(std::uint64_t first, std::uint64_t last) {
        auto& worker = m_workers.local();
        m_reached.fetch_add(last - first, std::memory_order_relaxed);
        for (; first != last && !(m_simulates && m_options.stop.stop_requested()); ++first)
            worker.tally.offer(worker.walker.at(m_begin + first));
    }

    void keepState() {
        if (!m_options.soFar || (!m_simulates && !m_options.stop.stop_requested() &&
                                 Clock::now() - m_told < m_options.stateEvery))
            return;
        auto state = std::make_shared<SearchState>(tally());
        state->done = m_done;
        m_front = state->tally.frontSize();
        m_told = Clock::now();
        const std::lock_guard lock(m_mutex);
        m_state = std::move(state);
    }
};

class ExhaustiveSearch final : public SearchMethod {
public:
    ExhaustiveSearch() : SearchMethod("exhaustive", "Exhaustive", "Looks at every point of the grid.") {}

    bool canShard() const override { return true; }

    SearchTally run(const SearchProblem& problem, const SearchOptions& options) const override {
        checkProblem(problem);
        Walk walk(problem, options);
        auto working = std::async(std::launch::async, [&] { walk.walkAll(); });
        while (working.wait_for(std::chrono::milliseconds(100)) == std::future_status::timeout)
            walk.report();
        working.get();
        walk.report();
        if (!walk.isDone())
            throw Error(ErrorCode::Cancelled, "search", "cancelled", {});
        return walk.tally();
    }
};

} // namespace

const SearchMethod& exhaustiveSearch() {
    static const ExhaustiveSearch kind;
    return kind;
}

} // namespace heteroscape::engine

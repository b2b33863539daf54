// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/error.h"
#include "engine/base/parallel.h"
#include "engine/search/search_method.h"
#include "engine/search/search_walker.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <future>
#include <oneapi/tbb/enumerable_thread_specific.h>

namespace heteroscape::engine {

namespace {

class ExhaustiveSearch final : public SearchMethod {
public:
    ExhaustiveSearch() : SearchMethod("exhaustive", "Exhaustive", "Looks at every point of the grid.") {}

    bool canShard() const override { return true; }

    SearchTally run(const SearchProblem& problem, const SearchOptions& options) const override {
        checkProblem(problem);
        const SearchSpace space(problem);
        const PointValidity validity(space.walked());
        const auto begin = options.shard.begin(space.size());
        const auto count = options.shard.end(space.size()) - begin;
        struct Worker {
            SearchWalker walker;
            SearchTally tally;
        };
        const Worker prototype{{problem, space, validity, options.stop}, {problem, space}};
        oneapi::tbb::enumerable_thread_specific<Worker> workers([&] { return prototype; });
        std::atomic<std::uint64_t> done = 0;
        constexpr std::size_t kBlock = 4096;
        const std::size_t grain = problem.study.base.serving.isSimulated() ? 1 : kBlock;
        const auto work = [&](std::size_t first, std::size_t last) {
            auto& worker = workers.local();
            for (auto i = first; i != last && !options.stop.stop_requested();) {
                const auto end = std::min(last, i + grain);
                for (const auto block = i; i != end; ++i) {
                    worker.tally.offer(worker.walker.at(begin + i));
                    if (i == block && options.stop.stop_requested())
                        break;
                }
                done.fetch_add(grain, std::memory_order_relaxed);
            }
        };
        const auto start = std::chrono::steady_clock::now();
        const auto report = [&] {
            if (options.progress)
                options.progress(
                    {std::min<std::uint64_t>(done, count), count, 0,
                     std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count()});
        };
        auto working = std::async(std::launch::async, [&] {
            inParallel(count, grain, work, options.jobs > 0 ? options.jobs : coreCount());
        });
        while (working.wait_for(std::chrono::milliseconds(100)) == std::future_status::timeout)
            report();
        working.get();
        report();
        if (options.stop.stop_requested())
            throw Error(ErrorCode::Cancelled, "search", "cancelled", {});
        SearchTally sum(problem, space);
        for (const auto& worker : workers)
            sum.add(worker.tally);
        return sum;
    }
};

} // namespace

const SearchMethod& exhaustiveSearch() {
    static const ExhaustiveSearch kind;
    return kind;
}

} // namespace heteroscape::engine

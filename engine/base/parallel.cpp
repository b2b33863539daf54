// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/parallel.h"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <new>
#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_group.h>
#include <thread>

namespace heteroscape::engine {

namespace tbb = oneapi::tbb;

int coreCount() {
    return tbb::info::default_concurrency();
}

struct Crew::Hands {
    /// A thread, and what it waits for while others work: it takes part in their loops meanwhile.
    struct Hand {
        tbb::task_group end;
        tbb::task_handle held; ///< while it is there, `end` has not come
        bool isCalled = false;
        std::thread thread;
    };

    tbb::task_arena arena; ///< all its places are for threads that enter: it asks for none
    std::mutex mutex;
    std::condition_variable changed;
    bool isEnding = false;
    std::deque<Hand> hands;

    explicit Hands(int threads)
        : arena(threads, static_cast<unsigned>(threads)), hands(static_cast<std::size_t>(threads - 1)) {
        arena.initialize();
        std::size_t started = 0;
        try {
            for (; started < hands.size(); ++started)
                hands[started].thread = std::thread([this, started] { attend(hands[started]); });
        } catch (const std::exception&) { // the system gives no more
            while (hands.size() > started)
                hands.pop_back();
        }
    }

    ~Hands() {
        {
            const std::lock_guard lock(mutex);
            isEnding = true;
        }
        changed.notify_all();
        for (auto& hand : hands)
            hand.thread.join();
    }

    void call() {
        for (auto& hand : hands)
            hand.held = hand.end.defer([] {});
        {
            const std::lock_guard lock(mutex);
            for (auto& hand : hands)
                hand.isCalled = true;
        }
        changed.notify_all();
    }

    void release() {
        for (auto& hand : hands)
            hand.held = {};
    }

    void attend(Hand& hand) {
        std::unique_lock lock(mutex);
        while (true) {
            changed.wait(lock, [&] { return hand.isCalled || isEnding; });
            if (!hand.isCalled)
                return;
            hand.isCalled = false;
            lock.unlock();
            try {
                arena.execute([&] { hand.end.wait(); });
            } catch (const std::bad_alloc&) {
                return; // the others do it
            }
            lock.lock();
        }
    }
};

Crew::Crew(int threads) : m_hands(std::make_unique<Hands>(std::max(threads, 1))) {}

Crew::~Crew() = default;

void Crew::run(const std::function<void()>& work) {
    struct Release {
        Hands& hands;
        ~Release() { hands.release(); }
    } const release{*m_hands};
    m_hands->call();
    m_hands->arena.execute(work);
}

void forRanges(std::size_t count, std::size_t grain, const RangeBody& body) {
    using Range = tbb::blocked_range<std::size_t>;
    tbb::parallel_for(Range(0, count, grain), [&](const Range& range) { body(range.begin(), range.end()); });
}

void inParallel(std::size_t count, std::size_t grain, const RangeBody& body, int threads) {
    if (count <= grain || threads <= 1)
        return body(0, count);
    Crew(threads).run([&] { forRanges(count, grain, body); });
}

} // namespace heteroscape::engine

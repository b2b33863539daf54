// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

namespace heteroscape::engine {

/// The cores that oneTBB sees.
[[nodiscard]] int coreCount();

/// Threads that work in an arena of oneTBB. They are our own, and it never starts one itself: where the
/// system refuses it a thread, oneTBB throws out of what wanted one, holds what it had locked, and a loop
/// that had begun waits for ever. Here fewer threads do the work then.
class Crew {
public:
    /// `threads` with the one that calls run(); at least 1.
    explicit Crew(int threads);
    ~Crew();
    Crew(const Crew&) = delete;
    Crew& operator=(const Crew&) = delete;

    /// Does `work` on the calling thread; its forRanges() are shared with the crew. Rethrows what it throws.
    /// From one thread at a time.
    void run(const std::function<void()>& work);

private:
    struct Hands;
    std::unique_ptr<Hands> m_hands;
};

using RangeBody = std::function<void(std::size_t begin, std::size_t end)>;

/// `body` for ranges that make up 0 to `count`; those of `grain` places and less are not divided. Inside of
/// Crew::run() from several threads at once.
void forRanges(std::size_t count, std::size_t grain, const RangeBody& body);

/// forRanges() by a crew of its own, for a loop that is worth some threads.
void inParallel(std::size_t count, std::size_t grain, const RangeBody& body, int threads = coreCount());

} // namespace heteroscape::engine

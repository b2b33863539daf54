// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/serving/request_feed.h"

#include <deque>

namespace heteroscape::engine {

/// What servers did with the requests of a traffic: all of `requests` in order, of those that were refused
/// prompt and output are 0; `pools` of the one server, or of all. `segments` are those of the first requests,
/// as many as are recorded, in the order of their ends, their `lane` is the worker, of prefill numbered
/// through, of decode the pool. Nothing is summed up over requests.
struct ServedRun : ServingResult {
    std::vector<std::uint32_t> answered; ///< of `requests`, in the order in which they were
    double recomputed = 0.0;             ///< tokens that were prefilled again
    double swapped = 0.0;                ///< tokens moved to the host, and as many back
    double largestLink = 0.0;            ///< most that a link of KV transfers carried, of what it can (1)
};

/// What the rules of all servers share: requests come by a feed, wait in one queue, and are answered.
class ServerLoop : public EventLoop {
protected:
    ServerLoop(const ServerTraffic& traffic, QueueOrder order, double think)
        : EventLoop(traffic.requests.size()), m_traffic(traffic), m_feed(traffic, think), m_queue(order) {
        m_run.requests.resize(traffic.requests.size());
        m_run.answered.reserve(traffic.requests.size());
        for (auto& served : m_run.requests)
            served.request.prompt = served.request.output = 0;
    }
    ServedRun runAll(const SimulationOptions& options) {
        m_run.cancelled = !runTo(kEndless, options);
        m_run.systemSeconds = m_systemSeconds;
        return std::move(m_run);
    }

    const ServerTraffic& m_traffic;
    RequestFeed m_feed;
    WaitingQueue m_queue;
    std::deque<std::uint32_t> m_again; ///< evicted, to be computed again: before the queue
    ServedRun m_run;

    const RequestSize& sizeOf(std::uint32_t index) const { return m_traffic.requests[index].size; }
    /// Tokens of its prompt whose KV cache is there already.
    double cachedOf(std::uint32_t index) const {
        const auto& request = m_traffic.requests[index];
        return std::clamp(request.cached, 0.0, request.size.prompt - 1.0);
    }
    bool anyWaiting() const { return !m_again.empty() || !m_queue.empty(); }
    bool allDone() const { return m_done == m_traffic.requests.size(); }

    /// Whether one of this size can ever be answered.
    virtual bool holds(const RequestSize& size) const = 0;
    /// Takes in what has come by `time`.
    void see(double time) {
        while (m_feed.nextReady() <= time) {
            const auto [ready, arrival, index] = m_feed.take();
            auto& served = m_run.requests[index];
            served.request.arrival = arrival;
            const auto& size = sizeOf(index);
            if (!holds(size)) {
                ++m_run.refused;
                served.firstToken = served.finish = m_now;
                ++m_done;
                m_feed.answered(index, m_now);
                continue;
            }
            served.request.prompt = size.prompt;
            served.request.output = size.output;
            m_systemSeconds += m_now - arrival;
            m_inSystem += 1.0;
            m_queue.push(index, size.prompt - cachedOf(index), m_traffic.requests[index].priority);
        }
    }
    /// It was answered at `time`, which may lie before now.
    void answer(std::uint32_t index, double time) {
        auto& served = m_run.requests[index];
        served.finish = time + served.overhead;
        served.firstInPrefill = true;
        m_run.answered.push_back(index);
        m_run.end = std::max(m_run.end, served.finish);
        m_systemSeconds -= m_now - time;
        m_inSystem -= 1.0;
        ++m_done;
        m_feed.answered(index, time);
    }
};

/// Steps with prompts that follow each other through a pipeline of P stages:
///   start(i) = max(start(i - 1) + stage(i - 1), end(i - P)),   end(i) = max(start(i) + T(i), end(i - 1) +
///   stage(i))
class StepPipeline {
public:
    struct Step {
        double next = 0.0; ///< s until the next may start
        double end = 0.0;  ///< s
    };
    /// The next one; it starts now.
    Step start(double now, const PieceSeconds& seconds, double stages) {
        if (!(stages > 1.0))
            return {seconds.whole, now + seconds.whole};
        Step step{seconds.stage, now + seconds.whole};
        if (!m_ends.empty())
            step.end = std::max(step.end, m_ends.back() + step.next);
        m_ends.push_back(step.end);
        if (static_cast<double>(m_ends.size()) >= stages) {
            step.next = std::max(step.next, m_ends.front() - now);
            m_ends.pop_front();
        }
        return step;
    }

private:
    std::deque<double> m_ends; ///< of the steps under way
};

/// Serves requests step by step by the servers of a system's pools. Each replica on a pool of whole
/// requests is a server (see ServerRules); sessions are dealt out to servers in their order, so that the
/// number of each is in proportion to the weight of its pool.
///
/// Prefill and decode pools are disaggregated workers (see serveSplit()): transfers take the links as drawn
/// and share them fairly, and no faster than the server that sends moves KV caches; a request decodes in the
/// pool that has least for its weight. All pools serve whole requests, or some prefill and the others decode.
ServingResult serveBySteps(const ServingSystem& system, RequestStream& requests,
                           const SimulationOptions& options);

} // namespace heteroscape::engine

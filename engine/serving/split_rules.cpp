// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/serving/split_rules.h"

#include <queue>
#include <utility>

namespace heteroscape::engine {

namespace {

constexpr double kSameEvent = 1e-12; ///< times that differ by less of themselves are one: rounding

/// How a KV cache gets from a prefill to a decode pool.
struct KvWay {
    double latency = 0.0;  ///< s
    double token = 0.0;    ///< s for each token, alone on the links
    bool shared = false;   ///< its links carry others too
    std::size_t group = 0; ///< then: of the network
};

/// Prefill workers take batches from one queue, the next when the one before has ended, or where they are
/// pipelines as StepPipeline says; what is prefilled is transferred and waits, first come first served, for a
/// slot of its decode pool (see DecodePool). What was evicted is prefilled first.
class SplitRules final : public ServerLoop {
public:
    SplitRules(const ServerTraffic& traffic, const ServingSystem& system, std::uint64_t recorded)
        : ServerLoop(traffic, orderOf(system), 0.0), m_system(system), m_recorded(recorded),
          m_states(traffic.requests.size()), m_network(system.links), m_ways(system.routes.size()) {
        m_run.pools.resize(system.pools.size());
        m_run.routeTokens.assign(system.routes.size(), 0.0);
        for (std::uint32_t p = 0; p < system.pools.size(); ++p) {
            const auto& pool = system.pools[p];
            if (pool.role == Role::Decode) {
                m_pools.emplace_back(pool, traffic, m_states);
                m_poolOf.push_back(p);
                continue;
            }
            for (std::size_t d = 0; d < system.pools.size(); ++d)
                if (system.pools[d].role == Role::Decode)
                    m_ways[p * system.pools.size() + d] = wayOf(system.route(p, d));
            for (std::uint32_t w = 0; w < pool.replicas; ++w) {
                m_free.push(static_cast<std::uint32_t>(m_workers.size()));
                m_workers.emplace_back().pool = p;
            }
        }
        m_whereTo.assign(traffic.requests.size(), 0);
        m_sentBy.assign(traffic.requests.size(), 0);
        m_since.assign(m_recorded > 0 ? traffic.requests.size() : 0, 0.0);
    }

    ServedRun run(const SimulationOptions& options) {
        auto run = runAll(options);
        run.largestLink = std::max(run.largestLink, m_network.largestShare());
        for (std::size_t d = 0; d < m_pools.size(); ++d)
            run.pools[m_poolOf[d]] = m_pools[d].work();
        return run;
    }

private:
    struct Moving { ///< a KV cache
        std::uint32_t index;
        std::uint32_t worker; ///< that prefilled it
        bool operator>(const Moving& other) const { return index > other.index; }
    };
    struct Worker {
        std::uint32_t pool = 0;
        std::deque<std::vector<std::uint32_t>> batches; ///< under way
        StepPipeline pipeline;
        double transferring = 0.0; ///< at one time, with links of its own
    };

    const ServingSystem& m_system;
    const std::uint64_t m_recorded;
    std::vector<DecodeState> m_states;   ///< parallel to the requests
    std::deque<DecodePool> m_pools;      ///< those that decode
    std::vector<std::uint32_t> m_poolOf; ///< which of the system's each of them is
    std::vector<double> m_times;         ///< of the next event of each
    double m_before = 0.0;               ///< s, when the event under way began
    bool m_due = false;                  ///< it is one of a decode pool

    /// Prefill workers, the first on top.
    std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> m_free;
    std::vector<Worker> m_workers;
    EndQueue<double, std::uint32_t> m_frees; ///< pipelines that may take the next batch, before theirs end
    EndQueue<double, std::uint32_t> m_prefillEnds; ///< workers
    EndQueue<double, Moving> m_transfers;          ///< with shared links their starts
    TransferNetwork m_network;
    std::vector<KvWay> m_ways; ///< parallel to the routes
    std::vector<std::uint32_t> m_came;
    std::vector<std::uint32_t> m_ended;   ///< prefill workers, in one event
    std::vector<std::uint32_t> m_whereTo; ///< decode pool of each request
    std::vector<std::uint32_t> m_sentBy;  ///< its prefill worker
    std::vector<double> m_since;          ///< where segments are kept: begin of the one under way
    std::vector<PromptPiece> m_pieces;

    static QueueOrder orderOf(const ServingSystem& system) {
        for (const auto& pool : system.pools)
            if (pool.role == Role::Prefill)
                return pool.server.order;
        return QueueOrder::FirstCome;
    }

    KvWay wayOf(const KvRoute& route) {
        KvWay way;
        for (const auto& hop : route.hops) {
            way.latency += hop.latency;
            way.token = std::max(way.token, route.bytesPerToken / hop.bandwidth);
        }
        std::vector<ResourceUse> uses; // B/s while one transfer moves as fast as alone
        for (const auto& crossing : route.crossings)
            uses.push_back({crossing.link, route.bytesOnLinks / way.token});
        if (route.senderToken > way.token) {
            for (auto& use : uses)
                use.amount *= way.token / route.senderToken;
            way.token = route.senderToken;
        }
        way.latency += route.senderLatency;
        way.shared = !uses.empty();
        if (way.shared)
            way.group = m_network.addGroup(std::move(uses));
        return way;
    }

    const ServingPool& poolOf(std::size_t worker) const { return m_system.pools[m_workers[worker].pool]; }
    std::size_t routeOf(std::size_t worker, std::uint32_t index) const {
        return m_workers[worker].pool * m_system.pools.size() + m_poolOf[m_whereTo[index]];
    }
    /// Tokens of the KV cache that is moved.
    double cacheOf(std::uint32_t index) const {
        return m_states[index].begun ? m_states[index].context : sizeOf(index).prompt;
    }

    void beginSegment(std::uint32_t index) {
        if (index < m_recorded)
            m_since[index] = m_now;
    }
    void endSegment(ServingPhase phase, std::uint32_t index, std::size_t worker) {
        if (index < m_recorded)
            m_run.segments.push_back({m_since[index], m_now, 0.0, index, 1,
                                      static_cast<std::uint32_t>(worker), phase, WaitReason::None});
    }

    bool holds(const RequestSize& size) const override {
        return std::any_of(m_pools.begin(), m_pools.end(),
                           [&](const DecodePool& pool) { return pool.holds(size); });
    }

    void begin() override {
        see(m_now);
        startPrefills();
        takeSlots();
    }

    void startPrefills() {
        while (!m_free.empty() && anyWaiting()) {
            const auto waiting = m_queue.size() + m_again.size();
            const auto share = (waiting + m_free.size() - 1) / m_free.size();
            const auto worker = m_free.top();
            m_free.pop();
            auto& batch = m_workers[worker].batches.emplace_back();
            m_pieces.clear();
            const auto& pool = poolOf(worker);
            auto& work = m_run.pools[m_workers[worker].pool];
            double room = pool.server.budget * pool.server.ranks;
            while (batch.size() < share) {
                const bool again = !m_again.empty();
                const auto index = again ? m_again.front() : m_queue.front();
                const double done = again ? 0.0 : cachedOf(index);
                const double tokens =
                    (again ? std::ceil(m_states[index].context) : sizeOf(index).prompt) - done;
                if (!batch.empty() && tokens > room)
                    break;
                room -= tokens;
                batch.push_back(index);
                if (!again) {
                    m_run.requests[index].prefillStart = m_now;
                    m_run.requests[index].overhead = pool.server.request;
                    m_queue.pop();
                } else {
                    m_run.recomputed += tokens;
                    m_again.pop_front();
                }
                beginSegment(index);
                m_pieces.push_back({done, tokens, true});
                work.promptTokens += tokens;
                work.prefills += 1.0;
            }
            const double stages = std::max(1.0, pool.times->stages());
            const auto step =
                m_workers[worker].pipeline.start(m_now, pool.times->pieces(m_pieces, {0.0}), stages);
            if (stages > 1.0)
                m_frees.add(m_now + step.next, worker);
            m_prefillEnds.add(step.end, worker);
            work.prefillSeconds += step.next;
        }
    }

    void takeSlots() {
        for (auto& pool : m_pools)
            while (const auto index = pool.take(m_now)) {
                auto& state = m_states[*index];
                if (!std::exchange(state.begun, true))
                    m_run.requests[*index].firstToken = m_now + m_run.requests[*index].overhead;
                beginSegment(*index);
            }
    }

    /// A finish, or a full KV cache, before others.
    double nextEvent() override {
        if (allDone())
            return kEndless;
        double next = std::min(m_feed.nextReady(), m_network.nextDone());
        if (!m_prefillEnds.empty())
            next = std::min(next, m_prefillEnds.first().when);
        if (!m_frees.empty())
            next = std::min(next, m_frees.first().when);
        if (!m_transfers.empty())
            next = std::min(next, m_transfers.first().when);
        m_before = m_now;
        m_due = false;
        m_times.assign(m_pools.size(), kEndless);
        for (std::size_t d = 0; d < m_pools.size(); ++d) {
            if (!m_pools[d].works())
                continue;
            m_times[d] = m_pools[d].nextEvent(m_now);
            if (m_times[d] <= next) {
                next = m_times[d];
                m_due = true;
            }
        }
        return next;
    }

    void end() override {
        for (std::size_t d = 0; d < m_pools.size(); ++d)
            if (m_pools[d].works())
                m_pools[d].advance(m_before, m_now, m_due && m_times[d] == m_now);
        if (m_due) {
            for (std::size_t d = 0; d < m_pools.size(); ++d)
                if (m_times[d] == m_now)
                    endDecodes(d);
            return;
        }
        endTransfers();
        endPrefills();
    }

    void endDecodes(std::size_t d) {
        auto& pool = m_pools[d];
        pool.takeDone(m_came);
        for (const auto index : m_came) {
            endSegment(ServingPhase::Decode, index, m_poolOf[d]);
            answer(index, m_now);
        }
        pool.evict(m_now, m_came);
        for (const auto index : m_came) {
            endSegment(ServingPhase::Decode, index, m_poolOf[d]);
            m_run.evictions += 1.0;
            if (pool.swaps()) {
                m_run.swapped += m_states[index].context;
                continue;
            }
            pool.leave();
            m_again.push_front(index);
        }
    }

    void route(std::uint32_t index) {
        std::size_t to = m_pools.size();
        for (std::size_t d = 0; d < m_pools.size(); ++d)
            if (m_pools[d].holds(sizeOf(index)) &&
                (to == m_pools.size() || m_pools[d].load() < m_pools[to].load()))
                to = d;
        m_whereTo[index] = static_cast<std::uint32_t>(to);
        m_pools[to].assign();
        auto& state = m_states[index];
        if (state.begun)
            return;
        state.steps = std::max(1.0, sizeOf(index).output - 1.0);
        state.context = sizeOf(index).prompt + 1.0;
    }

    void endPrefills() {
        // A router goes by the order of the workers where batches end together, not by their rounding.
        const double until = m_pools.size() > 1 ? m_now * (1.0 + kSameEvent) : m_now;
        m_ended.clear();
        while (!m_prefillEnds.empty() && m_prefillEnds.first().when <= until)
            m_ended.push_back(m_prefillEnds.take().id);
        if (m_pools.size() > 1)
            std::sort(m_ended.begin(), m_ended.end());
        while (!m_frees.empty() && m_frees.first().when <= until)
            m_free.push(m_frees.take().id);
        for (const auto worker : m_ended) {
            if (!(poolOf(worker).times->stages() > 1.0))
                m_free.push(worker);
            const auto batch = std::move(m_workers[worker].batches.front());
            m_workers[worker].batches.pop_front();
            for (const auto index : batch) {
                endSegment(ServingPhase::Prefill, index, worker);
                route(index);
                beginSegment(index);
                const auto route = routeOf(worker, index);
                const auto& way = m_ways[route];
                m_run.routeTokens[route] += cacheOf(index);
                const double start = m_now + way.latency;
                m_transfers.add(way.shared ? start : start + way.token * cacheOf(index), {index, worker});
                if (!way.shared)
                    m_run.largestLink = std::max(m_run.largestLink, m_workers[worker].transferring += 1.0);
            }
        }
    }

    void came(std::uint32_t index, std::size_t worker) {
        endSegment(ServingPhase::KvTransfer, index, worker);
        m_pools[m_whereTo[index]].wait(index);
    }

    void endTransfers() {
        while (!m_transfers.empty() && m_transfers.first().when <= m_now) {
            const auto [index, worker] = m_transfers.take().id;
            if (const auto& way = m_ways[routeOf(worker, index)]; way.shared) {
                m_network.add(way.group, index, way.token * cacheOf(index), m_now);
                m_sentBy[index] = worker;
                continue;
            }
            m_workers[worker].transferring -= 1.0;
            came(index, worker);
        }
        if (m_network.nextDone() > m_now * (1.0 + kSameEvent))
            return;
        m_network.takeDone(m_now, m_now * (1.0 + kSameEvent), m_came);
        for (const auto index : m_came)
            came(index, m_sentBy[index]);
    }
};

} // namespace

ServedRun serveSplit(const ServerTraffic& traffic, const ServingSystem& system,
                     const SimulationOptions& options) {
    return SplitRules(traffic, system, options.recorded).run(options);
}

} // namespace heteroscape::engine

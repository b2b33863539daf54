// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/serving/server/decode_pool.h"
#include "engine/serving/server/request_feed.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <queue>
#include <utility>

namespace heteroscape::engine {

namespace {

constexpr double kNoEvent = std::numeric_limits<double>::infinity();
constexpr double kSameEvent = 1e-12; ///< times that differ by less of themselves are one: rounding

/// Prefill workers take batches from one queue, the next when the one before has ended, or where they are
/// pipelines as ServerSimulator says of steps with prompts; what is prefilled is transferred and waits, first
/// come first served, for a slot of its decode workers (see DecodePool). What was evicted is prefilled first.
class DisaggregatedSimulator {
public:
    DisaggregatedSimulator(const ServerTraffic& traffic, std::span<const PrefillGroup> prefill,
                           std::span<const DecodeGroup> decode, const std::vector<double>& capacities,
                           SplitWork& work)
        : m_traffic(traffic), m_prefill(prefill), m_decode(decode), m_work(work), m_feed(traffic, 0.0),
          m_queue(prefill.front().settings.order), m_states(traffic.requests.size()), m_network(capacities) {
        m_work.prefill.assign(prefill.size(), {});
        m_work.spans.clear();
        for (const auto& group : decode)
            m_pools.emplace_back(group, traffic, m_states);
        for (std::size_t g = 0; g < prefill.size(); ++g) {
            m_work.prefill[g].sent.assign(decode.size(), 0.0);
            for (const auto& way : prefill[g].ways)
                m_network.addGroup(way.uses);
            for (std::size_t w = 0; w < prefill[g].workers; ++w) {
                m_free.push(static_cast<std::uint32_t>(m_groupOf.size()));
                m_groupOf.push_back(g);
            }
        }
        m_workers.resize(m_groupOf.size());
        m_transferring.assign(m_groupOf.size(), 0.0);
        m_whereTo.assign(traffic.requests.size(), 0);
        m_sentBy.assign(traffic.requests.size(), 0);
        m_requests.assign(decode.size(), 0.0);
        m_since.assign(m_work.recorded > 0 ? traffic.requests.size() : 0, 0.0);
        m_run.answers.resize(traffic.requests.size());
        m_run.firstWave = m_feed.firstWave();
    }

    ServedRun run(const std::stop_token& stop) {
        const auto all = m_traffic.requests.size();
        for (std::uint64_t events = 1; m_answered < all; ++events) {
            if (events % 4096 == 0 && stop.stop_requested()) {
                m_run.cancelled = true;
                break;
            }
            see();
            if (m_answered == all) // the last was refused
                break;
            startPrefills();
            takeSlots();
            step();
        }
        m_run.largestLink = std::max(m_run.largestLink, m_network.largestShare());
        m_work.decode.clear();
        for (const auto& pool : m_pools) {
            const auto& work = pool.work();
            m_work.decode.push_back(work);
            m_run.decodeSeconds += work.seconds;
            m_run.steps += work.steps;
            m_run.decoded += work.tokens;
            m_run.largestKv += work.largestKv;
        }
        for (std::size_t d = 0; d < m_pools.size(); ++d)
            m_work.decode[d].requests = m_requests[d];
        return std::move(m_run);
    }

private:
    struct Timed {
        double time;
        std::uint32_t index;  ///< of a request; of a worker whose batch ends
        std::uint32_t worker; ///< that prefilled it
        bool operator>(const Timed& other) const {
            return time != other.time ? time > other.time : index > other.index;
        }
    };
    using Heap = std::priority_queue<Timed, std::vector<Timed>, std::greater<>>;

    const ServerTraffic& m_traffic;
    std::span<const PrefillGroup> m_prefill;
    std::span<const DecodeGroup> m_decode;
    SplitWork& m_work;
    RequestFeed m_feed;
    WaitingQueue m_queue;
    std::deque<std::uint32_t> m_again; ///< evicted, to be computed again
    std::vector<DecodeState> m_states; ///< parallel to the requests
    std::deque<DecodePool> m_pools;    ///< parallel to the decode groups
    std::vector<double> m_requests;    ///< answered, of each
    std::vector<double> m_times;       ///< of the next event of each

    ServedRun m_run;
    double m_now = 0.0;
    double m_inSystem = 0.0;
    std::uint64_t m_answered = 0;
    /// Prefill workers, the first on top.
    std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> m_free;
    struct Worker {
        std::deque<std::vector<std::uint32_t>> batches; ///< under way
        std::vector<double> ends;                       ///< theirs, of a pipeline
    };
    std::vector<Worker> m_workers;
    Heap m_frees; ///< pipelines that may take the next batch, before theirs have ended
    Heap m_prefillEnds;
    Heap m_transfers;          ///< ends, or with shared links starts
    TransferNetwork m_network; ///< its groups are the prefill groups, each with the decode groups
    std::vector<std::uint32_t> m_came;
    std::vector<std::uint32_t> m_ended;   ///< prefill workers, in one event
    std::vector<std::size_t> m_groupOf;   ///< of each worker
    std::vector<double> m_transferring;   ///< with links of their own: at one time, of each worker
    std::vector<std::uint32_t> m_whereTo; ///< decode group of each request
    std::vector<std::uint32_t> m_sentBy;  ///< its prefill worker
    std::vector<double> m_since;          ///< where spans are kept: begin of the one under way
    std::vector<PromptPiece> m_pieces;

    const PrefillGroup& groupOf(std::size_t worker) const { return m_prefill[m_groupOf[worker]]; }
    const KvWay& wayOf(std::size_t worker, std::uint32_t index) const {
        return groupOf(worker).ways[m_whereTo[index]];
    }
    const RequestSize& size(std::uint32_t index) const { return m_traffic.requests[index].size; }
    /// Tokens of the KV cache that is moved.
    double cacheOf(std::uint32_t index) const {
        return m_states[index].begun ? m_states[index].context : size(index).prompt;
    }

    void beginSpan(std::uint32_t index) {
        if (index < m_work.recorded)
            m_since[index] = m_now;
    }
    void endSpan(SplitSpan::What what, std::uint32_t index, std::size_t worker) {
        if (index < m_work.recorded)
            m_work.spans.push_back({m_since[index], m_now, index, static_cast<std::uint32_t>(worker), what});
    }

    void see() {
        while (m_feed.nextReady() <= m_now) {
            const auto sent = m_feed.take();
            auto& answer = m_run.answers[sent.index];
            answer.arrival = sent.arrival;
            const auto& asked = size(sent.index);
            if (std::none_of(m_pools.begin(), m_pools.end(),
                             [&](const DecodePool& pool) { return pool.holds(asked); })) {
                m_run.refused += 1.0;
                answer.firstToken = answer.lastToken = m_now;
                ++m_answered;
                m_feed.answered(sent.index, m_now);
                continue;
            }
            answer.prompt = asked.prompt;
            answer.output = asked.output;
            m_run.systemSeconds += m_now - sent.arrival;
            m_inSystem += 1.0;
            const auto& request = m_traffic.requests[sent.index];
            m_queue.push(sent.index, asked.prompt - cachedOf(sent.index), request.priority);
        }
    }

    double cachedOf(std::uint32_t index) const {
        return std::clamp(m_traffic.requests[index].cached, 0.0, size(index).prompt - 1.0);
    }

    void startPrefills() {
        while (!m_free.empty() && (!m_again.empty() || !m_queue.empty())) {
            const auto waiting = m_queue.size() + m_again.size();
            const auto share = (waiting + m_free.size() - 1) / m_free.size();
            const auto worker = m_free.top();
            m_free.pop();
            auto& batch = m_workers[worker].batches.emplace_back();
            m_pieces.clear();
            const auto& group = groupOf(worker);
            auto& work = m_work.prefill[m_groupOf[worker]];
            double room = group.settings.budget * group.settings.ranks;
            while (batch.size() < share) {
                const bool again = !m_again.empty();
                const auto index = again ? m_again.front() : m_queue.front();
                const double done = again ? 0.0 : cachedOf(index);
                const double tokens =
                    (again ? std::ceil(m_states[index].context) : size(index).prompt) - done;
                if (!batch.empty() && tokens > room)
                    break;
                room -= tokens;
                batch.push_back(index);
                if (!again) {
                    m_run.answers[index].taken = m_now;
                    m_run.answers[index].overhead = group.settings.request;
                    m_queue.pop();
                } else {
                    m_run.recomputed += tokens;
                    m_again.pop_front();
                }
                beginSpan(index);
                m_pieces.push_back({done, tokens, true});
                m_run.prefilled += tokens;
                work.tokens += tokens;
                work.requests += 1.0;
            }
            const double seconds = startBatch(*group.model, worker);
            work.seconds += seconds;
            m_run.prefillSeconds += seconds;
        }
    }

    /// Seconds until the worker may take the next.
    double startBatch(const StepModel& model, std::uint32_t worker) {
        double seconds = model.mixed(0.0, 0.0, m_pieces);
        double end = m_now + seconds;
        if (const double stages = std::max(1.0, model.stages()); stages > 1.0) {
            auto& ends = m_workers[worker].ends;
            seconds = model.stage(0.0, 0.0, m_pieces);
            if (!ends.empty())
                end = std::max(end, ends.back() + seconds);
            ends.push_back(end);
            if (static_cast<double>(ends.size()) >= stages) {
                seconds = std::max(seconds, ends.front() - m_now);
                ends.erase(ends.begin());
            }
            m_frees.push({m_now + seconds, worker, worker});
        }
        m_prefillEnds.push({end, worker, worker});
        return seconds;
    }

    void takeSlots() {
        for (auto& pool : m_pools)
            while (const auto index = pool.take(m_now)) {
                auto& state = m_states[*index];
                if (!std::exchange(state.begun, true))
                    m_run.answers[*index].firstToken = m_now + m_run.answers[*index].overhead;
                beginSpan(*index);
            }
    }

    /// To the next event: a finish, or a full KV cache, before others.
    void step() {
        double next = m_feed.nextReady();
        if (!m_prefillEnds.empty())
            next = std::min(next, m_prefillEnds.top().time);
        if (!m_frees.empty())
            next = std::min(next, m_frees.top().time);
        if (!m_transfers.empty())
            next = std::min(next, m_transfers.top().time);
        next = std::min(next, m_network.nextDone());
        bool due = false;
        m_times.assign(m_pools.size(), kNoEvent);
        for (std::size_t d = 0; d < m_pools.size(); ++d) {
            if (!m_pools[d].works())
                continue;
            m_times[d] = m_pools[d].nextEvent(m_now);
            if (m_times[d] <= next) {
                next = m_times[d];
                due = true;
            }
        }
        m_run.systemSeconds += m_inSystem * (next - m_now);
        const double before = std::exchange(m_now, next);
        for (std::size_t d = 0; d < m_pools.size(); ++d)
            if (m_pools[d].works())
                m_pools[d].advance(before, next, due && m_times[d] == next);
        if (due) {
            for (std::size_t d = 0; d < m_pools.size(); ++d)
                if (m_times[d] == next)
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
            endSpan(SplitSpan::What::Decode, index, d);
            auto& answer = m_run.answers[index];
            answer.lastToken = m_now + answer.overhead;
            m_run.end = std::max(m_run.end, answer.lastToken);
            m_inSystem -= 1.0;
            m_requests[d] += 1.0;
            ++m_answered;
            m_feed.answered(index, m_now);
        }
        pool.evict(m_now, m_came);
        for (const auto index : m_came) {
            endSpan(SplitSpan::What::Decode, index, d);
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
            if (m_pools[d].holds(size(index)) &&
                (to == m_pools.size() || m_pools[d].load() < m_pools[to].load()))
                to = d;
        m_whereTo[index] = static_cast<std::uint32_t>(to);
        m_pools[to].assign();
        auto& state = m_states[index];
        if (state.begun)
            return;
        const double perStep = std::max(1.0, m_decode[to].settings.tokensPerStep);
        const double left = std::max(1.0, size(index).output - 1.0);
        state.steps = perStep > 1.0 ? std::max(1.0, std::round(left / perStep)) : left;
        state.context = size(index).prompt + 1.0;
    }

    void endPrefills() {
        // A router goes by the order of the workers where batches end together, not by their rounding.
        const double until = m_pools.size() > 1 ? m_now * (1.0 + kSameEvent) : m_now;
        m_ended.clear();
        while (!m_prefillEnds.empty() && m_prefillEnds.top().time <= until) {
            m_ended.push_back(m_prefillEnds.top().worker);
            m_prefillEnds.pop();
        }
        if (m_pools.size() > 1)
            std::sort(m_ended.begin(), m_ended.end());
        for (; !m_frees.empty() && m_frees.top().time <= until; m_frees.pop())
            m_free.push(m_frees.top().worker);
        for (const auto worker : m_ended) {
            if (!(groupOf(worker).model->stages() > 1.0))
                m_free.push(worker);
            const auto batch = std::move(m_workers[worker].batches.front());
            m_workers[worker].batches.pop_front();
            for (const auto index : batch) {
                endSpan(SplitSpan::What::Prefill, index, worker);
                route(index);
                beginSpan(index);
                const auto& way = wayOf(worker, index);
                m_work.prefill[m_groupOf[worker]].sent[m_whereTo[index]] += cacheOf(index);
                const double alone = way.token * cacheOf(index);
                const double start = m_now + way.latency;
                m_transfers.push({way.uses.empty() ? start + alone : start, index, worker});
                if (way.uses.empty()) {
                    m_transferring[worker] += 1.0;
                    m_run.largestLink = std::max(m_run.largestLink, m_transferring[worker]);
                }
            }
        }
    }

    void came(std::uint32_t index, std::size_t worker) {
        endSpan(SplitSpan::What::Transfer, index, worker);
        m_pools[m_whereTo[index]].wait(index);
    }

    void endTransfers() {
        while (!m_transfers.empty() && m_transfers.top().time <= m_now) {
            const auto [time, index, worker] = m_transfers.top();
            m_transfers.pop();
            const auto& way = wayOf(worker, index);
            if (!way.uses.empty()) {
                m_network.add(m_groupOf[worker] * m_pools.size() + m_whereTo[index], index,
                              way.token * cacheOf(index), m_now);
                m_sentBy[index] = worker;
                continue;
            }
            m_transferring[worker] -= 1.0;
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

ServedRun serveDisaggregated(const ClosedLoop& loop, const ServerSettings& prefill,
                             const StepModel& prefillModel, const ServerSettings& decode,
                             const StepModel& decodeModel, const Disaggregation& split,
                             std::stop_token stop) {
    ServerTraffic traffic;
    traffic.requests.reserve(loop.requests.size());
    for (const auto& size : loop.requests)
        traffic.requests.push_back({size});
    traffic.users = loop.users;
    std::vector<PrefillGroup> groups; // with shared links a group a worker, which has one of its own
    const auto workers = static_cast<std::size_t>(split.prefillWorkers);
    for (std::size_t w = 0; w < (split.sharedLinks ? workers : 1); ++w) {
        KvWay way{split.transferLatency, split.transferToken, {}};
        if (split.sharedLinks)
            way.uses = {{w, 1.0}};
        groups.push_back({prefill, &prefillModel, split.sharedLinks ? 1 : workers, {std::move(way)}});
    }
    SplitWork work;
    const DecodeGroup group{decode, &decodeModel, split.decodeWorkers, split.decodeSlots};
    return serveSplit(traffic, groups, {&group, 1}, std::vector<double>(split.sharedLinks ? workers : 0, 1.0),
                      work, std::move(stop));
}

ServedRun serveSplit(const ServerTraffic& traffic, std::span<const PrefillGroup> prefill,
                     std::span<const DecodeGroup> decode, const std::vector<double>& capacities,
                     SplitWork& work, std::stop_token stop) {
    return DisaggregatedSimulator(traffic, prefill, decode, capacities, work).run(stop);
}

} // namespace heteroscape::engine

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/serving/server/request_feed.h"
#include "engine/serving/server/transfer_network.h"

#include <queue>

namespace heteroscape::engine {

namespace {

constexpr double kSameEvent = 1e-12; ///< times that differ by less of themselves are one: rounding

/// Prefill workers take batches from one queue; what is prefilled is transferred and waits, first come first
/// served, for a slot. All decode workers are one fluid: between two events they make dt / T of a step,
///   T = T(n / workers, S / n + k / 2),   k steps to the next finish.
class DisaggregatedSimulator {
public:
    DisaggregatedSimulator(const ServerTraffic& traffic, std::span<const PrefillGroup> prefill,
                           const DecodeGroup& decode, const std::vector<double>& capacities,
                           std::vector<PrefillWork>& work)
        : m_traffic(traffic), m_prefill(prefill), m_split(decode), m_decode(decode.settings),
          m_decodeModel(*decode.model), m_work(work), m_feed(traffic, 0.0),
          m_slots(decode.decodeSlots * m_decode.ranks * decode.workers),
          m_capacity(m_decode.kvTokens * m_decode.ranks * decode.workers),
          m_perStep(std::max(1.0, m_decode.tokensPerStep)), m_network(capacities) {
        m_work.assign(prefill.size(), {});
        for (std::size_t g = 0; g < prefill.size(); ++g) {
            m_network.addGroup(prefill[g].uses);
            for (std::size_t w = 0; w < prefill[g].workers; ++w) {
                m_free.push(static_cast<std::uint32_t>(m_groupOf.size()));
                m_groupOf.push_back(g);
            }
        }
        m_batches.resize(m_groupOf.size());
        m_transferring.assign(m_groupOf.size(), 0.0);
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
            startPrefills();
            takeSlots();
            step();
        }
        m_run.largestLink = std::max(m_run.largestLink, m_network.largestShare());
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
    const DecodeGroup& m_split;
    const ServerSettings& m_decode;
    const StepModel& m_decodeModel;
    std::vector<PrefillWork>& m_work;
    RequestFeed m_feed;
    const double m_slots;
    const double m_capacity;
    const double m_perStep;

    ServedRun m_run;
    double m_now = 0.0;
    double m_inSystem = 0.0;
    std::uint64_t m_answered = 0;
    std::vector<std::uint32_t> m_queue; ///< from m_head, in the order in which they came
    std::size_t m_head = 0;
    /// Prefill workers, the first on top.
    std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> m_free;
    std::vector<std::vector<std::uint32_t>> m_batches;
    Heap m_prefillEnds;
    Heap m_transfers;          ///< ends, or with shared links starts
    TransferNetwork m_network; ///< its groups are the prefill groups
    std::vector<std::uint32_t> m_came;
    std::vector<std::size_t> m_groupOf;   ///< of each worker
    std::vector<double> m_transferring;   ///< with links of their own: at one time, of each worker
    std::vector<std::uint32_t> m_waiting; ///< from m_firstWaiting, for a slot
    std::size_t m_firstWaiting = 0;
    Heap m_finishes;     ///< by steps made
    double m_made = 0.0; ///< steps
    double m_running = 0.0;
    double m_contexts = 0.0;
    double m_kv = 0.0;
    std::vector<PromptPiece> m_pieces;

    const PrefillGroup& groupOf(std::size_t worker) const { return m_prefill[m_groupOf[worker]]; }
    bool sharesLinks(std::size_t worker) const { return !groupOf(worker).uses.empty(); }
    const RequestSize& size(std::uint32_t index) const { return m_traffic.requests[index].size; }

    void see() {
        while (m_feed.nextReady() <= m_now) {
            const auto sent = m_feed.take();
            auto& answer = m_run.answers[sent.index];
            answer.arrival = sent.arrival;
            answer.prompt = size(sent.index).prompt;
            answer.output = size(sent.index).output;
            m_run.systemSeconds += m_now - sent.arrival;
            m_inSystem += 1.0;
            m_queue.push_back(sent.index);
        }
    }

    void startPrefills() {
        while (!m_free.empty() && m_head < m_queue.size()) {
            const auto waiting = m_queue.size() - m_head;
            const auto share = (waiting + m_free.size() - 1) / m_free.size();
            const auto worker = m_free.top();
            m_free.pop();
            auto& batch = m_batches[worker];
            batch.clear();
            m_pieces.clear();
            const auto& group = groupOf(worker);
            auto& work = m_work[m_groupOf[worker]];
            double room = group.settings.budget * group.settings.ranks;
            while (batch.size() < share) {
                const auto index = m_queue[m_head];
                const auto& request = m_traffic.requests[index];
                const double done = std::clamp(request.cached, 0.0, request.size.prompt - 1.0);
                const double tokens = request.size.prompt - done;
                if (!batch.empty() && tokens > room)
                    break;
                room -= tokens;
                batch.push_back(index);
                m_run.answers[index].taken = m_now;
                m_run.answers[index].overhead = group.settings.request;
                m_pieces.push_back({done, tokens, true});
                m_run.prefilled += tokens;
                work.tokens += tokens;
                work.requests += 1.0;
                ++m_head;
            }
            if (m_head == m_queue.size()) {
                m_queue.clear();
                m_head = 0;
            }
            const double seconds = group.model->mixed(0.0, 0.0, m_pieces);
            work.seconds += seconds;
            m_run.prefillSeconds += seconds;
            m_prefillEnds.push({m_now + seconds, worker, worker});
        }
    }

    void takeSlots() {
        while (m_firstWaiting < m_waiting.size() && m_running + 1.0 <= m_slots) {
            const auto index = m_waiting[m_firstWaiting];
            const double tokens = size(index).prompt + m_decode.reserve * size(index).output;
            if (m_running > 0.0 && m_kv + tokens > m_capacity)
                return;
            ++m_firstWaiting;
            m_kv += tokens;
            m_run.largestKv = std::max(m_run.largestKv, m_kv);
            m_run.answers[index].firstToken = m_now + m_run.answers[index].overhead;
            const double left = std::max(1.0, size(index).output - 1.0);
            const double steps = m_perStep > 1.0 ? std::max(1.0, std::round(left / m_perStep)) : left;
            m_finishes.push({m_made + steps, index, 0});
            m_running += 1.0;
            m_contexts += size(index).prompt + 1.0;
        }
        if (m_firstWaiting == m_waiting.size()) {
            m_waiting.clear();
            m_firstWaiting = 0;
        }
    }

    /// To the next event: a finish before others.
    void step() {
        double next = m_feed.nextReady();
        if (!m_prefillEnds.empty())
            next = std::min(next, m_prefillEnds.top().time);
        if (!m_transfers.empty())
            next = std::min(next, m_transfers.top().time);
        next = std::min(next, m_network.nextDone());
        if (m_running > 0.0) {
            const double steps = m_finishes.top().time - m_made;
            const double seconds = m_decodeModel.decode(m_running / m_split.workers,
                                                        m_contexts / m_running + 0.5 * m_perStep * steps);
            if (m_now + steps * seconds <= next) {
                decode(steps, m_now + steps * seconds);
                m_made = m_finishes.top().time;
                finish();
                return;
            }
            decode((next - m_now) / seconds, next);
        } else {
            m_run.systemSeconds += m_inSystem * (next - m_now);
            m_now = next;
        }
        endTransfers();
        endPrefills();
    }

    void decode(double steps, double until) {
        m_run.systemSeconds += m_inSystem * (until - m_now);
        m_run.decodeSeconds += until - m_now;
        m_run.steps += steps;
        m_run.decoded += steps * m_running;
        m_made += steps;
        m_contexts += m_perStep * steps * m_running;
        m_now = until;
    }

    void finish() {
        while (!m_finishes.empty() && m_finishes.top().time <= m_made) {
            const auto index = m_finishes.top().index;
            m_finishes.pop();
            const auto& [prompt, output] = size(index);
            const double left = std::max(1.0, output - 1.0);
            const double steps = m_perStep > 1.0 ? std::max(1.0, std::round(left / m_perStep)) : left;
            m_running -= 1.0;
            m_contexts -= prompt + 1.0 + m_perStep * steps;
            m_kv -= prompt + m_decode.reserve * output;
            auto& answer = m_run.answers[index];
            answer.lastToken = m_now + answer.overhead;
            m_run.end = std::max(m_run.end, answer.lastToken);
            m_inSystem -= 1.0;
            ++m_answered;
            m_feed.answered(index, m_now);
        }
        if (m_running == 0.0)
            m_contexts = m_kv = 0.0; // no rounding is carried on
    }

    void endPrefills() {
        while (!m_prefillEnds.empty() && m_prefillEnds.top().time <= m_now) {
            const auto worker = m_prefillEnds.top().worker;
            m_prefillEnds.pop();
            m_free.push(worker);
            for (const auto index : m_batches[worker]) {
                const auto& group = groupOf(worker);
                const double alone = group.transferToken * size(index).prompt;
                const double start = m_now + group.transferLatency;
                m_transfers.push({sharesLinks(worker) ? start : start + alone, index, worker});
                if (!sharesLinks(worker)) {
                    m_transferring[worker] += 1.0;
                    m_run.largestLink = std::max(m_run.largestLink, m_transferring[worker]);
                }
            }
        }
    }

    void endTransfers() {
        while (!m_transfers.empty() && m_transfers.top().time <= m_now) {
            const auto [time, index, worker] = m_transfers.top();
            m_transfers.pop();
            if (sharesLinks(worker)) {
                m_network.add(m_groupOf[worker], index, groupOf(worker).transferToken * size(index).prompt,
                              m_now);
                continue;
            }
            m_transferring[worker] -= 1.0;
            m_waiting.push_back(index);
        }
        if (m_network.nextDone() > m_now * (1.0 + kSameEvent))
            return;
        m_network.takeDone(m_now, m_now * (1.0 + kSameEvent), m_came);
        m_waiting.insert(m_waiting.end(), m_came.begin(), m_came.end());
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
        groups.push_back({prefill,
                          &prefillModel,
                          split.sharedLinks ? 1 : workers,
                          split.transferLatency,
                          split.transferToken,
                          {}});
        if (split.sharedLinks)
            groups.back().uses = {{w, 1.0}};
    }
    std::vector<PrefillWork> work;
    return serveSplit(traffic, groups, {decode, &decodeModel, split.decodeWorkers, split.decodeSlots},
                      std::vector<double>(split.sharedLinks ? workers : 0, 1.0), work, std::move(stop));
}

ServedRun serveSplit(const ServerTraffic& traffic, std::span<const PrefillGroup> prefill,
                     const DecodeGroup& decode, const std::vector<double>& capacities,
                     std::vector<PrefillWork>& work, std::stop_token stop) {
    return DisaggregatedSimulator(traffic, prefill, decode, capacities, work).run(stop);
}

} // namespace heteroscape::engine

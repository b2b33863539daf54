// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/engine/serving/server/reference_server.h"

#include <list>
#include <map>

namespace heteroscape::engine {

namespace {

constexpr double kNotYet = std::numeric_limits<double>::infinity();

enum class State { Unsent, Sent, Waiting, Partial, Running, Swapped, Answered };

struct Served {
    const ServerRequest* request = nullptr;
    State state = State::Unsent;
    double arrival = 0.0;
    double ready = 0.0;
    double first = kNotYet;
    double last = kNotYet;
    double context = 0.0; // while it decodes
    double left = 0.0;    // decode steps
    double target = 0.0;
    double done = 0.0;
    double prompt() const { return request->size.prompt; }
    double output() const { return request->size.output; }
};

/// Who sends what when, by searching.
class Senders {
public:
    Senders(const ServerTraffic& traffic, double think, std::vector<Served>& all)
        : m_traffic(traffic), m_think(think), m_all(all) {
        for (std::size_t i = 0; i < all.size(); ++i)
            all[i].request = &traffic.requests[i];
        double way = 0.0;
        const auto sessions = all.size() / traffic.turns;
        for (std::size_t s = 0; s < sessions; ++s) {
            if (!traffic.starts.empty()) {
                send(s * traffic.turns, traffic.starts[s], traffic.starts[s] + think);
            } else if (s < traffic.users) {
                way += traffic.frontRequest + traffic.frontToken * all[s * traffic.turns].prompt();
                send(s * traffic.turns, 0.0, way);
                m_next = s + 1;
            }
        }
    }
    void answered(std::size_t i, double now) {
        if ((i + 1) % m_traffic.turns != 0) {
            send(i + 1, now + m_traffic.pause, now + m_traffic.pause + m_think);
        } else if (m_traffic.starts.empty() && m_next * m_traffic.turns < m_all.size()) {
            double ready = now + m_think; // not before one of a lower index, of those that begin a session
            for (std::size_t s = 0; s < m_next; ++s)
                ready = std::max(ready, m_all[s * m_traffic.turns].ready);
            send(m_next++ * m_traffic.turns, now, ready);
        }
    }
    /// Those that have reached the queue, in order.
    std::vector<std::size_t> arrivedBy(double now) const {
        std::vector<std::size_t> found;
        for (std::size_t i = 0; i < m_all.size(); ++i)
            if (m_all[i].state == State::Sent && m_all[i].ready <= now)
                found.push_back(i);
        std::stable_sort(found.begin(), found.end(),
                         [&](auto a, auto b) { return m_all[a].ready < m_all[b].ready; });
        return found;
    }
    double nextReady() const {
        double next = kNotYet;
        for (const auto& served : m_all)
            if (served.state == State::Sent)
                next = std::min(next, served.ready);
        return next;
    }

private:
    const ServerTraffic& m_traffic;
    double m_think;
    std::vector<Served>& m_all;
    std::size_t m_next = 0;

    void send(std::size_t i, double arrival, double ready) {
        m_all[i].state = State::Sent;
        m_all[i].arrival = arrival;
        m_all[i].ready = ready;
    }
};

std::vector<ServedAnswer> answersOf(const std::vector<Served>& all) {
    std::vector<ServedAnswer> answers;
    for (const auto& served : all)
        answers.push_back({served.arrival, served.first, served.last, served.request->size.prompt,
                           served.request->size.output});
    return answers;
}

class StepByStep {
public:
    StepByStep(const ServerTraffic& traffic, const ServerSettings& settings, const StepModel& model)
        : m_s(settings), m_model(model), m_all(traffic.requests.size()),
          m_senders(traffic, std::isnan(traffic.think) ? settings.request / 2 : traffic.think, m_all),
          m_budget(settings.budget * settings.ranks), m_seqs(settings.sequences * settings.ranks),
          m_capacity(settings.kvTokens * settings.ranks),
          m_evicts(settings.eviction != Eviction::Reserved && m_capacity < kNotYet),
          m_drafted(std::max(1.0, settings.tokensPerStep)), m_first(settings.rule == &firstRule()),
          m_whole(settings.rule == &wholeRule()), m_static(settings.rule == &staticRule()) {}

    std::vector<ServedAnswer> run() {
        while (m_answered < m_all.size())
            step();
        return answersOf(m_all);
    }

private:
    const ServerSettings& m_s;
    const StepModel& m_model;
    std::vector<Served> m_all;
    Senders m_senders;
    double m_budget, m_seqs, m_capacity;
    bool m_evicts;
    double m_drafted;
    bool m_first, m_whole, m_static;
    double m_now = 0.0;
    std::size_t m_answered = 0;
    std::vector<std::size_t> m_queue;   // in the order in which they came
    std::vector<std::size_t> m_again;   // goes first
    std::vector<std::size_t> m_running; // in the order in which they were taken
    std::vector<std::size_t> m_swapped;
    std::map<std::size_t, double> m_set; // KV set aside for prompts or, without eviction, for all taken
    std::ptrdiff_t m_partial = -1;
    double m_sinceLook = 0.0;
    double m_held = 0.0;
    bool m_prompted = false;
    double m_moving = 0.0;

    double blocks(double tokens) const {
        return m_s.block <= 1.0 ? tokens : std::ceil(tokens / m_s.block) * m_s.block;
    }
    double n() const { return static_cast<double>(m_running.size()); }
    double inUse() const {
        double sum = 0.0;
        for (const auto& [i, tokens] : m_set)
            sum += tokens;
        if (m_evicts)
            for (const auto i : m_running)
                sum += blocks(m_all[i].context);
        return sum;
    }
    double meanContext() const {
        double sum = 0.0;
        for (const auto i : m_running)
            sum += m_all[i].context;
        return sum / n();
    }

    void look() {
        if (m_s.look > 1.0 && m_sinceLook < m_s.look && !m_prompted && !m_running.empty())
            return;
        m_sinceLook = 0.0;
        m_prompted = false;
        for (bool found = true; found;) { // an answer that is refused may send another
            found = false;
            for (const auto i : m_senders.arrivedBy(m_now * (1.0 + 1e-12))) {
                found = true;
                auto& served = m_all[i];
                if (m_evicts && blocks(served.prompt() + served.output()) > m_capacity) {
                    served.first = served.last = m_now;
                    served.state = State::Answered;
                    ++m_answered;
                    m_senders.answered(i, m_now);
                    break;
                }
                served.state = State::Waiting;
                served.target = served.prompt();
                served.done = std::clamp(served.request->cached, 0.0, served.prompt() - 1.0);
                m_queue.push_back(i);
            }
        }
    }

    /// Place in m_queue of the one that is next.
    std::size_t nextInQueue() const {
        const auto key = [&](std::size_t i) {
            return m_s.order == QueueOrder::ShortestFirst ? m_all[i].target - m_all[i].done
                   : m_s.order == QueueOrder::Priority    ? m_all[i].request->priority
                                                          : 0.0;
        };
        std::size_t best = 0;
        for (std::size_t q = 1; q < m_queue.size(); ++q)
            if (key(m_queue[q]) < key(m_queue[best]))
                best = q;
        return best;
    }

    bool evictForGrowth() {
        bool any = false;
        while (m_evicts && inUse() > m_capacity && (m_running.size() > 1 || m_partial >= 0)) {
            any = true;
            if (m_partial >= 0) {
                const auto i = static_cast<std::size_t>(m_partial);
                m_all[i].done = 0.0;
                m_set.erase(i);
                m_again.insert(m_again.begin(), i);
                m_partial = -1;
                continue;
            }
            const auto i = m_running.back();
            m_running.pop_back();
            m_all[i].target = m_all[i].context;
            m_all[i].done = 0.0;
            if (m_s.eviction == Eviction::Swap) {
                m_moving += m_all[i].context * m_s.swapToken;
                m_swapped.push_back(i);
            } else {
                m_again.insert(m_again.begin(), i);
            }
        }
        return any;
    }

    void bringBack() {
        while (!m_swapped.empty() && n() < m_seqs) {
            const auto i = m_swapped.front();
            if ((n() > 0.0 || m_partial >= 0) && inUse() + blocks(m_all[i].context) > m_capacity)
                return;
            m_swapped.erase(m_swapped.begin());
            m_moving += m_all[i].context * m_s.swapToken;
            m_running.push_back(i);
        }
    }

    bool held() const {
        if (!m_whole || m_running.empty() || m_partial >= 0 || (m_queue.empty() && m_again.empty()))
            return false;
        double tokens = 0.0;
        for (const auto i : m_queue)
            tokens += m_all[i].target - m_all[i].done;
        for (const auto i : m_again)
            tokens += m_all[i].target;
        const auto waiting = static_cast<double>(m_queue.size() + m_again.size());
        return (n() + tokens < m_s.waitShare * m_budget && m_held < m_s.waitSteps) ||
               (waiting < m_s.ranks && m_held < m_s.balance);
    }

    /// The pieces of this step, by request.
    std::vector<std::pair<std::size_t, PromptPiece>> pieces() {
        std::vector<std::pair<std::size_t, PromptPiece>> step;
        double room = m_first ? m_budget : m_static ? (n() > 0.0 ? 0.0 : kNotYet) : m_budget - n();
        const auto add = [&](std::size_t i, double tokens) {
            auto& served = m_all[i];
            const bool ends = tokens >= served.target - served.done;
            step.push_back({i, {served.done, tokens, ends}});
            served.done += tokens;
            room -= tokens;
            m_partial = ends ? -1 : static_cast<std::ptrdiff_t>(i);
        };
        if (m_partial >= 0) {
            if (room <= 0.0)
                return step;
            const auto i = static_cast<std::size_t>(m_partial);
            add(i, std::min(m_all[i].target - m_all[i].done, room));
        }
        while (m_partial < 0 && m_swapped.empty() && room > 0.0 &&
               n() + static_cast<double>(step.size()) < m_seqs && (!m_again.empty() || !m_queue.empty())) {
            const auto place = m_again.empty() ? nextInQueue() : 0;
            const auto i = m_again.empty() ? m_queue[place] : m_again.front();
            auto& served = m_all[i];
            const double left = served.target - served.done;
            const double given = served.first == kNotYet ? 0.0 : served.target - served.prompt();
            const double whole =
                m_evicts ? blocks(served.target + m_s.reserve * (served.output() - (given > 0.0 ? 1.0 : 0.0)))
                         : served.prompt() + m_s.reserve * served.output();
            if (inUse() + whole > m_capacity && !(n() == 0.0 && step.empty()))
                break;
            double tokens = left;
            if (m_whole) {
                const bool alone = step.empty() && (n() == 0.0 || left > m_budget - m_seqs);
                if (left > room && !alone)
                    break;
            } else {
                tokens = std::min(left, room);
            }
            m_set[i] = m_evicts ? blocks(served.target) : whole;
            if (m_again.empty())
                m_queue.erase(m_queue.begin() + static_cast<std::ptrdiff_t>(place));
            else
                m_again.erase(m_again.begin());
            add(i, tokens);
        }
        return step;
    }

    void end(std::size_t i) {
        m_all[i].last = m_now + m_s.request + m_s.token * m_all[i].prompt();
        m_all[i].state = State::Answered;
        m_set.erase(i);
        ++m_answered;
        m_senders.answered(i, m_now);
    }

    void decodeOne() {
        std::vector<std::size_t> ended;
        for (const auto i : m_running) {
            m_all[i].context += m_drafted;
            m_all[i].left -= 1.0;
            if (m_all[i].left <= 0.0)
                ended.push_back(i);
        }
        std::sort(ended.begin(), ended.end());
        for (const auto i : ended) {
            m_running.erase(std::find(m_running.begin(), m_running.end(), i));
            end(i);
        }
    }

    void step() {
        look();
        if (m_answered == m_all.size())
            return;
        if (m_running.empty() && m_partial < 0 && m_queue.empty() && m_again.empty() && m_swapped.empty()) {
            m_now = m_senders.nextReady();
            return;
        }
        std::vector<std::pair<std::size_t, PromptPiece>> taken;
        if (!evictForGrowth()) {
            bringBack();
            const bool holds = held();
            m_held = holds ? m_held + 1.0 : 0.0;
            if (!holds)
                taken = pieces();
        }
        if (taken.empty()) {
            m_now += m_model.decode(n(), meanContext()) + m_moving;
            m_moving = 0.0;
            m_sinceLook += 1.0;
            decodeOne();
            return;
        }
        std::vector<PromptPiece> list;
        for (const auto& [i, piece] : taken)
            list.push_back(piece);
        const bool beside = !m_first && !m_running.empty();
        m_now += m_model.mixed(beside ? n() : 0.0, beside ? meanContext() : 0.0, list) + m_moving;
        m_moving = 0.0;
        m_prompted = true;
        if (beside)
            decodeOne();
        for (const auto& [i, piece] : taken)
            if (piece.ends)
                endPrompt(i);
    }

    void endPrompt(std::size_t i) {
        auto& served = m_all[i];
        if (m_evicts)
            m_set.erase(i);
        if (served.first == kNotYet) {
            served.first = m_now + m_s.request + m_s.token * served.prompt();
            served.left = served.output() <= 1.0 ? 0.0
                          : m_drafted > 1.0 ? std::max(1.0, std::round((served.output() - 1) / m_drafted))
                                            : served.output() - 1.0;
        } else {
            served.left -= 1.0;
        }
        served.context = served.target + 1.0;
        if (served.left <= 0.0)
            end(i);
        else
            m_running.push_back(i);
    }
};

} // namespace

std::vector<ServedAnswer> referenceServer(const ServerTraffic& traffic, const ServerSettings& settings,
                                          const StepModel& model) {
    return StepByStep(traffic, settings, model).run();
}

std::vector<ServedAnswer> referenceDisaggregated(const ServerTraffic& traffic, const ServerSettings& prefill,
                                                 const StepModel& prefillModel, const ServerSettings& decode,
                                                 const StepModel& decodeModel, const Disaggregation& split) {
    struct Moving {
        std::size_t i;
        std::size_t worker;
        double latency; // left
        double alone;   // s left, alone on its link
    };
    struct Batch {
        double end = kNotYet;
        std::vector<std::size_t> requests;
    };
    std::vector<Served> all(traffic.requests.size());
    Senders senders(traffic, 0.0, all);
    std::vector<std::size_t> queue;
    std::vector<Batch> workers(static_cast<std::size_t>(split.prefillWorkers));
    std::vector<Moving> moving;
    std::vector<std::size_t> waiting;
    std::vector<std::size_t> running;
    const double drafted = std::max(1.0, decode.tokensPerStep);
    double now = 0.0;
    std::size_t answered = 0;
    while (answered < all.size()) {
        for (const auto i : senders.arrivedBy(now)) {
            all[i].state = State::Waiting;
            queue.push_back(i);
        }
        double free = 0.0;
        for (const auto& worker : workers)
            free += worker.end == kNotYet ? 1.0 : 0.0;
        for (auto& worker : workers) {
            if (worker.end != kNotYet || queue.empty())
                continue;
            const auto share = static_cast<std::size_t>(std::ceil(static_cast<double>(queue.size()) / free));
            free -= 1.0;
            std::vector<PromptPiece> list;
            double tokens = 0.0;
            while (!queue.empty() && list.size() < share) {
                const double prompt = all[queue.front()].prompt();
                if (!list.empty() && tokens + prompt > prefill.budget * prefill.ranks)
                    break;
                tokens += prompt;
                list.push_back({0.0, prompt, true});
                worker.requests.push_back(queue.front());
                queue.erase(queue.begin());
            }
            worker.end = now + prefillModel.mixed(0.0, 0.0, list);
        }
        while (!waiting.empty()) {
            auto& served = all[waiting.front()];
            double kv = served.prompt() + decode.reserve * served.output();
            for (const auto i : running)
                kv += all[i].prompt() + decode.reserve * all[i].output();
            const double most = split.slots * decode.ranks * split.decodeWorkers;
            if (static_cast<double>(running.size()) + 1.0 > most ||
                (!running.empty() && kv > decode.kvTokens * decode.ranks * split.decodeWorkers))
                break;
            served.first = now + prefill.request;
            served.context = served.prompt() + 1.0;
            served.left = std::max(1.0, served.output() - 1.0);
            if (drafted > 1.0)
                served.left = std::max(1.0, std::round(served.left / drafted));
            running.push_back(waiting.front());
            waiting.erase(waiting.begin());
        }
        // How long until the next event.
        std::map<std::size_t, double> sharing;
        for (const auto& move : moving)
            if (move.latency <= 0.0)
                sharing[move.worker] += 1.0;
        const auto slow = [&](const Moving& move) { return split.sharedLinks ? sharing[move.worker] : 1.0; };
        double next = senders.nextReady() - now;
        for (const auto& worker : workers)
            next = std::min(next, worker.end - now);
        for (const auto& move : moving)
            next = std::min(next, move.latency > 0.0 ? move.latency : move.alone * slow(move));
        double least = kNotYet;
        double contexts = 0.0;
        for (const auto i : running) {
            least = std::min(least, all[i].left);
            contexts += all[i].context;
        }
        const double n = static_cast<double>(running.size());
        const double seconds = running.empty() ? 1.0
                                               : decodeModel.decode(n / split.decodeWorkers,
                                                                    contexts / n + 0.5 * drafted * least);
        const bool finishes = !running.empty() && least * seconds <= next * (1.0 + 1e-12);
        const double span = finishes ? least * seconds : next;
        now += span;
        for (auto& move : moving) {
            if (move.latency > 0.0) {
                move.latency = move.latency - span <= 1e-13 ? 0.0 : move.latency - span;
            } else {
                const double left = move.alone - span / slow(move);
                move.alone = left <= 1e-13 ? 0.0 : left;
            }
        }
        const double steps = span / seconds;
        for (const auto i : running) {
            all[i].context += drafted * steps;
            all[i].left = all[i].left - steps <= 1e-9 ? 0.0 : all[i].left - steps;
        }
        std::vector<std::size_t> ended;
        for (const auto i : running)
            if (all[i].left <= 0.0)
                ended.push_back(i);
        std::sort(ended.begin(), ended.end());
        for (const auto i : ended) {
            running.erase(std::find(running.begin(), running.end(), i));
            all[i].last = now + prefill.request;
            all[i].state = State::Answered;
            ++answered;
            senders.answered(i, now);
        }
        std::vector<Moving> still;
        std::vector<std::size_t> came;
        for (const auto& move : moving)
            if (move.latency <= 0.0 && move.alone <= 0.0)
                came.push_back(move.i);
            else
                still.push_back(move);
        std::sort(came.begin(), came.end());
        waiting.insert(waiting.end(), came.begin(), came.end());
        moving = still;
        for (std::size_t w = 0; w < workers.size(); ++w)
            if (workers[w].end <= now * (1.0 + 1e-14)) {
                for (const auto i : workers[w].requests) { // a link of its own: one span
                    const double alone = split.transferToken * all[i].prompt();
                    moving.push_back({i, w, split.transferLatency + (split.sharedLinks ? 0.0 : alone),
                                      split.sharedLinks ? alone : 0.0});
                }
                workers[w] = {};
            }
    }
    return answersOf(all);
}

} // namespace heteroscape::engine

// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/engine/serving/reference_server.h"
#include "tests/engine/serving/reference_senders.h"

#include <map>

namespace heteroscape::engine {

using namespace reference;

namespace {

class StepByStep {
public:
    StepByStep(const ServerTraffic& traffic, const ServerSettings& settings, ServiceTimes& times)
        : m_s(settings), m_times(times), m_all(traffic.requests.size()),
          m_senders(traffic, std::isnan(traffic.think) ? settings.request / 2 : traffic.think, m_all),
          m_budget(settings.budget * settings.ranks), m_seqs(settings.sequences * settings.ranks),
          m_capacity(settings.kvTokens * settings.ranks),
          m_evicts(settings.eviction != Eviction::Reserved && m_capacity < kNotYet),
          m_first(settings.rule == &firstRule()), m_whole(settings.rule == &wholeRule()),
          m_static(settings.rule == &staticRule()) {}

    std::vector<ServedRequest> run() {
        while (m_answered < m_all.size())
            step();
        return answersOf(m_all);
    }

private:
    const ServerSettings& m_s;
    ServiceTimes& m_times;
    std::vector<Served> m_all;
    Senders m_senders;
    double m_budget, m_seqs, m_capacity;
    bool m_evicts;
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
    struct Leaving { // a prompt whose last piece is in the pipeline
        double at;
        std::size_t i;
    };
    std::vector<Leaving> m_leaving;
    std::vector<double> m_stepEnds; // of all steps with prompts
    double m_turns = 0.0;           // with prompts, since all had a token

    double stages() const { return m_times.stages(); }
    double besidePrompts() const { return std::ceil(n() / stages()); }
    double firstLeaving() const {
        double first = kNotYet;
        for (const auto& one : m_leaving)
            first = std::min(first, one.at);
        return first;
    }
    /// Those that leave at a time, in the order in which they came in.
    void leave(double at) {
        const auto all = m_leaving;
        std::erase_if(m_leaving, [&](const Leaving& one) { return one.at == at; });
        for (const auto& one : all)
            if (one.at == at)
                endPrompt(one.i, at);
    }
    void goTo(double time) {
        m_now = time;
        while (firstLeaving() < time)
            leave(firstLeaving());
    }

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
        while (!m_swapped.empty() && n() + static_cast<double>(m_leaving.size()) < m_seqs) {
            const auto i = m_swapped.front();
            if ((n() > 0.0 || m_partial >= 0 || !m_leaving.empty()) &&
                inUse() + blocks(m_all[i].context) > m_capacity)
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
        return (besidePrompts() + tokens < m_s.waitShare * m_budget && m_held < m_s.waitSteps) ||
               (waiting < m_s.ranks && m_held < m_s.balance);
    }

    /// The pieces of this step, by request.
    std::vector<std::pair<std::size_t, PromptPiece>> pieces() {
        std::vector<std::pair<std::size_t, PromptPiece>> step;
        double room = m_first    ? m_budget
                      : m_static ? (n() > 0.0 ? 0.0 : kNotYet)
                                 : m_budget - besidePrompts();
        const auto most = m_static ? static_cast<std::size_t>(std::ceil(m_seqs / stages())) : m_all.size();
        const double taken = n() + static_cast<double>(m_leaving.size());
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
        while (m_partial < 0 && m_swapped.empty() && room > 0.0 && step.size() < most &&
               taken + static_cast<double>(step.size()) < m_seqs && (!m_again.empty() || !m_queue.empty())) {
            const auto place = m_again.empty() ? nextInQueue() : 0;
            const auto i = m_again.empty() ? m_queue[place] : m_again.front();
            auto& served = m_all[i];
            const double left = served.target - served.done;
            const double given = served.first == kNotYet ? 0.0 : served.target - served.prompt();
            const double whole =
                m_evicts ? blocks(served.target + m_s.reserve * (served.output() - (given > 0.0 ? 1.0 : 0.0)))
                         : served.prompt() + m_s.reserve * served.output();
            if (inUse() + whole > m_capacity && !(taken == 0.0 && step.empty()))
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

    void end(std::size_t i, double now) {
        m_all[i].last = now + m_s.request + m_s.token * m_all[i].prompt();
        m_all[i].state = State::Answered;
        m_set.erase(i);
        ++m_answered;
        m_senders.answered(i, now);
    }

    /// A token for those that ran when the step began; the others have come since.
    void decodeOne(std::size_t ran) {
        std::vector<std::size_t> ended;
        for (const auto i : std::vector(m_running.begin(), m_running.begin() + static_cast<long>(ran))) {
            m_all[i].context += 1.0;
            m_all[i].left -= 1.0;
            if (m_all[i].left <= 0.0)
                ended.push_back(i);
        }
        std::sort(ended.begin(), ended.end());
        for (const auto i : ended) {
            m_running.erase(std::find(m_running.begin(), m_running.end(), i));
            end(i, m_now);
        }
    }

    void step() {
        look();
        if (m_answered == m_all.size())
            return;
        const auto wait = [&](double until) {
            goTo(until);
            leave(until);
        };
        if (m_running.empty() && m_partial < 0 && m_queue.empty() && m_again.empty() && m_swapped.empty())
            return wait(std::min(m_senders.nextReady(), firstLeaving()));
        std::vector<std::pair<std::size_t, PromptPiece>> taken;
        const bool evicted = evictForGrowth();
        if (m_evicts && inUse() > m_capacity && !m_leaving.empty())
            return wait(firstLeaving());
        if (!evicted) {
            bringBack();
            const bool holds = held();
            m_held = holds ? m_held + 1.0 : 0.0;
            if (!holds)
                taken = pieces();
        }
        if (taken.empty() && m_running.empty())
            return wait(firstLeaving());
        const auto ran = m_running.size();
        if (taken.empty()) {
            goTo(m_now + m_times.decodeStep(n(), meanContext()) + m_moving);
            m_moving = 0.0;
            m_sinceLook += 1.0;
            decodeOne(ran);
            leave(m_now);
            return;
        }
        std::vector<PromptPiece> list;
        for (const auto& [i, piece] : taken)
            list.push_back(piece);
        const bool beside = !m_first && !m_running.empty();
        const double sequences = beside ? besidePrompts() : 0.0;
        const double context = beside ? meanContext() : 0.0;
        const auto seconds = m_times.pieces(list, {sequences, context - 1.0});
        const double whole = seconds.whole + m_moving;
        const double stage = stages() == 1.0 ? whole : seconds.stage + m_moving;
        m_moving = 0.0;
        const double before = m_stepEnds.empty() ? 0.0 : m_stepEnds.back() + stage;
        const double end = stages() == 1.0 ? m_now + whole : std::max(m_now + whole, before);
        m_stepEnds.push_back(end);
        for (const auto& [i, piece] : taken)
            if (piece.ends)
                m_leaving.push_back({end, i});
        double next = m_now + stage; // the next step, of which the P-th before has to be out
        const auto depth = static_cast<std::size_t>(stages());
        if (m_stepEnds.size() >= depth)
            next = std::max(next, m_stepEnds[m_stepEnds.size() - depth]);
        goTo(next);
        m_prompted = true;
        m_turns = beside ? m_turns + 1.0 : 0.0;
        if (m_turns == stages()) {
            m_turns = 0.0;
            decodeOne(ran);
        }
        leave(m_now);
    }

    void endPrompt(std::size_t i, double now) {
        auto& served = m_all[i];
        if (m_evicts)
            m_set.erase(i);
        if (served.first == kNotYet) {
            served.first = now + m_s.request + m_s.token * served.prompt();
            served.left = served.output() - 1.0;
        } else {
            served.left -= 1.0;
        }
        served.context = served.target + 1.0;
        if (served.left <= 0.0)
            end(i, now);
        else
            m_running.push_back(i);
    }
};

} // namespace

std::vector<ServedRequest> referenceServer(const ServerTraffic& traffic, const ServerSettings& settings,
                                           ServiceTimes& times) {
    return StepByStep(traffic, settings, times).run();
}

} // namespace heteroscape::engine

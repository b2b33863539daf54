// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/serving/server_loop.h"

namespace heteroscape::engine::reference {

inline constexpr double kNotYet = std::numeric_limits<double>::infinity();

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

inline std::vector<ServedRequest> answersOf(const std::vector<Served>& all) {
    std::vector<ServedRequest> answers;
    for (const auto& served : all) {
        auto& answer = answers.emplace_back();
        answer.request = {served.arrival, 0, served.request->size.prompt, served.request->size.output};
        answer.firstToken = served.first;
        answer.finish = served.last;
    }
    return answers;
}

} // namespace heteroscape::engine::reference

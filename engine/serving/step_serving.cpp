// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/serving/server_rules.h"
#include "engine/serving/split_rules.h"

#include <map>
#include <tuple>
#include <utility>

namespace heteroscape::engine {

namespace {

/// Sorts what is nearly in order: each is moved over the few before it that are larger; where these are many,
/// as any other.
template <class T>
void sortNearly(std::vector<T>& values) {
    std::size_t left = 8 * values.size(); // moves
    for (std::size_t i = 1; i < values.size(); ++i) {
        const auto value = values[i];
        auto at = i;
        for (; at > 0 && value < values[at - 1] && left > 0; --at, --left)
            values[at] = values[at - 1];
        values[at] = value;
        if (left == 0)
            return std::sort(values.begin(), values.end());
    }
}

/// The first of `slots` (s, when each is free) that is free at `start`, taken until `end`.
std::uint32_t freeSlot(std::vector<double>& slots, double start, double end) {
    const auto free = std::find_if(slots.begin(), slots.end(), [&](double until) { return until <= start; });
    const auto slot = static_cast<std::uint32_t>(free - slots.begin());
    if (free == slots.end())
        slots.push_back(end);
    else
        *free = end;
    return slot;
}

/// Puts the segments of a split run on lanes: a prefill and the KV transfer after it on those of its prefill
/// worker; decodes on those of their pool, dealt out over its replicas, which are alike.
void recordSplit(Recorder& recorder, const ServingSystem& system, ServedRun& run) {
    std::vector<ServingLane> workers; // of prefill, numbered through
    for (std::uint32_t pool = 0; pool < system.pools.size(); ++pool)
        for (std::uint32_t replica = 0; replica < system.pools[pool].replicas; ++replica)
            if (system.pools[pool].role == Role::Prefill)
                workers.push_back({pool, replica, 0});
    std::stable_sort(run.segments.begin(), run.segments.end(),
                     [](const ServingSegment& a, const ServingSegment& b) {
                         return std::tie(a.start, a.request, a.phase) < std::tie(b.start, b.request, b.phase);
                     });
    std::map<std::pair<std::uint32_t, double>, double> transferred; // end by request and start
    for (const auto& segment : run.segments)
        if (segment.phase == ServingPhase::KvTransfer)
            transferred[{segment.request, segment.start}] = segment.end;
    std::vector<std::vector<double>> prefillSlots(workers.size()), decodeSlots(system.pools.size());
    std::map<std::uint32_t, ServingLane> prefillLane; // of each request
    std::map<std::uint32_t, double> before;           // end of its segment before
    for (auto& segment : run.segments) {
        const auto request = segment.request;
        const auto known = before.try_emplace(request, run.requests[request].request.arrival).first;
        segment.waited = std::max(0.0, segment.start - known->second);
        known->second = segment.end;
        ServingLane lane;
        auto reason = WaitReason::DecodeBusy;
        if (segment.phase == ServingPhase::Prefill) {
            reason = WaitReason::Queue;
            const auto moved = transferred.find({request, segment.end});
            const double until = moved == transferred.end() ? segment.end : moved->second;
            lane = workers[segment.lane];
            lane.slot = freeSlot(prefillSlots[segment.lane], segment.start, until) + 1;
            prefillLane[request] = lane;
        } else if (segment.phase == ServingPhase::KvTransfer) {
            lane = prefillLane[request];
        } else {
            const auto replicas = std::max(1u, system.pools[segment.lane].replicas);
            const auto slot = freeSlot(decodeSlots[segment.lane], segment.start, segment.end);
            lane = {segment.lane, slot % replicas, slot / replicas + 1};
        }
        segment.reason = segment.waited > 0.0 ? reason : WaitReason::None;
        recorder.add(lane, segment);
    }
}

class StepServing {
public:
    StepServing(const ServingSystem& system, RequestStream& stream, const SimulationOptions& options)
        : m_system(system), m_options(options), m_recorder(options.recorded) {
        m_requests.reserve(static_cast<std::size_t>(stream.size()));
        while (const auto request = stream.next()) {
            if (isStopped(m_requests.size()))
                break;
            m_requests.push_back(*request);
        }
        m_result.firstArrival = m_requests.empty() ? 0.0 : m_requests.front().arrival;
        m_result.pools.resize(system.pools.size());
        m_result.routeTokens.assign(system.routes.size(), 0.0);
        for (std::size_t p = 0; p < system.pools.size(); ++p) {
            const auto& pool = system.pools[p];
            m_result.growsKv |= pool.role != Role::Prefill && pool.server.eviction != Eviction::Reserved;
            if (pool.role == Role::Both)
                for (std::uint32_t replica = 0; replica < pool.replicas; ++replica)
                    m_servers.push_back({p, replica, pool.weight, 0.0, {}, {}});
        }
        m_splits = m_servers.empty();
        if (m_splits) // all requests
            m_servers.emplace_back();
    }

    ServingResult run() {
        if (!m_result.cancelled)
            dealOut();
        for (auto& server : m_servers)
            if (!server.ids.empty() && !m_result.cancelled)
                serve(server);
        if (!m_result.cancelled)
            sumUp();
        m_recorder.moveInto(m_result);
        return std::move(m_result);
    }

private:
    struct Server {
        std::size_t pool = 0;
        std::uint32_t replica = 0;
        double weight = 1.0;
        double dealt = 0.0;
        ServerTraffic traffic;
        std::vector<std::uint32_t> ids; ///< of its requests
    };

    const ServingSystem& m_system;
    const SimulationOptions& m_options;
    Recorder m_recorder;
    std::vector<Request> m_requests;
    std::vector<Server> m_servers;
    bool m_splits = false; ///< over pools that prefill and pools that decode
    std::vector<ServedRequest> m_done;
    double m_firstWave = 0.0;
    ServingResult m_result;

    /// Now and then looks whether it is asked to stop.
    bool isStopped(std::size_t request) {
        constexpr std::size_t kRequestsBetweenLooks = 1 << 16;
        m_result.cancelled |= request % kRequestsBetweenLooks == 0 && m_options.stop.stop_requested();
        return m_result.cancelled;
    }

    double turns() const { return std::max(1.0, m_system.users.turns); }

    /// The server that has least for its weight; of several the first.
    Server& next() {
        return *std::min_element(m_servers.begin(), m_servers.end(), [](const Server& a, const Server& b) {
            return (a.dealt + 1.0) * b.weight < (b.dealt + 1.0) * a.weight;
        });
    }

    void dealOut() {
        const auto perSession = static_cast<std::size_t>(turns());
        const bool closed = m_system.users.users > 0.0;
        const double hits = m_system.prefixHits;
        const double urgent = m_system.urgentShare;
        const auto sessions = m_requests.size() / perSession;
        for (auto& server : m_servers) {
            server.traffic.requests.reserve(m_requests.size() / m_servers.size());
            server.ids.reserve(m_requests.size() / m_servers.size());
        }
        for (std::size_t s = 0; s < sessions && !isStopped(s); ++s) {
            if (closed && static_cast<double>(s) == m_system.users.users)
                weighByUsers();
            auto& server = next();
            server.dealt += 1.0;
            if (closed && static_cast<double>(s) < m_system.users.users)
                ++server.traffic.users;
            if (!closed)
                server.traffic.starts.push_back(m_requests[s * perSession].arrival);
            for (std::size_t t = 0; t < perSession; ++t) {
                const auto i = s * perSession + t;
                const auto& request = m_requests[i];
                const double before = t == 0 ? std::min<double>(m_system.users.sharedPrefix, request.prompt)
                                             : m_requests[i - 1].prompt + m_requests[i - 1].output;
                const double known = std::max<double>(request.known, before);
                ServerRequest one{{request.prompt, request.output}, 0.0, 1};
                if (hits > 0.0)
                    one.cached = std::floor(hits * known);
                const auto place = static_cast<double>(i);
                if (urgent > 0.0 && std::floor((place + 1.0) * urgent) > std::floor(place * urgent))
                    one.priority = 0;
                server.traffic.requests.push_back(one);
                server.ids.push_back(request.id);
            }
        }
        m_firstWave = closed ? std::min(m_system.users.users, static_cast<double>(sessions)) : 0.0;
    }

    /// After the first wave sessions go where users are free.
    void weighByUsers() {
        for (auto& server : m_servers) {
            server.weight = std::max(1e-9, static_cast<double>(server.traffic.users));
            server.dealt = 0.0;
        }
    }

    void serve(Server& server) {
        auto& traffic = server.traffic;
        const auto& users = m_system.users;
        traffic.turns = static_cast<std::uint64_t>(turns());
        traffic.pause = users.pause;
        traffic.think = users.users > 0.0 ? users.think : 0.0;
        const auto& pool = m_system.pools[server.pool];
        traffic.frontRequest = pool.server.frontRequest;
        traffic.frontToken = pool.server.frontToken;
        auto options = m_options;
        if (m_options.progress)
            options.progress = [this, before = m_done.size()](std::uint64_t done, std::uint64_t) {
                m_options.progress(before + done, m_requests.size());
            };
        if (m_splits) {
            auto run = serveSplit(traffic, m_system, options);
            m_result.pools = run.pools;
            m_result.routeTokens = run.routeTokens;
            for (std::size_t p = 0; p < m_system.pools.size(); ++p) // while any of the replicas works
                m_result.pools[p].decodeSeconds *= m_system.pools[p].replicas;
            keep(server, run);
            recordSplit(m_recorder, m_system, run);
            return;
        }
        auto run = serveTraffic(traffic, pool.server, *pool.times, options);
        const auto& did = run.pools.front();
        auto& work = m_result.pools[server.pool];
        work.prefillSeconds += did.prefillSeconds;
        work.decodeSeconds += did.decodeSeconds;
        work.promptTokens += did.promptTokens;
        work.outputTokens += did.outputTokens;
        work.prefills += did.prefills;
        work.decodes += did.decodes;
        keep(server, run);
    }

    /// What a run answered, and what it counted of itself.
    void keep(const Server& server, ServedRun& run) {
        m_result.cancelled |= run.cancelled;
        m_result.evictions += run.evictions;
        m_result.refused += run.refused;
        m_done.reserve(m_requests.size());
        if (m_result.cancelled)
            return;
        for (const auto i : run.answered) {
            m_done.push_back(run.requests[i]);
            m_done.back().request.id = server.ids[i];
        }
        if (m_options.recorded == 0)
            return;
        auto order = std::move(run.answered); // slots are taken in another
        std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
            return std::pair(run.requests[a].prefillStart, a) < std::pair(run.requests[b].prefillStart, b);
        });
        std::vector<double> slots; ///< when each is free
        for (const auto i : order)
            if (m_recorder.keeps(server.ids[i])) {
                run.requests[i].request.id = server.ids[i];
                record(server, run.requests[i], slots);
            }
    }

    /// Its lane is the server's work, without the request's way.
    void record(const Server& server, ServedRequest served, std::vector<double>& slots) {
        const double taken = served.prefillStart;
        const double first = served.firstToken - served.overhead;
        const double last = served.finish - served.overhead;
        served.decodeStart = served.firstToken;
        m_recorder.add(served);
        if (m_splits)
            return;
        const auto& request = served.request;
        const auto slot = freeSlot(slots, taken, last);
        const ServingLane lane{static_cast<std::uint32_t>(server.pool), server.replica, slot + 1};
        const double waited = taken - request.arrival;
        m_recorder.add(lane, {taken, first, std::max(0.0, waited), request.id, 1, 0, ServingPhase::Prefill,
                              waited > 0.0 ? WaitReason::Queue : WaitReason::None});
        m_recorder.add(lane, {first, last, 0.0, request.id, 1, 0, ServingPhase::Decode, WaitReason::None});
    }

    /// By their finish, then their number.
    void sortByFinish() {
        struct Place {
            double finish;
            std::uint32_t id, index;
            bool operator<(const Place& other) const {
                return finish != other.finish ? finish < other.finish : id < other.id;
            }
        };
        std::vector<Place> places;
        places.reserve(m_done.size());
        for (const auto& served : m_done)
            places.push_back({served.finish, served.request.id, static_cast<std::uint32_t>(places.size())});
        sortNearly(places);
        std::vector<ServedRequest> sorted;
        sorted.reserve(m_done.size());
        for (const auto& place : places)
            sorted.push_back(m_done[place.index]);
        m_done.swap(sorted);
    }

    void sumUp() {
        auto& result = m_result;
        sortByFinish();
        const double firstSent = m_firstWave * turns();
        for (const auto& served : m_done) {
            const auto& request = served.request;
            ++result.arrived;
            result.end = std::max(result.end, served.finish);
            if (served.finish > m_options.until)
                continue;
            const double tpot = request.output > 1 ? served.tpot() : 0.0;
            result.countDone(request, served.ttft(), tpot, served.latency(), m_options);
            const bool first = static_cast<double>(request.id) < firstSent && request.arrival == 0.0;
            if (first && m_system.users.warmsUp)
                continue;
            result.ttft.add(served.ttft());
            if (request.output > 1)
                result.tpot.add(tpot);
            if (!m_options.whole)
                continue;
            result.wait.add(std::max(0.0, served.prefillStart - request.arrival));
            if (m_system.users.users > 0.0)
                (first ? result.firstWave : result.later).add(served.ttft());
            result.latency.add(served.latency());
        }
        result.end = std::min(result.end, m_options.until);
        if (m_options.whole)
            holdDepth();
        rate();
    }

    /// Numbers over time, from the times of all requests.
    void holdDepth() {
        std::vector<double> arrived, taken; // and answered, in the order of m_done
        for (const auto& served : m_done) {
            arrived.push_back(served.request.arrival);
            taken.push_back(std::max(served.request.arrival, served.prefillStart));
        }
        std::sort(arrived.begin(), arrived.end());
        std::sort(taken.begin(), taken.end());
        auto& result = m_result;
        result.depth.expect(result.end);
        Depth depth;
        double before = 0.0;
        const auto timeOf = [](const std::vector<double>& times, std::size_t i) {
            return i < times.size() ? times[i] : kEndless;
        };
        for (std::size_t a = 0, t = 0, d = 0; d < m_done.size();) {
            const double end = m_done[d].finish;
            const double time = std::min({timeOf(arrived, a), timeOf(taken, t), end});
            const double now = std::min(time, result.end);
            result.depth.hold(depth, now);
            result.systemSeconds += depth.total() * (now - before);
            before = now;
            if (time > result.end)
                break;
            if (time == timeOf(arrived, a)) {
                ++a;
                depth.waiting += 1.0;
            } else if (time == timeOf(taken, t)) {
                ++t;
                depth.waiting -= 1.0;
                depth.running += 1.0;
            } else {
                ++d;
                depth.running -= 1.0;
            }
        }
        const auto left = result.arrived - result.done;
        result.queued = std::min(left, static_cast<std::uint64_t>(std::max(0.0, depth.waiting)));
        result.running = left - result.queued;
        if (left > 0) // what is in the system at the end has been there so far
            for (const auto& served : m_done)
                if (served.finish > m_options.until)
                    result.sojournSeconds += std::max(0.0, result.end - served.request.arrival);
    }

    /// Between its first and last token a request is given the others evenly.
    void rate() {
        auto& result = m_result;
        RunRate rate(m_done.size(), false);
        std::optional<double> left;
        for (const auto& served : m_done) {
            if (served.finish <= m_options.until) {
                rate.finish(served.finish, served.request.output);
                continue;
            }
            const double decoding = m_options.until - served.firstToken;
            left = left.value_or(0.0);
            if (decoding >= 0.0)
                *left += 1.0 + (served.request.output > 1 ? decoding / served.tpot() : 0.0);
        }
        rate.into(result, result.firstArrival, result.end, left);
    }
};

} // namespace

ServingResult serveBySteps(const ServingSystem& system, RequestStream& requests,
                           const SimulationOptions& options) {
    return StepServing(system, requests, options).run();
}

} // namespace heteroscape::engine

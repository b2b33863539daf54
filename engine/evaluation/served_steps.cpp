// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluation/served_steps.h"

#include "engine/evaluation/service_tables.h"
#include "engine/schedule/kv_transfer.h"
#include "engine/serving/server/server.h"
#include "engine/serving/simulation.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace heteroscape::engine {

namespace {

/// A parameter of servers; what the chosen batching does not know is not set.
double told(const Serving& serving, std::string_view key, double otherwise) {
    return serving.batching->indexOf(key) >= 0 ? serving[key].valueOr(otherwise) : otherwise;
}

/// Steps of a pool by its service times. What is offloaded is laid out for the longest requests; its prompts
/// are prefilled as a batch of the longest of them. One thread.
class PoolSteps final : public StepModel {
public:
    /// `longest`: of requests where the pool offloads, else none.
    PoolSteps(ServiceTimes& times, const std::optional<RequestLengths>& longest)
        : m_times(times), m_longest(longest) {}

    double decode(double sequences, double context) const override {
        return linearBetweenWhole(sequences,
                                  [&](double n) { return m_times.decode(batch(n, context), 1.0); });
    }
    double mixed(double sequences, double context, std::span<const PromptPiece> pieces) const override {
        return m_longest ? offloaded(sequences, context, pieces) : together(sequences, context, pieces).whole;
    }
    double stages() const override { return m_times.stages(); }
    double stage(double sequences, double context, std::span<const PromptPiece> pieces) const override {
        return m_longest ? mixed(sequences, context, pieces) : together(sequences, context, pieces).stage;
    }

private:
    ServiceTimes& m_times;
    std::optional<RequestLengths> m_longest;

    PieceSeconds together(double sequences, double context, std::span<const PromptPiece> pieces) const {
        return m_times.pieces(pieces, batch(std::ceil(sequences), context));
    }
    /// A step attends to `context` keys: those before it and its own.
    DecodeBatch batch(double sequences, double context) const {
        DecodeBatch batch{sequences, sequences > 0.0 ? context - 1.0 : 0.0, 0.0, 0.0};
        if (m_longest) {
            batch.prompt = m_longest->longestPrompt;
            batch.output = m_longest->longest - m_longest->longestPrompt;
        }
        return batch;
    }
    double offloaded(double sequences, double context, std::span<const PromptPiece> pieces) const {
        double prompt = 1.0;
        for (const auto& piece : pieces)
            prompt = std::max(prompt, piece.done + piece.tokens);
        const double alone = m_times.prefill(static_cast<double>(pieces.size()), prompt,
                                             std::max(1.0, m_longest->longest - prompt));
        return sequences > 0.0 ? alone + m_times.decode(batch(sequences, context), 1.0) : alone;
    }
};

class ServedSteps {
public:
    ServedSteps(const Scenario& scenario, const ServingSystem& system, ServingEvaluation& out,
                const SimulationOptions& options)
        : m_scenario(scenario), m_serving(scenario.serving), m_system(system), m_out(out), m_options(options),
          m_plan(m_serving.arrivals->users(m_serving)), m_recorder(options.recorded) {}

    void run() {
        if (!check())
            return;
        takeRequests();
        if (m_split)
            m_servers.emplace_back(); // all requests
        else
            addServers();
        dealOut();
        auto& result = m_out.result;
        result.pools.resize(m_system.pools.size());
        result.routeTokens.assign(m_system.routes.size(), 0.0);
        if (m_split)
            serveSplitOver(m_servers.front());
        else
            for (std::size_t s = 0; s < m_servers.size() && !result.cancelled; ++s)
                serve(m_servers[s]);
        sumUp();
        m_recorder.moveInto(result);
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
    struct Done {
        Request request;
        ServedAnswer answer;
    };

    const Scenario& m_scenario;
    const Serving& m_serving;
    const ServingSystem& m_system;
    ServingEvaluation& m_out;
    const SimulationOptions& m_options;
    UserPlan m_plan;
    Recorder m_recorder;
    std::vector<Request> m_requests;
    std::vector<Server> m_servers;
    std::vector<Done> m_done;
    double m_firstWave = 0.0;
    bool m_split = false; ///< prefill pools and a decode pool

    bool check() {
        if (!m_serving.batching->stepRule()) {
            m_out.reason = "Users in a closed loop cannot be served by " +
                           std::string(m_serving.batching->noun()) + ": choose another batching";
            return false;
        }
        std::size_t whole = 0;
        std::size_t decoding = 0;
        for (std::size_t p = 0; p < m_system.pools.size(); ++p) {
            const auto role = m_system.pools[p].role;
            whole += role == Role::Both ? 1 : 0;
            decoding += role == Role::Decode ? 1 : 0;
        }
        m_split = whole < m_system.pools.size();
        if (m_split && (whole > 0 || decoding == 0 || decoding == m_system.pools.size() || m_system.assist)) {
            m_out.reason = "Steps of servers are split over prefill and decode pools, without pools of whole "
                           "requests beside them and without GPU assist: change the roles, turn "
                           "disaggregation off, or choose continuous or static batching";
            return false;
        }
        return true;
    }

    double turns() const { return std::max(1.0, m_plan.turns); }

    void takeRequests() {
        RequestStream stream(m_serving, m_scenario.workload);
        m_requests.reserve(static_cast<std::size_t>(stream.size()));
        while (const auto request = stream.next())
            m_requests.push_back(*request);
        m_out.result.firstArrival = m_requests.empty() ? 0.0 : m_requests.front().arrival;
    }

    void addServers() {
        for (std::size_t p = 0; p < m_system.pools.size(); ++p) {
            auto& pool = m_system.pools[p];
            const auto& workload = m_scenario.workload;
            const double rate =
                1.0 / (pool.times->prefill(1.0, workload.promptTokens.value, workload.outputTokens.value) +
                       pool.times->decode({1.0, workload.promptTokens.value, workload.promptTokens.value,
                                           workload.outputTokens.value},
                                          workload.outputTokens.value));
            for (std::uint32_t r = 0; r < pool.replicas; ++r) {
                m_servers.emplace_back();
                m_servers.back().pool = p;
                m_servers.back().replica = r;
                m_servers.back().weight = rate;
            }
        }
    }

    /// The server that has least for its weight; of several the first.
    Server& next() {
        return *std::min_element(m_servers.begin(), m_servers.end(), [](const Server& a, const Server& b) {
            return (a.dealt + 1.0) * b.weight < (b.dealt + 1.0) * a.weight;
        });
    }

    void dealOut() {
        const auto perSession = static_cast<std::size_t>(turns());
        const bool closed = m_plan.users > 0.0;
        const double hits = told(m_serving, "prefix_hit", 0.0);
        const double urgent = told(m_serving, "urgent_share", 0.0);
        const auto sessions = m_requests.size() / perSession;
        for (std::size_t s = 0; s < sessions; ++s) {
            if (closed && static_cast<double>(s) == m_plan.users)
                weighByUsers();
            auto& server = next();
            server.dealt += 1.0;
            if (closed && static_cast<double>(s) < m_plan.users)
                ++server.traffic.users;
            if (!closed)
                server.traffic.starts.push_back(m_requests[s * perSession].arrival);
            for (std::size_t t = 0; t < perSession; ++t) {
                const auto i = s * perSession + t;
                const auto& request = m_requests[i];
                const double known = t == 0 ? std::min<double>(m_plan.sharedPrefix, request.prompt)
                                            : m_requests[i - 1].prompt + m_requests[i - 1].output;
                ServerRequest one{{request.prompt, request.output}, std::floor(hits * known), 0};
                const auto place = static_cast<double>(i);
                one.priority = std::floor((place + 1.0) * urgent) > std::floor(place * urgent) ? 0 : 1;
                server.traffic.requests.push_back(one);
                server.ids.push_back(request.id);
            }
        }
        m_firstWave = closed ? std::min(m_plan.users, static_cast<double>(sessions)) : 0.0;
    }

    /// After the first wave sessions go where users are free.
    void weighByUsers() {
        for (auto& server : m_servers) {
            server.weight = std::max(1e-9, static_cast<double>(server.traffic.users));
            server.dealt = 0.0;
        }
    }

    ServerSettings settingsOf(std::size_t index) const {
        const auto& pool = m_system.pools[index];
        const auto& node = nodeOf(index);
        ServerSettings settings;
        settings.rule = pool.countsGroups ? &staticRule() : m_serving.batching->stepRule();
        settings.ranks = std::max(1.0, layoutOf(node).dp);
        settings.budget = told(m_serving, "budget_tokens", settings.budget);
        const double batch = std::ceil(pool.batch / settings.ranks);
        settings.sequences = pool.countsGroups ? batch : told(m_serving, "max_sequences", batch);
        settings.reserve = told(m_serving, "kv_reserve", 1.0);
        settings.look = told(m_serving, "look_steps", 1.0);
        settings.waitShare = told(m_serving, "wait_share", 0.0);
        settings.waitSteps = told(m_serving, "wait_steps", 0.0);
        settings.balance = settings.ranks > 1.0 ? told(m_serving, "balance_steps", 0.0) : 0.0;
        settings.kvTokens = pool.memory / settings.ranks;
        if (node.server) {
            settings.request = (m_split ? node.server->requestApart : node.server->request).value;
            settings.token = m_split ? 0.0 : node.server->token.value;
        }
        settings.block = told(m_serving, "kv_block_tokens", 0.0);
        if (settings.block > 0.0) {
            const double swap = told(m_serving, "swap_gbps", 0.0);
            settings.eviction = swap > 0.0 ? Eviction::Swap : Eviction::Recompute;
            if (swap > 0.0)
                settings.swapToken = kvTokenBytes(m_scenario, node) / swap;
        }
        if (told(m_serving, "urgent_share", 0.0) > 0.0)
            settings.order = QueueOrder::Priority;
        else if (told(m_serving, "shortest_first", 0.0) > 0.0)
            settings.order = QueueOrder::ShortestFirst;
        return settings;
    }

    void completeTraffic(Server& server) const {
        server.traffic.turns = static_cast<std::uint64_t>(turns());
        server.traffic.pause = m_plan.pause;
        server.traffic.think = m_plan.users > 0.0 ? m_plan.think : 0.0;
        if (const auto& front = nodeOf(server.pool).server; front && !m_split) {
            server.traffic.frontRequest = front->frontRequest.value;
            server.traffic.frontToken = front->frontToken.value;
        }
    }

    PoolSteps stepsOf(std::size_t pool) const {
        std::optional<RequestLengths> longest;
        if (m_system.pools[pool].countsGroups)
            longest = m_serving.arrivals->lengths(m_serving, m_scenario.workload);
        return {*m_system.pools[pool].times, longest};
    }
    const Node& nodeOf(std::size_t pool) const { return m_scenario.nodes[m_out.poolNodes[pool]]; }

    void serve(Server& server) {
        if (server.ids.empty())
            return;
        completeTraffic(server);
        const auto settings = settingsOf(server.pool);
        const auto run = serveTraffic(server.traffic, settings, stepsOf(server.pool), m_options.stop);
        m_out.result.growsKv |= settings.eviction != Eviction::Reserved;
        auto& work = m_out.result.pools[server.pool];
        work.prefillSeconds += run.prefillSeconds;
        work.decodeSeconds += run.decodeSeconds;
        work.promptTokens += run.prefilled;
        work.outputTokens += run.decoded;
        work.prefills += static_cast<double>(server.ids.size()) - run.refused;
        work.decodes += static_cast<double>(server.ids.size()) - run.refused;
        keep(server, run);
    }

    void serveSplitOver(Server& all) {
        completeTraffic(all);
        std::vector<PoolSteps> steps;
        for (std::size_t p = 0; p < m_system.pools.size(); ++p)
            steps.push_back(stepsOf(p));
        std::vector<DecodeGroup> decode;
        std::vector<std::size_t> decodePools, prefillPools;
        for (std::size_t p = 0; p < m_system.pools.size(); ++p)
            (m_system.pools[p].role == Role::Decode ? decodePools : prefillPools).push_back(p);
        for (const auto d : decodePools)
            decode.push_back(decodeGroup(d, steps[d]));
        std::vector<PrefillGroup> prefill;
        for (const auto p : prefillPools) {
            PrefillGroup group{settingsOf(p), &steps[p], m_system.pools[p].replicas, {}};
            for (const auto d : decodePools)
                group.ways.push_back(wayOf(p, d));
            prefill.push_back(std::move(group));
        }
        SplitWork work;
        work.recorded = m_options.recorded;
        const auto run = serveSplit(all.traffic, prefill, decode, m_system.links, work, m_options.stop);
        auto& result = m_out.result;
        for (std::size_t g = 0; g < prefill.size(); ++g) {
            auto& pool = result.pools[prefillPools[g]];
            pool.prefillSeconds = work.prefill[g].seconds;
            pool.promptTokens = work.prefill[g].tokens;
            pool.prefills = work.prefill[g].requests;
            for (std::size_t d = 0; d < decode.size(); ++d)
                result.routeTokens[prefillPools[g] * m_system.pools.size() + decodePools[d]] =
                    work.prefill[g].sent[d];
        }
        for (std::size_t d = 0; d < decode.size(); ++d) {
            auto& pool = result.pools[decodePools[d]];
            pool.decodeSeconds = work.decode[d].seconds * m_system.pools[decodePools[d]].replicas;
            pool.outputTokens = work.decode[d].tokens;
            pool.decodes = work.decode[d].requests;
            result.growsKv |= decode[d].settings.eviction != Eviction::Reserved;
        }
        keep(all, run);
        recordSplit(m_recorder, m_system, prefillPools, decodePools, run, std::move(work.spans));
        for (const auto& [request, answer] : m_done)
            if (m_recorder.keeps(request.id)) {
                const double first = answer.firstToken - answer.overhead;
                m_recorder.add({request, answer.taken, first, first, answer.lastToken - answer.overhead});
            }
    }

    /// The drawn links, and no faster than the server that sends moves KV caches.
    KvWay wayOf(std::size_t prefill, std::size_t decode) const {
        const auto& route = m_system.route(prefill, decode);
        auto way = kvWayOf(route);
        const auto& node = nodeOf(prefill);
        if (!node.server)
            return way;
        const double least = route.bytesPerToken / (node.server->transferRate.value * layoutOf(node).tp);
        for (auto& use : way.uses)
            use.amount *= way.token / std::max(way.token, least);
        way.token = std::max(way.token, least);
        way.latency += node.server->transferLatency.value;
        return way;
    }

    /// Weighs by the rate at which it decodes while it is full.
    DecodeGroup decodeGroup(std::size_t pool, const PoolSteps& steps) const {
        DecodeGroup group{settingsOf(pool), &steps, static_cast<double>(m_system.pools[pool].replicas)};
        group.decodeSlots = group.settings.sequences;
        const auto& workload = m_scenario.workload;
        const double longest = workload.promptTokens.value + workload.outputTokens.value;
        const double full = std::clamp(group.settings.kvTokens * group.settings.ranks / longest, 1.0,
                                       group.settings.sequences * group.settings.ranks);
        const double middle = workload.promptTokens.value + 0.5 * workload.outputTokens.value;
        group.weight = group.workers * full / steps.decode(full, middle);
        return group;
    }

    /// What a run answered, and what it counted of itself.
    void keep(const Server& server, const ServedRun& run) {
        auto& result = m_out.result;
        result.cancelled |= run.cancelled;
        result.evictions += run.evictions;
        result.refused += static_cast<std::uint64_t>(run.refused);
        std::vector<double> slots; ///< when each is free
        std::vector<std::uint32_t> order(run.answers.size());
        for (std::uint32_t i = 0; i < order.size(); ++i)
            order[i] = i;
        if (m_options.recorded > 0) // slots are taken in this order; what is summed up has one of its own
            std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
                return std::pair(run.answers[a].taken, a) < std::pair(run.answers[b].taken, b);
            });
        for (const auto i : order) {
            const auto& answer = run.answers[i];
            if (answer.output == 0 || answer.lastToken == 0.0) // refused, or not answered when it was stopped
                continue;
            auto request = m_requests[server.ids[i]];
            request.arrival = answer.arrival;
            m_done.push_back({request, answer});
            if (!m_split)
                record(server, m_done.back(), slots);
        }
        if (m_options.progress)
            m_options.progress(m_done.size(), m_requests.size());
    }

    void record(const Server& server, const Done& done, std::vector<double>& slots) {
        const auto& [request, answer] = done;
        if (!m_recorder.keeps(request.id))
            return;
        const double first = answer.firstToken - answer.overhead;
        const double last = answer.lastToken - answer.overhead;
        const auto slot = freeSlot(slots, answer.taken, last);
        const ServingLane lane{static_cast<std::uint32_t>(server.pool), server.replica, slot + 1};
        const double waited = answer.taken - request.arrival;
        m_recorder.add(lane, {answer.taken, first, std::max(0.0, waited), request.id, 1, 0,
                              ServingPhase::Prefill, waited > 0.0 ? WaitReason::Queue : WaitReason::None});
        m_recorder.add(lane, {first, last, 0.0, request.id, 1, 0, ServingPhase::Decode, WaitReason::None});
        m_recorder.add({request, answer.taken, first, first, last});
    }

    void sumUp() {
        auto& result = m_out.result;
        std::sort(m_done.begin(), m_done.end(), [](const Done& a, const Done& b) {
            return std::pair(a.answer.lastToken, a.request.id) < std::pair(b.answer.lastToken, b.request.id);
        });
        for (const auto& [request, answer] : m_done) {
            ++result.arrived;
            result.end = std::max(result.end, answer.lastToken);
            if (answer.lastToken > m_options.until)
                continue;
            ++result.done;
            result.outputTokens += answer.output;
            result.sojournSeconds += answer.latency();
            result.good += answer.ttft() <= m_options.ttftLimit &&
                                   (answer.output < 2 || answer.tpot() <= m_options.tpotLimit) &&
                                   answer.latency() <= m_options.latencyLimit
                               ? 1
                               : 0;
            const bool first =
                static_cast<double>(request.id) < m_firstWave * turns() && answer.arrival == 0.0;
            if (first && m_plan.warmsUp)
                continue;
            result.wait.add(std::max(0.0, answer.taken - answer.arrival));
            result.ttft.add(answer.ttft());
            if (m_plan.users > 0.0)
                (first ? result.firstWave : result.later).add(answer.ttft());
            if (answer.output > 1)
                result.tpot.add(answer.tpot());
            result.latency.add(answer.latency());
        }
        result.end = std::min(result.end, m_options.until);
        if (m_options.depths)
            holdDepth();
        rate();
    }

    /// Numbers over time, from the times of all requests.
    void holdDepth() {
        std::vector<double> arrived, taken; // and answered, in the order of m_done
        for (const auto& [request, answer] : m_done) {
            arrived.push_back(answer.arrival);
            taken.push_back(std::max(answer.arrival, answer.taken));
        }
        std::sort(arrived.begin(), arrived.end());
        std::sort(taken.begin(), taken.end());
        auto& result = m_out.result;
        result.depth.expect(result.end);
        Depth depth;
        double before = 0.0;
        const auto timeOf = [](const std::vector<double>& times, std::size_t i) {
            return i < times.size() ? times[i] : kEndless;
        };
        for (std::size_t a = 0, t = 0, d = 0; d < m_done.size();) {
            const double end = m_done[d].answer.lastToken;
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
            for (const auto& [request, answer] : m_done)
                if (answer.lastToken > m_options.until)
                    result.sojournSeconds += std::max(0.0, result.end - answer.arrival);
    }

    /// Between its first and last token a request is given the others evenly.
    void rate() {
        auto& result = m_out.result;
        RunRate rate(m_done.size(), false);
        std::optional<double> left;
        for (const auto& [request, answer] : m_done) {
            if (answer.lastToken <= m_options.until) {
                rate.finish(answer.lastToken, answer.output);
                continue;
            }
            const double decoding = m_options.until - answer.firstToken;
            left = left.value_or(0.0);
            if (decoding >= 0.0)
                *left += 1.0 + (answer.output > 1 ? decoding / answer.tpot() : 0.0);
        }
        rate.into(result, result.firstArrival, result.end, left);
    }
};

} // namespace

bool servesBySteps(const Serving& serving) {
    return serving.batching->isServer() || serving.arrivals->users(serving).users > 0.0;
}

void serveBySteps(const Scenario& scenario, const ServingSystem& system, ServingEvaluation& out,
                  const SimulationOptions& options) {
    ServedSteps(scenario, system, out, options).run();
}

} // namespace heteroscape::engine

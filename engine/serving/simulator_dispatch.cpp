// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/serving/simulator.h"

#include <algorithm>
#include <cmath>

namespace heteroscape::engine {

void Simulator::dispatch() {
    // Servers with nothing at hand wait in line; they are asked before those that decode, so that load
    // spreads.
    auto& ended = m_ended;
    ended.swap(m_boundary);
    m_boundary.clear();
    std::size_t kept = 0;
    for (const auto index : ended) {
        auto& server = m_servers[index];
        server.queued = false;
        join(server);
        if (server.active == 0 && server.prefilling == kNone && server.requests == 0)
            (isDecoder(server) ? m_idleDecoders : m_idlePrefillers).push_back(index);
        else
            ended[kept++] = index;
    }
    ended.resize(kept);
    // What one server takes may let another begin that had to be passed over.
    for (bool again = true; again;) {
        const auto waiting = m_waiting.size();
        const auto staged = m_staged.size();
        placeStaged();
        releaseTargets();
        askIdle();
        for (const auto index : ended)
            decide(m_servers[index]);
        ended.clear();
        again = (waiting != m_waiting.size() || staged != m_staged.size()) &&
                ((!m_idlePrefillers.empty() && !m_waiting.empty()) || !m_staged.empty());
    }
    askToStop();
}

void Simulator::askIdle() {
    for (std::size_t i = 0; i < m_idlePrefillers.size() && (!m_waiting.empty() || !m_staged.empty());) {
        auto& server = m_servers[m_idlePrefillers[i]];
        decide(server);
        if (server.state == State::Free)
            ++i;
        else
            m_idlePrefillers.erase(m_idlePrefillers.begin() + static_cast<std::ptrdiff_t>(i));
    }
}

// ---- staged requests to decode servers

bool Simulator::hasRoom(const Server& server, double requests, double tokens, bool beside) const {
    const auto& pool = poolOf(server);
    const double taken = static_cast<double>(server.requests) + (beside ? server.targeted : 0.0);
    if (isGrouped(pool) ? taken > 0.0 : taken + requests > pool.batch)
        return false;
    return server.used + (beside ? server.targetedTokens : 0.0) + tokens <= pool.memory;
}

/// The decode server that would take so many requests, `beside` those that count on it: the one that is idle
/// longest, else the one with the fewest.
std::uint32_t Simulator::decoderFor(double requests, double tokens, bool beside) const {
    for (const auto index : m_idleDecoders)
        if (hasRoom(m_servers[index], requests, tokens, beside))
            return index;
    auto best = kNone;
    if (!m_batchedDecode)
        return best;
    for (const auto index : m_decoders) {
        const auto& server = m_servers[index];
        if (hasRoom(server, requests, tokens, beside) &&
            (best == kNone ||
             server.requests + server.targeted < m_servers[best].requests + m_servers[best].targeted))
            best = index;
    }
    return best;
}

void Simulator::placeStaged() {
    while (!m_staged.empty()) {
        const auto index = m_staged.front();
        auto& job = m_jobs[index];
        releaseTarget(job);
        auto to = job.target;
        if (to == kNone || !hasRoom(m_servers[to], job.count(), job.allTokens(), true))
            to = decoderFor(job.count(), job.allTokens(), true);
        if (to == kNone) // first come: what others count on
            to = decoderFor(job.count(), job.allTokens(), false);
        if (to == kNone) {
            job.target = kNone;
            return;
        }
        const bool made = to == job.target; // the KV cache came while it was made
        m_staged.pop_front();
        m_stagedRequests -= static_cast<std::uint32_t>(job.members.size());
        m_depth.staged -= job.count();
        m_depth.running += job.count();
        handOver(index, m_servers[to], made);
    }
}

void Simulator::releaseTarget(const Job& job) {
    if (job.target == kNone)
        return;
    m_servers[job.target].targeted -= static_cast<std::uint32_t>(job.members.size());
    m_servers[job.target].targetedTokens -= job.allTokens();
}

/// What stays staged and had a target has missed it, and moves to the staging area if that has room.
void Simulator::releaseTargets() {
    auto fresh = m_staged.end(); // those before it have been here already
    while (fresh != m_staged.begin() && m_jobs[*(fresh - 1)].reason != WaitReason::DecodeBusy)
        --fresh;
    for (; fresh != m_staged.end(); ++fresh) {
        auto& job = m_jobs[*fresh];
        job.reason = WaitReason::DecodeBusy;
        releaseTarget(job);
        job.target = kNone;
        auto& from = m_servers[job.from];
        if (!job.inArea && areaHolds(poolOf(from), job.promptTokens())) {
            m_areaUsed[poolOf(from).staging] += job.promptTokens();
            from.used -= job.promptTokens();
            job.inArea = true;
        }
    }
}

void Simulator::handOver(std::uint32_t index, Server& to, bool pipelined) {
    auto& job = m_jobs[index];
    auto& from = m_servers[job.from];
    const auto& route = m_system.route(from.pool, to.pool);
    const KvHandOver transfer{route.layers,
                              route.bytesPerToken * job.promptTokens() / std::max(1.0, route.layers)};
    const std::span<const Hop> hops(route.hops);
    const auto behind = job.inArea ? std::min(route.stagedHops, hops.size()) : 0;
    const double seconds = hops.empty() ? 0.0
                           : pipelined  ? transfer.exposedSeconds(hops, job.firstToken - job.prefillStart)
                                        : transfer.exposedSeconds(hops.subspan(behind), 0.0);
    to.requests += static_cast<std::uint32_t>(job.members.size());
    to.used += job.allTokens();
    if (const auto idle = std::find(m_idleDecoders.begin(), m_idleDecoders.end(), indexOf(to));
        idle != m_idleDecoders.end())
        m_idleDecoders.erase(idle);
    takeSlot(to, job);
    job.piece = m_now;
    post(std::max(m_now + seconds, takeLinks(route, job, pipelined)), EventKind::Arrived, indexOf(to), index);
}

/// When the links of a route have moved the KV cache too; those that a staged one has behind it moved it
/// while it was made.
double Simulator::takeLinks(const KvRoute& route, const Job& job, bool pipelined) {
    double done = 0.0;
    for (std::size_t h = 0; h < route.links.size(); ++h) {
        const bool whileMade = pipelined || (job.inArea && h < route.stagedHops);
        const auto& link = m_system.links[route.links[h]];
        auto& free = m_linkFree[route.links[h]];
        free = std::max(free, whileMade ? job.prefillStart : m_now) +
               route.bytesOnLinks * job.promptTokens() / link.bandwidth +
               route.besides / link.parallel * KvHandOver{route.layers, 0.0}.startSeconds(route.hops[h]);
        done = std::max(done, free);
    }
    return done;
}

// ---- prefills

Simulator::Group Simulator::nextGroup(const Server& server) const {
    const auto& pool = poolOf(server);
    const bool both = pool.role == Role::Both;
    const auto& head = m_waiting.front();
    Group group{1, head.prompt, head.output};
    if (!isGrouped(pool))
        return group;
    const double area =
        both || pool.staging == ServingPool::kOwnMemory ? kEndless : m_system.staging[pool.staging];
    for (std::size_t i = 1; i < m_waiting.size() && group.count < pool.batch; ++i) {
        const Group more{group.count + 1, std::max(group.prompt, m_waiting[i].prompt),
                         std::max(group.output, m_waiting[i].output)};
        if (server.used + (both ? more.allTokens() : more.promptTokens()) > pool.memory)
            break;
        if (!both && (more.allTokens() > m_largestDecode || more.promptTokens() > area))
            break; // it would wait for a decode server, or for its way there, for ever
        group = more;
    }
    return group;
}

bool Simulator::areaHolds(const ServingPool& pool, double tokens) const {
    return pool.staging != ServingPool::kOwnMemory &&
           m_areaUsed[pool.staging] + tokens <= m_system.staging[pool.staging];
}

bool Simulator::admissible(const Server& server, WaitReason* reason) const {
    const auto& pool = poolOf(server);
    const auto no = [&](WaitReason why) {
        if (reason)
            *reason = why;
        return false;
    };
    if (pool.role == Role::Both && (isGrouped(pool) ? server.requests > 0 : server.requests >= pool.batch))
        return no(WaitReason::ServersBusy);
    const auto group = nextGroup(server);
    if (pool.role == Role::Both)
        return server.used + group.allTokens() <= pool.memory || no(WaitReason::Memory);
    if (group.allTokens() > m_largestDecode)
        return no(WaitReason::ServersBusy); // it is for servers of whole requests
    const bool room = decoderFor(group.count, group.allTokens(), true) != kNone;
    if (!room && m_stagedRequests >= m_system.stage)
        return no(WaitReason::StageFull);
    if (server.used + group.promptTokens() > pool.memory)
        return no(WaitReason::Memory);
    if (!room && pool.staging != ServingPool::kOwnMemory && !areaHolds(pool, group.promptTokens()))
        return no(WaitReason::Memory);
    return true;
}

bool Simulator::startPrefill(Server& server) {
    if (m_waiting.empty())
        return false;
    auto reason = WaitReason::ServersBusy;
    if (!admissible(server, &reason)) {
        m_headReason = reason;
        return false;
    }
    beginPrefill(server);
    return true;
}

void Simulator::beginPrefill(Server& server) {
    const auto& pool = poolOf(server);
    const bool both = pool.role == Role::Both;
    if (server.active > 0 && hasOneLane(server) && !server.stopped) {
        auto& lead = m_jobs[server.lead];
        record(server, lead, ServingPhase::Decode, lead.piece);
        lead.ready = m_now;
        lead.reason = WaitReason::Preempted;
        server.stopped = true;
    }
    const auto index = newJob();
    auto& job = m_jobs[index];
    const auto group = nextGroup(server);
    job.reason = m_headReason != WaitReason::None          ? m_headReason
                 : m_headSince > m_waiting.front().arrival ? WaitReason::Queue
                                                           : WaitReason::ServersBusy;
    m_headSince = m_now;
    job.prompt = group.prompt;
    job.output = group.output;
    for (std::uint32_t i = 0; i < group.count; ++i) {
        m_result.wait.add(m_now - m_waiting.front().arrival);
        job.members.push_back(m_waiting.front());
        m_waiting.pop_front();
    }
    m_headReason = WaitReason::None;
    m_depth.waiting -= job.count();
    m_depth.running += job.count();
    job.left = static_cast<std::uint32_t>(job.members.size());
    job.prefillStart = m_now;
    job.from = indexOf(server);
    server.used += both ? job.allTokens() : job.promptTokens();
    if (!both) {
        job.target = decoderFor(job.count(), job.allTokens(), true);
        if (job.target != kNone) {
            m_servers[job.target].targeted += group.count;
            m_servers[job.target].targetedTokens += group.allTokens();
        } else if (areaHolds(pool, group.promptTokens())) {
            m_areaUsed[pool.staging] += group.promptTokens(); // set aside while it is made
            job.inArea = true;
        }
    }
    server.prefilling = index;
    server.chunkDone = 0;
    if (pool.chunk > 0 && !isGrouped(pool)) {
        startChunk(server);
        return;
    }
    server.state = State::Prefill;
    server.began = m_now;
    post(m_now + pool.times->prefill(job.count(), job.prompt, job.output), EventKind::PrefillDone,
         indexOf(server), server.generation);
}

// ---- what a free server does

void Simulator::join(Server& server) {
    for (const auto index : server.joining) {
        auto& job = m_jobs[index];
        if (server.active == 0)
            server.lead = index;
        job.decodeStart = job.piece = m_now;
        for (std::uint32_t i = 0; i < job.members.size(); ++i)
            server.finishes.push({server.steps + job.members[i].output, index, i});
        server.active += static_cast<std::uint32_t>(job.members.size());
        server.context += job.promptTokens();
    }
    server.joining.clear();
}

void Simulator::decide(Server& server) {
    if (server.prefilling != kNone) {
        startChunk(server);
        return;
    }
    const auto& pool = poolOf(server);
    const bool mayPrefill =
        pool.role == Role::Both ||
        (pool.role == Role::Prefill && (server.active == 0 || (m_system.assist && m_system.preempt)));
    if (mayPrefill && startPrefill(server))
        return;
    if (pool.role == Role::Prefill && m_system.assist && decodeInstead(server))
        return;
    if (server.active > 0)
        startRun(server);
}

/// The head of what is staged, decoded by the server that prefills, as far as it has room.
bool Simulator::takeStaged(Server& server) {
    if (m_staged.empty())
        return false;
    const auto index = m_staged.front();
    auto& job = m_jobs[index];
    const auto& pool = poolOf(server);
    if (isGrouped(pool) ? server.requests > 0 : server.requests + job.members.size() > pool.batch)
        return false;
    const bool here = job.from == indexOf(server) && !job.inArea;
    if (server.used + job.allTokens() - (here ? job.promptTokens() : 0.0) > pool.memory)
        return false;
    m_staged.pop_front();
    m_stagedRequests -= static_cast<std::uint32_t>(job.members.size());
    m_depth.staged -= job.count();
    m_depth.running += job.count();
    if (job.inArea)
        m_areaUsed[poolOf(m_servers[job.from]).staging] -= job.promptTokens();
    else
        m_servers[job.from].used -= job.promptTokens();
    server.used += job.allTokens();
    server.requests += static_cast<std::uint32_t>(job.members.size());
    takeSlot(server, job);
    server.joining.push_back(index);
    join(server);
    return true;
}

/// With assist, where no prefill is admissible. True: a prefill was begun.
bool Simulator::decodeInstead(Server& server) {
    if (server.active == 0 || m_system.preempt)
        while (takeStaged(server)) {
        }
    if (server.active > 0 || !m_staged.empty() || m_waiting.empty())
        return false;
    const auto& head = m_waiting.front();
    const double tokens = static_cast<double>(head.prompt) + head.output;
    // One that no decode server holds could be shut out by what is prefilled after it.
    if (server.used + tokens > poolOf(server).memory || tokens > m_largestDecode)
        return false;
    beginPrefill(server);
    return true;
}

DecodeBatch Simulator::batchOf(const Server& server) const {
    DecodeBatch batch;
    batch.requests = server.active;
    if (server.active == 0)
        return batch;
    batch.context = server.context / server.active;
    const auto& lead = m_jobs[server.lead];
    batch.prompt = lead.prompt;
    batch.output = lead.output;
    return batch;
}

void Simulator::startRun(Server& server) {
    server.runSteps = static_cast<double>(server.finishes.top().step - server.steps);
    server.state = State::Decode;
    server.began = m_now;
    if (server.stopped) {
        m_jobs[server.lead].piece = m_now;
        server.stopped = false;
    }
    post(m_now + poolOf(server).times->decode(batchOf(server), server.runSteps), EventKind::RunDone,
         indexOf(server), server.generation);
}

void Simulator::startChunk(Server& server) {
    const auto& pool = poolOf(server);
    const auto& job = m_jobs[server.prefilling];
    const auto tokens = std::min(pool.chunk, job.prompt - server.chunkDone);
    server.state = State::Chunk;
    server.began = m_now;
    post(m_now + pool.times->chunk(tokens, server.chunkDone, batchOf(server)), EventKind::ChunkDone,
         indexOf(server), server.generation);
}

// ---- stops at token boundaries

/// A decode ends its run with the token under way.
void Simulator::stopAtToken(Server& server) {
    if (server.state != State::Decode || server.stopAsked)
        return;
    server.stopAsked = true;
    auto& times = *poolOf(server).times;
    const auto batch = batchOf(server);
    double low = 0.0; // steps that end before now
    double high = server.runSteps;
    while (high - low > 1.0) {
        const double middle = std::floor(0.5 * (low + high));
        (server.began + times.decode(batch, middle) < m_now ? low : high) = middle;
    }
    if (high == server.runSteps)
        return;
    server.runSteps = high;
    ++server.generation;
    post(server.began + times.decode(batch, high), EventKind::RunDone, indexOf(server), server.generation);
}

/// Whether a prefill could start here, were it not for the decode.
bool Simulator::mayStop(const Server& server) const {
    if (server.state != State::Decode ||
        (poolOf(server).role == Role::Prefill && !(m_system.assist && m_system.preempt)))
        return false;
    return admissible(server, nullptr);
}

/// For every request that waits, one decoding server that could prefill it stops; those with the fewest
/// requests first.
void Simulator::askToStop() {
    if (m_waiting.empty())
        return;
    std::size_t asked = 0;
    auto& found = m_stoppable;
    found.clear();
    for (const auto index : m_prefillers) {
        const auto& server = m_servers[index];
        if (!mayStop(server))
            continue;
        if (server.stopAsked)
            ++asked;
        else
            found.emplace_back(server.requests, index);
    }
    if (found.empty() || asked >= m_waiting.size())
        return;
    std::sort(found.begin(), found.end());
    for (const auto& [requests, index] : found) {
        if (asked++ >= m_waiting.size())
            return;
        stopAtToken(m_servers[index]);
    }
}

} // namespace heteroscape::engine

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/serving/batch_rules.h"

#include <algorithm>
#include <cmath>

namespace heteroscape::engine {

void BatchRules::dispatch() {
    // Replicas with nothing at hand wait in line; they are asked before those that decode, so that load
    // spreads.
    auto& ended = m_ended;
    ended.swap(m_boundary);
    m_boundary.clear();
    std::size_t kept = 0;
    for (const auto index : ended) {
        auto& replica = m_replicas[index];
        replica.queued = false;
        join(replica);
        if (replica.active == 0 && replica.prefilling == kNone && replica.requests == 0)
            (isDecoder(replica) ? m_idleDecoders : m_idlePrefillers).push_back(index);
        else
            ended[kept++] = index;
    }
    ended.resize(kept);
    // What one replica takes may let another begin that had to be passed over.
    for (bool again = true; again;) {
        const auto waiting = m_waiting.size();
        const auto staged = m_staged.size();
        placeStaged();
        releaseTargets();
        askIdle();
        for (const auto index : ended)
            decide(m_replicas[index]);
        ended.clear();
        again = (waiting != m_waiting.size() || staged != m_staged.size()) &&
                ((!m_idlePrefillers.empty() && !m_waiting.empty()) || !m_staged.empty());
    }
    askToStop();
}

void BatchRules::askIdle() {
    for (std::size_t i = 0; i < m_idlePrefillers.size() && (!m_waiting.empty() || !m_staged.empty());) {
        auto& replica = m_replicas[m_idlePrefillers[i]];
        decide(replica);
        if (replica.state == State::Free)
            ++i;
        else
            m_idlePrefillers.erase(m_idlePrefillers.begin() + static_cast<std::ptrdiff_t>(i));
    }
}

// ---- staged requests to decode replicas

bool BatchRules::hasRoom(const Replica& replica, double requests, double tokens, bool beside) const {
    const auto& pool = poolOf(replica);
    const double taken = static_cast<double>(replica.requests) + (beside ? replica.targeted : 0.0);
    if (isGrouped(pool) ? taken > 0.0 : taken + requests > pool.batch)
        return false;
    return replica.used + (beside ? replica.targetedTokens : 0.0) + tokens <= pool.memory;
}

/// The decode replica that would take so many requests, `beside` those that count on it: the one that is idle
/// longest, else the one with the fewest.
std::uint32_t BatchRules::decoderFor(double requests, double tokens, bool beside) const {
    for (const auto index : m_idleDecoders)
        if (hasRoom(m_replicas[index], requests, tokens, beside))
            return index;
    auto best = kNone;
    if (!m_batchedDecode)
        return best;
    for (const auto index : m_decoders) {
        const auto& replica = m_replicas[index];
        if (hasRoom(replica, requests, tokens, beside) &&
            (best == kNone ||
             replica.requests + replica.targeted < m_replicas[best].requests + m_replicas[best].targeted))
            best = index;
    }
    return best;
}

void BatchRules::placeStaged() {
    while (!m_staged.empty()) {
        const auto index = m_staged.front();
        auto& job = m_jobs[index];
        releaseTarget(job);
        auto to = job.target;
        if (to == kNone || !hasRoom(m_replicas[to], job.count, job.allTokens(), true))
            to = decoderFor(job.count, job.allTokens(), true);
        if (to == kNone) // first come: what others count on
            to = decoderFor(job.count, job.allTokens(), false);
        if (to == kNone) {
            job.target = kNone;
            return;
        }
        const bool made = to == job.target; // the KV cache came while it was made
        m_staged.pop_front();
        m_stagedRequests -= job.count;
        m_depth.staged -= job.count;
        m_depth.running += job.count;
        transfer(index, m_replicas[to], made);
    }
}

void BatchRules::releaseTarget(const Job& job) {
    if (job.target == kNone)
        return;
    m_replicas[job.target].targeted -= job.count;
    m_replicas[job.target].targetedTokens -= job.allTokens();
}

/// What stays staged and had a target has missed it, and moves to the staging area if that has room.
void BatchRules::releaseTargets() {
    auto fresh = m_staged.end(); // those before it have been here already
    while (fresh != m_staged.begin() && m_jobs[*(fresh - 1)].reason != WaitReason::DecodeBusy)
        --fresh;
    for (; fresh != m_staged.end(); ++fresh) {
        auto& job = m_jobs[*fresh];
        job.reason = WaitReason::DecodeBusy;
        releaseTarget(job);
        job.target = kNone;
        auto& from = m_replicas[job.from];
        if (!job.inArea && areaHolds(poolOf(from), job.promptTokens())) {
            m_areaUsed[poolOf(from).staging] += job.promptTokens();
            from.used -= job.promptTokens();
            job.inArea = true;
        }
    }
}

void BatchRules::transfer(std::uint32_t index, Replica& to, bool pipelined) {
    auto& job = m_jobs[index];
    auto& from = m_replicas[job.from];
    const auto& route = m_system.route(from.pool, to.pool);
    const KvTransfer transfer{route.layers,
                              route.bytesPerToken * job.promptTokens() / std::max(1.0, route.layers)};
    const std::span<const Hop> hops(route.hops);
    const auto behind = job.inArea ? std::min(route.stagedHops, hops.size()) : 0;
    const double seconds = hops.empty() ? 0.0
                           : pipelined  ? transfer.exposedSeconds(hops, job.firstToken - job.prefillStart)
                                        : transfer.exposedSeconds(hops.subspan(behind), 0.0);
    to.requests += job.count;
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
double BatchRules::takeLinks(const KvRoute& route, const Job& job, bool pipelined) {
    double done = 0.0;
    for (std::size_t h = 0; h < route.crossings.size(); ++h) {
        const auto [link, startSeconds] = route.crossings[h];
        const bool whileMade = pipelined || (job.inArea && h < route.stagedHops);
        auto& free = m_linkFree[link];
        free = std::max(free, whileMade ? job.prefillStart : m_now) +
               route.bytesOnLinks * job.promptTokens() / m_system.links[link] + startSeconds;
        done = std::max(done, free);
    }
    return done;
}

// ---- prefills

/// The head and as many behind it as a static batch takes.
BatchRules::Group BatchRules::nextBatch(const Replica& replica) const {
    const auto& pool = poolOf(replica);
    const bool both = pool.role == Role::Both;
    const auto& head = m_waiting.front();
    Group group{1, head.prompt, head.output};
    const double area =
        both || pool.staging == ServingPool::kOwnMemory ? kEndless : m_system.staging[pool.staging];
    for (std::size_t i = 1; i < m_waiting.size() && group.count < pool.batch; ++i) {
        const Group more{group.count + 1, std::max(group.prompt, m_waiting[i].prompt),
                         std::max(group.output, m_waiting[i].output)};
        if (replica.used + (both ? more.allTokens() : more.promptTokens()) > pool.memory)
            break;
        if (!both && (more.allTokens() > m_largestDecode || more.promptTokens() > area))
            break; // it would wait for a decode replica, or for its way there, for ever
        group = more;
    }
    return group;
}

bool BatchRules::areaHolds(const ServingPool& pool, double tokens) const {
    return pool.staging != ServingPool::kOwnMemory &&
           m_areaUsed[pool.staging] + tokens <= m_system.staging[pool.staging];
}

bool BatchRules::admissible(const Replica& replica, WaitReason* reason) const {
    const auto& pool = poolOf(replica);
    const auto no = [&](WaitReason why) {
        if (reason)
            *reason = why;
        return false;
    };
    if (pool.role == Role::Both && (isGrouped(pool) ? replica.requests > 0 : replica.requests >= pool.batch))
        return no(WaitReason::ReplicasBusy);
    const auto group = nextGroup(replica);
    if (pool.role == Role::Both)
        return replica.used + group.allTokens() <= pool.memory || no(WaitReason::Memory);
    if (group.allTokens() > m_largestDecode)
        return no(WaitReason::ReplicasBusy); // it is for replicas of whole requests
    const bool stageFull = m_stagedRequests >= m_system.stage;
    const bool areaFull = pool.staging != ServingPool::kOwnMemory && !areaHolds(pool, group.promptTokens());
    const bool stuck = (stageFull || areaFull) && decoderFor(group.count, group.allTokens(), true) == kNone;
    if (stuck && stageFull)
        return no(WaitReason::StageFull);
    return (replica.used + group.promptTokens() <= pool.memory && !stuck) || no(WaitReason::Memory);
}

bool BatchRules::startPrefill(Replica& replica) {
    if (m_waiting.empty())
        return false;
    auto reason = WaitReason::ReplicasBusy;
    if (!admissible(replica, &reason)) {
        m_headReason = reason;
        return false;
    }
    beginPrefill(replica);
    return true;
}

void BatchRules::beginPrefill(Replica& replica) {
    const auto& pool = poolOf(replica);
    const bool both = pool.role == Role::Both;
    if (replica.active > 0 && hasOneLane(replica) && !replica.stopped) {
        auto& lead = m_jobs[replica.lead];
        record(replica, lead, ServingPhase::Decode, lead.piece);
        lead.ready = m_now;
        lead.reason = WaitReason::Preempted;
        replica.stopped = true;
    }
    const auto index = newJob();
    auto& job = m_jobs[index];
    const auto group = nextGroup(replica);
    job.reason = m_headReason != WaitReason::None          ? m_headReason
                 : m_headSince > m_waiting.front().arrival ? WaitReason::Queue
                                                           : WaitReason::ReplicasBusy;
    m_headSince = m_now;
    static_cast<Group&>(job) = group;
    for (std::uint32_t i = 0; i < group.count; ++i) {
        m_result.wait.add(m_now - m_waiting.front().arrival);
        job.members.push_back(m_waiting.front());
        m_waiting.pop_front();
    }
    m_headReason = WaitReason::None;
    m_depth.waiting -= job.count;
    m_depth.running += job.count;
    job.left = job.count;
    job.prefillStart = m_now;
    job.from = indexOf(replica);
    replica.used += both ? job.allTokens() : job.promptTokens();
    if (!both) {
        job.target = decoderFor(job.count, job.allTokens(), true);
        if (job.target != kNone) {
            m_replicas[job.target].targeted += group.count;
            m_replicas[job.target].targetedTokens += group.allTokens();
        } else if (areaHolds(pool, group.promptTokens())) {
            m_areaUsed[pool.staging] += group.promptTokens(); // set aside while it is made
            job.inArea = true;
        }
    }
    replica.prefilling = index;
    replica.chunkDone = 0;
    if (pool.chunk > 0 && !isGrouped(pool)) {
        startChunk(replica);
        return;
    }
    replica.state = State::Prefill;
    replica.began = m_now;
    PieceSeconds times{pool.times->prefill(job.count, job.prompt, job.output), 0.0};
    times.stage = pool.times->stages() > 1.0 ? pool.times->prefillStage(job.count, job.prompt, job.output)
                                             : times.whole;
    post(m_now + prefillSeconds(replica, times, job.members.back().arrival), EventKind::PrefillDone,
         indexOf(replica), replica.generation);
}

double BatchRules::prefillSeconds(const Replica& replica, const PieceSeconds& times, double since) const {
    return replica.prefilledUntil == m_now ? std::max(times.stage, times.whole - (m_now - since))
                                           : times.whole;
}

// ---- what a free replica does

void BatchRules::join(Replica& replica) {
    for (const auto index : replica.joining) {
        auto& job = m_jobs[index];
        if (replica.active == 0)
            replica.lead = index;
        job.decodeStart = job.piece = m_now;
        for (std::uint32_t i = 0; i < job.count; ++i)
            replica.finishes.add(replica.steps + job.members[i].output, {index, i});
        replica.active += job.count;
        replica.context += job.promptTokens();
    }
    replica.joining.clear();
}

void BatchRules::decide(Replica& replica) {
    if (replica.prefilling != kNone) {
        startChunk(replica);
        return;
    }
    const auto& pool = poolOf(replica);
    const bool mayPrefill =
        pool.role == Role::Both ||
        (pool.role == Role::Prefill && (replica.active == 0 || (m_system.assist && m_system.preempt)));
    if (mayPrefill && startPrefill(replica))
        return;
    if (pool.role == Role::Prefill && m_system.assist && decodeInstead(replica))
        return;
    if (replica.active > 0)
        startRun(replica);
}

/// The head of what is staged, decoded by the replica that prefills, as far as it has room.
bool BatchRules::takeStaged(Replica& replica) {
    if (m_staged.empty())
        return false;
    const auto index = m_staged.front();
    auto& job = m_jobs[index];
    const auto& pool = poolOf(replica);
    if (isGrouped(pool) ? replica.requests > 0 : replica.requests + job.count > pool.batch)
        return false;
    const bool here = job.from == indexOf(replica) && !job.inArea;
    if (replica.used + job.allTokens() - (here ? job.promptTokens() : 0.0) > pool.memory)
        return false;
    m_staged.pop_front();
    m_stagedRequests -= job.count;
    m_depth.staged -= job.count;
    m_depth.running += job.count;
    if (job.inArea)
        m_areaUsed[poolOf(m_replicas[job.from]).staging] -= job.promptTokens();
    else
        m_replicas[job.from].used -= job.promptTokens();
    replica.used += job.allTokens();
    replica.requests += job.count;
    takeSlot(replica, job);
    replica.joining.push_back(index);
    join(replica);
    return true;
}

/// With assist, where no prefill is admissible. True: a prefill was begun.
bool BatchRules::decodeInstead(Replica& replica) {
    if (replica.active == 0 || m_system.preempt)
        while (takeStaged(replica)) {
        }
    if (replica.active > 0 || !m_staged.empty() || m_waiting.empty())
        return false;
    const auto& head = m_waiting.front();
    const double tokens = static_cast<double>(head.prompt) + head.output;
    // One that no decode replica holds could be shut out by what is prefilled after it.
    if (replica.used + tokens > poolOf(replica).memory || tokens > m_largestDecode)
        return false;
    beginPrefill(replica);
    return true;
}

DecodeBatch BatchRules::batchOf(const Replica& replica) const {
    DecodeBatch batch;
    batch.requests = replica.active;
    if (replica.active == 0)
        return batch;
    batch.context = replica.context / replica.active;
    const auto& lead = m_jobs[replica.lead];
    batch.prompt = lead.prompt;
    batch.output = lead.output;
    return batch;
}

void BatchRules::startRun(Replica& replica) {
    replica.runSteps = static_cast<double>(replica.finishes.first().when - replica.steps);
    replica.state = State::Decode;
    replica.began = m_now;
    if (replica.stopped) {
        m_jobs[replica.lead].piece = m_now;
        replica.stopped = false;
    }
    post(m_now + poolOf(replica).times->decode(batchOf(replica), replica.runSteps), EventKind::RunDone,
         indexOf(replica), replica.generation);
}

void BatchRules::startChunk(Replica& replica) {
    const auto& pool = poolOf(replica);
    const auto& job = m_jobs[replica.prefilling];
    const auto tokens = std::min(pool.chunk, job.prompt - replica.chunkDone);
    replica.state = State::Chunk;
    replica.began = m_now;
    const auto times = pool.times->chunk(tokens, replica.chunkDone, batchOf(replica));
    const double since = replica.chunkDone > 0 ? -kEndless : job.members.back().arrival;
    const double seconds = replica.active > 0 ? times.whole : prefillSeconds(replica, times, since);
    post(m_now + seconds, EventKind::ChunkDone, indexOf(replica), replica.generation);
}

// ---- stops at token boundaries

/// Steps of a decode's run up to the one under way.
double BatchRules::stepsBegun(const Replica& replica) const {
    auto& times = *poolOf(replica).times;
    const auto batch = batchOf(replica);
    double low = 0.0; // steps that end before now
    double high = replica.runSteps;
    while (high - low > 1.0) {
        const double middle = std::floor(0.5 * (low + high));
        (replica.began + times.decode(batch, middle) < m_now ? low : high) = middle;
    }
    return high;
}

/// A decode ends its run with the token under way.
void BatchRules::stopAtToken(Replica& replica) {
    if (replica.state != State::Decode || replica.stopAsked)
        return;
    replica.stopAsked = true;
    const double begun = stepsBegun(replica);
    if (begun == replica.runSteps)
        return;
    replica.runSteps = begun;
    ++replica.generation;
    post(replica.began + poolOf(replica).times->decode(batchOf(replica), begun), EventKind::RunDone,
         indexOf(replica), replica.generation);
}

/// Whether a prefill could start here, were it not for the decode.
bool BatchRules::mayStop(const Replica& replica) const {
    if (replica.state != State::Decode ||
        (poolOf(replica).role == Role::Prefill && !(m_system.assist && m_system.preempt)))
        return false;
    return admissible(replica, nullptr);
}

/// For every request that waits, one decoding replica that could prefill it stops; those with the fewest
/// requests first.
void BatchRules::askToStop() {
    if (m_waiting.empty())
        return;
    std::size_t asked = 0;
    auto& found = m_stoppable;
    found.clear();
    for (const auto index : m_prefillers) {
        const auto& replica = m_replicas[index];
        if (!mayStop(replica))
            continue;
        if (replica.stopAsked)
            ++asked;
        else
            found.emplace_back(replica.requests, index);
    }
    if (found.empty() || asked >= m_waiting.size())
        return;
    std::sort(found.begin(), found.end());
    for (const auto& [requests, index] : found) {
        if (asked++ >= m_waiting.size())
            return;
        stopAtToken(m_replicas[index]);
    }
}

} // namespace heteroscape::engine

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/serving/batch_rules.h"

#include <algorithm>
#include <cmath>

namespace heteroscape::engine {

namespace {

bool oneByOne(const ServingSystem& system) {
    return std::all_of(system.pools.begin(), system.pools.end(),
                       [](const ServingPool& pool) { return pool.batch == 1; });
}

} // namespace

BatchRules::BatchRules(const ServingSystem& system, RequestStream& requests, const SimulationOptions& options)
    : EventLoop(requests.size()), m_system(system), m_stream(requests), m_options(options),
      m_recorder(options.recorded), m_rate(requests.size(), oneByOne(system)) {
    for (std::size_t p = 0; p < system.pools.size(); ++p) {
        const auto& pool = system.pools[p];
        m_firstReplica.push_back(static_cast<std::uint32_t>(m_replicas.size()));
        for (std::uint32_t i = 0; i < pool.replicas; ++i) {
            const auto index = static_cast<std::uint32_t>(m_replicas.size());
            m_replicas.emplace_back().pool = static_cast<std::uint32_t>(p);
            const bool decodes = pool.role == Role::Decode;
            (decodes ? m_decoders : m_prefillers).push_back(index);
            (decodes ? m_idleDecoders : m_idlePrefillers).push_back(index);
            m_batchedDecode |= decodes && pool.batch > 1 && !isGrouped(pool);
        }
        if (pool.role == Role::Decode)
            m_largestDecode = std::max(m_largestDecode, pool.memory);
    }
    m_areaUsed.assign(system.staging.size(), 0.0);
    m_linkFree.assign(system.links.size(), 0.0);
    m_result.pools.resize(system.pools.size());
    m_result.routeTokens.assign(system.routes.size(), 0.0);
}

ServingResult BatchRules::run() {
    m_next = m_stream.next();
    if (m_next)
        m_result.firstArrival = m_next->arrival;
    m_result.cancelled = !runTo(m_options.until, m_options);
    close();
    return std::move(m_result);
}

double BatchRules::nextEvent() {
    const double arrival = m_next ? m_next->arrival : kEndless;
    return m_events.empty() ? arrival : std::min(arrival, m_events.first().when);
}

void BatchRules::end() {
    m_result.depth.hold(m_depth, m_now);
    admitArrivals();
    while (!m_events.empty() && m_events.first().when <= m_now)
        handle(m_events.take().id);
}

void BatchRules::post(double time, EventKind kind, std::uint32_t replica, std::uint32_t job) {
    m_events.add(std::max(time, m_now), {m_order++, replica, job, kind});
}

bool BatchRules::fitsSomewhere(const Request& request) const {
    const double prompt = request.prompt;
    const double all = prompt + request.output;
    bool prefills = false;
    for (const auto& pool : m_system.pools) {
        if (pool.role == Role::Both && all <= pool.memory)
            return true;
        prefills |= pool.role == Role::Prefill && prompt <= pool.memory &&
                    (pool.staging == ServingPool::kOwnMemory || prompt <= m_system.staging[pool.staging]);
    }
    return prefills && all <= m_largestDecode;
}

void BatchRules::admitArrivals() {
    for (; m_next && m_next->arrival <= m_now; m_next = m_stream.next()) {
        if (!fitsSomewhere(*m_next)) {
            ++m_result.refused;
            continue;
        }
        ++m_result.arrived;
        m_waiting.push_back(*m_next);
        addToArrivals(m_next->arrival);
        m_depth.waiting += 1.0;
        m_inSystem += 1.0;
    }
}

void BatchRules::handle(const Event& event) {
    auto& replica = m_replicas[event.replica];
    if (event.kind == EventKind::Arrived) {
        auto& job = m_jobs[event.job];
        m_result.routeTokens[m_replicas[job.from].pool * m_system.pools.size() + replica.pool] +=
            job.promptTokens();
        if (m_now > job.piece) {
            record(replica, job, ServingPhase::KvTransfer, job.piece);
            m_result.pools[replica.pool].transferSeconds += m_now - job.piece;
            job.ready = m_now;
            job.reason = WaitReason::Token;
        }
        if (job.inArea)
            m_areaUsed[poolOf(m_replicas[job.from]).staging] -= job.promptTokens();
        else
            m_replicas[job.from].used -= job.promptTokens();
        replica.joining.push_back(event.job);
        if (replica.state == State::Free)
            toBoundary(replica);
        else
            stopAtToken(replica);
        return;
    }
    if (event.job != replica.generation)
        return; // it was cut short
    if (event.kind == EventKind::PrefillDone)
        endPrefill(replica);
    else if (event.kind == EventKind::RunDone)
        endRun(replica);
    else
        endChunk(replica);
}

void BatchRules::toBoundary(Replica& replica) {
    replica.state = State::Free;
    ++replica.generation;
    if (replica.queued)
        return;
    replica.queued = true;
    m_boundary.push_back(indexOf(replica));
}

void BatchRules::endPrefill(Replica& replica) {
    const auto index = replica.prefilling;
    auto& job = m_jobs[index];
    auto& work = m_result.pools[replica.pool];
    if (replica.state == State::Prefill)
        work.prefillSeconds += m_now - replica.began;
    work.promptTokens += job.promptTokens();
    work.prefills += 1.0;
    if (poolOf(replica).countsGroups)
        work.groups[job.shape()].prefills += 1.0;
    record(replica, job, ServingPhase::Prefill, job.prefillStart);
    job.firstToken = job.ready = m_now;
    for (const auto& member : job.members)
        m_result.ttft.add(m_now - member.arrival);
    replica.prefilling = kNone;
    if (replica.state == State::Prefill)
        replica.prefilledUntil = m_now;
    toBoundary(replica);
    if (poolOf(replica).role == Role::Both) {
        replica.requests += job.count;
        takeSlot(replica, job);
        replica.joining.push_back(index);
        return;
    }
    if (job.inArea)
        replica.used -= job.promptTokens();
    m_staged.push_back(index);
    m_stagedRequests += job.count;
    m_depth.staged += job.count;
    m_depth.running -= job.count;
}

void BatchRules::countSteps(Replica& replica, double steps) {
    replica.steps += static_cast<std::uint64_t>(steps);
    replica.context += steps * replica.active;
    auto& work = m_result.pools[replica.pool];
    while (!replica.finishes.empty() && replica.finishes.first().when <= replica.steps) {
        const auto [job, member] = replica.finishes.take().id;
        work.outputTokens += m_jobs[job].members[member].output;
        finish(replica, job, member);
    }
}

void BatchRules::endRun(Replica& replica) {
    m_result.pools[replica.pool].decodeSeconds += m_now - replica.began;
    replica.stopAsked = false;
    countSteps(replica, replica.runSteps);
    toBoundary(replica);
}

void BatchRules::endChunk(Replica& replica) {
    auto& job = m_jobs[replica.prefilling];
    m_result.pools[replica.pool].prefillSeconds += m_now - replica.began;
    replica.chunkDone += std::min(poolOf(replica).chunk, job.prompt - replica.chunkDone);
    if (replica.active == 0)
        replica.prefilledUntil = m_now;
    countSteps(replica, replica.active > 0 ? 1.0 : 0.0);
    if (replica.chunkDone == job.prompt)
        endPrefill(replica);
    else
        toBoundary(replica);
}

void BatchRules::finish(Replica& replica, std::uint32_t index, std::uint32_t member) {
    auto& job = m_jobs[index];
    const auto& request = job.members[member];
    const double latency = m_now - request.arrival;
    const double ttft = job.firstToken - request.arrival;
    const double tpot = (m_now - job.firstToken) / request.output;
    m_result.latency.add(latency);
    m_result.tpot.add(tpot);
    m_result.countDone(request, ttft, tpot, latency, m_options);
    addToArrivals(-request.arrival);
    ++m_done;
    m_inSystem -= 1.0;
    m_rate.finish(m_now, request.output);
    m_depth.running -= 1.0;
    if (m_recorder.keeps(request.id))
        m_recorder.add({request, job.prefillStart, job.firstToken, job.decodeStart, m_now});
    if (--job.left > 0)
        return;
    record(replica, job, ServingPhase::Decode, job.piece);
    leaveSlot(replica, job);
    replica.used -= job.allTokens();
    replica.requests -= job.count;
    replica.active -= job.count;
    replica.context -= job.count * (static_cast<double>(job.prompt) + job.output);
    if (replica.active == 0) {
        replica.context = 0.0; // no rounding is carried on
        replica.lead = kNone;
    }
    auto& work = m_result.pools[replica.pool];
    work.decodes += 1.0;
    if (poolOf(replica).countsGroups)
        work.groups[job.shape()].decodes += 1.0;
    job.members.clear();
    m_freeJobs.push_back(index);
}

std::uint32_t BatchRules::newJob() {
    if (m_freeJobs.empty()) {
        m_jobs.emplace_back();
        return static_cast<std::uint32_t>(m_jobs.size() - 1);
    }
    const auto index = m_freeJobs.back();
    m_freeJobs.pop_back();
    auto members = std::move(m_jobs[index].members); // keeps its storage
    m_jobs[index] = {};
    m_jobs[index].members = std::move(members);
    return index;
}

void BatchRules::addToArrivals(double time) {
    const double sum = m_arrivals + time;
    m_arrivalsLost +=
        std::fabs(m_arrivals) >= std::fabs(time) ? (m_arrivals - sum) + time : (time - sum) + m_arrivals;
    m_arrivals = sum;
}

/// Ends the books at the time reached, with what is still in the system.
void BatchRules::close() {
    m_result.depth.hold(m_depth, m_now);
    m_result.systemSeconds = m_systemSeconds;
    m_result.end = m_now;
    for (auto& replica : m_replicas) {
        auto& work = m_result.pools[replica.pool];
        if (replica.state == State::Decode)
            work.decodeSeconds += m_now - replica.began;
        else if (replica.state != State::Free)
            work.prefillSeconds += m_now - replica.began;
    }
    m_result.queued = static_cast<std::uint64_t>(m_depth.waiting + m_depth.staged);
    m_result.running = static_cast<std::uint64_t>(m_depth.running);
    m_result.sojournSeconds += std::fma(m_depth.total(), m_now, -m_arrivals) - m_arrivalsLost;
    std::optional<double> left;
    if (m_depth.total() > 0.0)
        left = tokensUnderWay();
    m_rate.into(m_result, m_result.firstArrival, m_now, left);
    m_recorder.moveInto(m_result);
}

/// Output tokens that were made for requests that are not done.
double BatchRules::tokensUnderWay() {
    double tokens = 0.0;
    for (auto& replica : m_replicas) {
        const double begun = replica.state == State::Decode ? std::max(0.0, stepsBegun(replica) - 1.0) : 0.0;
        while (!replica.finishes.empty()) {
            const auto [step, id] = replica.finishes.take();
            const double left = static_cast<double>(step - replica.steps);
            tokens += m_jobs[id.first].members[id.second].output - left + begun;
        }
    }
    return tokens;
}

void BatchRules::record(const Replica& replica, Job& job, ServingPhase phase, double start) {
    const auto& first = job.members.front();
    if (!m_recorder.keeps(first.id))
        return;
    const auto index = indexOf(replica);
    const bool prefills = phase == ServingPhase::Prefill;
    const auto slot = hasOneLane(replica) || prefills ? 0 : job.slot + 1;
    const double before = prefills ? first.arrival : job.ready;
    m_recorder.add({replica.pool, index - m_firstReplica[replica.pool], slot},
                   {start, m_now, std::max(0.0, start - before), first.id, job.count, 0, phase,
                    start > before ? job.reason : WaitReason::None});
}

void BatchRules::takeSlot(Replica& replica, Job& job) {
    if (hasOneLane(replica) || !m_recorder.keeps(job.members.front().id))
        return;
    const auto free = std::find(replica.slots.begin(), replica.slots.end(), 0);
    job.slot = static_cast<std::uint32_t>(free - replica.slots.begin());
    if (free == replica.slots.end())
        replica.slots.push_back(1);
    else
        *free = 1;
}

void BatchRules::leaveSlot(Replica& replica, const Job& job) {
    if (job.slot < replica.slots.size() && m_recorder.keeps(job.members.front().id))
        replica.slots[job.slot] = 0;
}

} // namespace heteroscape::engine

// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/engine/serving/reference_simulator.h"

#include <algorithm>
#include <utility>

namespace heteroscape::engine::test {

ReferenceSimulator::ReferenceSimulator(const ServingSystem& system,
                                       const std::vector<TracedRequest>& requests)
    : m_system(system), m_requests(requests), m_out(requests.size()) {
    for (std::size_t p = 0; p < system.pools.size(); ++p)
        for (std::uint32_t i = 0; i < system.pools[p].replicas; ++i) {
            const bool decodes = system.pools[p].role == Role::Decode;
            (decodes ? m_idleDecoders : m_idlePrefillers).push_back(m_replicas.size());
            m_replicas.emplace_back().pool = p;
        }
}

// ---- slots and memory

std::vector<std::size_t> ReferenceSimulator::decoding(std::size_t replica) const {
    std::vector<std::size_t> units;
    for (std::size_t u = 0; u < m_units.size(); ++u)
        if (m_units[u].where == Where::Decoder && m_units[u].at == replica && m_units[u].joined)
            units.push_back(u);
    return units;
}

double ReferenceSimulator::slots(std::size_t replica) const {
    double sum = 0.0;
    for (const auto& unit : m_units)
        if ((unit.where == Where::Decoder || unit.where == Where::Moving) && unit.at == replica)
            sum += unit.count();
    return sum;
}

/// Requests (or their tokens) whose KV cache is being made for this replica.
double ReferenceSimulator::promised(std::size_t replica, bool tokens) const {
    double sum = 0.0;
    for (const auto& unit : m_units)
        if ((unit.where == Where::Prefill || unit.where == Where::Staged) && unit.target == replica)
            sum += tokens ? unit.all() : unit.count();
    return sum;
}

double ReferenceSimulator::memory(std::size_t replica) const {
    double sum = 0.0;
    const bool both = pool(replica).role == Role::Both;
    for (const auto& unit : m_units) {
        if ((unit.where == Where::Decoder || unit.where == Where::Moving) && unit.at == replica)
            sum += unit.all();
        if (unit.from != replica)
            continue;
        if (unit.where == Where::Prefill)
            sum += both ? unit.all() : unit.count() * unit.prompt;
        if ((unit.where == Where::Staged || unit.where == Where::Moving) && !unit.inArea)
            sum += unit.count() * unit.prompt;
    }
    return sum;
}

/// Whether the staging area takes it beside what it holds, or will when its prefill ends, or until it is
/// moved.
bool ReferenceSimulator::areaHolds(const Unit& wanted) const {
    if (pool(wanted.from).role != Role::Prefill || pool(wanted.from).staging == ServingPool::kOwnMemory)
        return false;
    const auto area = pool(wanted.from).staging;
    double sum = wanted.count() * wanted.prompt;
    for (const auto& unit : m_units)
        if (unit.inArea && unit.where != Where::Decoder && unit.where != Where::Gone &&
            pool(unit.from).staging == area)
            sum += unit.count() * unit.prompt;
    return sum <= m_system.staging[area];
}

double ReferenceSimulator::stagedRequests() const {
    double sum = 0.0;
    for (const auto u : m_staged)
        sum += m_units[u].count();
    return sum;
}

double ReferenceSimulator::largest(Role role) const {
    double most = -1.0;
    for (const auto& pool : m_system.pools)
        if (pool.role == role)
            most = std::max(most, pool.memory);
    return most;
}

bool ReferenceSimulator::fitsSomewhere(const TracedRequest& request) const {
    const double all = static_cast<double>(request.prompt) + request.output;
    if (all <= largest(Role::Both))
        return true;
    const bool prefills =
        std::any_of(m_system.pools.begin(), m_system.pools.end(), [&](const ServingPool& pool) {
            return pool.role == Role::Prefill && request.prompt <= pool.memory &&
                   (pool.staging == ServingPool::kOwnMemory ||
                    request.prompt <= m_system.staging[pool.staging]);
        });
    return prefills && all <= largest(Role::Decode);
}

// ---- time

std::vector<ReferenceRequest> ReferenceSimulator::run() {
    while (step()) {
    }
    return m_out;
}

bool ReferenceSimulator::step() {
    double now = kEndless;
    if (m_next < m_requests.size())
        now = m_requests[m_next].arrival;
    for (const auto& replica : m_replicas)
        if (replica.doing != Doing::Nothing)
            now = std::min(now, replica.end);
    for (const auto& unit : m_units)
        if (unit.where == Where::Moving)
            now = std::min(now, unit.arrives);
    if (now == kEndless)
        return false;
    m_now = now;
    bool changed = false;
    for (; m_next < m_requests.size() && m_requests[m_next].arrival <= now; ++m_next) {
        m_out[m_next].refused = !fitsSomewhere(m_requests[m_next]);
        if (!m_out[m_next].refused)
            m_waiting.push_back(m_next);
        changed = true;
    }
    std::vector<std::size_t> ending;
    for (std::size_t s = 0; s < m_replicas.size(); ++s)
        if (m_replicas[s].doing != Doing::Nothing && m_replicas[s].end == now)
            ending.push_back(s);
    std::sort(ending.begin(), ending.end(),
              [&](std::size_t a, std::size_t b) { return m_replicas[a].order < m_replicas[b].order; });
    std::vector<std::size_t> between; // at the end of a step that nothing depends on
    for (const auto s : ending) {
        auto& replica = m_replicas[s];
        const auto was = replica.doing;
        replica.doing = Doing::Nothing;
        if (was == Doing::Prefill || (was == Doing::Chunk && decoding(s).empty()))
            replica.leftEmpty = now;
        const bool finished = was != Doing::Prefill && stepped(s);
        if (was == Doing::Step && !finished && !replica.stop) {
            between.push_back(s);
            continue;
        }
        replica.stop = false;
        if (was == Doing::Chunk) {
            const auto& unit = m_units[replica.prefilling];
            replica.chunkDone +=
                std::min(static_cast<double>(pool(s).chunk), unit.prompt - replica.chunkDone);
            if (replica.chunkDone == unit.prompt)
                prefilled(s);
        } else if (was == Doing::Prefill) {
            prefilled(s);
        }
        ask(s);
    }
    for (auto& unit : m_units) {
        if (unit.where != Where::Moving || unit.arrives != now)
            continue;
        unit.where = Where::Decoder;
        changed = true;
        if (m_replicas[unit.at].doing == Doing::Step && m_replicas[unit.at].went == now)
            m_replicas[unit.at].doing = Doing::Nothing; // a move of no length, at the very end of a step
        if (m_replicas[unit.at].doing == Doing::Nothing)
            ask(unit.at);
        else if (m_replicas[unit.at].doing == Doing::Step)
            stop(unit.at);
    }
    changed |= !m_asking.empty();
    for (const auto s : between)
        if (!m_replicas[s].asks)
            go(s);
    if (changed)
        dispatch();
    // A replica that is asked to stop at the very end of a step has not begun the next.
    while (askStops()) {
        for (const auto s : between)
            if (m_replicas[s].stop && m_replicas[s].doing == Doing::Step) {
                m_replicas[s].doing = Doing::Nothing;
                m_replicas[s].stop = false;
                ask(s);
            }
        if (!m_asking.empty())
            dispatch();
    }
    return true;
}

void ReferenceSimulator::ask(std::size_t replica) {
    if (!m_replicas[replica].asks)
        m_asking.push_back(replica);
    m_replicas[replica].asks = true;
}

void ReferenceSimulator::prefilled(std::size_t s) {
    const auto u = m_replicas[s].prefilling;
    auto& unit = m_units[u];
    m_replicas[s].prefilling = kNone;
    for (const auto id : unit.ids)
        m_out[id].firstToken = m_now;
    if (pool(s).role == Role::Both) {
        unit.where = Where::Decoder;
        unit.at = s;
    } else {
        unit.where = Where::Staged;
        m_staged.push_back(u);
    }
}

/// One more token for all that decode; true when a request is done.
bool ReferenceSimulator::stepped(std::size_t s) {
    bool finished = false;
    for (const auto u : decoding(s)) {
        auto& unit = m_units[u];
        unit.steps += 1.0;
        for (const auto id : unit.ids)
            if (m_requests[id].output == unit.steps) {
                m_out[id].finish = m_now;
                m_out[id].done = true;
                finished = true;
            }
        if (unit.steps == unit.output)
            unit.where = Where::Gone;
    }
    return finished;
}

void ReferenceSimulator::begin(std::size_t s, Doing doing, double seconds) {
    m_replicas[s].doing = doing;
    m_replicas[s].end = m_now + seconds;
    m_replicas[s].order = m_order++;
}

/// One more token in the same stretch.
void ReferenceSimulator::go(std::size_t s) {
    const auto order = m_replicas[s].order;
    begin(s, Doing::Step, pool(s).times->decode(batch(s), 1.0));
    m_replicas[s].order = order;
    m_replicas[s].went = m_now;
}

/// Asks for a stop at the end of the step. Of what ends in one instant comes first what was decided first.
void ReferenceSimulator::stop(std::size_t s) {
    auto& replica = m_replicas[s];
    if (std::exchange(replica.stop, true))
        return;
    for (const auto u : decoding(s))
        for (const auto id : m_units[u].ids)
            if (m_requests[id].output == m_units[u].steps + 1.0)
                return; // it ends there anyway
    replica.order = m_order++;
}

DecodeBatch ReferenceSimulator::batch(std::size_t s) const {
    DecodeBatch batch;
    batch.requests = 0.0;
    for (const auto u : decoding(s)) {
        const auto& unit = m_units[u];
        batch.requests += unit.count();
        batch.context += unit.count() * (unit.prompt + unit.steps);
    }
    if (batch.requests > 0.0)
        batch.context /= batch.requests;
    return batch;
}

} // namespace heteroscape::engine::test

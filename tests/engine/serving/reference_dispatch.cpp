// SPDX-License-Identifier: GPL-3.0-or-later
// What ReferenceSimulator decides after the events of an instant.
#include "tests/engine/serving/reference_simulator.h"

#include <algorithm>
#include <utility>

namespace heteroscape::engine::test {

void ReferenceSimulator::dispatch() {
    auto asking = std::move(m_asking);
    m_asking.clear();
    std::vector<std::size_t> busy;
    for (const auto s : asking) {
        m_replicas[s].asks = false;
        for (auto& unit : m_units) {
            if (unit.where != Where::Decoder || unit.at != s || unit.joined)
                continue;
            unit.joined = true;
            for (const auto id : unit.ids)
                m_out[id].decodeStart = m_now;
        }
        if (slots(s) == 0.0 && m_replicas[s].prefilling == kNone)
            (pool(s).role == Role::Decode ? m_idleDecoders : m_idlePrefillers).push_back(s);
        else
            busy.push_back(s);
    }
    for (bool changed = true; changed;) { // until nobody who could do something idles
        const auto before = std::pair(m_waiting.size(), m_staged.size());
        place();
        for (const auto s : std::deque<std::size_t>(m_idlePrefillers)) {
            decide(s);
            if (m_replicas[s].doing != Doing::Nothing)
                m_idlePrefillers.erase(std::find(m_idlePrefillers.begin(), m_idlePrefillers.end(), s));
        }
        for (const auto s : std::exchange(busy, {}))
            decide(s);
        changed = before != std::pair(m_waiting.size(), m_staged.size());
    }
}

double ReferenceSimulator::moveSeconds(const Unit& unit, std::size_t to, bool whileMade) const {
    const auto& route = m_system.route(m_replicas[unit.from].pool, m_replicas[to].pool);
    const double bytes = route.bytesPerToken * unit.count() * unit.prompt / std::max(1.0, route.layers);
    const auto& times = m_out[unit.ids.front()];
    const double made = whileMade ? times.firstToken - times.prefillStart : 0.0;
    const std::size_t first = !whileMade && unit.inArea ? route.stagedHops : 0;
    std::vector<double> passed(route.hops.size(), 0.0); // when a hop has moved its last layer
    for (double layer = 1.0; layer <= route.layers; layer += 1.0) {
        double ready = made * layer / route.layers;
        for (std::size_t h = first; h < route.hops.size(); ++h)
            ready = passed[h] =
                std::max(passed[h], ready) + 2.0 * route.hops[h].latency + bytes / route.hops[h].bandwidth;
    }
    return passed.empty() ? 0.0 : passed.back() - made;
}

bool ReferenceSimulator::hasRoom(std::size_t s, double count, double tokens, bool beside) const {
    const double taken = slots(s) + (beside ? promised(s, false) : 0.0);
    if (grouped(s) ? taken > 0.0 : taken + count > pool(s).batch)
        return false;
    return memory(s) + (beside ? promised(s, true) : 0.0) + tokens <= pool(s).memory;
}

std::size_t ReferenceSimulator::decoderFor(double count, double tokens, bool beside) const {
    for (const auto s : m_idleDecoders)
        if (hasRoom(s, count, tokens, beside))
            return s;
    auto best = kNone;
    const auto load = [&](std::size_t s) { return slots(s) + promised(s, false); };
    for (std::size_t s = 0; s < m_replicas.size(); ++s)
        if (pool(s).role == Role::Decode && hasRoom(s, count, tokens, beside) &&
            (best == kNone || load(s) < load(best)))
            best = s;
    return best;
}

/// Staged requests to decode replicas, in their order.
void ReferenceSimulator::place() {
    while (!m_staged.empty()) {
        const auto u = m_staged.front();
        auto& unit = m_units[u];
        const auto target = std::exchange(unit.target, kNone);
        auto to = target;
        if (to == kNone || !hasRoom(to, unit.count(), unit.all(), true))
            to = decoderFor(unit.count(), unit.all(), true);
        if (to == kNone)
            to = decoderFor(unit.count(), unit.all(), false);
        if (to == kNone)
            break;
        m_staged.pop_front();
        const double seconds = moveSeconds(unit, to, to == target);
        std::erase(m_idleDecoders, to);
        unit.where = Where::Moving;
        unit.at = to;
        unit.arrives = m_now + seconds;
    }
    for (const auto u : m_staged) {
        auto& unit = m_units[u];
        if (!std::exchange(unit.settled, true) && !unit.inArea)
            unit.inArea = areaHolds(unit); // another request has taken its place
        unit.target = kNone;
    }
}

/// The requests that the replica would prefill now.
ReferenceSimulator::Unit ReferenceSimulator::nextUnit(std::size_t s) const {
    const bool both = pool(s).role == Role::Both;
    Unit unit;
    unit.from = s;
    for (const auto id : m_waiting) {
        auto more = unit;
        more.ids.push_back(id);
        more.prompt = std::max(unit.prompt, static_cast<double>(m_requests[id].prompt));
        more.output = std::max(unit.output, static_cast<double>(m_requests[id].output));
        if (!unit.ids.empty()) {
            if (!grouped(s) || unit.count() == pool(s).batch)
                break;
            if (memory(s) + (both ? more.all() : more.count() * more.prompt) > pool(s).memory)
                break;
            if (!both && more.all() > largest(Role::Decode))
                break; // no replica could ever decode it
            if (!both && pool(s).staging != ServingPool::kOwnMemory &&
                more.count() * more.prompt > m_system.staging[pool(s).staging])
                break;
        }
        unit = more;
    }
    return unit;
}

bool ReferenceSimulator::admissible(std::size_t s) const {
    if (m_waiting.empty())
        return false;
    const auto unit = nextUnit(s);
    if (pool(s).role == Role::Both) {
        const bool slot = grouped(s) ? slots(s) == 0.0 : slots(s) < pool(s).batch;
        return slot && memory(s) + unit.all() <= pool(s).memory;
    }
    if (unit.all() > largest(Role::Decode))
        return false;
    const bool room = decoderFor(unit.count(), unit.all(), true) != kNone;
    if (!room && stagedRequests() >= m_system.stage)
        return false;
    const double prompt = unit.count() * unit.prompt;
    if (memory(s) + prompt > pool(s).memory)
        return false;
    return room || pool(s).staging == ServingPool::kOwnMemory || areaHolds(unit);
}

void ReferenceSimulator::prefill(std::size_t s) {
    auto unit = nextUnit(s);
    m_waiting.erase(m_waiting.begin(), m_waiting.begin() + static_cast<std::ptrdiff_t>(unit.ids.size()));
    for (const auto id : unit.ids)
        m_out[id].prefillStart = m_now;
    if (pool(s).role == Role::Prefill)
        unit.target = decoderFor(unit.count(), unit.all(), true);
    unit.inArea = unit.target == kNone && areaHolds(unit);
    m_replicas[s].prefilling = m_units.size();
    m_replicas[s].chunkDone = 0.0;
    m_units.push_back(unit);
    if (pool(s).chunk > 0 && !grouped(s))
        decide(s);
    else
        begin(s, Doing::Prefill,
              behind(s, pool(s).times->prefill(unit.count(), unit.prompt, unit.output),
                     pool(s).times->prefillStage(unit.count(), unit.prompt, unit.output),
                     m_requests[unit.ids.back()].arrival));
}

/// Of a pipeline: a prefill that went in behind the one that ends now, when its request came if that was
/// later.
double ReferenceSimulator::behind(std::size_t s, double alone, double stage, double came) const {
    if (pool(s).times->stages() == 1.0 || m_replicas[s].leftEmpty != m_now)
        return alone;
    const double early = m_now - came; // that it could have begun
    return early >= alone - stage ? stage : alone - early;
}

bool ReferenceSimulator::takeStaged(std::size_t s) {
    if (m_staged.empty())
        return false;
    auto& unit = m_units[m_staged.front()];
    if (grouped(s) ? slots(s) > 0.0 : slots(s) + unit.count() > pool(s).batch)
        return false;
    const bool here = unit.from == s && !unit.inArea;
    if (memory(s) + unit.all() - (here ? unit.count() * unit.prompt : 0.0) > pool(s).memory)
        return false;
    m_staged.pop_front();
    unit.where = Where::Decoder;
    unit.at = s;
    unit.joined = true;
    for (const auto id : unit.ids)
        m_out[id].decodeStart = m_now;
    return true;
}

void ReferenceSimulator::decide(std::size_t s) {
    auto& replica = m_replicas[s];
    if (replica.prefilling != kNone) {
        const auto& unit = m_units[replica.prefilling];
        const double tokens = std::min(static_cast<double>(pool(s).chunk), unit.prompt - replica.chunkDone);
        const auto seconds = pool(s).times->chunk(tokens, replica.chunkDone, batch(s));
        const double came =
            replica.chunkDone > 0.0 ? m_now - seconds.whole : m_requests[unit.ids.back()].arrival;
        begin(s, Doing::Chunk,
              decoding(s).empty() ? behind(s, seconds.whole, seconds.stage, came) : seconds.whole);
        return;
    }
    const bool interrupts = m_system.assist && m_system.preempt;
    const auto role = pool(s).role;
    if ((role == Role::Both || (role == Role::Prefill && (slots(s) == 0.0 || interrupts))) && admissible(s)) {
        prefill(s);
        return;
    }
    if (role == Role::Prefill && m_system.assist) {
        if (slots(s) == 0.0 || m_system.preempt)
            while (takeStaged(s)) {
            }
        if (slots(s) == 0.0 && m_staged.empty() && !m_waiting.empty()) {
            const auto& head = m_requests[m_waiting.front()];
            const double tokens = static_cast<double>(head.prompt) + head.output;
            if (memory(s) + tokens <= pool(s).memory && tokens <= largest(Role::Decode)) {
                prefill(s);
                return;
            }
        }
    }
    if (!decoding(s).empty())
        begin(s, Doing::Step, pool(s).times->decode(batch(s), 1.0));
}

/// One replica for each request that waits, those with the fewest requests first.
bool ReferenceSimulator::askStops() {
    std::size_t asked = 0;
    std::vector<std::pair<double, std::size_t>> found;
    for (std::size_t s = 0; s < m_replicas.size(); ++s) {
        const auto role = pool(s).role;
        const bool may = role == Role::Both || (role == Role::Prefill && m_system.assist && m_system.preempt);
        if (!may || m_replicas[s].doing != Doing::Step || !admissible(s))
            continue;
        if (m_replicas[s].stop)
            ++asked;
        else
            found.emplace_back(slots(s), s);
    }
    std::sort(found.begin(), found.end());
    bool any = false;
    for (const auto& [load, s] : found)
        if (asked++ < m_waiting.size()) {
            stop(s);
            any = true;
        }
    return any;
}

} // namespace heteroscape::engine::test

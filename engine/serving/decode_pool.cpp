// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/serving/split_rules.h"

#include <algorithm>
#include <cmath>

namespace heteroscape::engine {

TransferNetwork::TransferNetwork(std::vector<double> capacities)
    : m_capacities(std::move(capacities)), m_carried(m_capacities.size(), 0.0),
      m_busy(m_capacities.size(), 0.0) {}

std::size_t TransferNetwork::addGroup(std::vector<ResourceUse> uses) {
    uses.push_back({m_capacities.size() + m_groups.size(), 1.0});
    m_activities.emplace_back().uses = std::move(uses);
    m_groups.emplace_back();
    return m_groups.size() - 1;
}

double TransferNetwork::Group::doneAt() const {
    return transfers.empty() ? kEndless : (transfers.first().when - moved) / rate;
}

void TransferNetwork::add(std::size_t group, std::uint32_t index, double seconds, double now) {
    advance(now);
    auto& to = m_groups[group];
    to.transfers.add(to.moved + seconds, index);
    share();
}

double TransferNetwork::nextDone() const {
    double next = kEndless;
    for (const auto& group : m_groups)
        next = std::min(next, group.doneAt());
    return m_now + next;
}

void TransferNetwork::takeDone(double now, double until, std::vector<std::uint32_t>& done) {
    done.clear();
    advance(now);
    for (auto& group : m_groups)
        while (m_now + group.doneAt() <= until)
            done.push_back(group.transfers.take().id);
    std::sort(done.begin(), done.end());
    if (!done.empty())
        share();
}

double TransferNetwork::largestShare() const {
    double largest = 0.0;
    for (std::size_t l = 0; l < m_capacities.size(); ++l)
        if (m_busy[l] > 0.0)
            largest = std::max(largest, m_carried[l] / (m_busy[l] * m_capacities[l]));
    return largest;
}

void TransferNetwork::advance(double now) {
    const double seconds = now - m_now;
    if (!(seconds > 0.0))
        return;
    m_resources.assign(m_capacities.size() + m_groups.size(), 0.0); // B
    for (std::size_t g = 0; g < m_groups.size(); ++g) {
        auto& group = m_groups[g];
        const double each = group.rate * seconds;
        if (group.transfers.empty())
            continue;
        group.moved += each;
        for (const auto& use : m_activities[g].uses)
            m_resources[use.resource] += use.amount * each * static_cast<double>(group.transfers.size());
    }
    for (std::size_t l = 0; l < m_capacities.size(); ++l)
        if (m_resources[l] > 0.0) {
            m_carried[l] += m_resources[l];
            m_busy[l] += seconds;
        }
    m_now = now;
}

/// Each group has one more resource of its own: its transfers at the rate at which each moves alone.
void TransferNetwork::share() {
    m_resources = m_capacities;
    for (std::size_t g = 0; g < m_groups.size(); ++g) {
        const auto transfers = static_cast<double>(m_groups[g].transfers.size());
        m_activities[g].weight = transfers;
        m_activities[g].rate = 0.0;
        m_activities[g].stopped = Activity::kNone;
        m_resources.push_back(transfers);
    }
    shareFairly(m_activities, m_resources);
    for (std::size_t g = 0; g < m_groups.size(); ++g)
        m_groups[g].rate = m_activities[g].weight > 0.0 ? m_activities[g].rate / m_activities[g].weight : 0.0;
}

DecodePool::DecodePool(const ServingPool& pool, const ServerTraffic& traffic,
                       std::vector<DecodeState>& states)
    : m_pool(pool), m_settings(pool.server), m_workers(pool.replicas), m_traffic(traffic), m_states(states),
      m_slots(m_settings.sequences * m_settings.ranks * m_workers),
      m_capacity(m_settings.kvTokens * m_settings.ranks * m_workers),
      m_evicts(m_settings.eviction != Eviction::Reserved && std::isfinite(m_capacity)) {}

bool DecodePool::holds(const RequestSize& size) const {
    const double last = static_cast<double>(size.prompt) + size.output + 1.0;
    return !m_evicts || last + std::max(1.0, m_settings.block) <= m_capacity;
}

double DecodePool::used() const {
    return m_evicts ? m_contexts + m_running * (std::max(1.0, m_settings.block) - 1.0) : m_kv;
}

/// KV tokens that must be free for a request.
double DecodePool::room(std::uint32_t index) const {
    const auto& size = m_traffic.requests[index].size;
    if (!m_evicts)
        return m_settings.asked(size.prompt, size.output);
    const auto& state = m_states[index];
    const double step = m_running + 1.0; // of all that then run
    return state.context + std::max(1.0, m_settings.block) - 1.0 +
           std::max(step, m_settings.reserve * state.steps);
}

void DecodePool::wait(std::uint32_t index) {
    (m_states[index].begun ? m_back : m_waiting).push_back(index);
}

void DecodePool::move(double now, double tokens) {
    m_movingTo = std::max(now, m_movingTo) + tokens * m_settings.swapToken / m_workers;
}

std::optional<std::uint32_t> DecodePool::take(double now) {
    auto& queue = m_back.empty() ? m_waiting : m_back;
    if (queue.empty() || m_running + 1.0 > m_slots)
        return {};
    const auto index = queue.front();
    if (m_running > 0.0 && used() + room(index) > m_capacity)
        return {};
    queue.pop_front();
    const auto& state = m_states[index];
    if (!m_evicts)
        m_kv += room(index);
    else
        m_joined.push_back(index);
    if (state.begun && swaps())
        move(now, state.context);
    m_finishes.add(m_made + state.steps, index);
    m_running += 1.0;
    m_contexts += state.context;
    m_work.largestKv = std::max(m_work.largestKv, used());
    return index;
}

double DecodePool::nextEvent(double now) {
    m_stepsTo = m_finishes.first().when - m_made;
    m_fullFirst = false;
    if (m_evicts && m_running > 1.0) {
        const double full = std::max(0.0, (m_capacity - used()) / m_running);
        if (full < m_stepsTo) {
            m_stepsTo = full;
            m_fullFirst = true;
        }
    }
    m_stepTime = m_pool.times->decodeStep(m_running / m_workers, m_contexts / m_running + 0.5 * m_stepsTo);
    return std::max(now, m_movingTo) + m_stepsTo * m_stepTime;
}

void DecodePool::advance(double now, double until, bool due) {
    const double from = std::max(now, m_movingTo);
    const double steps = due ? m_stepsTo : std::max(0.0, until - from) / m_stepTime;
    m_work.decodeSeconds += until - now;
    m_work.outputTokens += steps * m_running;
    m_made = due && !m_fullFirst ? m_finishes.first().when : m_made + steps;
    m_contexts += steps * m_running;
    m_work.largestKv = std::max(m_work.largestKv, std::min(used(), m_capacity));
}

void DecodePool::takeDone(std::vector<std::uint32_t>& done) {
    done.clear();
    while (!m_finishes.empty() && m_finishes.first().when <= m_made) {
        const auto index = m_finishes.take().id;
        const auto& state = m_states[index];
        m_running -= 1.0;
        m_contexts -= state.context + state.steps;
        if (m_evicts)
            m_joined.erase(std::find(m_joined.begin(), m_joined.end(), index));
        else
            m_kv -= room(index);
        m_assigned -= 1.0;
        m_work.decodes += 1.0;
        done.push_back(index);
    }
    if (m_running == 0.0)
        m_contexts = m_kv = 0.0; // no rounding is carried on
}

void DecodePool::evict(double now, std::vector<std::uint32_t>& evicted) {
    evicted.clear();
    while (m_evicts && m_fullFirst && m_running > 1.0 && used() + m_running > m_capacity) {
        const auto index = m_joined.back();
        m_joined.pop_back();
        auto& state = m_states[index];
        const double left = std::max(0.0, m_finishes.remove(index) - m_made);
        state.context += state.steps - left;
        state.steps = left;
        m_running -= 1.0;
        m_contexts -= state.context;
        if (swaps()) {
            move(now, state.context);
            m_back.push_back(index);
        }
        evicted.push_back(index);
    }
    m_fullFirst = false;
}

} // namespace heteroscape::engine

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/serving/link_limit.h"

#include <algorithm>

namespace heteroscape::engine {

namespace {

double wholeCapacity(const SteadyPool& pool) {
    return pool.replicas / (pool.prefillSeconds + pool.decodeSeconds);
}

/// For which a batch that was prefilled elsewhere holds a replica.
double heldSeconds(const SteadyPool& pool) {
    return pool.receiveSeconds + pool.decodeSeconds;
}

template <class V>
SteadyStateOf<V> sumOf(std::span<const SteadyPoolOf<V>> pools, std::span<const WayOf<V>> ways,
                       std::span<PoolLoadOf<V>> loads) {
    using N = Numbers<V>;
    const auto rate = [](const V& batches, std::string_view name) {
        return N::named(batches, name, measures::batchRate);
    };
    const auto add = [](V& busy, const V& batches, const V& seconds, const SteadyPoolOf<V>& pool,
                        std::string_view name) {
        busy = busy + N::named(N::named(batches * seconds, "Servers at work", measures::count, pool.name) /
                                   pool.replicas,
                               name, measures::percent, pool.name);
    };
    SteadyStateOf<V> state;
    for (const auto& way : ways) {
        auto& from = loads[way.from];
        auto& to = loads[way.to];
        if (way.from == way.to) {
            from.wholeRate = from.wholeRate + way.rate;
        } else {
            from.prefillRate = from.prefillRate + way.rate;
            to.decodeRate = to.decodeRate + way.rate;
            state.transferred = state.transferred + way.rate;
        }
        const auto& first = pools[way.from];
        const auto& last = pools[way.to];
        add(from.prefillBusy, way.rate, first.prefillSeconds, first, "Share of time in prefill");
        add(to.decodeBusy, way.rate, last.decodeSeconds, last, "Share of time in decode");
        state.rate = state.rate + way.rate;
    }
    for (auto& load : loads)
        load = {rate(load.wholeRate, "Batches served whole"), rate(load.prefillRate, "Batches prefilled"),
                rate(load.decodeRate, "Batches decoded"),
                N::named(load.prefillBusy, "Share of time in prefill", measures::percent),
                N::named(load.decodeBusy, "Share of time in decode", measures::percent)};
    state.transferred = rate(state.transferred, "Batches transferred");
    state.rate = rate(state.rate, "Batches served");
    return state;
}

} // namespace

/// Resources: the time of each pool, then each link; all of them are there once.
LinkLimit::LinkLimit(std::span<const SteadyPool> pools, bool assist, std::span<const double> capacities,
                     const TrafficOf& trafficOf)
    : m_pools(pools) {
    double prefills = 0.0;
    double decodes = 0.0;
    for (const auto& pool : pools) {
        prefills += pool.role == Role::Prefill ? pool.replicas / pool.prefillSeconds : 0.0;
        decodes += pool.role == Role::Decode ? pool.replicas / heldSeconds(pool) : 0.0;
    }
    const double transferred = std::min(prefills, decodes);
    for (std::size_t p = 0; p < pools.size(); ++p) {
        if (pools[p].role == Role::Both)
            add(p, p, wholeCapacity(pools[p]), capacities, trafficOf);
        for (std::size_t d = 0; pools[p].role == Role::Prefill && d < pools.size(); ++d)
            if (pools[d].role == Role::Decode)
                add(p, d,
                    transferred * (pools[p].replicas / pools[p].prefillSeconds / prefills) *
                        (pools[d].replicas / heldSeconds(pools[d]) / decodes),
                    capacities, trafficOf);
    }
    std::vector<double> left(pools.size() + capacities.size(), 1.0);
    shareFairly(m_activities, left);
    const auto first = m_activities.size();
    for (std::size_t p = 0; assist && p < pools.size(); ++p)
        if (pools[p].role == Role::Prefill)
            add(p, p, wholeCapacity(pools[p]), capacities, trafficOf);
    shareFairly(std::span(m_activities).subspan(first), left);
    m_links.resize(capacities.size());
    sumUp();
}

void LinkLimit::add(std::size_t from, std::size_t to, double weight, std::span<const double> capacities,
                    const TrafficOf& trafficOf) {
    if (!(weight > 0.0))
        return;
    std::vector<PoolLoad> loads(m_pools.size());
    Activity activity;
    activity.weight = weight;
    if (from == to) {
        loads[from].wholeRate = 1.0;
        activity.uses.push_back({from, 1.0 / wholeCapacity(m_pools[from])});
    } else {
        loads[from].prefillRate = 1.0;
        loads[to].decodeRate = 1.0;
        activity.uses.push_back({from, m_pools[from].prefillSeconds / m_pools[from].replicas});
        activity.uses.push_back({to, heldSeconds(m_pools[to]) / m_pools[to].replicas});
    }
    auto traffic = trafficOf(loads, from == to ? 0.0 : 1.0);
    for (std::size_t l = 0; l < capacities.size(); ++l)
        if (const auto& use = traffic.links[l]; use.bytesPerSecond > 0.0)
            activity.uses.push_back({m_pools.size() + l, use.bytesPerSecond / capacities[l] + use.starting});
    m_activities.push_back(std::move(activity));
    m_kinds.push_back({from, to, std::move(traffic)});
}

void LinkLimit::sumUp() {
    m_loads.assign(m_pools.size(), {});
    std::vector<double> lost(m_links.size(), 0.0); // batches/s that wait for a link
    double exposed = 0.0;
    for (std::size_t a = 0; a < m_activities.size(); ++a) {
        const auto& activity = m_activities[a];
        const auto& kind = m_kinds[a];
        const double rate = activity.rate;
        m_ways.push_back({kind.from, kind.to, rate});
        if (kind.from != kind.to)
            exposed += rate * kind.traffic.exposed;
        for (std::size_t l = 0; l < m_links.size(); ++l) {
            m_links[l].bytesPerSecond += rate * kind.traffic.links[l].bytesPerSecond;
            m_links[l].starting += rate * kind.traffic.links[l].starting;
        }
        if (activity.stopped != kNone && activity.stopped >= m_pools.size())
            lost[activity.stopped - m_pools.size()] += std::max(activity.weight - rate, 0.0);
    }
    m_state = sumOf<double>(m_pools, m_ways, m_loads);
    m_exposed = m_state.transferred > 0.0 ? exposed / m_state.transferred : 0.0;
    for (std::size_t l = 0; l < lost.size(); ++l)
        if (lost[l] > 0.0 && (m_link == kNone || lost[l] > lost[m_link]))
            m_link = l;
}

SteadyStateOf<Term> explainLimited(std::span<const SteadyPoolOf<Term>> pools,
                                   std::span<const WayOf<Term>> ways, std::span<PoolLoadOf<Term>> loads) {
    return sumOf<Term>(pools, ways, loads);
}

} // namespace heteroscape::engine

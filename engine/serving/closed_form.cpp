// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/serving/closed_form.h"

#include <algorithm>

namespace heteroscape::engine {

void KvPaths::reset(const Scenario& scenario) {
    m_graph.reset(scenario);
}

void KvPaths::searchFrom(std::size_t node) {
    m_arrivedBy.assign(m_graph.nodeCount(), kNone);
    m_start = node;
    m_queue.assign(1, node);
    for (std::size_t head = 0; head < m_queue.size(); ++head) {
        const auto at = m_queue[head];
        if (at != m_start && !m_graph.passesOn(at))
            continue;
        for (const auto link : m_graph.linksOf(at)) {
            const auto next = m_graph.otherEnd(link, at);
            if (next == m_start || m_arrivedBy[next] != kNone)
                continue;
            m_arrivedBy[next] = link;
            m_queue.push_back(next);
        }
    }
}

const std::vector<std::size_t>& KvPaths::linksTo(std::size_t node) {
    m_path.clear();
    for (auto at = node; at != m_start;) {
        const auto link = m_arrivedBy[at];
        if (link == kNone) {
            m_path.clear();
            break;
        }
        m_path.push_back(link);
        at = m_graph.otherEnd(link, at);
    }
    std::reverse(m_path.begin(), m_path.end());
    return m_path;
}

namespace {

template <class V>
SteadyStateOf<V> solve(std::span<const SteadyPoolOf<V>> pools, bool assist, std::span<PoolLoadOf<V>> loads) {
    using N = Numbers<V>;
    using std::max;
    using std::min;
    const auto rate = [](const V& batches, std::string_view name, std::string_view of = {}) {
        return N::named(batches, name, measures::batchRate, of);
    };
    const auto share = [](const V& part, std::string_view name, std::string_view of) {
        return N::named(part, name, measures::percent, of);
    };
    const auto replicas = [](const V& number, std::string_view name) {
        return N::named(number, name, measures::count);
    };
    const auto time = [](const V& seconds, std::string_view name) {
        return N::named(seconds, name, measures::seconds);
    };
    const auto decodeOf = [](const SteadyPoolOf<V>& pool) {
        return valueOf(pool.receiveSeconds) > 0.0
                   ? N::named(pool.receiveSeconds + pool.decodeSeconds, "KV cache on its way, and decode",
                              measures::seconds, pool.name)
                   : pool.decodeSeconds;
    };
    V prefillCapacity{}; // batches/s
    V decodeCapacity{};
    for (const auto& pool : pools) {
        if (pool.role == Role::Prefill)
            prefillCapacity =
                prefillCapacity + rate(pool.replicas / pool.prefillSeconds, "Prefills possible", pool.name);
        if (pool.role == Role::Decode)
            decodeCapacity =
                decodeCapacity + rate(pool.replicas / decodeOf(pool), "Decodes possible", pool.name);
    }
    prefillCapacity = rate(prefillCapacity, "Prefills possible in all");
    decodeCapacity = rate(decodeCapacity, "Decodes possible in all");
    SteadyStateOf<V> state;
    state.transferred = rate(min(prefillCapacity, decodeCapacity), "Batches transferred");
    state.prefillLimits = valueOf(prefillCapacity) < valueOf(decodeCapacity);
    V total = state.transferred;
    for (std::size_t i = 0; i < pools.size(); ++i) {
        const auto& pool = pools[i];
        auto& load = loads[i];
        load = {};
        const V whole = N::named(pool.prefillSeconds + pool.decodeSeconds, "Prefill and decode",
                                 measures::seconds, pool.name);
        if (pool.role == Role::Both) {
            load.wholeRate = rate(pool.replicas / whole, "Batches served whole", pool.name);
            load.prefillBusy = share(pool.prefillSeconds / whole, "Share of time in prefill", pool.name);
            load.decodeBusy = share(pool.decodeSeconds / whole, "Share of time in decode", pool.name);
        } else if (pool.role == Role::Prefill) {
            load.prefillBusy =
                share(state.transferred / prefillCapacity, "Share of time in prefill", pool.name);
            load.prefillRate =
                rate(replicas(load.prefillBusy * pool.replicas, "Replicas in prefill") / pool.prefillSeconds,
                     "Batches prefilled", pool.name);
            const V left =
                share(N::counted("All of the time", 1.0, measures::percent, "definition") - load.prefillBusy,
                      "Share of time left", pool.name);
            if (assist && valueOf(left) > 0.0) {
                load.wholeRate = rate(replicas(left * pool.replicas, "Replicas with time left") / whole,
                                      "Batches served whole", pool.name);
                load.prefillBusy =
                    share(load.prefillBusy +
                              share(time(left * pool.prefillSeconds, "Prefill in the time left") / whole,
                                    "Prefill of batches served whole", pool.name),
                          "Share of time in prefill, with those", pool.name);
                load.decodeBusy = share(time(left * pool.decodeSeconds, "Decode in the time left") / whole,
                                        "Share of time in decode", pool.name);
            }
        } else if (pool.role == Role::Decode) {
            const V decode = decodeOf(pool);
            load.decodeBusy = share(state.transferred / decodeCapacity, "Share of time in decode", pool.name);
            load.decodeRate = rate(replicas(load.decodeBusy * pool.replicas, "Replicas in decode") / decode,
                                   "Batches decoded", pool.name);
            if (valueOf(pool.receiveSeconds) > 0.0)
                load.decodeBusy = share(
                    load.decodeBusy * share(pool.decodeSeconds / decode, "Of that in decode", pool.name),
                    "Share of time in decode", pool.name);
        }
        total = total + load.wholeRate;
    }
    state.rate = rate(total, "Batches served");
    return state;
}

} // namespace

SteadyState closedForm(std::span<const SteadyPool> pools, bool assist, std::span<PoolLoad> loads) {
    return solve<double>(pools, assist, loads);
}

SteadyStateOf<Term> closedForm(std::span<const SteadyPoolOf<Term>> pools, bool assist,
                               std::span<PoolLoadOf<Term>> loads) {
    return solve<Term>(pools, assist, loads);
}

} // namespace heteroscape::engine

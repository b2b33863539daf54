// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/term.h"
#include "engine/evaluation/evaluation.h"
#include "engine/scenario/node_fields.h"
#include "engine/serving/closed_form.h"

#include <array>
#include <cmath>
#include <vector>

namespace heteroscape::engine {

// The equations of a whole system, written once: over double they evaluate, over Term they explain.

/// What is bought. `area` and `price` are 0 where they are not known.
template <class V>
struct SystemPartsOf {
    V price{}; ///< USD
    V area{};  ///< m2
    V dies{};
};

inline double dieAreaAs(const Device& device, double) {
    return dieArea(device);
}
inline Term dieAreaAs(const Device& device, const Term&) {
    return explainDieArea(device);
}

template <class V>
SystemPartsOf<V> systemParts(const Scenario& scenario) {
    using N = Numbers<V>;
    SystemPartsOf<V> parts;
    for (const auto& node : scenario.nodes) {
        const V count = N::quantity(nodeFields, node, &Node::count);
        if (!isFabric(node.device.kind) || node.device.price.isSet())
            parts.price =
                parts.price + N::named(count * N::quantity(deviceFields, node.device, &Device::price),
                                       "Price", measures::dollars, node.shownName());
        if (isAccelerator(node.device.kind)) {
            parts.area = parts.area + N::named(count * dieAreaAs(node.device, V{}), "Dies", measures::area,
                                               node.shownName());
            parts.dies = parts.dies + count;
        }
    }
    return parts;
}

/// Host and storage work while a replica on a node does. Nodes that prefill and others that decode
/// use them at the same time: they are busy once.
template <class V>
void useTier(BusySharesOf<V>& tier, const PoolLoadOf<V>& user) {
    using N = Numbers<V>;
    using std::max;
    const auto share = [](const V& busy, std::string_view name) {
        return N::named(busy, name, measures::percent);
    };
    tier.prefill = share(max(tier.prefill, user.prefillBusy), "While it is used for prefill");
    tier.decode = share(max(tier.decode, user.decodeBusy), "While it is used for decode");
    const V both = share(tier.prefill + tier.decode, "Prefill and decode");
    if (!(valueOf(both) > 1.0))
        return;
    tier.prefill = share(tier.prefill / both, "Share of time in prefill");
    tier.decode = share(tier.decode / both, "Share of time in decode");
}

/// Every way from a pool that prefills to one that decodes: visit(from, to, share of what is transferred), in
/// proportion to their rates. `same(from, to)`: the KV cache lies there already. `paths` is left at `from`.
template <class V, class Same, class Visit>
void forTransfers(std::span<const PoolLoadOf<V>> loads, const V& transferred, KvPaths& paths, Same same,
                  Visit visit) {
    using N = Numbers<V>;
    for (std::size_t p = 0; p < loads.size(); ++p) {
        if (valueOf(loads[p].prefillRate) <= 0.0)
            continue;
        paths.searchFrom(p);
        for (std::size_t d = 0; d < loads.size(); ++d) {
            if (valueOf(loads[d].decodeRate) <= 0.0 || same(p, d))
                continue;
            visit(p, d,
                  N::named(N::named(loads[p].prefillRate * loads[d].decodeRate, "Rates of the two",
                                    measures::count) /
                               N::named(transferred * transferred, "Batches transferred, squared",
                                        measures::count),
                           "Share of what is transferred", measures::percent));
        }
    }
}

/// The node whose layers, and whose offloading, metrics are about: the one that decodes most, of a system
/// that cannot run the first that would; no index of a node where none decodes.
template <class V>
std::size_t mostDecoding(std::span<const NodeEvaluation> nodes, std::span<const PoolLoadOf<V>> loads) {
    auto shown = nodes.size();
    double most = -1.0;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const auto role = nodes[i].role;
        const double rate = valueOf(loads[i].wholeRate) + valueOf(loads[i].decodeRate);
        if ((role == Role::Both || role == Role::Decode) && rate > most) {
            most = rate;
            shown = i;
        }
    }
    return shown;
}

/// What the metrics of a running system follow from.
template <class V>
struct SystemQuantitiesOf {
    std::span<const SteadyPoolOf<V>> pools;
    std::span<const PoolLoadOf<V>> loads;
    const SteadyStateOf<V>& state;
    const V& exposed; ///< s, mean exposed KV transfer of what is transferred
    const V& price;   ///< NaN where it is not known, as the next two
    const V& area;
    const V& power;
    const V& dies;
    const std::array<V, kPowerTerms>& watts; ///< that `power` is made of, W
    double waiting = 0.0; ///< requests of each batch's pool that are let in as those of a batch are answered
};

/// Times of a request where `waiting` others are let in one by one as those of the batch of F are answered:
/// prompts come while the others decode, so that those of one batch are part of each decode, and by Little's
/// law a request waits as long as waiting / F take.
///   prefill = Tp / F,   decode = Td + (1 - 1/F) Tp,   wait = waiting / F (prefill + KV transfer + decode)
/// Tp: of prompts in pools that decode as well; of others prefill and decode stay as they are.
template <class V>
struct LetInTimesOf {
    V prefill{}, decode{}, wait{};

    LetInTimesOf(const V& prefillTime, const V& sharedPrefill, const V& exposed, const V& decodeTime,
                 double batch, double waiting) {
        using N = Numbers<V>;
        prefill = prefillTime;
        decode = decodeTime;
        if (valueOf(sharedPrefill) > 0.0) {
            const V others =
                N::named(sharedPrefill * N::counted("Of the others in the batch", 1.0 - 1.0 / batch,
                                                    measures::percent, "1 - 1 / requests at once"),
                         "Prompts that are let in meanwhile", measures::seconds);
            prefill = N::named(prefillTime - others, "Prefill of a request", measures::seconds);
            decode = N::named(decodeTime + others, "Decode of a request, with prompts that are let in",
                              measures::seconds);
        }
        wait = N::named(
            N::counted("Waiting for each that is served", waiting / batch, measures::count,
                       "requests behind those at once / requests at once") *
                N::named(prefill + exposed + decode, "From being let in to the answer", measures::seconds),
            "Wait to be let in", measures::seconds);
    }
};

/// What a server, its power supply and the building draw beside its devices: of those that are set, P_wall =
/// (servers x host + devices) x loss, times PUE, `devices` the power of all that is drawn.
template <class V, class Set>
void setFacilityMetrics(const Scenario& scenario, const V& power, const V& throughput, Set set) {
    using N = Numbers<V>;
    const auto& cost = scenario.cost;
    if (!cost.serverHost.isSet() || !cost.serverLoss.isSet())
        return;
    constexpr double kBoard = 8.0; // devices of a server that says nothing else
    double devices = 0.0;
    for (const auto& node : scenario.nodes)
        devices += isAccelerator(node.device.kind) ? node.count.value : 0.0;
    const double servers = std::ceil(devices / cost.serverDevices.valueOr(kBoard));
    const V hosts =
        N::named(N::counted("Servers", servers, measures::count, "devices / devices of a server") *
                     N::quantity(economicsFields, cost, &Economics::serverHost),
                 "Hosts", measures::watts);
    const V wall = N::named(N::named(power + hosts, "Devices and hosts", measures::watts) *
                                N::quantity(economicsFields, cost, &Economics::serverLoss),
                            "At the wall", measures::watts);
    const V facility =
        set(Metric::FacilityPower,
            cost.pue.isSet() ? wall * N::quantity(economicsFields, cost, &Economics::pue) : wall);
    const V energy = set(Metric::FacilityEnergy, facility / throughput);
    if (cost.carbon.isSet())
        set(Metric::Carbon, energy * N::quantity(economicsFields, cost, &Economics::carbon));
}

/// Calls set(metric, value) for every metric of the steady state of a whole system; set() returns the value,
/// under the metric's name.
template <class V, class Set>
void setSystemMetrics(const Scenario& scenario, const SystemQuantitiesOf<V>& of, Set set) {
    using N = Numbers<V>;
    const auto& workload = scenario.workload;
    const V batch = N::quantity(workloadFields, workload, &Workload::batch);
    const V prompt = N::quantity(workloadFields, workload, &Workload::promptTokens);
    const V output = N::quantity(workloadFields, workload, &Workload::outputTokens);
    V first{}; // rate-weighted sums over requests
    V decode{};
    V shared{}; // of `first` what is prefilled where others decode
    for (std::size_t i = 0; i < of.loads.size(); ++i) {
        const auto& load = of.loads[i];
        const auto& pool = of.pools[i];
        const V prefills =
            N::named(load.wholeRate + load.prefillRate, "Prefills", measures::batchRate, pool.name);
        const V decodes =
            N::named(load.wholeRate + load.decodeRate, "Decodes", measures::batchRate, pool.name);
        if (valueOf(prefills) > 0.0)
            first =
                first + N::named(prefills * pool.prefillSeconds, "Prefill work", measures::count, pool.name);
        if (of.waiting > 0.0 && valueOf(load.wholeRate) > 0.0)
            shared = shared + N::named(load.wholeRate * pool.prefillSeconds, "Prefill work", measures::count,
                                       pool.name);
        if (valueOf(decodes) > 0.0)
            decode =
                decode + N::named(decodes * pool.decodeSeconds, "Decode work", measures::count, pool.name);
    }
    const V rate = of.state.rate;
    const V requests = set(Metric::RequestRate, rate * batch);
    const V throughput = set(Metric::Throughput, requests * output);
    V prefillTime = N::named(first, "Prefill work", measures::count) / rate;
    V decodeTime = N::named(N::named(decode, "Decode work", measures::count) / rate,
                            "Decode of a request, mean", measures::seconds);
    const V exposed =
        set(Metric::KvTransfer,
            N::named(of.exposed * of.state.transferred, "Transfer work", measures::count) / rate);
    if (of.waiting > 0.0) {
        if (valueOf(shared) > 0.0)
            shared = N::named(N::named(shared, "Prefill work", measures::count) / rate,
                              "Prefill of a batch where others decode", measures::seconds);
        const LetInTimesOf<V> times(N::named(prefillTime, "Prefill of a batch", measures::seconds), shared,
                                    exposed, decodeTime, workload.batch.value, of.waiting);
        prefillTime = times.wait + times.prefill;
        decodeTime = times.decode;
    }
    prefillTime = set(Metric::TimeToFirstToken, prefillTime);
    set(Metric::TimePerToken, decodeTime / output);
    set(Metric::Latency, prefillTime + exposed + decodeTime);
    set(Metric::ThroughputPerPrice, throughput / of.price);
    set(Metric::ThroughputPerArea, throughput / of.area);
    const V processed = set(Metric::ProcessedThroughput,
                            requests * N::named(prompt + output, "Tokens of a request", measures::tokens));
    set(Metric::ProcessedThroughputPerDie,
        N::named(processed * N::named(of.dies, "Accelerators", measures::count),
                 "Processed tokens for each die, if all dies were one", measures::count) /
            of.area);
    if (valueOf(of.power) != 0.0) // nothing is drawn: no rate per watt
        set(Metric::ThroughputPerPower, throughput / of.power);
    set(Metric::EnergyPerToken, of.power / throughput);
    if (valueOf(of.power) == valueOf(of.power))
        for (std::size_t i = 0; i < kPowerTerms; ++i)
            set(static_cast<Metric>(static_cast<std::size_t>(Metric::EnergyIdle) + i),
                of.watts[i] / throughput);
    setFacilityMetrics<V>(scenario, of.power, throughput, set);
    const V costs = N::named(of.price / N::quantity(economicsFields, scenario.cost, &Economics::lifetime),
                             "Price of a second", measures::dollars) +
                    N::named(of.power * N::quantity(economicsFields, scenario.cost, &Economics::electricity),
                             "Electricity of a second", measures::dollars);
    set(Metric::CostPerToken, N::named(costs, "Cost of a second", measures::dollars) / throughput);
}

} // namespace heteroscape::engine

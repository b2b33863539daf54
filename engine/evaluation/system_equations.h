// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/term.h"
#include "engine/evaluation/evaluation.h"
#include "engine/scenario/node_fields.h"
#include "engine/schedule/kv_transfer.h"
#include "engine/serving/closed_form.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
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

/// Servers that so many devices of a node need, whole ones; of eight devices where nothing else is said.
inline double serversOf(const Scenario& scenario, const Node& node, double devices) {
    constexpr double kBoard = 8.0;
    return std::ceil(devices / node.chassisDevices.valueOr(scenario.cost.serverDevices.valueOr(kBoard)));
}
inline double serversOf(const Scenario& scenario, const Node& node) {
    return serversOf(scenario, node, node.count.value);
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
        if (isAccelerator(node.device.kind) && node.chassisPrice.isSet())
            parts.price =
                parts.price + N::named(N::counted("Servers", serversOf(scenario, node), measures::count,
                                                  "devices / devices of a server") *
                                           N::quantity(nodeFields, node, &Node::chassisPrice),
                                       "Servers around them", measures::dollars, node.shownName());
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

/// The links of a path as what a KV cache crosses.
template <class V>
void hopsOf(const Scenario& scenario, std::span<const std::size_t> path, std::vector<HopOf<V>>& hops) {
    using N = Numbers<V>;
    hops.clear();
    for (const auto l : path) {
        const auto& link = scenario.links[l];
        const auto quantity = [&](Quantity LinkType::*member) {
            return N::quantity(linkTypeFields, link.type, member, link.type.name);
        };
        hops.push_back({quantity(&LinkType::bandwidth), quantity(&LinkType::latency), link.id.value});
    }
}

/// Sets how long KV caches hold what decodes: seconds(from, to, links that still lie before one when a
/// replica takes it), the mean over the pools that prefill. `paths` of the scenario; `same` as in
/// forTransfers().
template <class V, class Same, class Seconds>
void setReceiving(const Scenario& scenario, std::span<SteadyPoolOf<V>> pools, KvPaths& paths, Same same,
                  Seconds seconds) {
    using N = Numbers<V>;
    const auto prefills = [&](std::size_t p) {
        return pools[p].role == Role::Prefill ? valueOf(pools[p].replicas) / valueOf(pools[p].prefillSeconds)
                                              : 0.0;
    };
    double all = 0.0;
    for (std::size_t p = 0; p < pools.size(); ++p)
        all += prefills(p);
    if (!(all > 0.0))
        return;
    for (std::size_t p = 0; p < pools.size(); ++p) {
        const double part = prefills(p) / all;
        if (!(part > 0.0))
            continue;
        paths.searchFrom(p);
        for (std::size_t d = 0; d < pools.size(); ++d) {
            const auto& to = scenario.nodes[d];
            if (pools[d].role != Role::Decode || receivesBeside(to) || same(p, d))
                continue;
            const std::span path = paths.linksTo(d);
            const auto left = path.subspan(stagedLinks(scenario, scenario.nodes[p], to, path));
            V held = seconds(p, d, left);
            if (part < 1.0)
                held = N::counted("Share of the prefills", part, measures::percent,
                                  "prefills possible, of all") *
                       held;
            pools[d].receiveSeconds = pools[d].receiveSeconds + held;
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

/// What servers, their power supplies and the building draw with the devices: (servers x host + devices) x
/// loss, times PUE, `power` that of all that is drawn. Hosts and losses of a node's own servers, else those
/// of the design's cost; losses that differ by the mean over accelerators. None where either is not known.
template <class V>
std::optional<V> facilityOf(const Scenario& scenario, const V& power) {
    using N = Numbers<V>;
    constexpr double kBoard = 8.0; // devices of a server that says nothing else
    const auto& cost = scenario.cost;
    V hosts{};
    double rest = 0.0, all = 0.0, losses = 0.0;
    bool ownLoss = false;
    const auto add = [&](double servers, const V& host, std::string_view name) {
        hosts =
            hosts +
            N::named(N::counted("Servers", servers, measures::count, "devices / devices of a server") * host,
                     "Hosts", measures::watts, name);
    };
    for (const auto& node : scenario.nodes) {
        if (!isAccelerator(node.device.kind))
            continue;
        all += node.count.value;
        losses += node.count.value * node.chassisLoss.valueOr(cost.serverLoss.value);
        ownLoss = ownLoss || node.chassisLoss.isSet();
        if (node.chassisHost.isSet())
            add(serversOf(scenario, node), N::quantity(nodeFields, node, &Node::chassisHost),
                node.shownName());
        else
            rest += node.count.value;
    }
    if ((rest > 0.0 && !cost.serverHost.isSet()) || !(losses > 0.0))
        return std::nullopt;
    if (rest > 0.0)
        add(std::ceil(rest / cost.serverDevices.valueOr(kBoard)),
            N::quantity(economicsFields, cost, &Economics::serverHost), {});
    const V wall = N::named(N::named(power + hosts, "Devices and hosts", measures::watts) *
                                (ownLoss ? N::counted("Loss factor of the servers", losses / all,
                                                      measures::count, "mean over accelerators")
                                         : N::quantity(economicsFields, cost, &Economics::serverLoss)),
                            "At the wall", measures::watts);
    return cost.pue.isSet() ? wall * N::quantity(economicsFields, cost, &Economics::pue) : wall;
}

inline bool isRented(const Scenario& scenario) {
    return scenario.cost.rented.valueOr(0.0) > 0.0;
}

/// Bought: price / lifetime, with interest paid in equal parts a year,
///   share of the price a year = rate / (1 - (1 + rate)^-years),
/// and the electricity of the building, where it is known, else of the devices, while it works. Rented: count
/// x rent of all accelerators. What is bought or rented is paid while it does not work too: / utilisation.
template <class V>
BillOf<V> billOf(const Scenario& scenario, const V& price, const V& power) {
    using N = Numbers<V>;
    const auto& cost = scenario.cost;
    BillOf<V> bill;
    bill.facility = facilityOf<V>(scenario, power);
    const auto quantity = [&](Quantity Economics::*member) {
        return N::quantity(economicsFields, cost, member);
    };
    const auto whileIdle = [&](const V& paid, std::string_view name) {
        return cost.utilisation.isSet()
                   ? N::named(paid / quantity(&Economics::utilisation), name, measures::dollars)
                   : paid;
    };
    if (isRented(scenario)) {
        V rent{};
        for (const auto& node : scenario.nodes)
            if (isAccelerator(node.device.kind))
                rent = rent + N::named(N::quantity(nodeFields, node, &Node::count) *
                                           N::quantity(deviceFields, node.device, &Device::rent),
                                       "Rent of a second", measures::dollars, node.shownName());
        bill.perSecond = whileIdle(rent, "Rent, while it does not work too");
    } else {
        V paid = N::named(price / quantity(&Economics::lifetime), "Price of a second", measures::dollars);
        if (const double rate = cost.interest.valueOr(0.0); rate > 0.0) {
            const double years = cost.lifetime.value / units::year;
            paid = N::named(paid * N::counted("Paid in all, over price",
                                              years * rate / (1.0 - std::pow(1.0 + rate, -years)),
                                              measures::count, "years x rate / (1 - (1 + rate)^-years)"),
                            "Price of a second, with interest", measures::dollars);
        }
        bill.perSecond =
            whileIdle(paid, "Price, while it does not work too") +
            N::named((bill.facility ? *bill.facility : power) * quantity(&Economics::electricity),
                     "Electricity of a second", measures::dollars);
    }
    bill.perSecond = N::named(bill.perSecond, "Cost of a second", measures::dollars);
    return bill;
}

/// What the servers are rated for, where each says it.
template <class V, class Set>
void setRatedMetrics(const Scenario& scenario, Set set) {
    using N = Numbers<V>;
    V rated{};
    for (const auto& node : scenario.nodes)
        if (isAccelerator(node.device.kind))
            rated = rated + N::named(N::counted("Servers", serversOf(scenario, node), measures::count,
                                                "devices / devices of a server") *
                                         N::quantity(nodeFields, node, &Node::chassisRated),
                                     "Rated", measures::watts, node.shownName());
    if (valueOf(rated) > 0.0)
        set(Metric::RatedPower, rated);
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
    const auto bill = billOf<V>(scenario, of.price, of.power);
    if (bill.facility) {
        const V facility = set(Metric::FacilityPower, *bill.facility);
        const V energy = set(Metric::FacilityEnergy, facility / throughput);
        if (scenario.cost.carbon.isSet())
            set(Metric::Carbon, energy * N::quantity(economicsFields, scenario.cost, &Economics::carbon));
    }
    set(Metric::CostPerToken, bill.perSecond / throughput);
    setRatedMetrics<V>(scenario, set);
}

} // namespace heteroscape::engine

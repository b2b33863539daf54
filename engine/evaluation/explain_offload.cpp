// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluation/explain_offload.h"

#include "engine/evaluation/explain_parts.h"
#include "engine/schedule/compiled_pool.h"
#include "engine/timing/near_storage_kernel.h"
#include "engine/units/units.h"

namespace heteroscape::engine {

namespace {

Explanation gigabytes(std::string name, double bytes, std::string formula = {}) {
    return computed(std::move(name), bytes / units::GB, "GB", std::move(formula));
}

/// Where the rates of flows come from.
class RateLeaves {
public:
    RateLeaves(const Scenario& scenario, const Node& node, const Offloading& offloading)
        : m_scenario(scenario), m_node(node), m_offload(node.runtime->offload), m_offloading(offloading) {
        m_map.find(scenario, static_cast<std::size_t>(&node - scenario.nodes.data()));
    }

    std::vector<Explanation> of(const Flow& flow) const {
        switch (flow.lane) {
        case Lane::Compute:
            return {leaf(m_node.device, deviceFields(), &Device::peakFp16),
                    leaf(m_node.device, deviceFields(), &Device::memoryBandwidth)};
        case Lane::Pcie: {
            auto terms = links(deviceLinks());
            if (m_offload.settings.figure(OffloadKind::kTransferLimit).isSet())
                terms.push_back(leaf(m_offload, "transfer_limit_gbps"));
            return terms;
        }
        case Lane::Host: {
            const auto& host = m_scenario.nodes[m_offloading.tiers.host];
            return {leaf(host.device, deviceFields(), &Device::memoryBandwidth),
                    leaf(m_offload, "host_memory_efficiency")};
        }
        case Lane::Uplink:
            return links(storageLinks());
        case Lane::Storage:
            if (flow.work == Work::KvRead && m_offload.rules().pages)
                return {leaf(m_offload, "unified_memory_gbps")};
            return withDevices(links(storageLinks()), {&Device::memoryBandwidth});
        case Lane::StorageWrite:
            return flow.bytes.perKey + flow.bytes.constant > 0.0
                       ? withDevices(links(storageLinks()), {&Device::writeBandwidth})
                       : withDevices({}, {&Device::smallWrite, &Device::pageSize});
        case Lane::Csd:
            return withDevices({}, {&Device::p2pBandwidth, &Device::p2pHalfChunk, &Device::kernelBandwidth});
        default:
            return {};
        }
    }

private:
    const Scenario& m_scenario;
    const Node& m_node;
    const Offload& m_offload;
    const Offloading& m_offloading;
    TierMap m_map;

    std::vector<std::size_t> deviceLinks() const {
        std::vector<std::size_t> links;
        for (std::size_t l = 0; l < m_scenario.links.size(); ++l)
            if (m_map.deviceShare(l) > 0.0)
                links.push_back(l);
        return links;
    }

    std::vector<std::size_t> storageLinks() const {
        std::vector<std::size_t> links;
        for (std::size_t l = 0; l < m_scenario.links.size(); ++l)
            if (m_map.linkShare(l, m_offloading.near) > 0.0)
                links.push_back(l);
        return links;
    }

    std::vector<Explanation> links(std::span<const std::size_t> indices) const {
        std::vector<Explanation> terms;
        for (const auto l : indices) {
            auto term = leaf(m_scenario.links[l].type, linkTypeFields(), &LinkType::bandwidth);
            term.name += " of " + m_scenario.links[l].id.value;
            terms.push_back(std::move(term));
        }
        return terms;
    }

    std::vector<Explanation> withDevices(std::vector<Explanation> terms,
                                         std::initializer_list<Figure Device::*> members) const {
        for (const auto s : m_map.storageNodes()) {
            const auto& node = m_scenario.nodes[s];
            for (const auto member : members)
                if ((node.device.*member).isSet()) {
                    auto term = leaf(node.device, deviceFields(), member);
                    term.name =
                        plainText(node.count.value) + " \u00d7 " + node.shownName() + ": " + term.name;
                    terms.push_back(std::move(term));
                }
        }
        return terms;
    }
};

std::string_view formulaOf(Metric which) {
    switch (which) {
    case Metric::DecodeAccelerator:
        return "operators on the device, and attention where it stays there; they are not overlapped";
    case Metric::DecodeWeights:
    case Metric::DecodeKvRead:
    case Metric::DecodeKvWrite:
    case Metric::DecodeHostAttention:
    case Metric::DecodeCsdAttention:
    case Metric::DecodeQkv:
    case Metric::DecodeXCache:
        return "its part of the chain of work that takes longest, over all steps";
    case Metric::KvHostShare:
    case Metric::KvStorageShare:
    case Metric::XCacheShare:
        return "see the memory plan: usable host memory over what would fill it, and the balance of the "
               "shares";
    case Metric::Weights:
    case Metric::WeightsStorage:
        return "parameters \u00d7 bytes of a weight; on the device if they fit, else in host memory, else on "
               "storage";
    case Metric::KvCache:
        return "2 \u00d7 batch \u00d7 (prompt + output) \u00d7 layers \u00d7 KV width \u00d7 bytes";
    case Metric::StorageTraffic:
        return "bytes of every flow over the links to storage, all layers and steps";
    default:
        return "weights, KV cache, X cache and buffers that lie there";
    }
}

} // namespace

void explainOffloadMetric(const Scenario& scenario, const Evaluation& evaluation, Metric which,
                          Explanation& result) {
    result.formula = formulaOf(which);
    bool any = false;
    for (std::size_t i = 0; i < scenario.nodes.size(); ++i) {
        const auto& node = scenario.nodes[i];
        const auto& offload = evaluation.nodes[i].offload;
        if (!offload.active)
            continue;
        any = true;
        if (which <= Metric::DecodeXCache) {
            addOffloadTerms(scenario, node, Phase::Decode, result);
            result.formula = formulaOf(which); // not the step's
            continue;
        }
        const CompiledPool pool(scenario, i);
        const auto* offloading = pool.offloading();
        result.terms.push_back(gigabytes("Weights", offloading->plan.weights));
        result.terms.push_back(gigabytes("KV cache at its final length", offloading->plan.kv));
        result.terms.push_back(gigabytes("X cache, if all of it were kept", offloading->plan.x));
        result.terms.push_back(gigabytes("Host memory for one copy", offloading->tiers.hostMemory));
        result.terms.push_back(gigabytes("Staging buffers and reserve", offloading->plan.staging));
        result.terms.push_back(gigabytes("Usable for KV or X cache", offloading->plan.usable,
                                         "share \u00d7 (memory - weights there - staging)"));
        for (const auto* key : {"host_memory_share", "host_reserve_gb", "device_reserve_gb", "staging_layers",
                                "weights_on_storage"})
            if (auto term = leaf(node.runtime->offload, key); term.provenance)
                result.terms.push_back(std::move(term));
    }
    if (!any)
        result.source = "nothing is offloaded in this design";
}

void addOffloadTerms(const Scenario& scenario, const Node& node, Phase phase, Explanation& result) {
    const CompiledPool pool(scenario, static_cast<std::size_t>(&node - scenario.nodes.data()));
    const auto* offloading = pool.offloading();
    if (!offloading || offloading->plan.shortfall)
        return;
    const auto& flows = offloading->flows(phase);
    const double keys = representativeKeys(scenario.workload, phase);
    const RateLeaves rates(scenario, node, *offloading);
    const auto add = [&](const FlowChain& chain, std::string name) {
        const double seconds = chain.seconds().at(keys);
        if (seconds <= 0.0)
            return;
        auto term = computed(std::move(name), seconds / units::milli, "ms");
        term.source = "bound by " + std::string(boundLabel(chain.boundAt(keys)));
        for (const auto& flow : chain.flows()) {
            if (flow.seconds.at(keys) <= 0.0)
                continue;
            auto part =
                computed(std::string(workLabel(flow.work)), flow.seconds.at(keys) / units::milli, "ms",
                         flow.bytes.at(keys) > 0.0 ? "bytes / rate" : "writes \u00d7 time of one");
            if (flow.bytes.at(keys) > 0.0)
                part.terms.push_back(computed("Bytes", flow.bytes.at(keys) / units::MB, "MB"));
            for (auto& rate : rates.of(flow))
                part.terms.push_back(std::move(rate));
            term.terms.push_back(std::move(part));
        }
        result.terms.push_back(std::move(term));
    };
    result.formula =
        flows.besideOperators
            ? "layers \u00d7 max(operators, each chain of transfers) + what follows them; operators: " +
                  result.formula
            : "layers \u00d7 (operators + the longest chain of a layer); operators: " + result.formula;
    for (const auto& chain : flows.chains())
        add(chain, "Chain of one layer, side by side with the others");
    add(flows.serial, "Of one layer, by itself");
}

} // namespace heteroscape::engine

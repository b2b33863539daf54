// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluation/evaluate.h"

#include "engine/evaluation/layer.h"
#include "engine/evaluation/offload.h"
#include "engine/evaluation/phase_graph.h"
#include "engine/evaluation/power.h"
#include "engine/schedule/step.h"
#include "engine/serving/closed_form.h"
#include "engine/serving/kv_paths.h"
#include "engine/techniques/apply.h"
#include "engine/techniques/gpu_assist.h"
#include "engine/timing/transfer.h"

#include <algorithm>

namespace heteroscape::engine {

namespace {

constexpr auto kNoNode = static_cast<std::size_t>(-1);

/// One evaluation. Keeps its storage from call to call, so that sweeps do not allocate.
class Evaluator {
public:
    void run(const Scenario& scenario, Evaluation& out, Detail detail) {
        m_detail = detail;
        m_scenario = &scenario;
        m_out = &out;
        out.feasible = false;
        out.reason.clear();
        out.metrics.fill(kUnset);
        out.bound = {};
        out.nodes.assign(scenario.nodes.size(), {});
        out.links.assign(scenario.links.size(), {});
        m_pools.assign(scenario.nodes.size(), {});
        m_loads.assign(scenario.nodes.size(), {});
        m_offloading.assign(scenario.nodes.size(), std::nullopt);
        out.shortNode = kNoNode;
        costPhases();
        checkMemory();
        setPriceAndArea();
        if (out.shortNode != kNoNode)
            return;
        out.feasible = true;
        serve();
        handOver();
        addCollectiveTraffic();
        addOffloadTraffic();
        setMetrics();
    }

private:
    const Scenario* m_scenario = nullptr;
    Evaluation* m_out = nullptr;
    Detail m_detail = Detail::Full;
    std::vector<ServerPool> m_pools;
    std::vector<PoolLoad> m_loads;
    std::vector<std::optional<Offloading>> m_offloading;
    TierMap m_tiers;
    std::vector<Hop> m_hops;
    std::vector<BusyShares> m_busy;
    KvPaths m_paths;
    SteadyState m_state;
    double m_dies = 0.0;
    double m_exposed = 0.0; // mean exposed hand-over of what is handed over, s

    double& metric(Metric which) { return m_out->metrics[static_cast<std::size_t>(which)]; }
    std::size_t size() const { return m_scenario->nodes.size(); }
    const Node& node(std::size_t i) const { return m_scenario->nodes[i]; }

    void costPhases() {
        m_tiers.reset(*m_scenario);
        for (std::size_t i = 0; i < size(); ++i) {
            auto& result = m_out->nodes[i];
            result.role = effectiveRole(*m_scenario, node(i));
            if (!isAccelerator(node(i).device.kind) || !node(i).runtime)
                continue;
            result.devices = tensorParallel(node(i));
            const auto machine = machineOf(*m_scenario, node(i));
            m_offloading[i] = offloadingOf(*m_scenario, node(i), machine, m_tiers);
            if (m_offloading[i] && m_offloading[i]->plan.shortfall)
                continue; // its times would mean nothing
            costPhase(machine, i, Phase::Prefill, result);
            costPhase(machine, i, Phase::Decode, result);
            m_pools[i] = {result.role, workingCopies(i), result.prefill.totalSeconds,
                          result.decode.totalSeconds};
        }
    }

    double workingCopies(std::size_t i) const {
        return m_offloading[i] ? m_offloading[i]->copies : replicas(node(i));
    }

    void costPhase(const Machine& machine, std::size_t i, Phase phase, NodeEvaluation& result) const {
        const auto& n = node(i);
        auto graph = phaseGraph(*m_scenario, n, phase);
        applyTechniques(graph, *m_scenario, n, phase);
        const Step step(graph, machine, phase, flowsOf(m_offloading[i], phase));
        setPhase(step, graph, machine, n, phase, phase == Phase::Prefill ? result.prefill : result.decode);
        // The metrics of a layer are about a node that decodes.
        if (phase == Phase::Decode && (m_detail == Detail::Full || result.role != Role::Prefill))
            result.layer = evaluateLayer(step, graph, machine, m_scenario->workload, m_detail);
        if (phase == Phase::Decode && m_offloading[i])
            result.offload.decode = step.decodeParts(m_scenario->workload.promptTokens.value,
                                                     m_scenario->workload.outputTokens.value);
    }

    void setPhase(const Step& step, const OperatorGraph& graph, const Machine& machine, const Node& n,
                  Phase phase, PhaseEvaluation& out) const {
        const auto& workload = m_scenario->workload;
        const double prompt = workload.promptTokens.value;
        const bool prefill = phase == Phase::Prefill;
        const auto cost = step.cost(prefill ? prompt : prompt + 1.0,
                                    prefill ? prompt : prompt + workload.outputTokens.value);
        const double keys = representativeKeys(workload, phase);
        if (prefill) {
            out.totalSeconds = cost.at(keys);
            out.seconds = out.totalSeconds;
        } else {
            out.totalSeconds = cost.sumOverDecode(prompt, workload.outputTokens.value);
            out.seconds = out.totalSeconds / workload.outputTokens.value;
        }
        out.flops = graph.flops().at(keys);
        out.bytes = machine.bytes(graph).at(keys);
        out.movedBytes = step.movedBytes().at(keys);
        out.peakFlops = machine.peakFlops;
        out.peakBandwidth = machine.peakBandwidth;
        out.collectiveBytes = 0.0;
        for (const auto& op : graph.operators())
            out.collectiveBytes +=
                op.repeat * op.payload * machine.activationBytes * machine.collective.trafficFactor();
        out.watts = tensorParallel(n) * (prefill ? powerInPrefill(n.device) : powerInDecode(n.device));
        out.requests = workload.batch.value;
        out.bound = cost.boundAt(keys);
    }

    void checkMemory() {
        for (std::size_t i = 0; i < size(); ++i) {
            auto& result = m_out->nodes[i];
            if (result.role == Role::Fabric || !node(i).runtime)
                continue;
            if (m_offloading[i])
                placeOffloaded(*m_offloading[i], node(i), result);
            else
                placeOnDevice(node(i), result);
            if (result.shortfall && m_out->shortNode == kNoNode) {
                m_out->shortNode = i;
                if (m_detail == Detail::Full)
                    m_out->reason = shortfallText(*m_scenario, i, result);
            }
        }
    }

    void placeOnDevice(const Node& n, NodeEvaluation& result) const {
        const auto& workload = m_scenario->workload;
        const auto& runtime = *n.runtime;
        const double metaShare = runtime.decodeTiming == TimingModel::InstructionStream
                                     ? runtime.tileMetadataBytes.value / runtime.tileBytes.value
                                     : 0.0;
        const double tokens = workload.promptTokens.value +
                              (result.role == Role::Prefill && !m_scenario->techniques.isOn(gpuAssist())
                                   ? 0.0
                                   : workload.outputTokens.value);
        const Shard shard(m_scenario->model, result.devices);
        result.weightBytes =
            shard.parameters(m_scenario->model) * runtime.weightBits.value / 8.0 * (1.0 + metaShare);
        result.kvBytes = workload.batch.value * tokens * shard.kvElementsPerToken(m_scenario->model) *
                         runtime.kvBits.value / 8.0;
        result.memoryCapacity = n.device.memoryCapacity.value;
        const double needed = result.weightBytes + result.kvBytes;
        result.fits = needed <= result.memoryCapacity;
        if (!result.fits)
            result.shortfall = {Tier::Device, needed, result.memoryCapacity, "weights and KV cache"};
    }

    void serve() {
        m_state = closedForm(m_pools, m_scenario->techniques.isOn(gpuAssist()), m_loads);
        for (std::size_t i = 0; i < size(); ++i) {
            auto& result = m_out->nodes[i];
            const double share = result.role == Role::Fabric ? 0.0 : workingCopies(i) / replicas(node(i));
            result.prefillBusy = share * m_loads[i].prefillBusy;
            result.decodeBusy = share * m_loads[i].decodeBusy;
        }
        findBottleneck();
    }

    /// The pool that would raise the throughput if it were faster; of several, the one that serves most.
    void findBottleneck() {
        double most = 0.0;
        for (std::size_t i = 0; i < size(); ++i) {
            const auto role = m_out->nodes[i].role;
            const bool limits = role == Role::Both || (role == Role::Prefill && m_state.prefillLimits) ||
                                (role == Role::Decode && !m_state.prefillLimits);
            const auto& load = m_loads[i];
            const double rate = load.wholeRate + load.prefillRate + load.decodeRate;
            if (!limits || rate <= most)
                continue;
            most = rate;
            const bool decodes =
                role == Role::Decode || (role == Role::Both && load.decodeBusy >= load.prefillBusy);
            m_out->bound = {i, decodes ? Phase::Decode : Phase::Prefill, Bound::None};
        }
        if (m_out->bound.node >= size())
            return;
        auto& result = m_out->nodes[m_out->bound.node];
        result.bottleneck = true;
        m_out->bound.bound = (m_out->bound.phase == Phase::Decode ? result.decode : result.prefill).bound;
    }

    /// KV caches from every prefill to every decode node, in proportion to their rates.
    void handOver() {
        m_exposed = 0.0;
        for (std::size_t l = 0; l < m_scenario->links.size(); ++l)
            m_out->links[l].capacity = m_scenario->links[l].type.bandwidth.value;
        if (m_state.handedOver <= 0.0)
            return;
        const auto& workload = m_scenario->workload;
        const auto& model = m_scenario->model;
        m_paths.reset(*m_scenario);
        for (std::size_t p = 0; p < size(); ++p) {
            if (m_loads[p].prefillRate <= 0.0)
                continue;
            m_paths.searchFrom(p);
            for (std::size_t d = 0; d < size(); ++d) {
                if (m_loads[d].decodeRate <= 0.0 || shareTiers(p, d))
                    continue;
                const double share = m_loads[p].prefillRate * m_loads[d].decodeRate /
                                     (m_state.handedOver * m_state.handedOver);
                const double bytesPerLayer = 2.0 * workload.batch.value * workload.promptTokens.value *
                                             model.kvWidth() * node(d).runtime->kvBits.value / 8.0;
                // Every device sends or takes its own shard, side by side.
                const double sideBySide = std::min(m_out->nodes[p].devices, m_out->nodes[d].devices);
                m_hops.clear();
                for (const auto l : m_paths.linksTo(d)) {
                    const auto& link = m_scenario->links[l];
                    m_hops.push_back({link.type.bandwidth.value, link.type.latency.value});
                    m_out->links[l].bytesPerSecond += share * m_state.handedOver * bytesPerLayer *
                                                      model.layers.value / m_paths.graph().parallel(l);
                }
                const KvHandOver transfer{model.layers.value, bytesPerLayer / sideBySide};
                if (!m_hops.empty())
                    m_exposed += share * transfer.exposedSeconds(m_hops, m_pools[p].prefillSeconds);
            }
        }
    }

    /// Both offload to one host: the prefill has put the KV cache where the decode looks for it.
    bool shareTiers(std::size_t a, std::size_t b) const {
        return m_offloading[a] && m_offloading[b] &&
               m_offloading[a]->tiers.host == m_offloading[b]->tiers.host;
    }

    void addCollectiveTraffic() {
        for (std::size_t i = 0; i < size(); ++i) {
            const auto& result = m_out->nodes[i];
            const auto* link = result.devices > 1.0 ? collectiveLink(*m_scenario, node(i)) : nullptr;
            if (!link)
                continue;
            const auto& load = m_loads[i];
            const double batches = result.prefill.collectiveBytes * (load.wholeRate + load.prefillRate) +
                                   result.decode.collectiveBytes * m_scenario->workload.outputTokens.value *
                                       (load.wholeRate + load.decodeRate);
            m_out->links[static_cast<std::size_t>(link - m_scenario->links.data())].bytesPerSecond +=
                batches / replicas(node(i));
        }
    }

    /// What offloading moves between host and device, and between host and storage.
    void addOffloadTraffic() {
        for (std::size_t i = 0; i < size(); ++i) {
            const auto& load = m_loads[i];
            const double prefills = load.wholeRate + load.prefillRate;
            const double decodes = load.wholeRate + load.decodeRate;
            if (!m_offloading[i] || prefills + decodes <= 0.0)
                continue;
            const auto traffic = offloadTraffic(*m_scenario, *m_offloading[i]);
            const auto copies = m_offloading[i]->copies;
            m_out->nodes[i].offload.storageTraffic = traffic.decode.storage + traffic.decode.near;
            m_tiers.at(*m_scenario, i, copies);
            const double device = prefills * traffic.prefill.device + decodes * traffic.decode.device;
            const double storage = prefills * traffic.prefill.storage + decodes * traffic.decode.storage;
            const double near = prefills * traffic.prefill.near + decodes * traffic.decode.near;
            for (std::size_t l = 0; l < m_scenario->links.size(); ++l)
                addBytes(l, device * m_tiers.deviceShare(l) + storage * m_tiers.linkShare(l, false) +
                                near * m_tiers.linkShare(l, true));
            useTiers(i);
        }
    }

    void addBytes(std::size_t link, double bytesPerSecond) {
        m_out->links[link].bytesPerSecond += bytesPerSecond / m_tiers.graph().parallel(link);
    }

    /// Host and storage work while a copy of the model on the node does. Nodes that prefill and others that
    /// decode use them at the same time: they are busy once.
    void useTiers(std::size_t i) {
        const auto& user = m_loads[i];
        const auto use = [&](std::size_t tier) {
            auto& result = m_out->nodes[tier];
            result.prefillBusy = std::max(result.prefillBusy, user.prefillBusy);
            result.decodeBusy = std::max(result.decodeBusy, user.decodeBusy);
            const double busy = std::max(1.0, result.busy());
            result.prefillBusy /= busy;
            result.decodeBusy /= busy;
        };
        use(m_offloading[i]->tiers.host);
        for (const auto storage : m_tiers.storageNodes())
            use(storage);
    }

    /// The node whose layers the metrics of a layer are about: the one that decodes most, of a system that
    /// cannot run the first that would.
    void setLayerMetrics() {
        const NodeEvaluation* shown = nullptr;
        double most = -1.0;
        for (std::size_t i = 0; i < size(); ++i) {
            const auto role = m_out->nodes[i].role;
            const double rate = m_loads[i].wholeRate + m_loads[i].decodeRate;
            if ((role == Role::Both || role == Role::Decode) && rate > most) {
                most = rate;
                shown = &m_out->nodes[i];
            }
        }
        if (!shown)
            return;
        const auto& layer = shown->layer;
        metric(Metric::LayerTime) = layer.fullSeconds;
        metric(Metric::AllReduceTime) = layer.allReduceSeconds;
        metric(Metric::AttentionRead) = layer.attentionReadSeconds;
        metric(Metric::FfnRead) = layer.ffnReadSeconds;
        metric(Metric::AttentionFootprint) = layer.attentionFootprint;
        metric(Metric::FfnFootprint) = layer.ffnFootprint;
        if (shown->offload.active)
            setOffloadMetrics(shown->offload);
    }

    void setOffloadMetrics(const OffloadEvaluation& offload) {
        const auto part = [&](Work work) { return offload.decode[static_cast<std::size_t>(work)]; };
        metric(Metric::DecodeAccelerator) = part(Work::Operator) + part(Work::DeviceAttention);
        metric(Metric::DecodeWeights) = part(Work::WeightTransfer);
        metric(Metric::DecodeKvRead) = part(Work::KvRead);
        metric(Metric::DecodeKvWrite) = part(Work::KvWrite);
        metric(Metric::DecodeHostAttention) = part(Work::HostAttention);
        metric(Metric::DecodeCsdAttention) = part(Work::NearStorageAttention);
        metric(Metric::DecodeQkv) = part(Work::QkvTransfer);
        metric(Metric::DecodeXCache) = part(Work::XTransfer) + part(Work::Regenerate);
        metric(Metric::KvHostShare) = offload.kv.host;
        metric(Metric::KvStorageShare) = offload.kv.storage;
        metric(Metric::XCacheShare) = offload.kv.x;
        double weights = 0.0;
        for (const auto& tier : offload.tiers)
            weights += tier.weights;
        metric(Metric::Weights) = weights;
        metric(Metric::WeightsStorage) = offload.tier(Tier::Storage).weights;
        metric(Metric::KvCache) = offload.kvBytes;
        metric(Metric::MemoryDevice) = offload.tier(Tier::Device).used();
        metric(Metric::MemoryHost) = offload.tier(Tier::Host).used();
        metric(Metric::MemoryStorage) = offload.tier(Tier::Storage).used();
        metric(Metric::StorageTraffic) = offload.storageTraffic;
    }

    void setMetrics() {
        const auto& workload = m_scenario->workload;
        double first = 0.0; // rate-weighted sums over requests
        double decode = 0.0;
        for (std::size_t i = 0; i < size(); ++i) {
            if (m_loads[i].wholeRate + m_loads[i].prefillRate > 0.0)
                first += (m_loads[i].wholeRate + m_loads[i].prefillRate) * m_pools[i].prefillSeconds;
            if (m_loads[i].wholeRate + m_loads[i].decodeRate > 0.0)
                decode += (m_loads[i].wholeRate + m_loads[i].decodeRate) * m_pools[i].decodeSeconds;
        }
        const double rate = m_state.rate;
        const double exposed = m_exposed * m_state.handedOver / rate;
        const double requests = rate * workload.batch.value;
        const double throughput = requests * workload.outputTokens.value;
        metric(Metric::Throughput) = throughput;
        metric(Metric::RequestRate) = requests;
        metric(Metric::TimeToFirstToken) = first / rate;
        metric(Metric::TimePerToken) = decode / rate / workload.outputTokens.value;
        metric(Metric::KvTransfer) = exposed;
        metric(Metric::Latency) = first / rate + exposed + decode / rate;
        metric(Metric::ThroughputPerPrice) = throughput / metric(Metric::Price);
        metric(Metric::ThroughputPerArea) = throughput / metric(Metric::Area);
        const double processed = requests * (workload.promptTokens.value + workload.outputTokens.value);
        metric(Metric::ProcessedThroughput) = processed;
        metric(Metric::ProcessedThroughputPerDie) = processed * m_dies / metric(Metric::Area);
        setLayerMetrics();
        setPower();
        metric(Metric::ThroughputPerPower) = throughput / metric(Metric::Power);
        metric(Metric::EnergyPerToken) = metric(Metric::Power) / throughput;
        const auto& cost = m_scenario->cost;
        metric(Metric::CostPerToken) =
            (metric(Metric::Price) / cost.lifetime.value + metric(Metric::Power) * cost.electricity.value) /
            throughput;
    }

    void setPower() {
        m_busy.clear();
        for (const auto& result : m_out->nodes)
            m_busy.push_back({result.prefillBusy, result.decodeBusy});
        metric(Metric::Power) = meanPower(*m_scenario, m_busy);
    }

    void setPriceAndArea() {
        double price = 0.0;
        double area = 0.0;
        m_dies = 0.0;
        for (const auto& n : m_scenario->nodes) {
            if (!isFabric(n.device.kind) || n.device.price.isSet())
                price += n.count.value * n.device.price.value;
            if (isAccelerator(n.device.kind)) {
                area += n.count.value * dieArea(n.device);
                m_dies += n.count.value;
            }
        }
        metric(Metric::Price) = price > 0.0 ? price : kUnset;
        metric(Metric::Area) = area > 0.0 ? area : kUnset;
    }
};

} // namespace

void evaluateInto(const Scenario& validScenario, Evaluation& out, Detail detail) {
    thread_local Evaluator evaluator;
    evaluator.run(validScenario, out, detail);
}

Evaluation evaluate(const Scenario& scenario, Detail detail) {
    Evaluation out;
    const auto diagnostics = validate(scenario);
    for (const auto& diagnostic : diagnostics) {
        if (diagnostic.severity != Severity::Error)
            continue;
        out.metrics.fill(kUnset);
        out.nodes.assign(scenario.nodes.size(), {});
        out.links.assign(scenario.links.size(), {});
        out.reason = diagnostic.message + ". " + diagnostic.remedy + ".";
        return out;
    }
    evaluateInto(scenario, out, detail);
    return out;
}

} // namespace heteroscape::engine

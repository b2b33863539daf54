// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/schedule/layer_flows.h"

#include "engine/techniques/near_storage.h"
#include "engine/timing/memory_plan.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace heteroscape::engine {

namespace {

constexpr std::string_view kToDevice = "what the links between host and device carry, and the copies reach";
constexpr std::string_view kToStorage = "what storage writes and the links to it carry, for one replica";
constexpr std::string_view kFromStorage = "what storage reads and the links from it carry, for one replica";
constexpr std::string_view kPaged = "unified memory pages in at this rate";

constexpr Affine kCached{-1.0, 1.0}; // tokens in the cache at `context`

/// The quantities of one layer that both phases use.
class LayerFlowMaker {
public:
    LayerFlowMaker(const OffloadInput& input, const KvShares& kv)
        : m_in(input), m_kv(kv), m_runtime(*input.machine.runtime), m_quantities(m_runtime.offload.settings),
          m_model(input.scenario.model), m_batch(input.scenario.workload.batch.value),
          m_layers(m_model.layers.value),
          m_away((input.plan.weightsHost + input.plan.weightsStorage) / m_layers),
          m_stored(input.plan.weightsStorage / m_layers),
          m_pcie(
              std::min(input.tiers.deviceLink,
                       m_quantities.quantity(OffloadKind::kTransferLimit).valueOr(input.tiers.deviceLink)) *
              input.devices) {}

    LayerFlows decode() const {
        LayerFlows flows;
        if (m_runtime.offload.rules().kvOnDevice) {
            flows.serial.add(deviceAttention());
            addWeights(flows.serial);
        } else if (m_in.near) {
            nearStorage(flows);
        } else {
            baseline(flows);
        }
        return flows;
    }

    LayerFlows prefill() const {
        LayerFlows flows;
        flows.besideOperators = true;
        flows.addChain().add(weights(m_in.tiers.deviceLink * m_in.devices));
        auto& storage = flows.addChain();
        storage.add(storedWeights());
        const auto& tier = m_in.near ? m_in.tiers.near : m_in.tiers.storage;
        const double bytes =
            m_kv.storage * m_batch * m_in.scenario.workload.promptTokens.value * m_in.plan.kvToken;
        storage.add(flow(Lane::StorageWrite, Work::KvWrite,
                         tier.write < tier.link ? Bound::StorageWrite : Bound::StorageLink, {bytes, 0.0},
                         tier.write, kToStorage));
        if (m_runtime.offload.rules().kvOnDevice)
            addWeights(flows.serial);
        return flows;
    }

private:
    const OffloadInput& m_in;
    const KvShares& m_kv;
    const Runtime& m_runtime;
    const Settings& m_quantities; // of what it offloads
    const Model& m_model;
    double m_batch;
    double m_layers;
    double m_away;   // B of weights that are not on the device
    double m_stored; // B of weights on storage
    double m_pcie;   // B/s

    static Flow flow(Lane lane, Work work, Bound bound, Affine bytes, double rate, std::string_view from) {
        const bool moves = bytes.constant != 0.0 || bytes.perKey != 0.0;
        return {lane, work, bound, moves ? bytes * (1.0 / rate) : Affine{}, bytes, rate, from};
    }

    Affine cached(double bytesPerToken) const { return kCached * (m_batch * bytesPerToken); }
    Flow weights(double rate) const {
        return flow(Lane::Pcie, Work::WeightTransfer, Bound::Pcie, {m_away, 0.0}, rate, kToDevice);
    }
    Bound readBound() const { return m_in.tiers.storage.linkLimited ? Bound::StorageLink : Bound::Storage; }
    Flow storedWeights() const {
        return flow(Lane::Storage, Work::WeightTransfer, readBound(), {m_stored, 0.0},
                    m_in.tiers.storage.read, kFromStorage);
    }
    /// Those on storage are read while others, and they themselves, go to the device: the slower way takes
    /// the time, the other is counted.
    void addWeights(FlowChain& chain) const {
        auto sent = weights(m_pcie);
        auto stored = storedWeights();
        (stored.seconds.constant > sent.seconds.constant ? sent : stored).seconds = {};
        chain.add(sent);
        if (m_stored > 0.0)
            chain.add(stored);
    }
    Flow hostAttention(double share) const {
        return flow(
            Lane::Host, Work::HostAttention, Bound::HostMemory, cached(share * m_in.plan.kvToken),
            m_in.tiers.hostBandwidth * m_quantities[OffloadKind::kHostMemoryEfficiency],
            "host memory bandwidth for one replica, and the share of it that the CPU's attention reaches");
    }
    double deviceBandwidth() const {
        return m_in.machine.peakBandwidth * m_in.machine.memoryEfficiency(Phase::Decode) * m_in.devices;
    }
    double deviceFlops() const {
        return m_in.machine.peakFlops * m_in.machine.computeEfficiency(Phase::Decode) * m_in.devices;
    }
    Flow deviceAttention() const {
        return flow(Lane::Compute, Work::DeviceAttention, Bound::Memory, {m_in.plan.kv / m_layers, 0.0},
                    deviceBandwidth(), "memory bandwidth that the devices of one replica reach");
    }

    void baseline(LayerFlows& flows) const {
        auto& storage = flows.addChain();
        // Paging is slow by itself, and shares the way to storage with the other copies as reads do.
        const double read = m_in.tiers.storage.read;
        const bool pages =
            m_runtime.offload.rules().pages && m_quantities[OffloadKind::kUnifiedBandwidth] < read;
        storage.add(flow(Lane::Storage, Work::KvRead, pages ? Bound::Storage : readBound(),
                         cached(m_kv.storage * m_in.plan.kvToken),
                         pages ? m_quantities[OffloadKind::kUnifiedBandwidth] : read,
                         pages ? kPaged : kFromStorage));
        storage.add(storedWeights());
        Flow written; // counted, but it costs no time
        written.lane = Lane::StorageWrite;
        written.work = Work::KvWrite;
        written.bound = Bound::StorageWrite;
        written.bytes.constant = m_kv.storage * m_batch * m_in.plan.kvToken;
        storage.add(written);
        flows.addChain().add(weights(m_pcie));
        flows.addChain().add(hostAttention(1.0));
    }

    void nearStorage(LayerFlows& flows) const {
        const auto& writeback = m_in.scenario.techniques[delayedWriteback()];
        const double interval = writeback[kSpillInterval];
        const double sent =
            writeback.enabled ? 0.5 * (interval + 1.0) : 1.0; // times each new K and V is sent
        auto& attention = flows.addChain();
        attention.add(
            flow(Lane::Uplink, Work::QkvTransfer, Bound::StorageLink,
                 {m_kv.storage * m_batch *
                      (2.0 * m_model.queryWidth() * m_in.machine.activationBytes + sent * m_in.plan.kvToken),
                  0.0},
                 m_in.tiers.near.link, "what the links to the CSDs carry, for one replica"));
        if (!writeback.enabled)
            attention.add(writes(1.0));
        attention.add(kernels());
        flows.addChain().add(storedWeights());
        auto& pcie = flows.addChain();
        pcie.add(flow(Lane::Pcie, Work::XTransfer, Bound::Pcie,
                      cached(m_kv.x * m_in.plan.xToken * m_in.devices), m_pcie, kToDevice));
        pcie.add(weights(m_pcie));
        flows.addChain().add(regenerate());
        flows.addChain().add(hostAttention(m_kv.host));
        if (writeback.enabled)
            flows.addChain().add(writes(interval));
    }

    Flow regenerate() const {
        const double tokens = m_kv.x * m_batch;
        const double flops = 4.0 * m_model.hidden.value * m_model.kvWidth();
        const double bytes = m_in.plan.xToken * m_in.devices + 2.0 * m_in.plan.kvToken;
        const double compute = flops / deviceFlops();
        const double memory = bytes / deviceBandwidth();
        return {Lane::Compute,
                Work::Regenerate,
                compute > memory ? Bound::Compute : Bound::Memory,
                kCached * (tokens * (compute + memory)),
                kCached * (tokens * bytes),
                0.0,
                "K and V made from X, then attended to, at the rates that the devices reach"};
    }

    /// Small writes of the new K and V: one for each KV head and request, and K and V; spilled together every
    /// `interval` steps, in pages.
    Flow writes(double interval) const {
        const double row = m_model.headDim.value * m_in.machine.kvBytes;
        double rate = 0.0; // writes a second of all CSDs
        for (const auto i : m_in.storageNodes) {
            const auto& node = m_in.scenario.nodes[i];
            if (!attendsNearStorage(node))
                continue;
            const double pages = std::ceil(row * interval / node.device.pageSize.value);
            rate += node.count.value / m_in.tiers.activeReplicas * interval /
                    (node.device.smallWrite.value * pages);
        }
        const double count = m_kv.storage * m_batch * 2.0 * m_model.kvHeads.value;
        Flow flow;
        flow.lane = Lane::StorageWrite;
        flow.work = Work::KvWrite;
        flow.bound = Bound::StorageWrite;
        flow.seconds.constant = count > 0.0 ? count / rate : 0.0;
        flow.from = "one small write for each KV head, request, K and V, at the CSDs' times of a small write";
        return flow;
    }

    /// Every CSD attends to its part. CSDs of different kinds hold parts in proportion to their rates at the
    /// mean context; the time is the mean over the bytes.
    Flow kernels() const {
        const auto& workload = m_in.scenario.workload;
        const double mean = workload.promptTokens.value + 0.5 * (workload.outputTokens.value - 1.0);
        const double row = m_model.headDim.value * m_in.machine.kvBytes;
        double total = 0.0; // B/s at the mean context
        bool path = false;
        double fastest = 0.0;
        const auto forCsds = [&](auto visit) {
            for (const auto i : m_in.storageNodes)
                if (const auto& node = m_in.scenario.nodes[i]; attendsNearStorage(node))
                    visit(NearStorageKernel{node.device, row}, node.count.value / m_in.tiers.activeReplicas);
        };
        forCsds([&](const NearStorageKernel& kernel, double count) {
            const double rate = count * kernel.bytesPerSecond(mean);
            total += rate;
            if (rate > fastest) {
                fastest = rate;
                path = kernel.pathLimits(mean);
            }
        });
        Flow flow;
        flow.lane = Lane::Csd;
        flow.work = Work::NearStorageAttention;
        flow.bound = path ? Bound::CsdPath : Bound::CsdKernel;
        const double perToken = m_kv.storage * m_batch * m_in.plan.kvToken;
        flow.bytes = kCached * perToken;
        flow.from = "internal path and attention kernel of every CSD, one after the other";
        forCsds([&](const NearStorageKernel& kernel, double count) {
            const double part = count * kernel.bytesPerSecond(mean) / total;
            const auto seconds = kernel.seconds(part * part * perToken / count); // a part of the mean
            flow.seconds += Affine{seconds.constant - seconds.perKey, seconds.perKey};
        });
        return flow;
    }
};

} // namespace

Term Flow::explain(double context) const {
    if (!(seconds.at(context) > 0.0))
        return {};
    const std::string label(workLabel(work));
    if (!(rate > 0.0))
        return Term::counted(label, seconds.at(context), measures::milliseconds, std::string(from));
    return (Term::counted("Bytes", bytes.at(context), measures::megabytes,
                          "memory plan and split of the KV cache, one layer") /
            Term::counted("Rate", rate, measures::byteRate, std::string(from)))
        .named(label, measures::milliseconds);
}

Term FlowChain::explain(double context, std::string name) const {
    std::vector<Term> terms;
    for (const auto& flow : flows())
        terms.push_back(flow.explain(context));
    return sum(std::move(name), measures::milliseconds, terms)
        .remarked("bound by " + std::string(boundLabel(boundAt(context))));
}

void FlowChain::add(const Flow& flow) {
    assert(m_size < kCapacity);
    m_flows[m_size++] = flow;
}

Affine FlowChain::seconds() const {
    Affine sum;
    for (const auto& flow : flows())
        sum += flow.seconds;
    return sum;
}

Bound FlowChain::boundAt(double context) const {
    const auto all = flows();
    const auto longest = std::max_element(all.begin(), all.end(), [&](const Flow& a, const Flow& b) {
        return a.seconds.at(context) < b.seconds.at(context);
    });
    return longest == all.end() ? Bound::None : longest->bound;
}

LayerFlows decodeFlows(const OffloadInput& input, const KvShares& kv) {
    return LayerFlowMaker(input, kv).decode();
}

LayerFlows prefillFlows(const OffloadInput& input, const KvShares& kv) {
    return LayerFlowMaker(input, kv).prefill();
}

} // namespace heteroscape::engine

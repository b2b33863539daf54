// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/operators/affine.h"
#include "engine/scenario/scenario.h"
#include "engine/timing/blocks.h"
#include "engine/timing/memory_plan.h"

#include <array>
#include <span>

namespace heteroscape::engine {

/// One stretch of work beside the accelerator's operators, in one layer. Affine in the context (keys: the
/// tokens attended to, the new one included).
struct Flow {
    Lane lane = Lane::Pcie;
    Work work = Work::WeightTransfer;
    Bound bound = Bound::Pcie;
    Affine seconds;
    Affine bytes;            ///< over the lane
    double rate = 0.0;       ///< B/s, where the seconds are bytes / rate
    std::string_view from{}; ///< what the rate, or else the seconds, follow from: for explanations

    Term explain(double context) const; ///< how the seconds come about; nothing where they are 0
};

/// Flows that follow each other.
class FlowChain {
public:
    static constexpr std::size_t kCapacity = 4;

    void add(const Flow& flow);
    std::span<const Flow> flows() const { return {m_flows.data(), m_size}; }
    Affine seconds() const;
    Bound boundAt(double context) const; ///< of its longest flow
    Term explain(double context, std::string name) const;

private:
    std::array<Flow, kCapacity> m_flows;
    std::size_t m_size = 0;
};

/// What one layer waits for beside its operators: seconds = operators + serial + max over chains, or
/// max(operators, chains) + serial where the operators run beside the chains.
struct LayerFlows {
    static constexpr std::size_t kCapacity = 6;

    FlowChain serial;
    bool besideOperators = false;

    FlowChain& addChain() { return m_chains[m_size++]; }
    std::span<const FlowChain> chains() const { return {m_chains.data(), m_size}; }

private:
    std::array<FlowChain, kCapacity> m_chains;
    std::size_t m_size = 0;
};

/// Shares of the tokens' KV cache: kept in host memory for the CPU, on storage, and made anew from X cache.
/// They add up to 1; all 0 where the cache stays on the device.
struct KvShares {
    double host = 0.0;
    double storage = 0.0;
    double x = 0.0;
};

/// What the flows of one replica are made of.
struct OffloadInput {
    const Scenario& scenario;
    const Machine& machine;
    const MemoryPlan& plan;
    const Tiers& tiers;
    std::span<const std::size_t> storageNodes;
    double devices; ///< of the copy
    bool near;      ///< attention runs near storage
};

/// Decode, one layer, s = context - 1 the tokens in the cache:
///   baselines  t = t_lin + max{ storage b s kv / B_rd + W_s / B_rd, (W_h + W_s) / B_pcie, b s kv / B_cpu }
///              (Unified: min(B_uvm, B_rd) for the first B_rd), where the KV cache is on the device instead
///              t = t_lin + KV / HBM + max{ (W_h + W_s) / B_pcie, W_s / B_rd }
///   near storage, shares (host h, storage a, X x): t = t_lin + max of
///              a [b s kv / (N R(k)) + 2 b (2 q + 2 kvw E) / B_link + wr] (attention, its operands, writes),
///              W_s / B_rd,  (x b s X + W_h + W_s) / B_pcie,
///              x b s (4 hidden kvw / F + (X + 2 kv) / HBM),  h b s kv / B_cpu,
///              with wr = b 2 kv heads / N t_w and E = 1; with delayed writeback every c steps E = (c + 1) /
///              2 and the writes, wr ceil(row c / page) / c, are a term of their own.
/// W per layer; kv, X bytes of one token; q, kvw widths; R(k) see NearStorageKernel. Source: INF2's model,
/// section 3; the host's share is ours.
LayerFlows decodeFlows(const OffloadInput& input, const KvShares& kv);

/// Prefill, one layer: t = max{ operators, (W_h + W_s) / B_pcie, W_s / B_rd + storage b s kv / B_wr },
/// and one more transfer of the weights after it where the KV cache stays on the device.
LayerFlows prefillFlows(const OffloadInput& input, const KvShares& kv);

} // namespace heteroscape::engine

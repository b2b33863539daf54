// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/term.h"
#include "engine/evaluation/metric.h"
#include "engine/scenario/scenario.h"
#include "engine/schedule/layer_flows.h"
#include "engine/schedule/step.h"
#include "engine/serving/closed_form.h"
#include "engine/timing/power.h"
#include "engine/timing/step_cost.h"

#include <array>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace heteroscape::engine {

/// Shares of time of each device of a node. Numbers are double, or Term to explain.
template <class V>
struct BusySharesOf {
    V prefill{};
    V decode{};
};
using BusyShares = BusySharesOf<double>;

/// What a system costs in a second.
template <class V>
struct BillOf {
    std::optional<V> facility; ///< W of all servers with their losses, times PUE; none: not known
    V perSecond{};             ///< USD
};

inline constexpr double kUnset = std::numeric_limits<double>::quiet_NaN();

/// One phase of the work of one device of a node, or of its share when devices work together. Decode metrics
/// are means over the output tokens.
struct PhaseEvaluation {
    double seconds = kUnset;       ///< prefill of one batch; or one decode step, mean over the output
    double totalSeconds = kUnset;  ///< prefill of one batch; or the whole decode of one batch
    double flops = kUnset;         ///< of one step
    double bytes = kUnset;         ///< of one step, by the operator table (weights, activations, KV)
    double movedBytes = kUnset;    ///< of one step, as the timing model moves them (with meta-data)
    double peakFlops = kUnset;     ///< FLOP/s, each operator at the device's peak in what it multiplies
    double peakBandwidth = kUnset; ///< B/s
    SentBytes collectiveBytes;     ///< of one step, sent by each device in its collectives
    PhaseRates rates;              ///< what a device does in a second of its work
    double stretch = 1.0;          ///< of the times, by the device's power cap and clock
    double watts = kUnset;         ///< of the devices that share one replica
    double requests = kUnset;      ///< worked on together: the batch
    Bound bound = Bound::None;     ///< what most of the phase goes to
    BoundSeconds byBound{};        ///< s of `totalSeconds` by Bound; zeros for steps of several nodes
    double workSeconds = kUnset;   ///< of `seconds`, in which a device works; unset: all of them
    /// Of steps of several nodes, on the one that their work is counted for: s of `totalSeconds` that each of
    /// them would save if it were twice as fast, by Step::parts().
    std::vector<double> gains;
    std::size_t slowestLink = static_cast<std::size_t>(-1); ///< index, of the links between them

    double working() const {
        return workSeconds < seconds ? workSeconds / seconds : 1.0;
    }                                                                                 ///< share of a step
    double intensity() const { return flops / bytes; }                                ///< FLOP/B
    double achievedFlops() const { return flops / seconds; }                          ///< FLOP/s
    double computeUtilisation() const { return flops / seconds / peakFlops; }         ///< share of peak
    double memoryUtilisation() const { return movedBytes / seconds / peakBandwidth; } ///< share of peak
};

/// One decoder layer of a decode step on one device. Times are seconds, sizes bytes. "Mean" is the mean
/// context of the output, "full" its last token.
struct LayerEvaluation {
    double attentionSeconds = kUnset;     ///< attention segment with its allreduce, mean
    double ffnSeconds = kUnset;           ///< FFN segment with its allreduce, mean
    double fullSeconds = kUnset;          ///< the layer, full
    double allReduceSeconds = kUnset;     ///< one allreduce; 0 for a device alone
    double attentionReadSeconds = kUnset; ///< memory's time for attention weights and KV cache, mean
    double ffnReadSeconds = kUnset;       ///< memory's time for FFN weights
    double attentionFootprint = kUnset;   ///< attention weights, and KV cache as allocated
    double ffnFootprint = kUnset;         ///< FFN weights
    double prefetched = kUnset;           ///< L2 taken by what is prefetched, both segments
};

/// What one tier holds for one replica, bytes.
struct TierUse {
    double weights = 0.0;
    double kv = 0.0;
    double x = 0.0;           ///< X cache
    double buffers = 0.0;     ///< staging, streamed weights, what is kept for the system
    double capacity = kUnset; ///< unset: there is no such tier
    double used() const { return weights + kv + x + buffers; }
};

/// Where an offloading runtime keeps things, and what its decode waits for; for one replica.
struct OffloadEvaluation {
    bool active = false;
    bool near = false;           ///< attention runs near storage
    double activeReplicas = 1.0; ///< of the model at work on the node; the others would only slow these down
    KvShares kv;
    std::array<TierUse, kTierCount> tiers{}; ///< by Tier
    WorkSeconds decode{};                    ///< s of the decode of one batch; adds up to it
    double storageTraffic = 0.0;             ///< B over the links to storage in that decode
    double kvBytes = 0.0;                    ///< KV cache at its final length, wherever it lies
    const TierUse& tier(Tier which) const { return tiers[static_cast<std::size_t>(which)]; }
};

/// What one node does in the system's steady state.
struct NodeEvaluation {
    Role role = Role::Fabric; ///< the effective role
    PhaseEvaluation prefill;  ///< metrics are set for every accelerator whose work fits, whatever its role
    PhaseEvaluation decode;
    LayerEvaluation layer;
    double devices = 1.0;           ///< that share one replica
    double prefillBusy = 0.0;       ///< share of time each device prefills; what it waits for others is idle
    double decodeBusy = 0.0;        ///< share of time each device decodes
    double weightBytes = 0.0;       ///< on each device, with meta-data
    double kvBytes = 0.0;           ///< on each device, for a full batch at its final length
    double keptBytes = 0.0;         ///< on each device, beside both; 0 where no reserve is set
    double memoryCapacity = kUnset; ///< B of each device
    bool fits = true;
    std::optional<Shortfall> shortfall; ///< what does not fit, where
    OffloadEvaluation offload;
    bool bottleneck = false; ///< this node limits the throughput

    double busy() const { return prefillBusy + decodeBusy; }
    double neededBytes() const {
        return weightBytes + kvBytes + keptBytes;
    } ///< on each device, what must fit
};

/// What one device of a node does in a second of each phase.
struct NodeRates {
    PhaseRates prefill, decode;
};
std::vector<NodeRates> ratesOf(std::span<const NodeEvaluation> nodes);

/// W by PowerTerm.
using PowerParts = std::array<double, kPowerTerms>;

/// Mean power of all devices, W: prefill, decode and idle by their shares of time, which add up to 1 at most.
/// NaN when a quantity that it needs is not set. `rates` and `busy` are parallel to the scenario's nodes;
/// `parts` is filled with what it is made of, `band` with how far its energy is expected to be off.
double meanPower(const Scenario& scenario, std::span<const NodeRates> rates, std::span<const BusyShares> busy,
                 PowerParts* parts = nullptr, PowerBand* band = nullptr);
/// The same where phasePower() is known.
using DrawnPower = std::array<PhasePower, kPhaseCount>;
double meanPower(const Scenario& scenario, std::span<const DrawnPower> drawn,
                 std::span<const BusyShares> busy, PowerParts& parts);
Term meanPower(const Scenario& scenario, std::span<const NodeRates> rates,
               std::span<const BusySharesOf<Term>> busy);

/// Traffic of one link in steady state.
struct LinkEvaluation {
    double bytesPerSecond = 0.0; ///< on each of the parallel links
    double capacity = kUnset;    ///< B/s of each
    double starting = 0.0;       ///< share of time in which DMAs of KV transfers start and nothing moves
    double utilisation() const { return bytesPerSecond / capacity; }
    double busy() const { return utilisation() + starting; } ///< full at 1
};

/// What the system's throughput is limited by: a link that is full or that every step waits for, or else a
/// node. With a link, the node is the one that would limit it if the link did not.
struct SystemBound {
    std::size_t node = static_cast<std::size_t>(-1); ///< index; npos: nothing
    Phase phase = Phase::Decode;
    Bound bound = Bound::None;
    std::size_t link = static_cast<std::size_t>(-1); ///< index; npos: no link is full
};

struct Evaluation {
    bool feasible = false;
    std::string reason; ///< why not feasible: what is needed, what is there, what to do
    std::size_t shortNode = static_cast<std::size_t>(-1); ///< node with the shortfall behind it; npos: none
    std::array<double, kMetricCount> metrics{}; ///< SI; NaN where a quantity that it needs is not set
    std::vector<NodeEvaluation> nodes;          ///< parallel to scenario.nodes
    std::vector<LinkEvaluation> links;          ///< parallel to scenario.links
    SystemBound bound;
    std::vector<WayOf<double>> limited; ///< the ways of batches, where links limit them; empty: none does
    /// Of the batch the requests that a server works on at once, where these are not all (see
    /// servedAtOnce()): what is told of nodes is of so many, metrics have the others wait to be let in.
    double atOnce = kUnset;
    /// Simulated: output tokens a second of the whole run, ramp and drain inside; set by setServingMetrics().
    double wholeRun = kUnset;
    bool cacheIsFull = false; ///< of these no more fit in the KV cache; else the server takes no more

    double metric(Metric which) const { return metrics[static_cast<std::size_t>(which)]; }
};

/// "fpga decode memory", "fpga-link network": the machine-readable bound, for JSON and CSV. "none" when
/// infeasible.
std::string boundKey(const Scenario& scenario, const Evaluation& evaluation);
/// "Alveo U280: decode, memory reads", "Host CPU to Alveo U280: network": the same for people.
std::string boundLabel(const Scenario& scenario, const Evaluation& evaluation);

/// The design with a batch of as many requests as are worked on at once; none where that is all.
std::optional<Scenario> atOnce(const Scenario& scenario, const Evaluation& evaluation);
/// "77 of 300 requests fit in the KV cache at once; the others are let in later"; empty where all do.
std::string letInText(const Scenario& scenario, const Evaluation& evaluation);

} // namespace heteroscape::engine

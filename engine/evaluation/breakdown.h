// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/evaluation/evaluation.h"
#include "engine/operators/operator_graph.h"
#include "engine/timing/blocks.h"

#include <string>
#include <string_view>
#include <vector>

namespace heteroscape::engine {

/// One kind of operator of a step, all layers together, on one device of a node.
struct OperatorRow {
    std::string key;    ///< "gate_proj"
    std::string label;  ///< "FFN gate"
    double repeat = 1;  ///< how often in a step
    double flops = 0;   ///< all repeats
    double bytes = 0;   ///< all repeats: weights, activations, KV
    double seconds = 0; ///< share of the step; the rows add up to the step
    Bound bound = Bound::None;
    Segment segment = Segment::Attention;
    double collectiveBytes = 0;   ///< payload of an allreduce, all repeats
    bool prefetched = false;      ///< read into L2 ahead: its operands are hits
    double prefetchBytes = 0;     ///< read ahead, once
    double l2Bytes = 0;           ///< of L2 set aside for it, once: a KV cache counts as allocated
    double l2Left = 0;            ///< of the L2 budget left after it
    double memoryTraffic = 0;     ///< B it moves from and to memory while it runs, all repeats
    double l2Traffic = 0;         ///< B from and to L2, all repeats; 0 where the timing does not see L2
    double peakFlops = 0;         ///< FLOP/s of the device at the precision that it multiplies in
    std::string_view precision{}; ///< which one, "FP8"; empty: the runtime's own
};

/// What an offloading runtime does in a step beside the operators, all layers together, for one replica of
/// the model; what runs on the accelerator for one of its devices. Flows of different lanes run at the same
/// time.
struct FlowRow {
    Lane lane = Lane::Pcie;
    Work work = Work::WeightTransfer;
    std::string label; ///< "Attention in CSDs", "Weights, PCIe"
    double flops = 0;  ///< of the attention that the bytes are read for; of K and V made from X; 0 otherwise
    double bytes = 0;
    double seconds = 0;
    Bound bound = Bound::None;
};

/// One phase of one node, operator by operator. Decode stands at the mean context of the output.
struct StepBreakdown {
    NodeId node;
    Phase phase = Phase::Decode;
    double seconds = 0; ///< of the step
    double stretch = 1; ///< of all times here, by a power cap and a slower clock (see stepStretch())
    std::vector<OperatorRow> operators;
    std::vector<FlowRow> flows; ///< that take time; what decode waits for them stands in attention's row
};

/// The rate of a link, of host memory or of CSD kernels: a roof over attention that reads its KV cache there.
struct LinkRoof {
    Lane lane = Lane::Csd;
    std::string label;    ///< "CSD kernels, 16 × SmartSSD"
    double bandwidth = 0; ///< B/s of KV cache
};

/// Of one accelerator node; throws Error (NotFound) when it is none.
StepBreakdown breakdown(const Scenario& scenario, const NodeId& node, Phase phase);

/// The roof of a node under its runtime and the operators below it.
struct Roofline {
    NodeId node;
    std::string name;
    DeviceKind kind = DeviceKind::Gpu;
    Phase phase = Phase::Decode;
    double peakFlops = 0;          ///< FLOP/s
    double peakBandwidth = 0;      ///< B/s
    double reachableFlops = 0;     ///< peak x the runtime's compute efficiency in this phase
    double reachableBandwidth = 0; ///< peak x the runtime's memory efficiency in this phase
    PhaseEvaluation step;          ///< the whole step as one point
    StepBreakdown detail;
    bool integerPeak = false;    ///< operations are integer ones: TOP/s, not TFLOP/s
    double l2Bandwidth = 0;      ///< B/s; 0 where the timing of the phase does not see L2
    std::vector<LinkRoof> links; ///< decode of an offloading runtime: those that its flows go over
    double ridge() const { return peakFlops / peakBandwidth; } ///< FLOP/B
};

/// One for each phase that each accelerator really runs, in node order.
std::vector<Roofline> rooflines(const Scenario& scenario);

/// Why a step that compute bounds lies left of its device's ridge: the rate of the operators that wait for
/// compute (their FLOP / their seconds), of which peak, and where the ridge is at that rate (rate / reachable
/// bandwidth). Empty where there is nothing to explain.
std::string leftOfRidge(const Roofline& roofline);

} // namespace heteroscape::engine

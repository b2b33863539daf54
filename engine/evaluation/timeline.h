// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/evaluation/evaluation.h"
#include "engine/timing/blocks.h"

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace heteroscape::engine {

/// One stretch of a lane.
struct TimelineSegment {
    Lane lane = Lane::Compute;
    Work work = Work::Operator;
    std::string_view key;   ///< of the operator, or of the work where it is none: "gate_proj", "kv_read"
    std::string_view label; ///< "FFN gate", "KV cache read"
    double start = 0.0;     ///< s
    double end = 0.0;       ///< s
    double bytes = 0.0;     ///< read, prefetched or sent
    bool hit = false;       ///< an operator whose operands were prefetched
    int layer = -1;         ///< from 0; -1: the head
    Bound bound = Bound::None;
    int microbatch = -1; ///< from 0; of a stage of a pipeline
    double watts = 0.0;  ///< Work::Power: of one device

    double rate() const { return bytes / (end - start); } ///< B/s
};

/// What a lane is called for one node, and the devices or links that it stands for.
struct LaneName {
    std::string title; ///< "GPU", "PCIe", "Host CPU", "CSD kernels"; "Compute" where nothing is offloaded
    std::string place; ///< "A100 40GB", "16 × SmartSSD", "… for 4 replicas"; empty where that is clear
};
using LaneNames = std::array<LaneName, kLaneCount>; ///< by Lane

/// The lanes of an accelerator node. A link lane is named after the link that limits it.
LaneNames laneNames(const Scenario& scenario, const Node& node);

/// A stage of a pipeline while one step runs: the microbatches in it, their messages to the next stage
/// (Work::Activations), and its waiting. Of a decode one round (see stageTurns()).
struct StageLane {
    std::string title; ///< "Stage 1"
    std::string place; ///< its node, where stages lie on several; else empty
    double layers = 0.0;
    double busy = 0.0;                     ///< share of the step that it works or sends
    std::vector<TimelineSegment> segments; ///< by start, without gaps, up to the end of the step
};

/// One step of a phase on one device of a node, every layer in full. Within a lane segments are in order and
/// do not overlap; the last one ends at `seconds`.
struct StepTimeline {
    NodeId node;
    std::string name; ///< of the node
    DeviceKind kind = DeviceKind::Gpu;
    Phase phase = Phase::Decode;
    double context = 0.0; ///< context
    double seconds = 0.0; ///< of the step
    double layers = 0.0;
    double layerSeconds = 0.0; ///< of one layer: both its segments
    bool offloads = false;     ///< flows stand beside the operators
    LaneNames lanes;
    std::vector<TimelineSegment> segments; ///< by start
    double powerLimit = kUnset;            ///< W of the device, where its power is shown (see addPower())
    std::vector<StageLane> stages; ///< of a pipeline, in the order in which microbatches pass; else empty
};

/// The timeline of one step at `context`. The scenario is valid. Throws Error (NotFound) when the
/// node is no accelerator with a runtime. Of a node that has a part in the steps of another: that one.
StepTimeline stepTimeline(const Scenario& scenario, const NodeId& node, Phase phase, double context);

/// The same at the context at which the phase is shown as one step (see representativeContext()).
StepTimeline stepTimeline(const Scenario& scenario, const NodeId& node, Phase phase);

/// Adds what the device draws as a lane: of what its phase draws while it works (PhasePower) each operator
/// gets its share (powerShares()) over the time of its stretches, what no operator stands for the mean of
/// them, and the rest of the time is idle, so that the lane's mean is the phase's power. A kernel may pass
/// the power limit for a moment: limits hold means over some ms. Nothing where the power is not known.
/// `evaluation` is the scenario's.
void addPower(const Scenario& scenario, const Evaluation& evaluation, StepTimeline& step);

/// A stretch of a request's life on one node.
struct RequestPart {
    enum class Kind { Step, MergedSteps, KvTransfer };
    Kind kind = Kind::Step;
    double start = 0.0; ///< s from the start of the prefill
    double end = 0.0;
    double steps = 1.0; ///< merged steps: how many
    StepTimeline step;  ///< Kind::Step: in full, its times from `start`; otherwise only node, name and phase
};

/// One batch of requests from the start of its prefill to its last token: the prefill, the part of the KV
/// KV transfer that it does not hide, the first decode step, the steps between as one stretch, the last step.
/// On the nodes that serve most. It ends at the system's latency when every request takes that way, and says
/// so otherwise.
struct RequestTimeline {
    std::vector<RequestPart> parts; ///< in order, each starts where the one before ends
    double seconds = 0.0;           ///< end of the last part
    double latency = 0.0;           ///< the system's mean latency, s
};

/// Of a feasible scenario; throws Error (InvalidInput) with the reason otherwise.
RequestTimeline requestTimeline(const Scenario& scenario);

/// Ids of the techniques that are on and change a step's schedule on this node, in their order.
std::vector<std::string_view> scheduleTechniques(const Scenario& scenario, const NodeId& node);

/// The scenario with one technique off, or all that change a step's schedule where `technique` is empty: what
/// a timeline is compared with. Without attention near storage an offloading runtime reads the KV cache into
/// host memory.
Scenario withoutTechnique(Scenario scenario, std::string_view technique = {});

} // namespace heteroscape::engine

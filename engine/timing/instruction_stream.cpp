// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/timing/instruction_stream.h"

#include "engine/units/units.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace heteroscape::engine {

namespace {

enum Parameter : std::size_t {
    kMemoryEfficiency, ///< of large bursts
    kLoadIssueCycles,  ///< cycles to decode and issue one load instruction
    kTileBytes,        ///< B of weights that one MV instruction needs on one channel
    kTileMetadata,     ///< B of quantisation meta-data for one tile
    kTileCompute,      ///< cycles of one MV instruction on one tile
    kSoftmaxPerCycle   ///< softmax elements a cycle
};

const Settings& settingsOf(const Machine& machine) {
    return machine.runtime->decode.settings;
}

bool readsCache(const Operator& op) {
    return op.kind == OperatorKind::Scores || op.kind == OperatorKind::WeightedValues ||
           op.kind == OperatorKind::Attention;
}

bool hasSoftmax(const Operator& op) {
    return op.kind == OperatorKind::Softmax || op.kind == OperatorKind::Attention;
}

} // namespace

InstructionStream::InstructionStream(const OperatorGraph& graph, const Machine& machine)
    : PhaseTiming(graph, machine, Phase::Decode), m_issue(settings()[kLoadIssueCycles] / machine.clock),
      m_tileCompute(settings()[kTileCompute] / machine.clock * graph.shape().batch *
                    graph.shape().queryTokens),
      m_bandwidth(machine.peakBandwidth / machine.channels * machine.memoryEfficiency(Phase::Decode)),
      m_tile(settings()[kTileBytes]), m_meta(settings()[kTileMetadata]) {}

double InstructionStream::loadSeconds(double bytes) const {
    return m_issue + bytes / m_bandwidth;
}

double InstructionStream::loadUtilisation(const Machine& machine, double bytes) {
    const double channel = machine.peakBandwidth / machine.channels;
    const double issue = settingsOf(machine)[kLoadIssueCycles] / machine.clock;
    return bytes / (issue + bytes / (channel * machine.memoryEfficiency(Phase::Decode))) / channel;
}

double InstructionStream::loadUtilisation() const {
    for (const auto& op : graph().operators())
        if (op.kind == OperatorKind::Linear)
            return loadUtilisation(machine(), m_tile * op.loadsPerFetch);
    return std::numeric_limits<double>::quiet_NaN();
}

double InstructionStream::tilesOf(const Operator& op) const {
    return op.weights * machine().weightBytes / m_tile / machine().channels;
}

double InstructionStream::linearSeconds(double tiles, double ratio) const {
    const auto fetch = [&](double group) {
        return loadSeconds(m_tile * group) + loadSeconds(m_meta * group);
    };
    // The recurrence in closed form: k full groups with load time l and compute time c settle at once into
    // steps of max(l, c), because a buffer is free again before the load after next needs it.
    const double full = std::floor(tiles / ratio);
    const double rest = tiles - full * ratio;
    const double l = fetch(ratio);
    const double c = ratio * m_tileCompute;
    double loadEnd = 0.0;
    double mvEnd = 0.0;
    double mvEndBefore = 0.0; // of the group before the last
    if (full >= 1) {
        mvEnd = l + c + (full - 1) * std::max(l, c);
        if (full >= 2)
            mvEndBefore = mvEnd - std::max(l, c);
        // Load-bound: loads follow each other. Compute-bound: the load waits for the buffer used two groups
        // ago.
        loadEnd = l * full;
        if (full >= 3)
            loadEnd = std::max(loadEnd, 2 * l + (full - 2) * c);
    }
    if (rest > 0) {
        loadEnd = std::max(loadEnd, mvEndBefore) + fetch(rest);
        mvEnd = std::max(mvEnd, loadEnd) + rest * m_tileCompute;
    }
    return mvEnd;
}

Affine InstructionStream::kvSeconds(const Operator& op) const {
    const double loadsPerElement = machine().kvBytes / machine().channels / m_tile;
    return op.kv * (op.repeat * loadsPerElement * loadSeconds(m_tile));
}

Affine InstructionStream::softmaxSeconds(const Operator& op) const {
    // One FLOP an element where softmax is an operator of its own; within an attention kernel every element
    // belongs to two products over the head's width.
    const double flopsPerElement =
        op.kind == OperatorKind::Attention ? 4.0 * graph().model().headDim.value : 1.0;
    return op.flops * (op.repeat / (flopsPerElement * settings()[kSoftmaxPerCycle] * machine().clock));
}

Affine InstructionStream::attentionSeconds(const Operator& op) const {
    Affine seconds;
    if (readsCache(op))
        seconds += kvSeconds(op);
    if (hasSoftmax(op))
        seconds += softmaxSeconds(op);
    return seconds;
}

double InstructionStream::seconds(const Operator& op, double keys) const {
    if (op.kind == OperatorKind::Linear)
        return op.repeat * linearSeconds(tilesOf(op), op.loadsPerFetch);
    return attentionSeconds(op).at(keys);
}

Bound InstructionStream::bound(const Operator& op) const {
    if (op.kind == OperatorKind::Linear) {
        const double loads = loadSeconds(m_tile * op.loadsPerFetch) + loadSeconds(m_meta * op.loadsPerFetch);
        return loads >= op.loadsPerFetch * m_tileCompute ? Bound::Memory : Bound::Compute;
    }
    if (readsCache(op) && hasSoftmax(op))
        return kvSeconds(op).perKey >= softmaxSeconds(op).perKey ? Bound::Memory : Bound::Compute;
    if (readsCache(op))
        return Bound::Memory;
    return hasSoftmax(op) ? Bound::Compute : Bound::None;
}

StepCost InstructionStream::streamCost() const {
    Affine step;
    double memory = 0.0;
    double compute = 0.0;
    for (const auto& op : graph().operators()) {
        const auto part =
            op.kind == OperatorKind::Linear ? Affine{seconds(op, 0.0), 0.0} : attentionSeconds(op);
        step += part;
        (bound(op) == Bound::Compute ? compute : memory) += part.at(0.0);
    }
    StepCost cost;
    cost.add(memory >= compute ? Bound::Memory : Bound::Compute, step);
    return cost;
}

StepCost InstructionStream::cost(double, double) const {
    auto cost = streamCost();
    cost.delay(collectiveSeconds());
    return cost;
}

void InstructionStream::operatorTimes(double keys, std::span<OperatorTime> out) const {
    const auto operators = graph().operators();
    for (std::size_t i = 0; i < operators.size(); ++i)
        out[i] = {seconds(operators[i], keys), bound(operators[i])};
    timeCollectives(out);
}

Affine InstructionStream::movedBytes() const {
    Affine bytes{graph().weights() * machine().weightBytes * (1.0 + m_meta / m_tile), 0};
    for (const auto& op : graph().operators())
        if (readsCache(op))
            bytes += op.kv * (op.repeat * machine().kvBytes);
    return bytes;
}

namespace {

class InstructionStreamModel final : public TimingModel {
public:
    InstructionStreamModel()
        : TimingModel(
              "instruction_stream", "Instruction stream",
              "Single-token steps of an instruction-driven accelerator: one load and one matrix-vector "
              "instruction after the other on every memory channel.") {}

    bool times(Phase phase) const override { return phase == Phase::Decode; }
    std::span<const KindParameter> parameters() const override {
        static const std::array<KindParameter, 6> table{{
            {{"memory_efficiency", "Share of memory peak", "", 1, 1e-4, 1, false, true,
              "Share of the memory bandwidth that one large burst reaches."}},
            {{"load_issue_cycles", "Issue of one load", "cycles", 1, 0, 1e6, false, true,
              "Cycles to decode and issue one load instruction."}},
            {{"tile_bytes", "Weights of one MV instruction", "B", 1, 1, 1 << 30, false, true,
              "Weights that one matrix-vector instruction needs, on one memory channel."}},
            {{"tile_metadata_bytes", "Meta-data of one MV instruction", "B", 1, 0, 1 << 30, false, true,
              "Scales and zero points for one tile, loaded separately."}},
            {{"tile_compute_cycles", "Compute of one MV instruction", "cycles", 1, 0, 1e9, false, true,
              "Cycles to multiply one tile."}},
            {{"softmax_per_cycle", "Softmax elements a cycle", "", 1, 1e-3, 1e6, false, true,
              "Softmax elements that the special-function unit finishes in a cycle."}},
        }};
        return table;
    }
    std::span<const DeviceNeed> deviceNeeds() const override {
        static const std::array<DeviceNeed, 2> needs{
            {{&Device::memoryChannels, "memory_channels", "the number of memory channels"},
             {&Device::clock, "clock_mhz", "the clock"}}};
        return needs;
    }
    double weightOverhead(const Settings& settings) const override {
        return 1.0 + settings[kTileMetadata] / settings[kTileBytes];
    }
    double memoryShare(const Settings& settings) const override { return settings[kMemoryEfficiency]; }
    void time(TimingRoom& room, const OperatorGraph& graph, const Machine& machine, Phase) const override {
        room.emplace<InstructionStream>(graph, machine);
    }
};

} // namespace

const TimingModel& instructionStreamModel() {
    static const InstructionStreamModel model;
    return model;
}

} // namespace heteroscape::engine

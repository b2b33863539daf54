// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/timing/built_in.h"

#include "engine/units/units.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace heteroscape::engine {

namespace {

enum : std::size_t {
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
           op.kind == OperatorKind::Attention || op.kind == OperatorKind::Index;
}

bool hasSoftmax(const Operator& op) {
    return op.kind == OperatorKind::Softmax || (op.kind == OperatorKind::Attention && op.scoreFlops > 0.0);
}

/// The recurrence of a linear operator in closed form: `full` full groups with load time l and compute time c
/// settle at once into steps of max(l, c), because a buffer is free again before the load after next needs
/// it; then `rest` of a group.
template <class V>
V linearEnd(double full, double rest, const V& l, const V& c, const V& restLoad, const V& restCompute) {
    using N = Numbers<V>;
    using std::max;
    const auto groups = [](const char* name, double number) {
        return N::counted(name, number, measures::count, "tiles / tiles a group");
    };
    const auto time = [](const V& seconds, const char* name) {
        return N::named(seconds, name, measures::microseconds);
    };
    V loadEnd{};
    V mvEnd{};
    V mvEndBefore{}; // of the group before the last
    if (full >= 1) {
        const V slower = time(max(l, c), "Slower of load and compute");
        mvEnd = time(l + c + time(groups("Groups after the first", full - 1) * slower, "Further groups"),
                     "Full groups");
        if (full >= 2)
            mvEndBefore = time(mvEnd - slower, "All but the last full group");
        // Load-bound: loads follow each other. Compute-bound: the load waits for the buffer used two groups
        // ago.
        loadEnd = time(l * groups("Full groups", full), "Loads one after the other");
        if (full >= 3)
            loadEnd = time(
                max(loadEnd, time(time(groups("First loads", 2.0) * l, "First two loads") +
                                      time(groups("Groups but two", full - 2) * c, "Compute of the others"),
                                  "Loads that wait for buffers")),
                "Loads of full groups");
    }
    if (rest > 0) {
        loadEnd =
            time(time(max(loadEnd, mvEndBefore), "Start of the last load") + restLoad, "End of all loads");
        mvEnd = time(max(mvEnd, loadEnd), "Start of the last compute") + restCompute;
    }
    return mvEnd;
}

} // namespace

InstructionStream::InstructionStream(const OperatorGraph& graph, const Machine& machine)
    : PhaseTiming(graph, machine, Phase::Decode), m_issue(settings()[kLoadIssueCycles] / machine.clock),
      m_tokenCompute(settings()[kTileCompute] / machine.clock),
      m_bandwidth(machine.peakBandwidth / machine.channels * machine.memoryEfficiency(Phase::Decode)),
      m_tile(settings()[kTileBytes]), m_meta(settings()[kTileMetadata]), m_sums(graph.sums()) {
    Affine step;
    double memory = 0.0;
    double compute = 0.0;
    for (const auto& op : graph.operators()) {
        const auto part = secondsOf(op);
        const auto by = bound(op);
        step += part;
        (by == Bound::Compute ? compute : memory) += part.at(0.0);
        m_parts.add({part, by});
    }
    m_stream.add(memory >= compute ? Bound::Memory : Bound::Compute, step);
    m_computed = m_stream;
    m_computed.add(Bound::Compute, m_sums.flops * (1.0 / machine.peakFlops));
}

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
    return op.storedWeights() * machine().weightBytes / m_tile / machine().channels;
}

double InstructionStream::tileCompute(const Operator& op) const {
    const auto& shape = graph().shape();
    if (!graph().model().isUniform())
        return m_tokenCompute * (op.gemm.rows / op.gemm.experts);
    return shape.sequences.empty() ? m_tokenCompute * shape.batch * shape.queryTokens
                                   : m_tokenCompute * shape.rows();
}

double InstructionStream::linearSeconds(double tiles, double ratio, double tileCompute) const {
    const auto fetch = [&](double group) {
        return loadSeconds(m_tile * group) + loadSeconds(m_meta * group);
    };
    const double full = std::floor(tiles / ratio);
    const double rest = tiles - full * ratio;
    return linearEnd(full, rest, fetch(ratio), ratio * tileCompute, rest > 0 ? fetch(rest) : 0.0,
                     rest * tileCompute);
}

Affine InstructionStream::kvSeconds(const Operator& op) const {
    const double loadsPerElement = machine().kvBytes / machine().channels / m_tile;
    return op.kv * (op.repeat * loadsPerElement * loadSeconds(m_tile));
}

Affine InstructionStream::softmaxSeconds(const Operator& op) const {
    // One FLOP an element where softmax is an operator of its own; within an attention kernel every element
    // belongs to two products over the head's width.
    const double flopsPerElement = op.kind == OperatorKind::Attention ? op.scoreFlops : 1.0;
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

Affine InstructionStream::secondsOf(const Operator& op) const {
    if (op.kind == OperatorKind::Linear)
        return {op.repeat * linearSeconds(tilesOf(op), op.loadsPerFetch, tileCompute(op)), 0.0};
    return attentionSeconds(op);
}

Bound InstructionStream::bound(const Operator& op) const {
    if (op.kind == OperatorKind::Linear) {
        const double loads = loadSeconds(m_tile * op.loadsPerFetch) + loadSeconds(m_meta * op.loadsPerFetch);
        return loads >= op.loadsPerFetch * tileCompute(op) ? Bound::Memory : Bound::Compute;
    }
    if (readsCache(op) && hasSoftmax(op))
        return kvSeconds(op).perKey >= softmaxSeconds(op).perKey ? Bound::Memory : Bound::Compute;
    if (readsCache(op))
        return Bound::Memory;
    return hasSoftmax(op) ? Bound::Compute : Bound::None;
}

StepCost InstructionStream::cost(double, double) const {
    auto cost = m_computed;
    cost.delay(collectiveSeconds());
    return cost;
}

void InstructionStream::operatorTimes(double context, std::span<OperatorTime> out) const {
    for (std::size_t i = 0; i < m_parts.size(); ++i)
        out[i] = {m_parts[i].seconds.at(context), m_parts[i].bound};
    fitToStep(m_computed, context, out);
    timeCollectives(out);
}

Term InstructionStream::parameter(std::size_t index) const {
    return Numbers<Term>::setting(*machine().runtime->decode.kind, settings(), index);
}

Term InstructionStream::cycles(std::size_t index, std::string name) const {
    return (parameter(index) / Numbers<Term>::quantity(deviceFields, *machine().device, &Device::clock))
        .named(std::move(name), measures::microseconds);
}

Term InstructionStream::explainLoad(const Term& bytes, std::string name) const {
    const auto channel =
        ((Numbers<Term>::quantity(deviceFields, *machine().device, &Device::memoryBandwidth) /
          Numbers<Term>::quantity(deviceFields, *machine().device, &Device::memoryChannels))
             .named("Peak of one channel", measures::byteRate) *
         parameter(kMemoryEfficiency))
            .named("Bandwidth of one channel", measures::byteRate);
    return (cycles(kLoadIssueCycles, "Issue") + (bytes / channel).named("Transfer", measures::microseconds))
        .named(std::move(name), measures::microseconds);
}

Term InstructionStream::explainLinear(const Operator& op) const {
    const double tiles = tilesOf(op);
    const double ratio = op.loadsPerFetch;
    const double full = std::floor(tiles / ratio);
    const double rest = tiles - full * ratio;
    const auto& shape = graph().shape();
    const auto compute =
        (cycles(kTileCompute, "Compute of a tile, one token") *
         Term::counted("Tokens", graph().model().isUniform() ? shape.rows() : op.gemm.rows / op.gemm.experts,
                       measures::tokens, "rows of the operator"))
            .named("Compute of a tile", measures::microseconds);
    const auto size = [](const char* name, double number) {
        return Term::counted(name, number, measures::count, "operator table: loads are merged up to this");
    };
    const auto fetch = [&](const Term& group, const char* name) {
        const auto load = [&](std::size_t of, const char* part) {
            return explainLoad((parameter(of) * group).named("Bytes of one load", measures::bytes), part);
        };
        return (load(kTileBytes, "Load of weights") + load(kTileMetadata, "Load of meta-data"))
            .named(name, measures::microseconds);
    };
    const auto whole = size("Tiles a group", ratio);
    const auto last = size("Tiles of the last group", rest);
    return linearEnd<Term>(full, rest, fetch(whole, "Load of a group"),
                           (whole * compute).named("Compute of a group", measures::microseconds),
                           rest > 0 ? fetch(last, "Load of the last group") : Term(),
                           (last * compute).named("Compute of the last group", measures::microseconds));
}

std::vector<Term> InstructionStream::operatorTerms(double context) const {
    const auto elements = [&](const char* name, double number) {
        return Numbers<Term>::counted(name, number, measures::count, "operator table");
    };
    const auto device = [&](Quantity Device::*member) {
        return Numbers<Term>::quantity(deviceFields, *machine().device, member);
    };
    std::vector<Term> terms;
    for (const auto& op : graph().operators()) {
        Term seconds;
        if (op.kind == OperatorKind::Linear) {
            seconds = explainLinear(op);
        } else if (isCollective(op.kind)) {
            seconds = machine().explainCollective(op);
        } else {
            if (readsCache(op)) {
                const auto tile = parameter(kTileBytes);
                const auto bytes = (elements("K and V elements", op.kv.at(context)) *
                                    machine().explainElement(&Runtime::kvBits, "Bytes of a K or V element"))
                                       .named("KV cache", measures::megabytes);
                seconds = ((bytes / device(&Device::memoryChannels) / tile)
                               .named("Loads on one channel", measures::count) *
                           explainLoad(tile, "One load"))
                              .named("Loads of K and V", measures::microseconds);
            }
            if (hasSoftmax(op)) {
                const auto ofOne = Term::counted("FLOP for an element",
                                                 op.kind == OperatorKind::Attention ? op.scoreFlops : 1.0,
                                                 measures::count, "operator table: what it is a part of");
                const auto softmax = (elements("FLOP", op.flops.at(context)) / ofOne)
                                         .named("Softmax elements", measures::count);
                const auto rate = (parameter(kSoftmaxPerCycle) * device(&Device::clock))
                                      .named("Elements a second", measures::count);
                seconds = seconds + (softmax / rate).named("Softmax", measures::microseconds);
            }
        }
        terms.push_back(seconds.name() == op.label
                            ? seconds
                            : seconds.named(std::string(op.label), measures::microseconds)
                                  .remarked("bound by " + std::string(boundLabel(bound(op)))));
    }
    raiseToPeak(context, terms);
    return terms;
}

void InstructionStream::raiseToPeak(double context, std::vector<Term>& once) const {
    const double flops = sums().flops.at(context);
    const double own = streamCost().at(context);
    if (!(flops / machine().peakFlops > own))
        return;
    const auto operators = graph().operators();
    auto stream = once;
    for (std::size_t i = 0; i < operators.size(); ++i)
        if (isCollective(operators[i].kind))
            stream[i] = {};
    const auto compute = (Term::counted("Compute", flops, measures::flops, "operator table") /
                          machine().explainFlopRate(phase()))
                             .named("All compute at the peak", measures::milliseconds);
    const auto stretch = (compute / sum("Instruction streams alone", measures::milliseconds, ofStep(stream)))
                             .named("Share of their own time", measures::count);
    for (std::size_t i = 0; i < operators.size(); ++i)
        if (stream[i])
            once[i] = (once[i] * stretch).named(once[i].name() + ", at the peak", measures::microseconds);
}

Affine InstructionStream::movedBytes() const {
    Affine bytes{m_sums.weights * machine().weightBytes * (1.0 + m_meta / m_tile), 0};
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
              "instruction after the other on every memory channel (GLITCHES, section IV).") {}

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

// SPDX-License-Identifier: GPL-3.0-or-later

#include "engine/techniques/l2_prefetch.h"
#include "engine/timing/built_in.h"
#include "engine/units/units.h"

#include <algorithm>
#include <array>

namespace heteroscape::engine {

namespace {

/// What runs instead of the graph and machine it is given.
struct Instead {
    OperatorGraph graph;
    Machine machine;

    Instead(const OperatorGraph& step, const Machine& on) : graph(step), machine(on) {
        insertPrefetches(graph, {on.l2Capacity, on.weightBytes, on.kvBytes, true, true});
        machine.collective = {};
        for (auto& op : graph.operators())
            if (op.segment == Segment::Head)
                op.repeat = 0.0;
    }
};

/// A device that is slower than the measured one is no faster than its peaks: what is hidden where no time is
/// counted has to be read and computed.
void addPeaks(const PhaseTiming& timing, const Machine& machine, StepCost& cost) {
    cost.add(Bound::Memory, timing.movedBytes() * (1.0 / machine.peakBandwidth));
    cost.add(Bound::Compute, timing.sums().flops * (1.0 / machine.peakFlops));
}

/// The same of the term.
Term explainPeaks(const Term& layers, const PhaseTiming& timing, const Machine& machine, Phase phase,
                  double context) {
    const auto moved = (Term::counted("What memory moves", timing.movedBytes().at(context),
                                      measures::gigabytes, "operator table") /
                        Numbers<Term>::quantity(deviceFields, *machine.device, &Device::memoryBandwidth))
                           .named("All that memory moves", measures::milliseconds);
    const auto computed =
        (Term::counted("Compute", timing.sums().flops.at(context), measures::flops, "operator table") /
         machine.explainFlopRate(phase))
            .named("All compute at the peak", measures::milliseconds);
    std::vector<Term> parts{layers};
    for (const auto& least : {moved, computed})
        if (least.value() > layers.value())
            parts.push_back(least);
    return parts.size() > 1 ? maximum("Layers", measures::milliseconds, parts) : layers;
}

class Ascend910bPrefill final : private Instead, public PhaseTiming {
public:
    Ascend910bPrefill(const OperatorGraph& step, const Machine& on)
        : Instead(step, on), PhaseTiming(step, on, Phase::Prefill), m_panel(on, Phase::Prefill),
          m_streams(Instead::graph, Instead::machine, Phase::Prefill) {}

    StepCost cost(double firstContext, double lastContext) const override {
        auto cost = m_streams.cost(firstContext, lastContext);
        addPeaks(*this, Instead::machine, cost);
        return withTransfers(cost);
    }
    void operatorTimes(double context, std::span<OperatorTime> out) const override {
        m_streams.operatorTimes(context, out);
        fitToStep(context, out);
    }
    std::vector<ScheduleBlock> blocks(double context) const override {
        return cost(context, context).at(context) > m_streams.cost(context, context).at(context)
                   ? PhaseTiming::blocks(context)
                   : m_streams.blocks(context);
    }
    std::vector<Term> operatorTerms(double context) const override {
        return fittedToStep(context, m_streams.operatorTerms(context));
    }
    Term explain(double context) const override {
        return withTransfers(
            explainPeaks(m_streams.explain(context), *this, Instead::machine, Phase::Prefill, context));
    }
    Affine movedBytes() const override { return m_streams.movedBytes(); }
    Traffic traffic(const Operator& op) const override {
        // As it is timed: in its own graph, where operands are prefetched.
        const auto at = static_cast<std::size_t>(&op - PhaseTiming::graph().operators().data());
        const auto traffic = m_panel.traffic(Instead::graph.operators()[at]);
        return {traffic.memory, traffic.l2};
    }
    double l2Roof() const override { return m_streams.l2Roof(); }

private:
    L2Panel m_panel;
    TwoStream m_streams;
};

class Ascend910bPrefillModel final : public L2Model {
public:
    Ascend910bPrefillModel()
        : L2Model(
              "ascend910b_prefill", "Prefill on Ascend 910B",
              "Prefill beside measured decode layers: L2 panels with everything prefetched that fits, free "
              "communication, no LM head.") {}

    bool times(Phase phase) const override { return phase == Phase::Prefill; }
    std::span<const KindParameter> parameters() const override { return rooflineModel().parameters(); }
    double computeShare(const Settings& settings) const override {
        return settings[PeakShareModel::kComputeEfficiency];
    }
    double memoryShare(const Settings& settings) const override {
        return settings[PeakShareModel::kMemoryEfficiency];
    }
    bool timesLayersThatDiffer() const override { return false; }
    void time(TimingRoom& room, const OperatorGraph& graph, const Machine& machine, Phase) const override {
        room.emplace<Ascend910bPrefill>(graph, machine);
    }
};

} // namespace

const TimingModel& ascend910bPrefillModel() {
    static const Ascend910bPrefillModel model;
    return model;
}

namespace {

enum : std::size_t {
    kLayerFixed,     ///< s, whatever the layer's size
    kLayerMissed,    ///< s more when none of the weights are hits in L2
    kLayerPerWeight, ///< s/B of weights on one device
    kRowMissed,      ///< s to read one row (128 B) of a strided KV cache from memory
    kRowHit          ///< s to read it from L2
};

} // namespace

Ascend910bMeasured::Ascend910bMeasured(const OperatorGraph& decodeStep, const Machine& machine)
    : PhaseTiming(decodeStep, machine, Phase::Decode) {
    for (const auto& op : decodeStep.operators()) {
        if (op.segment == Segment::Head)
            continue;
        const double bytes = op.weights * machine.weightBytes;
        m_bytes += bytes;
        m_hit += op.prefetched ? bytes : 0.0;
        if (op.kind == OperatorKind::Attention) {
            m_kvBytes = op.kv * machine.kvBytes;
            m_kvHit = op.prefetched;
        }
    }
    m_fixed = settings()[kLayerFixed];
    m_missed = settings()[kLayerMissed] * (1.0 - m_hit / m_bytes);
    m_weights = settings()[kLayerPerWeight] * m_bytes;
    const double bandwidth = m_kvHit ? machine.l2Bandwidth : machine.peakBandwidth;
    const auto leastKv = m_kvBytes * (1.0 / bandwidth);
    if (decodeStep.shard().kvHeads > 1.0) {
        const double row = m_kvHit ? settings()[kRowHit] : settings()[kRowMissed];
        m_kv.perKey = std::max(2.0 * row, leastKv.perKey);
    } else if (!m_kvHit) {
        m_kv = leastKv;
    }
}

StepCost Ascend910bMeasured::cost(double firstContext, double) const {
    const auto seconds = layerSeconds();
    StepCost cost;
    cost.add(layerFixed() > 0.5 * seconds.at(firstContext) ? Bound::FixedLayer : Bound::Memory,
             seconds * graph().model().layers.value);
    addPeaks(*this, machine(), cost);
    return withTransfers(cost);
}

void Ascend910bMeasured::operatorTimes(double context, std::span<OperatorTime> out) const {
    const auto operators = graph().operators();
    double weights = 0.0;
    double count = 0.0;
    for (const auto& op : operators)
        if (op.segment != Segment::Head) {
            weights += op.weights;
            ++count;
        }
    for (std::size_t i = 0; i < operators.size(); ++i) {
        const auto& op = operators[i];
        out[i] = {};
        if (op.segment == Segment::Head)
            continue;
        const double read = layerWeights() * op.weights / weights +
                            (op.kind == OperatorKind::Attention ? layerKv().at(context) : 0.0);
        const double fixed = layerFixed() / count;
        out[i] = {op.repeat * (fixed + read), read > fixed ? Bound::Memory : Bound::FixedLayer};
    }
    fitToStep(context, out);
}

Term Ascend910bMeasured::parameter(std::size_t index) const {
    return Numbers<Term>::setting(*machine().runtime->decode.kind, settings(), index);
}

Term Ascend910bMeasured::explainFixed() const {
    return parameter(kLayerFixed);
}

Term Ascend910bMeasured::explainWeights() const {
    const auto all = Term::counted("Weights of a layer", m_bytes, measures::megabytes, "operator table");
    const auto hit = Numbers<Term>::counted("Weights that are hits in L2", m_hit, measures::megabytes,
                                            "operator table: what was prefetched");
    const auto missed = ((all - hit).named("Missed", measures::megabytes) / all)
                            .named("Share that is missed", measures::percent);
    return ((parameter(kLayerMissed) * missed).named("Missed weights", measures::microseconds) +
            (parameter(kLayerPerWeight) * all).named("By the size of the weights", measures::microseconds))
        .named("Weights", measures::microseconds);
}

Term Ascend910bMeasured::explainKv(double context) const {
    if (!(m_kv.at(context) > 0.0))
        return {};
    const auto bandwidth = Numbers<Term>::quantity(deviceFields, *machine().device,
                                                   m_kvHit ? &Device::l2Bandwidth : &Device::memoryBandwidth);
    const bool strided = graph().shard().kvHeads > 1.0;
    const auto bytes = Term::counted(strided ? "KV cache of a token" : "KV cache",
                                     strided ? m_kvBytes.perKey : m_kvBytes.at(context), measures::megabytes,
                                     "operator table");
    if (!strided)
        return (bytes / bandwidth).named("KV cache read", measures::microseconds);
    const auto rows = (Term::counted("Rows of a token", 2.0, measures::count, "one of K, one of V") *
                       parameter(m_kvHit ? kRowHit : kRowMissed))
                          .named("Rows one by one", measures::microseconds);
    return (Term::counted("Context", context, measures::tokens, "tokens that the step attends to") *
            max(rows, (bytes / bandwidth).named("At full bandwidth", measures::microseconds))
                .named("KV cache of a token", measures::microseconds))
        .named("KV cache read", measures::microseconds);
}

Term Ascend910bMeasured::explain(double context) const {
    const auto layers =
        (Numbers<Term>::quantity(modelFields, graph().model(), &Model::layers) *
         sum("One layer", measures::microseconds, {explainFixed(), explainWeights(), explainKv(context)}))
            .named("All layers", measures::milliseconds);
    return withTransfers(explainPeaks(layers, *this, machine(), Phase::Decode, context));
}

/// As operatorTimes() shares a layer out.
std::vector<Term> Ascend910bMeasured::operatorTerms(double context) const {
    const auto operators = graph().operators();
    double count = 0.0;
    for (const auto& op : operators)
        count += op.segment != Segment::Head ? 1.0 : 0.0;
    const auto fixed =
        (explainFixed() / Term::counted("Operators of a layer", count, measures::count, "operator table"))
            .named("Equal part of the fixed time", measures::microseconds);
    std::vector<Term> terms;
    for (const auto& op : operators) {
        const std::string label(op.label);
        if (op.segment == Segment::Head) {
            terms.emplace_back();
            continue;
        }
        const auto share = Numbers<Term>::counted("Share of the layer's weights",
                                                  op.weights * machine().weightBytes / m_bytes,
                                                  measures::percent, "operator table");
        terms.push_back(sum(label, measures::microseconds,
                            {fixed, (explainWeights() * share).named("Its weights", measures::microseconds),
                             op.kind == OperatorKind::Attention ? explainKv(context) : Term()}));
    }
    return fittedToStep(context, terms);
}

namespace {

class Ascend910bMeasuredModel final : public L2Model {
public:
    Ascend910bMeasuredModel()
        : L2Model("ascend910b_measured", "Measured on Ascend 910B",
                  "A decode layer as measured end to end on Ascend 910B, collectives and launches included: "
                  "fixed + weights x time of a MB + missed share x missed weights + KV rows (PRESERVE, "
                  "section V).") {}

    bool times(Phase phase) const override { return phase == Phase::Decode; }
    std::span<const KindParameter> parameters() const override {
        static const std::array<KindParameter, 5> table{{
            {{"layer_fixed_us", "Fixed time of a layer", "\u00b5s", units::micro, 0, 1e9, false, true,
              "Decode time of one layer that does not depend on its size."}},
            {{"layer_missed_us", "Missed weights of a layer", "\u00b5s", units::micro, 0, 1e9, false, true,
              "Added when none of the layer's weights are hits in L2, and in proportion."}},
            {{"layer_us_per_mb", "Time of a layer's weights", "\u00b5s/MB", units::micro / units::MB, 0, 1e9,
              false, true, "Decode time of one layer for each MB of weights on one device."}},
            {{"kv_row_missed_ns", "KV row, missed", "ns", units::nano, 0, 1e9, false, true,
              "Time to read one row of a strided KV cache from memory."}},
            {{"kv_row_hit_ns", "KV row, hit", "ns", units::nano, 0, 1e9, false, true,
              "Time to read one row of a strided KV cache from L2."}},
        }};
        return table;
    }
    bool timesLayersThatDiffer() const override { return false; }
    void time(TimingRoom& room, const OperatorGraph& graph, const Machine& machine, Phase) const override {
        room.emplace<Ascend910bMeasured>(graph, machine);
    }
};

} // namespace

const TimingModel& ascend910bMeasuredModel() {
    static const Ascend910bMeasuredModel model;
    return model;
}

} // namespace heteroscape::engine

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/timing/ascend910b_prefill.h"

#include "engine/techniques/l2_prefetch.h"
#include "engine/timing/roofline.h"
#include "engine/timing/two_stream.h"

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

class Ascend910bPrefill final : private Instead, public PhaseTiming {
public:
    Ascend910bPrefill(const OperatorGraph& step, const Machine& on)
        : Instead(step, on), PhaseTiming(step, on, Phase::Prefill), m_panel(on, Phase::Prefill),
          m_streams(Instead::graph, Instead::machine, Phase::Prefill) {}

    StepCost cost(double firstKeys, double lastKeys) const override {
        return withTransfers(m_streams.cost(firstKeys, lastKeys));
    }
    void operatorTimes(double keys, std::span<OperatorTime> out) const override {
        m_streams.operatorTimes(keys, out);
        fitToStep(keys, out);
    }
    std::vector<ScheduleBlock> blocks(double keys) const override {
        return cost(keys, keys).boundAt(keys) == Bound::Network ? PhaseTiming::blocks(keys)
                                                                : m_streams.blocks(keys);
    }
    std::vector<Term> operatorTerms(double keys) const override {
        return fittedToStep(keys, m_streams.operatorTerms(keys));
    }
    Term explain(double keys) const override { return withTransfers(m_streams.explain(keys)); }
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

} // namespace heteroscape::engine

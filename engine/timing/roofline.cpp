// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/timing/roofline.h"

#include <algorithm>
#include <array>

namespace heteroscape::engine {

RooflineTiming::RooflineTiming(const OperatorGraph& graph, const Machine& machine, Phase phase)
    : PhaseTiming(graph, machine, phase), m_flopRate(machine.peakFlops * machine.computeEfficiency(phase)),
      m_byteRate(machine.peakBandwidth * machine.memoryEfficiency(phase)) {}

StepCost RooflineTiming::wholeCost() const {
    StepCost cost;
    cost.add(Bound::Compute, graph().flops() * (1.0 / m_flopRate));
    cost.add(Bound::Memory, machine().bytes(graph()) * (1.0 / m_byteRate));
    return cost;
}

StepCost RooflineTiming::cost(double, double) const {
    auto cost = wholeCost();
    cost.delay(collectiveSeconds());
    return cost;
}

void RooflineTiming::operatorTimes(double keys, std::span<OperatorTime> out) const {
    const auto operators = graph().operators();
    double compute = 0.0; // own times of compute-bound operators, s
    double memory = 0.0;
    for (std::size_t i = 0; i < operators.size(); ++i) {
        const auto& op = operators[i];
        const double flops = op.flops.at(keys) / m_flopRate;
        const double bytes = machine().bytes(op).at(keys) / m_byteRate;
        out[i] = {op.repeat * std::max(flops, bytes), flops > bytes ? Bound::Compute : Bound::Memory};
        (out[i].bound == Bound::Compute ? compute : memory) += out[i].seconds;
    }
    // Too long together: the compute-bound ones run faster than the mean efficiency, since only they can
    // without passing a roof. Too short: all of them wait, for launches.
    const double step = wholeCost().at(keys);
    const bool shrinks = compute + memory > step && step > memory;
    const double scale = shrinks ? (step - memory) / compute : step / (compute + memory);
    for (std::size_t i = 0; i < operators.size(); ++i)
        if (!shrinks || out[i].bound == Bound::Compute)
            out[i].seconds *= scale;
    timeCollectives(out);
}

std::span<const KindParameter> PeakShareModel::parameters() const {
    static const std::array<KindParameter, 2> table{{
        {{"compute_efficiency", "Share of compute peak", "", 1, 1e-4, 1, false, true,
          "Share of the compute peak that a step reaches."}},
        {{"memory_efficiency", "Share of memory peak", "", 1, 1e-4, 1, false, true,
          "Share of the memory bandwidth that a step reaches."}},
    }};
    return table;
}

namespace {

class RooflineModel final : public PeakShareModel {
public:
    RooflineModel()
        : PeakShareModel("roofline", "Roofline",
                         "The whole step against the compute peak and the memory bandwidth, whichever takes "
                         "longer.") {}
    void time(TimingRoom& room, const OperatorGraph& graph, const Machine& machine,
              Phase phase) const override {
        room.emplace<RooflineTiming>(graph, machine, phase);
    }
};

} // namespace

const TimingModel& rooflineModel() {
    static const RooflineModel model;
    return model;
}

} // namespace heteroscape::engine

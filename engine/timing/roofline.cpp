// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/timing/roofline.h"

namespace heteroscape::engine {

StepCost rooflineCost(const OperatorGraph& graph, const Machine& machine, Phase phase) {
    StepCost cost;
    cost.add(Bound::Compute, graph.flops() * (1.0 / (machine.peakFlops * machine.computeEfficiency(phase))));
    cost.add(Bound::Memory,
             machine.bytes(graph) * (1.0 / (machine.peakBandwidth * machine.memoryEfficiency(phase))));
    return cost;
}

} // namespace heteroscape::engine

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/timing/launch_floor.h"

#include "engine/timing/roofline.h"

namespace heteroscape::engine {

StepCost launchFloorCost(const OperatorGraph& graph, const Machine& machine, Phase phase) {
    auto cost = rooflineCost(graph, machine, phase);
    cost.add(Bound::LaunchFloor, {machine.runtime->launchFloor.value, 0});
    return cost;
}

} // namespace heteroscape::engine

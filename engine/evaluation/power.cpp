// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluation/power.h"

#include <algorithm>

namespace heteroscape::engine {

double meanPower(const Scenario& scenario, std::span<const BusyShares> busy) {
    double power = 0.0;
    for (std::size_t i = 0; i < scenario.nodes.size(); ++i) {
        const auto& device = scenario.nodes[i].device;
        const double idle = std::max(0.0, 1.0 - busy[i].prefill - busy[i].decode);
        double each = 0.0;
        if (busy[i].prefill > 0.0)
            each += busy[i].prefill * powerInPrefill(device);
        if (busy[i].decode > 0.0)
            each += busy[i].decode * powerInDecode(device);
        if (idle > 1e-12 && !(isFabric(device.kind) && !device.powerIdle.isSet()))
            each += idle * device.powerIdle.value; // unset makes the sum unknown, never smaller
        power += scenario.nodes[i].count.value * each;
    }
    return power;
}

} // namespace heteroscape::engine

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/scenario/scenario.h"

#include <string>
#include <vector>

namespace heteroscape::widgets {

/// An axis as typed: parseAxis(scenario, path + "=" + values).
struct AxisText {
    std::string path;
    std::string values;
    bool operator==(const AxisText&) const = default;
};

/// What one would sweep first: how many devices decode, and the ratio of load merging where it is on.
std::vector<AxisText> defaultAxes(const engine::Scenario& scenario);

/// Values to start from when a parameter is chosen: half, the present one and twice, within its range.
std::string startingValues(const engine::Scenario& scenario, const std::string& path);

} // namespace heteroscape::widgets

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/shared.h"
#include "engine/catalog/catalog.h"
#include "engine/scenario/scenario.h"

#include <string>
#include <vector>

namespace heteroscape::widgets {

/// What stands for every layout that divides a node's devices, on the axis of its layout.
inline constexpr const char* kValidLayouts = "valid";

/// An axis as typed: parseAxis(scenario, path + "=" + values).
struct AxisText {
    std::string path;
    std::string values;
    bool operator==(const AxisText&) const = default;
};

class Document;

/// The open design as studies and searches of it begin: without what is kept with it.
engine::Shared<engine::Scenario> baseOfStudies(const Document& document);

/// What one would sweep first: how many devices decode, the ratio of load merging where it is on, and L2
/// prefetch off and on where it can act.
std::vector<AxisText> defaultAxes(const engine::Scenario& scenario);

/// Values to start from when a parameter is chosen: of a number half, the present one and twice, within its
/// range; of a switch both; of a choice the present one. Request rates lie around what the closed form
/// serves, limits around its times. Throws Error for an unknown path.
std::string startingValues(const engine::Scenario& scenario, const engine::Catalog& catalog,
                           const std::string& path);

} // namespace heteroscape::widgets

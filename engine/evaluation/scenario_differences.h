// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/scenario/scenario.h"

#include <span>
#include <string>
#include <vector>

namespace heteroscape::engine {

enum class PropertyGroup { System, Links, Model, Workload, Requests, Techniques, Runtimes, Cost };
std::string_view propertyGroupLabel(PropertyGroup group); ///< "System", "Links", ...

/// One property of several designs side by side.
struct PropertyComparison {
    PropertyGroup group = PropertyGroup::System;
    std::string
        subject; ///< the node, link or technique it belongs to: "A100 80GB", "Load merging"; may be empty
    std::string label; ///< "Memory bandwidth"
    std::string unit;  ///< as shown: "GB/s"; empty for names and counts
    std::vector<std::string>
        values; ///< one a design, exact, in that unit; empty where it is not set or not there
    bool differs = false;
};

/// Every property on which an evaluation depends, of all designs side by side, by group, in the order in
/// which the first design has them. Nodes are matched by id where they are of one kind of device, then by
/// device and role, then by kind and role; links by what they join. What a design does not have stands with
/// one row that says so, not with a row for each of its quantities. Any thread.
std::vector<PropertyComparison> compareProperties(std::span<const Scenario> designs);

} // namespace heteroscape::engine

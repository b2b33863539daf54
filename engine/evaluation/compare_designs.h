// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/catalog.h"
#include "engine/evaluation/metric.h"
#include "engine/scenario/runtime_choice.h"

#include "engine/scenario/scenario.h"
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace heteroscape::engine {

/// A metric of several designs: as each stands, and by what all of them can rest on alike.
struct ComparedMetric {
    Metric metric = Metric::Throughput;
    std::vector<double> own;   ///< SI; NaN where a design cannot run, or has none
    std::vector<double> alike; ///< empty where the designs rest on the same as they stand

    /// The figures that are held against each other.
    const std::vector<double>& held() const { return alike.empty() ? own : alike; }
};

/// Designs beside each other. Two that rest on unlike evidence are compared by the rule of their classes on
/// both sides, whose common errors cancel, or where that cannot be at their peaks on both. Source:
/// silicon_more.md, section A3, "Two devices beside each other".
struct ComparedDesigns {
    std::vector<Truth> truths;  ///< of each as it stands
    std::optional<Truth> alike; ///< what they are compared by, where that is not what they stand on
    bool unlike = false;        ///< they rest on unlike evidence, and nothing makes them alike
    std::vector<ComparedMetric> metrics;

    bool saysNothing(const ComparedMetric& metric, std::size_t design) const; ///< of its ratio, see below
};

/// Whether a ratio of a metric that hangs on speed says nothing, of designs that rest on `truth` both: by the
/// rule 142 pairs of devices were off by 21 % in the median and 80 % of them by less than 45 %, so inside 1.5
/// there is no result.
bool isNoResult(Truth truth, Metric metric, double ratio);

ComparedDesigns compareDesigns(std::span<const Scenario> designs, const Catalog& catalog);

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

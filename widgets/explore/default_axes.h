// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/shared.h"
#include "engine/catalog/catalog.h"
#include "engine/catalog/field.h"
#include "engine/scenario/parameters.h"
#include "engine/scenario/scenario.h"
#include "engine/study/study.h"

#include <QString>
#include <string>
#include <vector>

namespace heteroscape::widgets {

/// "Alveo U280: Count", "Prefetch ratio M": a parameter with the part of the design that it belongs to.
QString parameterName(const engine::Scenario& scenario, const std::string& path,
                      const engine::FieldSpec& spec);

/// Ways to spread the values of a numeric axis.
enum class ValueForm { HalfSameTwice, PowersOfTwo, Range, LogSteps };

/// An axis' values in such a form around `now`, within the parameter's range, all in the shown unit:
/// "16,32,64", "8:128:*2", "20:60:5", "3:300:log7". A `now` that is not set (NaN) or 0 is taken as the
/// smallest allowed value above 0, or 1. Empty when the range leaves fewer than two values.
std::string valueForm(ValueForm form, const engine::FieldSpec& spec, double now);

/// A number as so many significant digits have it.
double rounded(double value, int digits);

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

/// An axis as one would type it: "8:128:*2", "1:16,24:200:8", "1:1000:log7", "llama3-8b,llama3-70b". Read
/// again it is the same axis.
AxisText axisText(const engine::Axis& axis);

} // namespace heteroscape::widgets

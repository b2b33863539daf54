// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/catalog.h"
#include "engine/scenario/scenario.h"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace heteroscape::engine {

// A parameter path names one property of a scenario:
//   workload.batch                          model.layers
//   nodes.<id>.count                        nodes.<id>.device.memory_bandwidth_gbps
//   nodes.<id>.runtime.weight_bits          nodes.<id>.timing.<phase>.launch_floor_ms
//   nodes.<id>.offload.host_memory_share    links.<id>.bandwidth_gbps
//   techniques.load_merging.ratio           techniques.load_merging.enabled    (boolean)
//   serving.rate_req_s                      serving.arrivals                   (choice)
//   nodes.<id>.role                                                            (choice)
//   nodes.<id>.layout                       (choice of words; replicas, dp and ep together; layered models)
//   nodes.<id>.workers                      (choice of whole numbers; count and replicas together)
//   system   model   draft_model   workload   nodes.<id>.device   nodes.<id>.runtime   nodes.<id>.server
//   links.<id>.type
//   (choice of the catalogue)

inline constexpr std::string_view kNoDraft = "none";  ///< the choice of no draft model
inline constexpr std::string_view kNoServer = "none"; ///< the choice of no server

enum class ParameterKind { Number, Boolean, Choice };

/// A property that can be read, set, swept or shown.
struct Parameter {
    std::string path;
    ParameterKind kind = ParameterKind::Number;
    FieldSpec spec{};                 ///< numbers: unit, range; others: key and label only
    std::vector<std::string> choices; ///< choices only
};

/// Finds the quantity of a numeric path in any scenario with the same node and link ids.
/// Resolved once per study, then called per point without search or allocation.
using QuantityAccess = std::function<Quantity&(Scenario&)>;

/// A numeric path resolved. Throws Error (NotFound) naming the path, and the keys allowed at the step that
/// failed.
struct ResolvedQuantity {
    FieldSpec spec;
    QuantityAccess access;

    /// The quantity in a scenario that is only read.
    const Quantity& in(const Scenario& scenario) const;
};
ResolvedQuantity resolveQuantity(const Scenario& scenario, const std::string& path);

/// The unit of a number by the last step of its path, whatever the design; empty: none, or not known.
std::string_view parameterUnit(std::string_view path);

/// What is known of each choice, by the last step of its path; kinds of a choice say the rest.
std::span<const FieldSpec> choiceSpecs();

/// Paths of axes of points that are designs of their own, made by what the base keeps: its frontier.
/// "points.design" puts a point's design in place; the others say what it is and change nothing.
inline bool isPointPath(std::string_view path) {
    return path.starts_with("points.");
}
inline constexpr const char* kPointDesign = "points.design";
inline constexpr const char* kPointLayout = "points.layout";

/// Every parameter of the scenario, in the scenario's order; choices from the catalogue.
std::vector<Parameter> listParameters(const Scenario& scenario, const Catalog& catalog);

/// One parameter by its path, or Error as above.
Parameter findParameter(const Scenario& scenario, const Catalog& catalog, const std::string& path);

/// A property as people know it, by the name of what has it and its label: "Alveo U280 count", "Alveo U280 KV
/// cache", "NVLink 4 PCIe lanes".
std::string propertyOf(const std::string& owner, std::string_view label);

/// The value as text, in the shown unit ("1935", "true", "prefill", "a100-80gb"); empty when not set.
std::string parameterText(const Scenario& scenario, const Parameter& parameter);
/// The same by its path; nothing where the scenario has no such parameter.
std::optional<std::string> textAt(const Scenario& scenario, const Catalog& catalog, const std::string& path);

} // namespace heteroscape::engine

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/evaluation/evaluation.h"

#include <optional>
#include <string>
#include <vector>

namespace heteroscape::engine {

/// How a figure came about: its formula, its terms, and at the leaves constants with their sources.
struct Explanation {
    std::string name;      ///< "Throughput"
    double value = kUnset; ///< in the shown unit
    std::string unit;
    std::string formula; ///< "r D"; empty at a leaf
    std::string source;  ///< leaves: "GLITCHES Table II (paper)"
    std::vector<Explanation> terms;
    std::optional<Provenance> provenance{}; ///< leaves: of the constant, where it is set
};

/// Explains a system metric (by key). Throws Error (NotFound) naming what is allowed.
Explanation explain(const Scenario& scenario, const std::string& metricKey);

/// The same as indented lines.
std::string explanationText(const Explanation& explanation);

} // namespace heteroscape::engine

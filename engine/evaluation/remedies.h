// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/catalog.h"
#include "engine/evaluation/evaluation.h"
#include "engine/scenario/diagnostics.h"
#include "engine/scenario/edit.h"

#include <string>
#include <vector>

namespace heteroscape::engine {

/// An edit that takes a problem away, named by a verb and its quantities: "Use 3 cards".
struct Remedy {
    std::string label;
    GraphEdit edit;
};

inline constexpr std::size_t kMostRemedies = 3;

/// What helps against a finding of validate(scenario), at most kMostRemedies, those that make the design run
/// first. Every one was tried: with it the finding is gone and no error is new. Pure and thread-safe; costs
/// an evaluation for each of a few candidates.
std::vector<Remedy> remedies(const Scenario& scenario, const Catalog& catalog, const Diagnostic& finding);

/// The same against what does not fit in memory at a node of the scenario by its `evaluation`; at shortNode
/// when none is named. Nothing when everything fits there.
std::vector<Remedy> remediesForShortfall(const Scenario& scenario, const Catalog& catalog,
                                         const Evaluation& evaluation, const NodeId& node = {});

} // namespace heteroscape::engine

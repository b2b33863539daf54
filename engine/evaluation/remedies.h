// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/catalog.h"
#include "engine/evaluation/evaluation.h"
#include "engine/scenario/diagnostics.h"
#include "engine/scenario/edit.h"

#include <optional>
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

// What might help, likeliest first; nothing here is tried yet. See remedies.h.

/// Against a finding, by its code; where it says that a technique changes nothing, by its subject.
std::vector<Remedy> candidatesAgainst(const Scenario& scenario, const Catalog& catalog,
                                      const Diagnostic& finding);

/// Linking a node to the nearest ones of these kinds, or to a new one of the catalogue; over the fastest link
/// first.
std::vector<Remedy> linksTo(const Scenario& scenario, const Catalog& catalog, const Node& node,
                            std::initializer_list<DeviceKind> kinds);
/// Against findings of missing links, by code; empty for other findings.
std::vector<Remedy> linkCandidates(const Scenario& scenario, const Catalog& catalog, const Node& node,
                                   const std::string& code);

/// The fastest link that both nodes have a port for; nothing when they are linked already or have none.
std::optional<AddLink> usualLink(const Scenario& scenario, const Catalog& catalog, const Node& a,
                                 const Node& b);

/// Other layouts of a model over the devices that share a replica of it on a node, the nearest to the
/// present one first.
std::vector<Remedy> otherLayouts(const Scenario& scenario, const Node& node);

/// Running something else on a node; its label names the runtime.
Remedy runtimeRemedy(const Catalog& catalog, const Node& node, const RuntimeEntry& runtime);

} // namespace heteroscape::engine

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/evaluation/remedies.h"

#include <optional>

namespace heteroscape::engine {

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

/// Other layouts of a model over the devices that share a copy of it on a node, the nearest to the
/// present one first.
std::vector<Remedy> otherLayouts(const Scenario& scenario, const Node& node);

/// Running something else on a node; its label names the runtime.
Remedy runtimeRemedy(const Catalog& catalog, const Node& node, const RuntimeEntry& runtime);

} // namespace heteroscape::engine

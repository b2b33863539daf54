// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/document/document.h"

#include <QString>

#include <string_view>
#include <vector>

namespace heteroscape::widgets {

// What parts of the palette and the menus of a card change in a design, as edits and in words; nothing here
// changes anything by itself.

/// "Load merging"; "technique" is the id of one of techniqueKinds().
QString techniqueLabel(std::string_view technique);
bool isTechniqueOn(const engine::Scenario& scenario, std::string_view technique);
/// "Switch on Load merging", "Split prefill and decode".
QString switchWords(std::string_view technique, bool on);

/// Switches a technique, with what it changes along with itself: the split of prefill and decode gives the
/// accelerators their usual roles where none has one yet.
engine::EditList techniqueEdit(const engine::Scenario& scenario, std::string_view technique, bool on);

/// One replica over all devices of a node, or one on each.
engine::EditList layoutEdit(const engine::NodeId& node, bool shared);

/// The roles that all these nodes can be given, in the order of rolesOf().
std::vector<engine::Role> commonRoles(const engine::Scenario& scenario,
                                      const std::vector<engine::NodeId>& nodes);
/// "prefill and decode", "carries data only", "attention near storage".
QString roleWords(engine::Role role, bool computes = false); ///< computes: of an accelerator
engine::EditList roleEdit(const engine::Scenario& scenario, const std::vector<engine::NodeId>& nodes,
                          engine::Role role);
/// Why the role that is set has no effect now, in one line; empty when it has.
QString roleWithoutEffect(const engine::Scenario& scenario, const engine::Node& node);

/// The kinds of link that the ends of all these links can use, fastest first; nothing when an end is gone.
std::vector<const engine::LinkType*> linkKinds(const Document& document,
                                               const std::vector<engine::LinkId>& links);
/// "PCIe 4.0 x16   24 GB/s".
QString linkKindText(const engine::LinkType& type);
engine::EditList linkKindEdit(const engine::Scenario& scenario, const std::vector<engine::LinkId>& links,
                              const engine::LinkType& type);
/// The catalogue's kind of that link when its quantities were edited; null when they are those of the kind.
const engine::LinkType* editedFrom(const Document& document, const engine::Link& link);

} // namespace heteroscape::widgets

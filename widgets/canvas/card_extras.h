// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/canvas/node_summary.h"

#include <vector>

namespace heteroscape::widgets {

/// Techniques in as few words as fit a chip, with the parameter that tells most: "Merge M=4".
std::vector<TechniqueChip> techniqueChips(const engine::Scenario& scenario,
                                          const std::vector<const engine::Technique*>& kinds);

/// What a node that does not compute is there for: "Switch", "Storage, computes".
QString fabricWord(const engine::Device& device);

/// Puts the gravest problem of the document's node into the words of its card, unless they say another one
/// already, and notes beside them. UI thread.
void addProblems(NodeCard& card, const DesignIndex& index, const engine::Node& node);

} // namespace heteroscape::widgets

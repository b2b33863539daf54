// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/scenario/edit.h"

namespace heteroscape::engine {

/// A list of edits as the one human action that it is, for describe(): "Move 3 nodes", "Remove A100 80GB",
/// "Link U280 to 2 nodes", "Set count of 3 nodes to 4". English.
std::string describeList(const Scenario& before, const EditList& list);

} // namespace heteroscape::engine

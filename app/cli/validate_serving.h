// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/json.h"
#include "engine/validation/validation.h"

#include <string>
#include <vector>

namespace heteroscape::cli {

/// Whether --by names keys of served rows; empty: the default ones.
bool areServingKeys(const std::vector<std::string>& keys);

/// The rows of tables of servers beside what the simulation gives for them: ms.
engine::Json servingJson(const std::vector<std::string>& files, const std::vector<std::string>& keys);
/// The same as tables on stdout.
void printServing(const std::vector<std::string>& files, const std::vector<std::string>& keys);

/// Writes the design of the row with this id to `out`; false where no file has it.
bool writeServedDesign(const std::vector<std::string>& files, const std::string& id, const std::string& out);

/// Errors of a group, per cent: as JSON, and as three cells of a table.
engine::Json errorsJson(const engine::ValidationGroup& errors);
void addErrors(std::vector<std::string>& cells, const engine::ValidationGroup& errors);
std::string percentOf(double value); ///< with one decimal

} // namespace heteroscape::cli

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/catalog.h"
#include "engine/scenario/scenario.h"

#include <functional>
#include <string>
#include <vector>

namespace heteroscape::cli {

/// Takes a line that people should know beside the answer: "note: ...", "warning: ...".
using Tell = std::function<void(const std::string& line)>;

/// The catalogue of this installation with the user's own parts, read at the first call. Files of the user's
/// that could not be read are told then, one line each.
const engine::Catalog& userCatalog(const Tell& tell);

/// A preset by its id, or a design by the path of its file. Throws Error naming what there is.
engine::Scenario openDesign(const engine::Catalog& catalog, const std::string& presetOrFile);

/// Puts a value, as setEdit() takes it, at a path.
void putSetting(engine::Scenario& scenario, const engine::Catalog& catalog, const std::string& path,
                const std::string& value, const Tell& tell);

/// Puts "path=value" settings into a scenario, in order; before them the model of a file, unless that is
/// empty. Throws Error naming the setting.
void putSettings(engine::Scenario& scenario, const engine::Catalog& catalog,
                 const std::vector<std::string>& settings, const std::string& modelFile, const Tell& tell);

/// Refuses a scenario with validation errors: throws Error naming the first. Tells of warnings and notes.
void requireValid(const engine::Scenario& scenario, const Tell& tell);

} // namespace heteroscape::cli

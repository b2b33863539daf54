// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/designs.h"
#include "app/documents/number.h"
#include "engine/base/json.h"
#include "engine/catalog/catalog.h"
#include "engine/scenario/scenario.h"
#include "engine/study/study.h"

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace heteroscape::cli {

/// The catalogue of this installation with the user's own parts, read at the first call.
const engine::Catalog& catalog();

/// The option --model FILE: a config.json or model entry to serve instead of the design's model.
void addModelOption(CLI::App& command, std::string& file);

/// A scenario from a preset id or the path of a .hscape file, with the model of `modelFile` unless that is
/// empty, and "path=value" settings applied in order.
engine::Scenario scenarioFrom(const std::string& presetOrFile, const std::vector<std::string>& settings,
                              const std::string& modelFile = {});

/// Puts "path=value" settings and a model file into a scenario.
void applySettings(engine::Scenario& scenario, const std::vector<std::string>& settings,
                   const std::string& modelFile);

/// Says on stderr which settings, and which axes of up to a hundred values (of simulated requests: settings
/// alone), change no figure of a study, and what decides instead: at neither end of all (other) axes. Of a
/// study without axes that is the design. `design`: what the settings are put into.
void sayIdle(const engine::Study& study, const std::string& design, const std::vector<std::string>& settings,
             const std::string& modelFile);

/// Refuses a scenario with validation errors: throws Error naming the first. Prints warnings and notes on
/// stderr.
void requireValid(const engine::Scenario& scenario);

/// A note or a warning on stderr.
void tell(const std::string& line);

/// One JSON document on stdout. Numbers that are not finite become null.
void printJson(const engine::Json& json);

/// "12.3".
std::string percentText(double percent);

} // namespace heteroscape::cli

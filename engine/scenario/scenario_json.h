// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/catalog.h"
#include "engine/scenario/scenario.h"

#include <string>

namespace heteroscape::engine {

/// Format of .hscape files and of presets/papers/*/*.json. A model, workload, device, runtime or link type is
/// either an id of the catalogue or a full object; files that the program writes hold full objects, so a
/// design opens anywhere. A key that a design may do without needs no version of its own: without it the file
/// is the same as before, and a program that does not know the key says so. Any other change raises this
/// number, and readScenario() first brings the JSON of older files up to date: one pure function a step.
inline constexpr int kScenarioFormatVersion = 1;

/// Strict; throws Error naming the key (`where.nodes[1].count`) and what is allowed.
Scenario readScenario(const Json& json, const Catalog& catalog, const std::string& where);
Json writeScenario(const Scenario& scenario);

/// The members "nodes" and, when there, "links" of an object: the links end at nodes of the same list.
/// Strict like readScenario().
void readSystem(Scenario& scenario, JsonObject& object, const Catalog& catalog);
void writeSystem(Json& object, const std::vector<Node>& nodes, const std::vector<Link>& links);

/// With the trace that it names, where that may be opened (loadTrace()).
Scenario loadScenario(const std::string& path, const Catalog& catalog);
/// Replaces the file as a whole, once what is written was read again; throws Error and leaves it as it was.
void saveScenario(const Scenario& scenario, const std::string& path);

/// The folder that a design's file lies in.
std::string designFolder(const std::string& path);

/// The text of a .hscape file.
std::string scenarioText(const Scenario& scenario);

} // namespace heteroscape::engine

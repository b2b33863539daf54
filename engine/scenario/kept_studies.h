// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/json.h"
#include "engine/scenario/scenario.h"

namespace heteroscape::engine {

/// The member "searches" of a design: {"name", "found"} each, and none where there are none. What was found
/// is read by engine/search when somebody looks at it, so that a design opens whatever is wrong there. Throws
/// Error naming the key.
void readSearches(Scenario& scenario, JsonObject& object);
void writeSearches(Json& object, const std::vector<KeptSearch>& searches);

/// The member "frontier", likewise an object that engine/frontier reads; none where none is kept.
void readKeptFrontier(Scenario& scenario, JsonObject& object);
void writeKeptFrontier(Json& object, const KeptFrontier& frontier);

} // namespace heteroscape::engine

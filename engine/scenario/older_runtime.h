// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/json.h"
#include "engine/scenario/scenario.h"

#include <string>

namespace heteroscape::engine {

// Up to format 6 of designs a runtime held the quantities of all timing models and of offloading itself, as
// "decode_timing": "launch_floor", "launch_floor_ms": 24.26, "decode_memory_efficiency": 0.7,
// "offload": "storage", ...; now they are parameters of the kinds that it names. Designs, clips and studies
// of then are read through these.

bool isOlderRuntime(const Json& runtime);
/// The same runtime as it is written now. What its timing models never read is left out.
Json migratedRuntime(const Json& runtime);

/// "nodes.gpu.runtime.launch_floor_ms" as "nodes.gpu.timing.decode.launch_floor_ms": where both phases have
/// the parameter, decode's. Any other path as it is.
std::string currentPath(const Scenario& scenario, const std::string& path);

} // namespace heteroscape::engine

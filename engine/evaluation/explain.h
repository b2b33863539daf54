// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/term.h"
#include "engine/evaluation/evaluation.h"

#include <string>

namespace heteroscape::engine {

/// How a metric of the system ("throughput_tok_s") or of a node ("nodes.gpu.decode_ms") comes about:
/// the terms of what computes it, down to constants with their sources. Metrics of a simulation run it. What
/// has no value here is a leaf that says why. Throws Error (NotFound) naming what is allowed. Any thread.
Term explain(const Scenario& scenario, const std::string& metricKey);

} // namespace heteroscape::engine

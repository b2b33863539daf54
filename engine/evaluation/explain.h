// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/term.h"
#include "engine/evaluation/evaluation.h"
#include "engine/scenario/scenario.h"

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace heteroscape::engine {

/// How a metric of a node comes about ("nodes.gpu.decode_ms", see metric_path.h); nothing when it is none of
/// those that are explained.
std::optional<Term> explainNodeMetric(const Scenario& scenario, const std::string& path);

/// The paths of those that are, of all accelerators of a design.
std::vector<std::string> explainedNodeMetrics(const Scenario& scenario);

/// How a metric of the system ("throughput_tok_s") or of a node ("nodes.gpu.decode_ms") comes about:
/// the terms of what computes it, down to constants with their sources. Metrics of a simulation run it. What
/// has no value here is a leaf that says why. Throws Error (NotFound) naming what is allowed. A simulation
/// that is asked to stop explains what it came to. Any thread.
Term explain(const Scenario& scenario, const std::string& metricKey, const std::stop_token& stop = {});

} // namespace heteroscape::engine

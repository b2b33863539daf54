// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/term.h"
#include "engine/scenario/scenario.h"

#include <optional>
#include <string>
#include <vector>

namespace heteroscape::engine {

/// How a metric of a node comes about ("nodes.gpu.decode_ms", see metric_path.h); nothing when it is none of
/// those that are explained.
std::optional<Term> explainNodeMetric(const Scenario& scenario, const std::string& path);

/// The paths of those that are, of all accelerators of a design.
std::vector<std::string> explainedNodeMetrics(const Scenario& scenario);

} // namespace heteroscape::engine

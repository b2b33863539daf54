// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/phase.h"
#include "engine/evaluation/evaluation.h"
#include "engine/evaluation/explain.h"

namespace heteroscape::engine {

/// Formula and terms of a metric that only offloading designs have.
void explainOffloadMetric(const Scenario& scenario, const Evaluation& evaluation, Metric which,
                          Explanation& result);

/// What one step of a phase waits for beside the operators, where the node's runtime offloads: every chain of
/// flows with its rates and their sources.
void addOffloadTerms(const Scenario& scenario, const Node& node, Phase phase, Explanation& result);

} // namespace heteroscape::engine

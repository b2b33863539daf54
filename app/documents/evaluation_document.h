// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/json.h"
#include "engine/evaluation/breakdown.h"
#include "engine/evaluation/evaluation.h"
#include "engine/evaluation/metric_path.h"

#include <string>
#include <vector>

namespace heteroscape::cli {

/// The operators of every phase that the system really runs.
std::vector<engine::StepBreakdown> breakdowns(const engine::Scenario& scenario);

/// What a metric counts, where it has a value; else empty.
std::string noteOf(const engine::Scenario& scenario, const engine::MetricRef& ref);

/// One evaluation: metrics by their paths in shown units (null: it has none), nodes, links, what techniques
/// gain, expected errors with their bands, what it rests on; where they are asked for, the operators of each
/// phase and how metrics came about.
engine::Json evaluationJson(const engine::Scenario& scenario, const engine::Evaluation& evaluation,
                            bool operators, const std::vector<std::string>& explained);

} // namespace heteroscape::cli

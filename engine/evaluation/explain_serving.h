// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/evaluation/explain.h"

namespace heteroscape::engine {

/// Adds value, formula, terms and sources of a metric of a simulation, which is run for it. On steady
/// arrivals: says so.
void explainServingMetric(const Scenario& scenario, const Evaluation& evaluation, Metric which,
                          Explanation& result);

} // namespace heteroscape::engine

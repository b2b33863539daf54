// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/evaluation/evaluation.h"

#include <string>
#include <vector>

namespace heteroscape::engine {

/// A figure of an evaluation by name: a system metric ("throughput_tok_s") or one of a node
/// ("nodes.gpu.prefill_ms", "nodes.fpga.decode_gib").
struct MetricRef {
    std::string path;
    std::string label;
    std::string unit;
    double scale = 1.0;    ///< SI = shown value x scale
    double value = kUnset; ///< in the shown unit
};

/// All figures of an evaluation, system metrics first.
std::vector<MetricRef> listMetrics(const Scenario& scenario, const Evaluation& evaluation);

/// One of them; throws Error (NotFound) naming the path and what is allowed.
MetricRef findMetric(const Scenario& scenario, const Evaluation& evaluation, const std::string& path);

} // namespace heteroscape::engine

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/evaluation/evaluation.h"

#include <string>
#include <string_view>
#include <vector>

namespace heteroscape::engine {

/// A metric of an evaluation by name: a system metric ("throughput_tok_s"), a rate (rates.h) or one of a node
/// ("nodes.gpu.prefill_ms", "nodes.fpga.decode_gib"), or the time of one kind of operator in a step of a
/// node, all layers together ("nodes.fpga.decode.q_proj_ms", "nodes.gpu.prefill.gate_proj_ms"; keys as in
/// breakdown()).
struct MetricRef {
    std::string path;
    std::string label;
    std::string unit;
    double scale = 1.0;    ///< SI = shown value x scale
    double value = kUnset; ///< in the shown unit
};

/// The path of a metric of a node: "nodes.fpga.decode_gib".
std::string nodeMetricPath(const Node& node, std::string_view key);

/// All metrics of an evaluation but those of operators, system metrics first.
std::vector<MetricRef> listMetrics(const Scenario& scenario, const Evaluation& evaluation);

/// 1 when more of a metric is better, -1 when less (times), 0 when neither or not known; by its path.
int betterOf(std::string_view path);

/// The shown unit of a metric, by its path; empty: it has none, or it is not known without the design.
std::string_view metricUnit(std::string_view path);

/// One of them; throws Error (NotFound) naming the path and what is allowed.
MetricRef findMetric(const Scenario& scenario, const Evaluation& evaluation, const std::string& path);

} // namespace heteroscape::engine

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/evaluation/system_errors.h"
#include "engine/validation/metric_row.h"
#include "engine/validation/validation.h"

#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace heteroscape::engine {

/// A metric of somebody's server beside what the simulation of its design gives, in the metric's unit.
struct ValidatedMetric {
    std::size_t table = 0;                ///< ordinal of its table
    const MetricRow* row = nullptr;       ///< in that table
    const ServedMetric* metric = nullptr; ///< null: the program does not give it
    ServedCase served;                    ///< what its errors are told by; its kind is empty: not known
    double predicted = 0.0;               ///< where there is an answer
    std::string why;                      ///< why there is none; empty: there is

    bool answered() const { return why.empty(); }
    double errorPercent() const { return 100 * (predicted / row->measured - 1); }
};

/// What such rows can be grouped by: "source", "framework", "kind", "device", "metric", "date", ...
std::span<const std::string_view> metricKeys();
/// The value of such a key, "-" where there is none; throws Error (InvalidInput) for an unknown one.
std::string metricLabel(const ValidatedMetric& validated, std::string_view key);

/// Simulates every row's design, each once, in the order of the tables, which outlive the answer; by
/// `threads`.
std::vector<ValidatedMetric> validateMetrics(const GpuServers& servers, std::span<const MetricTable> tables,
                                             int threads, std::stop_token stop = {});

/// Errors of the answered rows with the same values of the keys, sorted by them: predicted / measured - 1.
/// Metrics that are judged apart (ServedMetric::isApart()) are in no group with others: `apart` says whose.
std::vector<ValidationGroup> groupMetrics(std::span<const ValidatedMetric> rows,
                                          std::span<const std::string> keys, bool apart = false);

} // namespace heteroscape::engine

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <limits>
#include <string>

namespace heteroscape::engine {

/// What is kept of a study: points whose value in a column lies within bounds, both ends included, in the
/// shown unit. A point without a value there is not kept.
struct Limit {
    std::string column; ///< a metric's key, an axis path, "feasible" or kTruthColumn
    double least = -std::numeric_limits<double>::infinity();
    double most = std::numeric_limits<double>::infinity();

    bool holds(double value) const { return value >= least && value <= most; } ///< false for NaN
    bool operator==(const Limit&) const = default;
};

/// Parses "ttft_s<=1", "tpot_s=0.01:0.05", "feasible" (what fits and runs) and "measured" (measuredLimit()).
/// The column must be a metric, "feasible", kTruthColumn, or contain a dot (an axis or a node's metric).
/// Throws Error naming the text and what is allowed.
Limit parseLimit(const std::string& text);

/// The same back: "ttft_s<=1".
std::string limitText(const Limit& limit);

} // namespace heteroscape::engine

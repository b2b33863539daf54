// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/error.h"
#include "engine/servers/served_plan.h"

#include <cstddef>
#include <istream>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace heteroscape::engine {

/// What a server gives that somebody measured.
struct ServedMetric {
    std::string_view key;      ///< "tpot_ms"
    std::string_view unit;     ///< "ms"
    std::string_view quantity; ///< "prompts", "tokens", "rates", "power", "energy"
    double (*of)(const ServedResult& result, double users); ///< in `unit`; not finite: there is none

    bool isTime() const { return unit == "ms"; }
    bool isRate() const { return unit == "tok/s"; } ///< more is faster
    /// Judged apart: of electricity, not of time.
    bool isApart() const { return !isTime() && !isRate(); }
};
std::span<const ServedMetric> servedMetrics();

/// One metric of somebody's server, as a public document has it. Columns: `device` x `count` serve `model` (a
/// preset's id) with `weight_format`, `kv_format`, `layout` ("tp4 ep4"), `framework`; prompts of `isl` and
/// answers of `osl` tokens; `concurrency_or_batch`: "users N" in a closed loop, "backlog N" or "batch N"
/// requests at once; `metric`, `measured`; also `source`, `date`, `unit`, and any others.
struct MetricRow {
    std::size_t line = 0; ///< of the file, from 1
    std::string source, date, device, model, weightFormat, kvFormat, layout, framework, load, metric, unit;
    double count = 0, isl = 0, osl = 0, measured = 0;
    std::optional<Error> fault; ///< why it cannot be read, with its place; none: it can

    /// What is the same of rows of one server under one load.
    std::string served() const;
};

/// Whether a header names this form.
bool isMetricHeader(const std::vector<std::string>& header);

struct MetricTable {
    std::string name; ///< the file
    std::vector<MetricRow> rows;
};

/// Reads such a CSV; columns may stand in any order. A row that cannot be read says why in `fault`. Throws
/// Error (InvalidInput) naming file and line for what is no such table.
MetricTable parseMetrics(std::istream& in, const std::string& name);
MetricTable readMetrics(const std::string& path);

/// Whether a file is one of these: by its header. Throws Error as reading does.
bool isMetricFile(const std::string& path);

/// The metric of a row; throws Error for one that the program does not give, or in another unit.
const ServedMetric& servedMetric(const MetricRow& row);

/// The server that a row was measured on, with the defaults of its software where the row says nothing.
/// Throws Error that says why there is none: a device, model, format, layout or software that is not known.
ServedPlan servedPlan(const GpuServers& servers, const MetricRow& row);

} // namespace heteroscape::engine

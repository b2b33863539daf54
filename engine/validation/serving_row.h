// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/error.h"
#include "engine/servers/served_plan.h"

#include <cstddef>
#include <istream>
#include <optional>
#include <string>
#include <vector>

namespace heteroscape::engine {

/// A published measurement of a server: means of time to first token and time per output token under a closed
/// loop of users. Columns of presets/measured/serving/serving.csv.
struct ServingRow {
    std::size_t line = 0; ///< of the file, from 1
    std::string id, model, modelPath, system, backend, version, precision, denseFormat, expertFormat, mode,
        lengths, date;
    double isl = 0, osl = 0, users = 0;                ///< 0: not told
    double ratio = 0.8;                                ///< of uniform lengths
    double tp = 0, dp = 1, expertTp = 0, expertEp = 1; ///< 0: not told
    struct Workers {
        double count = 0, tp = 1, dp = 1, ep = 1; ///< count 0: not told
    };
    Workers prefill, decode;
    double decodeSlots = 0; ///< requests a decode rank works on; 0: not told
    bool speculates = false, contradicts = false, impossible = false;
    double ttftMs = 0, tpotMs = 0; ///< measured; 0: not told
    std::optional<Error> fault;    ///< why it cannot be read, with its place; none: it can

    bool isApart() const { return mode == "disagg"; }
    bool hasFixedLengths() const { return lengths == "fixed"; }
    /// "dsr1 h200_sxm trtllm disagg", with "(fixed)" or "(speculating)" behind it.
    std::string group() const;
};

/// Whether a header names this form.
bool isServingHeader(const std::vector<std::string>& header);

struct ServingTable {
    std::string name; ///< the file
    std::vector<ServingRow> rows;
};

/// Reads such a CSV; columns may stand in any order, others are passed over, cells may be empty but those of
/// `id`. A row that cannot be read says why in `fault`, with line and column; the others are not lost by it.
/// Throws Error (InvalidInput) naming file and line for what is no such table.
ServingTable parseServing(std::istream& in, const std::string& name);
ServingTable readServing(const std::string& path);

/// The shipped tables: <presets>/measured/serving/*.csv.
std::vector<std::string> shippedServing(const std::string& presetsFolder);

/// Whether a file is one of these: by its header. Throws Error as reading does.
bool isServingFile(const std::string& path);

/// The server that a row was measured on, with its settings. Throws Error that says why there is none: a
/// model, device or server that is not known, a label that cannot be, no workers told.
ServedPlan servedPlan(const GpuServers& servers, const ServingRow& row);

} // namespace heteroscape::engine

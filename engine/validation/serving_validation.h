// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/evaluation/system_errors.h"
#include "engine/validation/serving_row.h"
#include "engine/validation/validation.h"

#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace heteroscape::engine {

/// A published measurement of a server beside what the simulation gives for it, ms.
struct ValidatedServing {
    std::size_t table = 0;           ///< ordinal of its table
    const ServingRow* row = nullptr; ///< in that table
    double ttftMs = 0.0,
           tpotMs = 0.0; ///< where there is an answer; a time per output token of 0: there is none
    ServedCase served;   ///< what its errors are told by; its kind is empty: not known
    std::string why;     ///< why there is none; empty: there is

    bool answered() const { return why.empty(); }
    bool hasTtft() const { return answered() && row->ttftMs > 0; }
    bool hasTpot() const { return answered() && row->tpotMs > 0 && tpotMs > 0; }
};

/// What served rows can be grouped by: "group", "set", "model", "device", "framework", ...
std::span<const std::string_view> servingKeys();
/// The value of such a key; throws Error (InvalidInput) for an unknown one.
std::string servingLabel(const ValidatedServing& validated, std::string_view key);

/// Errors of the answered rows with the same values of the keys. A row that contradicts itself, as its table
/// marks it, is in no error.
struct ServingGroup {
    std::vector<std::string> labels; ///< in the order of the keys
    ValidationGroup tpot, ttft;      ///< without labels; rows 0: nothing measured
};

/// Simulates every row, in the order of the tables, which outlive the answer; by `threads`.
std::vector<ValidatedServing> validateServing(const GpuServers& servers, std::span<const ServingTable> tables,
                                              int threads, std::stop_token stop = {});

std::vector<ServingGroup> groupServing(std::span<const ValidatedServing> rows,
                                       std::span<const std::string> keys);

/// The groups ("group") of at least 10 rows that are furthest off in the median, worst first; at most so
/// many.
struct WorstServing {
    struct Group {
        std::vector<std::string> labels;
        ValidationGroup errors;
    };
    std::vector<Group> tpot, ttft;
};
WorstServing worstServing(std::span<const ValidatedServing> rows, std::size_t most);

} // namespace heteroscape::engine

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

/// A published run of a design's model on its GPUs, with prefill apart or not as there.
struct NearServing {
    std::size_t table = 0;           ///< ordinal of its table
    const ServingRow* row = nullptr; ///< in that table
    double apart = 0.0;              ///< |ln| of the ratios of users, devices, prompts and outputs, added up;
                                     ///< 1 for other software, 0.7 for other bits of a weight (our choice,
                                     ///< fitted to nothing); users that are not known count nothing
    std::vector<std::string> differs; ///< "64 users, here 128"; empty: alike
};
/// The nearest first, at most so many; none whose users or lengths are more than eight times those here or
/// less than an eighth, that speculates where the design does not, or that contradicts itself. None for a
/// design whose accelerators have no server. The tables outlive the answer.
std::vector<NearServing> nearServing(const Scenario& design, const GpuServers& servers,
                                     std::span<const ServingTable> tables, std::size_t most);
/// What the simulation gives for one row.
ValidatedServing validateServing(const GpuServers& servers, const ServingRow& row, std::stop_token stop = {});
/// "H200, vLLM, 64 users, 1024 in, 1024 out: 19.4 ms a token measured, 20.1 by the model". Both of each time
/// that was measured and has an answer; why where there is none.
std::string nearText(const GpuServers& servers, const ValidatedServing& validated);

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

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/model.h"
#include "engine/evaluation/system_errors.h"
#include "engine/timing/kernels/kernel_catalog.h"
#include "engine/validation/measured_table.h"

#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace heteroscape::engine {

/// A measured row beside what the models give for it.
struct ValidatedRow {
    std::size_t table = 0;            ///< ordinal of its table
    const MeasuredRow* row = nullptr; ///< in that table
    double measuredUs = 0.0;
    double predictedUs = 0.0; ///< where there is an answer
    double rooflineUs = 0.0;  ///< there too: what a plain roofline gives (rooflineUs())
    KernelBound bound = KernelBound::Launch;
    std::string why; ///< why there is none; empty: there is

    bool answered() const { return why.empty(); }
    double error() const { return predictedUs / measuredUs - 1.0; }
    double rooflineError() const { return rooflineUs / measuredUs - 1.0; }
};

/// What rows can be grouped by: "op", "device", "framework", "precision", "kernel", "bound", ...
std::span<const std::string_view> validationKeys();

/// The value of such a key; "-" where a row has none. A row of experts has the first word of its kernel as
/// framework and its format as precision.
std::string validationLabel(const ValidatedRow& row, std::string_view key);

/// Errors of the rows with the same values of the keys: |predicted / measured - 1|, quantiles interpolated
/// linearly between ranks.
struct ValidationGroup {
    std::vector<std::string> labels; ///< in the order of the keys
    std::size_t rows = 0;
    double medianPercent = 0.0;
    double p90Percent = 0.0;
    double biasPercent = 0.0;     ///< median of predicted / measured - 1
    double rooflinePercent = 0.0; ///< the median of a plain roofline's errors
    double inHalfPercent = 0.0;   ///< of systems: rows within the band that says half of them
    double inMostPercent = 0.0;   ///< and within the one that says 80 %
};

/// Linear between the ranks of sorted values, of which there is one at least; share in 0..1.
double quantile(std::span<const double> sorted, double share);

/// Counts measured values that lie within the bands of their predictions.
struct BandCount {
    double rows = 0.0, half = 0.0, most = 0.0;

    void add(const SystemError& band, double predicted, double measured);
    ValidationGroup into(ValidationGroup group) const;
};

/// Of errors in per cent: a group without labels.
ValidationGroup errorsOf(std::vector<double> errors);

/// Asks the models for one row, which outlives the answer; `table`: the ordinal that it is given.
ValidatedRow validateRow(const KernelCatalog& catalog, const MeasuredRow& row, std::size_t table = 0);

/// Asks the models for every row, in the order of the tables, which outlive the answer. Asked to stop, the
/// answer means nothing.
std::vector<ValidatedRow> validateKernels(const KernelCatalog& catalog, std::span<const MeasuredTable> tables,
                                          const std::stop_token& stop = {});

/// Groups of the answered rows, sorted by their labels. Throws Error (InvalidInput) for an unknown key.
std::vector<ValidationGroup> groupErrors(std::span<const ValidatedRow> rows,
                                         std::span<const std::string> keys);

} // namespace heteroscape::engine

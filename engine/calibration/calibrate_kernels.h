// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/calibration/fitted_constants.h"
#include "engine/catalog/catalog.h"
#include "engine/catalog/kernel_constants.h"
#include "engine/validation/measured_table.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace heteroscape::engine {

/// A measured row before and after.
struct CalibratedRow {
    std::size_t table = 0;
    const MeasuredRow* row = nullptr;
    double measuredUs = 0.0, beforeUs = 0.0, afterUs = 0.0;
    bool heldOut = false;
};

/// A fit on its way: a point that was taken.
struct CalibrationStep {
    std::size_t entry = 0;                 ///< in the order of Calibration::entries
    double cost = 0.0;                     ///< sum of losses
    std::span<const CalibratedRow> rows{}; ///< of the entry, as they are at this point
};

struct CalibrationOptions {
    std::vector<std::string> constants; ///< as chooseConstants() has them; empty: the usual ones
    std::vector<ConstantBounds> bounds;
    RobustLoss loss;
    double heldOutShare = 0.25; ///< of an entry's rows, in 0..0.9; none of entries with fewer than 8
    std::uint64_t seed = 1;     ///< of what is held out, and of other starts
    int starts = 3;
    std::stop_token stop;
    /// Told of every point that a fit takes, on the threads of the fits: several at once.
    std::function<void(const CalibrationStep& step)> onStep;
};

/// Rows of one entry of constants.
struct CalibratedEntry {
    std::string family;
    std::vector<std::string> names;   ///< in the order of the family's keys
    std::vector<std::string> started; ///< names of the entry that it starts from: another framework's may be
    std::vector<CalibratedRow> rows;  ///< in the order of the tables
    Fit fit;                          ///< of the rows that are not held out
    std::vector<std::string> zeros;   ///< usual constants that are 0 there, and stay
    std::string why;                  ///< why nothing was fitted; empty: it was

    bool fitted() const { return why.empty(); }
    /// |model / measured - 1| of the rows that are held out or not, before or after; quantiles as in
    /// groupErrors(). None: 0 rows.
    KernelConstants::Errors errors(bool heldOut, bool after) const;
};

/// A row that is not fitted on.
struct PassedRow {
    std::size_t table = 0;
    const MeasuredRow* row = nullptr;
    std::string why;
};

struct Calibration {
    std::vector<CalibratedEntry> entries; ///< sorted by family and names
    std::vector<PassedRow> passed;        ///< without an answer, or marked odd
    KernelConstants constants;            ///< of the entries that were fitted, as a runtime carries them

    KernelConstants::Errors errors(bool heldOut, bool after) const; ///< of all fitted entries
};

/// The rows by the entries of constants that they are timed with, and those without an answer; nothing is
/// fitted. The tables outlive the answer.
Calibration calibrationStart(const KernelCatalog& catalog, std::span<const MeasuredTable> tables);

/// Fits the constants of kernel models to measured rows: rows of the same architecture or link, framework,
/// precision, ... share an entry of constants, and each entry is fitted by itself, log(model / measured) of
/// its rows under the loss (as silicon_kernels.md fitted those that ship). Same input, same
/// bits, for any number of threads. The tables outlive the answer. Throws Error (InvalidInput, NotFound) for
/// options that make no sense, and, naming the first reason, when no entry could be fitted; Error
/// (Cancelled).
Calibration calibrateKernels(const KernelCatalog& catalog, std::span<const MeasuredTable> tables,
                             const CalibrationOptions& options = {});

/// The runtime that the rows were measured of: of their framework ("vllm"), of the fastest kernels ("best")
/// where there are several or none.
std::string measuredRuntime(const Calibration& calibration);

/// A runtime timed by kernels that carries the fitted constants, and says so in its name. Throws Error
/// (InvalidInput) for a base that is not timed by kernels, or an id that is none.
Runtime calibratedRuntime(const Runtime& base, const Calibration& calibration, const std::string& id);

} // namespace heteroscape::engine

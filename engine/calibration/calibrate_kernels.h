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

/// Constants of one's own device, fitted to what was measured of it.
struct DeviceFit {
    struct Point {
        std::size_t line = 0; ///< of the file
        double measured = 0.0, before = 0.0, after = 0.0;
        bool heldOut = false;
    };
    std::string title; ///< "power", "gemm16"
    std::vector<Point> points;
    Fit fit; ///< of constants as devices write them ("power_flop16_pj"), or of a kernel's t0_us, compute,
             ///< memory

    KernelConstants::Errors errors(bool heldOut, bool after) const;
};

struct DeviceCalibration {
    std::vector<DeviceFit> fits;
    std::size_t passed = 0; ///< rows of operations that no class of kernels takes in
    Device device;          ///< with what was fitted, each with its source
};

/// Fits a device to a CSV (its text, and the file's name for messages) of either kind, log(model / measured)
/// of each row under the loss:
///   watts        of one device while it does what the row says, in columns `watts`, `kernel_share` (sum of
///                kernels' times over the time), `tb_s`, `tflops16`, `tflops8`, `tflops4`, `unpack_tb_s`,
///                `slow_tb_s`, `link_gb_s`; other columns but `limit_w` and `idle_w`, which are the device's
///                where they are not there, are passed over. Fitted, as far as rows have what they
///                are of: power_busy_w, power_flop16_pj, ..., or what options.constants names;
///                power_memory_pj only then (engine/timing/power.h). power_band_pct is what 80 % lie within.
///   measured_us  of kernels, in the columns of presets/measured/kernels.csv: matrices of 16 and 8 bits,
///                attention over prompts and of generation. Fitted for each: t_0, e_c, e_m of
///                t = t_0 + sqrt((a / e_c)^2 + (b / e_m)^2), from those of its class (silicon_more.md, A2).
///                What they are over those of the class goes into class_compute16, class_compute8 and
///                class_memory (matrices and generation, their geometric mean). A step's factor and band are
///                not told by kernels: fit class_factor of a design to whole runs (calibrateSystem()).
/// Throws Error naming file, line and column; as fit() does; where rows are of several devices, or none can
/// be fitted on.
DeviceCalibration calibrateDevice(const Device& device, const std::string& text, const std::string& name,
                                  const CalibrationOptions& options = {});

} // namespace heteroscape::engine

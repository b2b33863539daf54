// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/calibration/fit.h"
#include "engine/calibration/fitted_constants.h"
#include "engine/catalog/catalog.h"
#include "engine/catalog/kernel_constants.h"
#include "engine/evaluation/metric.h"
#include "engine/scenario/scenario.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <istream>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace heteroscape::engine {

/// Measurements of whole systems. Each column of the CSV is a parameter path that a row sets in a design
/// ("workload.batch", "nodes.gpu.count"; an empty cell: as the design has it) or a metric that was measured
/// there ("ttft_s", "tpot_s"; empty: it was not).
struct SystemTable {
    struct Cell {
        Metric metric;
        double measured; ///< SI
    };
    struct Row {
        std::size_t file = 0;              ///< of `files`
        std::size_t line = 0;              ///< of that file, from 1
        std::vector<std::string> settings; ///< in the order of `paths`
        std::vector<Cell> cells;           ///< at least one
    };
    std::vector<std::string> files;
    std::vector<std::string> paths;
    std::vector<Row> rows; ///< at least one
};

/// Throws Error (InvalidInput) naming file, line and column: no column of a metric, text where a number
/// should be, a measurement that is not positive, a row without any, no row.
SystemTable parseSystemRows(std::istream& in, const std::string& name);
/// The same of regular files: one such CSV, or runs of vLLM's and SGLang's serving benchmarks (see
/// BenchmarkRun), of which each is a row: its load is set, mean and median TTFT and TPOT were measured.
SystemTable readSystemRows(const std::vector<std::string>& paths);

/// A measurement before and after.
struct SystemPoint {
    std::size_t row = 0; ///< ordinal in the table
    Metric metric;
    double measured = 0.0, before = 0.0, after = 0.0; ///< SI
    bool heldOut = false;
};

struct SystemCalibrationOptions {
    std::vector<std::string> parameters; ///< paths of positive quantities of the design: at least one
    std::vector<ConstantBounds> bounds;  ///< of them, in SI, within what each allows
    RobustLoss loss;
    double heldOutShare = 0.25; ///< of the rows, in 0..0.9; none of fewer than 8
    std::uint64_t seed = 1;
    std::stop_token stop;
    /// Told of every point that the fit takes, the measurements that it is fitted to as they are there.
    std::function<void(double cost, std::span<const SystemPoint> points)> onStep;
};

struct SystemCalibration {
    Fit fit;                         ///< in SI, in the order of the options
    std::vector<SystemPoint> points; ///< row by row
    /// The design with the fitted values, each with its source. Where they are a device's class_... or
    /// power_..., its class_band_pct or power_band_pct is what the points of speed, or of energy, lay within.
    Scenario scenario;

    /// |model / measured - 1| of the points that are held out or not, before or after.
    KernelConstants::Errors errors(bool heldOut, bool after) const;
};

/// Fits quantities of a design, each within a factor of 100 of its value and its own range unless bounds are
/// set, in whose middle one begins that the design does not set, to measured metrics: log(model / measured)
/// of every cell under the loss. Throws Error naming file, line and column for a setting that the design
/// refuses and a row that it cannot serve, the path for a quantity that is not there or not positive; and as
/// fit() does.
SystemCalibration calibrateSystem(const Scenario& design, const Catalog& catalog, const SystemTable& table,
                                  const SystemCalibrationOptions& options);

} // namespace heteroscape::engine

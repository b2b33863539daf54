// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/calibration/calibrate_kernels.h"
#include "engine/catalog/catalog.h"
#include "engine/scenario/edit.h"

#include <QString>
#include <QStringList>

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace heteroscape::widgets {

/// What may be fitted, in the unit that it is shown in.
struct CalibrationConstant {
    std::string key; ///< as it is asked for: "gemm.e_c", a parameter path
    QString name;    ///< "Share of the tensor peak"
    QString symbol;  ///< "e_c"; may be empty
    QString unit;    ///< may be empty
    double start = 0.0;
    double minimum = 0.0, maximum = 0.0; ///< its bounds unless others are set
    bool usual = false;                  ///< fitted unless others are chosen
    bool possible = true;                ///< false: it is 0 here, no part of the kernel
};

/// Constants that are fitted together to the same rows.
struct CalibrationGroup {
    QString title; ///< "GEMM: hopper, trtllm, bfloat16"
    std::size_t rows = 0;
    std::vector<CalibrationConstant> constants;
};

/// What is asked for.
struct CalibrationRequest {
    std::vector<std::string> constants; ///< keys; of constants that several groups have each is named once
    struct Bounds {
        std::string key;
        double minimum = 0.0, maximum = 0.0; ///< in the shown unit
    };
    std::vector<Bounds> bounds;
    engine::RobustLoss loss;
    double heldOutShare = 0.25;
};

/// A measurement, in seconds or another unit that all of them share.
struct CalibrationPoint {
    double measured = 0.0, before = 0.0, after = 0.0;
    bool heldOut = false;
};

struct CalibrationProgress {
    int steps = 0;
    double cost = 0.0; ///< sum of losses of all groups
    std::vector<CalibrationPoint> points;
};

/// A constant after a fit.
struct CalibratedConstant {
    std::size_t group = 0, constant = 0;
    double value = 0.0;
    double error = 0.0; ///< standard error, in the unit of the value; NaN: not told
    engine::Standing standing = engine::Standing::Fitted;
    bool tied = false; ///< hardly told apart from another
};

struct CalibrationOutcome {
    std::vector<CalibratedConstant> constants;
    std::vector<CalibrationPoint> points;
    engine::KernelConstants::Errors fittedBefore, fittedAfter, heldBefore, heldAfter;
    QStringList warnings; ///< correlations, what stays undetermined, what was not fitted and why
    QString says;         ///< "calibrated on rows.csv, 120 rows, ±4.2 %"
    QString name;         ///< offered for what is accepted; empty: it needs none
    int steps = 0;
    bool converged = true;
    /// The one edit that puts it into a design. Throws engine::Error where the design has no place for it.
    std::function<engine::GraphEdit(const engine::Scenario& design, const QString& name)> edit;

    /// Worse on the rows that nothing was fitted on.
    bool isWorse() const {
        return heldAfter.rows > 0.0 && heldAfter.medianPercent > heldBefore.medianPercent;
    }
    QString report() const; ///< as text: errors, warnings
};

/// Measurements of one file, and the constants that they may tell. Never changed; any thread.
class CalibrationSource {
public:
    using Tell = std::function<void(CalibrationProgress progress)>;

    virtual ~CalibrationSource() = default;
    virtual QString unit() const = 0; ///< of the points
    virtual std::vector<CalibrationPoint> points() const = 0;
    virtual std::vector<CalibrationGroup> groups() const = 0;
    virtual QStringList passed() const = 0; ///< rows that are left out, and why
    /// Fits. `tell` is called as it goes on, one call at a time. Throws engine::Error.
    virtual CalibrationOutcome run(const CalibrationRequest& request, const Tell& tell,
                                   const std::stop_token& stop) const = 0;
};

/// Reads a file: times of kernels, or metrics of systems. Any thread. Throws engine::Error naming file, line
/// and column.
std::shared_ptr<const CalibrationSource> readCalibration(const QString& path, const engine::Scenario& design,
                                                         std::shared_ptr<const engine::Catalog> catalog);

/// One sort of file; listed once, in calibration_source.cpp.
struct CalibrationReader {
    bool (*accepts)(const std::vector<std::string>& columns);
    std::shared_ptr<const CalibrationSource> (*read)(const QString& path, const engine::Scenario& design,
                                                     std::shared_ptr<const engine::Catalog> catalog);
};

/// What the fit of some constants says beside their values.
QStringList fitWarnings(const engine::Fit& fit, const QString& group);
/// Whether a constant is hardly told apart from another.
bool isTied(const engine::Fit& fit, std::size_t constant);

} // namespace heteroscape::widgets

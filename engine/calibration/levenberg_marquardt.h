// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/calibration/fit.h"

#include <Eigen/Core>
#include <functional>
#include <stop_token>
#include <vector>

namespace heteroscape::engine {

/// Residuals of all rows at a point. Not finite: the point is refused.
using VectorResiduals = std::function<void(const Eigen::VectorXd& point, Eigen::VectorXd& residuals)>;

/// The least sum of losses within a box.
struct BoxProblem {
    VectorResiduals residuals;
    Eigen::Index rows = 0;
    Eigen::VectorXd lowest, highest;
    RobustLoss loss;
};

struct BoxMinimum {
    Eigen::VectorXd point;
    Eigen::VectorXd residuals;
    double cost = 0.0; ///< sum of losses
    int steps = 0;     ///< taken
    bool converged = false;
};

/// Slopes of the residuals by central differences, one-sided at a side of the box.
Eigen::MatrixXd slopesOf(const BoxProblem& problem, const Eigen::VectorXd& point);

/// Whether each coordinate lies on a side of the box towards which the cost falls.
std::vector<bool> heldByBox(const BoxProblem& problem, const BoxMinimum& at, const Eigen::MatrixXd& slopes);

/// Levenberg-Marquardt with Marquardt's scaling (J. SIAM 11, 431, 1963), residuals weighted anew at each step
/// (Holland and Welsch, 1977), steps cut at the box. The start lies in the box and has finite residuals.
/// Throws Error (Cancelled) when stopped. `onStep` is told of each point that is taken.
BoxMinimum minimise(const BoxProblem& problem, const Eigen::VectorXd& start, int mostSteps,
                    const std::stop_token& stop, const std::function<void(const BoxMinimum&)>& onStep);

} // namespace heteroscape::engine

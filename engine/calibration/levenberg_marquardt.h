// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Eigen/Core>
#include <functional>
#include <span>
#include <stop_token>
#include <string_view>
#include <vector>

namespace heteroscape::engine {

/// What a residual r costs, with the scale s where it begins to count as an outlier (Huber and Ronchetti,
/// Robust Statistics, section 7; soft L1 as in SciPy's least_squares):
///   squares   r^2
///   huber     r^2 up to s, 2 s |r| - s^2 beyond
///   soft_l1   2 s^2 (sqrt(1 + (r/s)^2) - 1)
enum class Loss { Squares, Huber, SoftL1 };
std::span<const std::string_view> lossNames(); ///< "squares", "huber", "soft_l1"

/// A loss with its scale, which is positive.
struct RobustLoss {
    Loss loss = Loss::SoftL1;
    double scale = 0.1;

    double cost(double residual) const;
    double weight(double residual) const; ///< psi / r: half the slope of the cost over r, 1 at 0
    double slope(double residual) const;  ///< d psi / d r
};

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

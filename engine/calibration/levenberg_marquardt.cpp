// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/calibration/levenberg_marquardt.h"

#include "engine/base/error.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <vector>

namespace heteroscape::engine {

namespace {

constexpr double kDifference = 1e-5; ///< of a coordinate: errors of 1e-10 of either kind
constexpr double kLongestStep = 2.0; ///< of a coordinate
constexpr double kSmallestGain = 1e-13;
constexpr double kSmallestStep = 1e-9;
constexpr double kMostDamping = 1e14;

double costOf(const BoxProblem& problem, const Eigen::VectorXd& residuals) {
    double sum = 0.0;
    for (const double r : residuals)
        sum += problem.loss.cost(r);
    return sum;
}

Eigen::VectorXd weightsOf(const BoxProblem& problem, const Eigen::VectorXd& residuals) {
    return residuals.unaryExpr([&](double r) { return problem.loss.weight(r); });
}

/// The damped step; 0 where the box holds.
Eigen::VectorXd stepOf(const Eigen::MatrixXd& normal, const Eigen::VectorXd& gradient,
                       const std::vector<bool>& held, double damping) {
    Eigen::MatrixXd damped = normal;
    Eigen::VectorXd right = -gradient;
    const double least = 1e-12 * std::max(normal.diagonal().maxCoeff(), 1e-12);
    for (Eigen::Index i = 0; i < right.size(); ++i) {
        if (held[static_cast<std::size_t>(i)]) {
            damped.row(i).setZero();
            damped.col(i).setZero();
            damped(i, i) = 1.0;
            right(i) = 0.0;
        } else {
            damped(i, i) += damping * std::max(normal(i, i), least);
        }
    }
    Eigen::VectorXd step = damped.ldlt().solve(right);
    const double longest = step.cwiseAbs().maxCoeff();
    return longest > kLongestStep ? Eigen::VectorXd(step * (kLongestStep / longest)) : step;
}

void throwIfStopped(const std::stop_token& stop) {
    if (stop.stop_requested())
        throw Error(ErrorCode::Cancelled, "fit", "cancelled");
}

} // namespace

Eigen::MatrixXd slopesOf(const BoxProblem& problem, const Eigen::VectorXd& point) {
    Eigen::MatrixXd slopes(problem.rows, point.size());
    Eigen::VectorXd above(problem.rows), below(problem.rows), at = point;
    for (Eigen::Index i = 0; i < point.size(); ++i) {
        const double high = std::min(point(i) + kDifference, problem.highest(i));
        const double low = std::max(point(i) - kDifference, problem.lowest(i));
        if (high <= low) {
            slopes.col(i).setZero();
            continue;
        }
        at(i) = high;
        problem.residuals(at, above);
        at(i) = low;
        problem.residuals(at, below);
        at(i) = point(i);
        slopes.col(i) = (above - below) / (high - low);
        if (!slopes.col(i).allFinite()) // beyond where the model has an answer: no way to go
            slopes.col(i).setZero();
    }
    return slopes;
}

std::vector<bool> heldByBox(const BoxProblem& problem, const BoxMinimum& at, const Eigen::MatrixXd& slopes) {
    const Eigen::VectorXd gradient =
        slopes.transpose() * weightsOf(problem, at.residuals).cwiseProduct(at.residuals);
    std::vector<bool> held(static_cast<std::size_t>(gradient.size()));
    for (Eigen::Index i = 0; i < gradient.size(); ++i)
        held[static_cast<std::size_t>(i)] = (at.point(i) <= problem.lowest(i) && gradient(i) > 0.0) ||
                                            (at.point(i) >= problem.highest(i) && gradient(i) < 0.0);
    return held;
}

BoxMinimum minimise(const BoxProblem& problem, const Eigen::VectorXd& start, int mostSteps,
                    const std::stop_token& stop, const std::function<void(const BoxMinimum&)>& onStep) {
    BoxMinimum best;
    best.point = start;
    best.residuals.resize(problem.rows);
    problem.residuals(best.point, best.residuals);
    best.cost = costOf(problem, best.residuals);
    best.converged = start.size() == 0; // nothing to move
    double damping = 1e-3;
    Eigen::VectorXd residuals(problem.rows);
    while (!best.converged && best.steps < mostSteps) {
        throwIfStopped(stop);
        if (onStep)
            onStep(best);
        const auto slopes = slopesOf(problem, best.point);
        const auto weights = weightsOf(problem, best.residuals);
        const Eigen::MatrixXd normal = slopes.transpose() * weights.asDiagonal() * slopes;
        const Eigen::VectorXd gradient = slopes.transpose() * weights.cwiseProduct(best.residuals);
        const auto held = heldByBox(problem, best, slopes);
        for (bool taken = false; !taken && !best.converged;) {
            throwIfStopped(stop);
            const Eigen::VectorXd point = (best.point + stepOf(normal, gradient, held, damping))
                                              .cwiseMax(problem.lowest)
                                              .cwiseMin(problem.highest);
            const double moved = (point - best.point).cwiseAbs().maxCoeff();
            problem.residuals(point, residuals);
            const double cost = residuals.allFinite() ? costOf(problem, residuals) : HUGE_VAL;
            if (cost < best.cost) {
                taken = true;
                best.converged = best.cost - cost <= kSmallestGain * best.cost && moved < 1e-6;
                best.point = point;
                best.residuals = residuals;
                best.cost = cost;
                ++best.steps;
                damping = std::max(damping / 5.0, 1e-12);
            } else {
                damping *= 4.0;
                best.converged = !(moved > kSmallestStep) || damping > kMostDamping;
            }
        }
    }
    if (onStep)
        onStep(best);
    return best;
}

} // namespace heteroscape::engine

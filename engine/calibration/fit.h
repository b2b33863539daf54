// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <stop_token>
#include <string>
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

/// What may be fitted: a positive number within bounds. It is moved by its logarithm.
struct FitParameter {
    std::string name;
    double start = 1.0;
    double minimum = 1e-3, maximum = 1e3;
};

/// Writes the residual of every row, for values in the order of the parameters. What makes the sum of their
/// losses least is sought: logarithms of ratios, relative errors, differences over their errors.
using Residuals = std::function<void(std::span<const double> values, std::span<double> residuals)>;

struct FitOptions {
    RobustLoss loss;
    int starts = 1;         ///< beside the given one, others within a factor of 2; the least sum is taken
    std::uint64_t seed = 1; ///< of the other starts
    int steps = 200;        ///< at most, from each start
    /// Standard error of a logarithm above which a direction is open: ln 2, known to no factor of 2.
    double openAbove = 0.6931471805599453;
    std::stop_token stop;
    /// Told of every point that is taken: the values in the order of the parameters, the sum of losses.
    std::function<void(std::span<const double> values, double cost)> onStep;
};

enum class Standing {
    Fitted,
    AtBound,      ///< on a bound that the rows would pass: no error is told
    Undetermined, ///< kept at its start: the rows do not say
};

struct FittedParameter {
    std::string name;
    double value = 0.0;
    double start = 0.0;
    double standardError = 0.0; ///< of the logarithm, so a relative one; NaN unless Fitted
    Standing standing = Standing::Fitted;
};

/// Parameters that the rows do not tell apart: a direction in the space of logarithms along which they
/// hardly change. The parameter with the largest part in it was kept at its start.
struct Indeterminacy {
    struct Part {
        std::string name;
        double share = 0.0; ///< of the unit vector, the largest positive
    };
    std::string kept;
    std::vector<Part> direction; ///< parts of 0.05 and more, the largest first
    double standardError = 0.0;  ///< of the logarithm along it; infinite where no row changes
    std::string text() const;    ///< "t_u up by 1.0 % with r_c down by 0.9 %"
};

struct Fit {
    std::vector<FittedParameter> parameters; ///< in the order given
    std::vector<double> correlations;        ///< row by row; NaN where one is not Fitted
    std::vector<Indeterminacy> undetermined; ///< in the order in which they were found
    std::vector<double> residuals;
    double startCost = 0.0, cost = 0.0; ///< sums of losses
    double spread = 0.0;                ///< standard deviation of a residual, robust where the loss is
    int steps = 0;
    bool converged = false;

    std::vector<double> values() const;
    double correlation(std::size_t one, std::size_t other) const;
};

/// The values of the least sum of losses, by Levenberg-Marquardt in the logarithms. Errors and correlations
/// follow from the slopes J there: covariance (J^T J)^-1 (sum psi^2 / (n - p)) / mean(psi')^2 (Huber and
/// Ronchetti, Robust Statistics, section 7.6); with squares, the usual s^2 (J^T J)^-1. A direction is open
/// when its standard error is above FitOptions::openAbove, or when a factor of e along it changes
/// the rows by less than 1e-7 in the mean; the parameter with the largest part in it is kept at its start and
/// the others are fitted anew, until none is open. Same input, same bits. Throws Error (InvalidInput) naming
/// the parameter or row: numbers that are not positive or not in order, names given twice, not more rows than
/// parameters, residuals at the start that are not finite; Error (Cancelled) when stopped.
Fit fit(const Residuals& residuals, std::size_t rows, std::span<const FitParameter> parameters,
        const FitOptions& options = {});

} // namespace heteroscape::engine

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string_view>

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

} // namespace heteroscape::engine

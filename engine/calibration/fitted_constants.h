// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/calibration/fit.h"
#include "engine/catalog/kernel_constants.h"
#include "engine/timing/kernels/own_constants.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace heteroscape::engine {

/// Throws Error (InvalidInput) unless the share is in 0..0.9.
void checkHeldOutShare(double share);

/// Which rows are held out: so many by their share, drawn by the seed. None of fewer than 8. The same on
/// every system.
std::vector<bool> heldOutRows(std::size_t count, double share, std::uint64_t seed);

/// Quantiles of errors in per cent, as groupErrors() has them; 0 rows where there are none.
KernelConstants::Errors errorSummary(std::vector<double> percents, bool heldOut);

/// What 80 % of the points lie within, as a share: of those that are held out, else of the fitted, widened by
/// what was fitted to them.
double bandWithin(std::vector<double> logRatios, std::size_t fitted);

/// The constants of a family that are fitted unless others are named: its start, and its shares of the peaks
/// that most of its rows run into. Few, so that few rows determine them.
std::span<const std::string_view> usualConstants(std::string_view family);

/// Bounds that a user sets: "e_c", or of one family alone: "gemm.e_c".
struct ConstantBounds {
    std::string name;
    double minimum = 0.0, maximum = 0.0;
};

/// What is to be fitted of an entry.
struct ConstantChoice {
    std::vector<FitParameter> parameters;
    std::vector<double*> values;    ///< of the entry, in the order of the parameters
    std::vector<std::string> zeros; ///< usual constants that are 0 here: not part of the kernel, left out
};

/// Checks names ("e_c", "gemm.e_c", "all") and bounds against all families. Throws Error naming what is
/// unknown, and what there is.
void checkConstants(std::span<const std::string> names, std::span<const ConstantBounds> bounds);

/// The constants of an entry that are named, or the usual ones where none are. Each starts where the entry
/// has it, or, where that is 0 and it was named, at the geometric mean of the family's entries. Bounds: a
/// factor of 30 either way within the allowed range, a share of a peak at most 1, unless the user sets them;
/// a start outside of these moves to the nearer. Throws Error for a named constant that is 0 in every entry.
ConstantChoice chooseConstants(KernelCatalog& catalog, std::string_view family,
                               std::span<const std::string> entry, std::span<const std::string> names,
                               std::span<const ConstantBounds> bounds);

} // namespace heteroscape::engine

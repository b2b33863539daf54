// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/kernel_constants.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace heteroscape::engine {

/// Throws Error (InvalidInput) unless the share is in 0..0.9.
void checkHeldOutShare(double share);

/// Which rows are held out: so many by their share, drawn by the seed. None of fewer than 8. The same on
/// every system.
std::vector<bool> heldOutRows(std::size_t count, double share, std::uint64_t seed);

/// Quantiles of errors in per cent, as groupErrors() has them; 0 rows where there are none.
KernelConstants::Errors errorSummary(std::vector<double> percents, bool heldOut);

} // namespace heteroscape::engine

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/claims/claims.h"

#include <span>
#include <string>

namespace heteroscape::engine {

/// Claims as CSV, one number a row: each claim, the numbers behind it (column "part"), and both under the
/// other conventions (column "variant"). Exact numbers, empty where there is none; errors from unrounded
/// values.
std::string claimsCsv(std::span<const PaperComparison> comparisons);

} // namespace heteroscape::engine

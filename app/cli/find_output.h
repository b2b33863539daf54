// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/search/search_tally.h"

#include <string>

namespace heteroscape::cli {

/// Where the answer of a search goes.
struct FindOutput {
    std::string csv; ///< file; empty: none
    bool json = false;
};

/// Writes what was found; returns the exit code: that the input is wrong where no design keeps all limits.
int tellFound(const engine::SearchProblem& problem, const engine::SearchTally& tally,
              const FindOutput& output);

} // namespace heteroscape::cli

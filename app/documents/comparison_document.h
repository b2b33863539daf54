// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/json.h"
#include "engine/claims/claims.h"
#include "engine/evaluation/compare_designs.h"

#include <string>
#include <vector>

namespace heteroscape::cli {

/// A paper's claims beside the model's own numbers: "error" is model / paper - 1.
engine::Json comparisonJson(const engine::PaperComparison& comparison);

// Cells of a table of claims. A trend "holds" or "does not hold".
std::string statedText(const engine::Claim& claim);                 ///< "≤ 12.5"
std::string computedText(const engine::Claim& claim, double model); ///< five digits; an en dash: no number
std::string deviationText(const engine::ClaimResult& result);       ///< "+1.20%"; of a trend empty
std::string markText(const engine::ClaimResult& result);            ///< "misfit", "not computed", "ideal"

/// Designs beside each other, metrics in their shown units.
engine::Json designsJson(const std::vector<engine::Scenario>& designs,
                         const engine::ComparedDesigns& compared);

} // namespace heteroscape::cli

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/json.h"
#include "engine/claims/claims.h"
#include "engine/evaluation/compare_designs.h"

#include <vector>

namespace heteroscape::cli {

/// A paper's claims beside the model's own numbers: "error" is model / paper - 1.
engine::Json comparisonJson(const engine::PaperComparison& comparison);

/// Designs beside each other, metrics in their shown units.
engine::Json designsJson(const std::vector<engine::Scenario>& designs,
                         const engine::ComparedDesigns& compared);

} // namespace heteroscape::cli

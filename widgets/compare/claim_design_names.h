// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/claims/claim_designs.h"

#include <QString>

#include <vector>

namespace heteroscape::widgets {

/// What a design behind a claim is called when it is opened.
struct ClaimDesignName {
    QString own; ///< what tells it from the others behind the claim: "L2 prefetch off"; of a single one empty
    QString name; ///< as the claim's row says: "Speed-up, Qwen2-72B, 8 NPUs, L2 prefetch off (PRESERVE)"
};
/// One a design, no two alike.
std::vector<ClaimDesignName> claimDesignNames(const engine::Claim& claim, const QString& paper,
                                              const std::vector<engine::ClaimDesign>& designs);

/// What the claim takes from it: "Latency 342 s".
QString claimDesignValue(const engine::ClaimDesign& design);

} // namespace heteroscape::widgets

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/claims/claims.h"
#include "widgets/theme/theme.h"

#include <QIcon>
#include <QString>
#include <vector>

class QPainter;

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

/// How a claim stands: by its kind, unless it is a misfit.
enum class ClaimStatus { Count, Calibrated, Chosen, Predicted, Misfit };
inline constexpr int kClaimStatusCount = 5;

ClaimStatus claimStatus(const engine::ClaimResult& result);
QString claimStatusText(ClaimStatus status);
QString claimStatusAbout(ClaimStatus status); ///< one sentence
ColorRole claimStatusRole(ClaimStatus status);

/// The sign of a status in a square: equals, half circle, check, cross. Never told by colour alone.
void paintClaimStatus(QPainter& painter, const QRectF& square, ClaimStatus status);
QIcon claimStatusIcon(ClaimStatus status);

QString paperValueText(const engine::Claim& claim); ///< as the paper states it, with the unit; "≤ 192 MB"
QString modelValueText(const engine::ClaimResult& result); ///< to as many decimals as the paper's
QString claimValueText(const engine::Claim& claim,
                       double value); ///< another number of a claim, in the same way
/// A number for people, three digits unless more are asked for; small ones as "2.02 × 10⁻⁵".
QString claimNumber(double value, int digits = 3);
QString errorText(double error); ///< "+0.2 %", "−10.6 %", from the unrounded value

} // namespace heteroscape::widgets

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/canvas/node_card_paint.h"
#include "widgets/canvas/node_summary.h"
#include "widgets/theme/theme.h"

namespace heteroscape::widgets {

/// Adds to the card of the document's node what offloading means for it: chips of an accelerator, what lies
/// on a host or on storage, the way inside a CSD, and what does not fit. UI thread.
void addOffloading(NodeCard& card, const DesignIndex& index, const engine::Node& node);

// The parts of a card that only nodes of an offloading system have. Each paints below `top`, in the card's
// coordinates, and is as high as its constant or function says.

inline constexpr double kChipsHeight = 26;
void paintChips(QPainter& painter, const std::vector<CardChip>& chips, double top);

/// Flash, internal switch and kernel of one CSD with their rates, the port, and what one CSD delivers.
inline constexpr double kPathHeight = 84;
void paintCsdPath(QPainter& painter, const CsdPath& path, engine::DeviceKind kind, double top);

/// Label, percentage, bar of parts and their legend.
double tierBarHeight(const TierBar& bar);
void paintTierBar(QPainter& painter, const TierBar& bar, bool hot, double top);
/// The bar of parts alone.
void paintTierParts(QPainter& painter, const TierBar& bar, const QRectF& track);

inline constexpr double kProblemHeight = 34;
void paintProblem(QPainter& painter, const QString& text, double top, ColorRole color);

/// One line of text, shortened to fit.
void paintCardText(QPainter& painter, const QRectF& rect, const QString& text, const QFont& font,
                   const QColor& color, Qt::Alignment alignment = Qt::AlignLeft | Qt::AlignVCenter);

} // namespace heteroscape::widgets

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/canvas/node_summary.h"

#include <QRectF>

class QPainter;

namespace heteroscape::widgets {

/// How devices that share a replica share it, in the order of the words: "tp 8", "dp 4", "ep 32",
/// copies in front; then the format of the weights, where the checkpoint states one. Empty for devices that
/// share none, and for what is no accelerator.
std::vector<LayoutChip> layoutChips(const engine::Model& model, const engine::Node& node);
/// What a node does of every layer where it does one side of it, else empty.
QString sideLabel(const engine::Model& model, const engine::Node& node);
QString chipText(const LayoutChip& chip); ///< "dp 8"

/// Where the chips stand below `top` within the width of a card, on as many rows as they take.
std::vector<QRectF> layoutChipRects(const std::vector<LayoutChip>& chips, double top);
void paintLayoutChips(QPainter& painter, const std::vector<LayoutChip>& chips,
                      const std::vector<QRectF>& rects);

/// "Use dp 8 + ep 8: +34 %" where the document knows a layout worth proposing for the node, else empty; asks
/// for it where it is not known yet. UI thread.
QString layoutProposal(Document& document, const engine::Node& node);
/// Takes what is proposed: one undoable edit. UI thread.
void takeProposal(Document& document, const engine::NodeId& id);

} // namespace heteroscape::widgets

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/canvas/node_summary.h"

#include <QRectF>
#include <vector>

namespace heteroscape::widgets {

/// Techniques in as few words as fit a chip, with the parameter that tells most: "Merge M=4".
std::vector<TechniqueChip> techniqueChips(const engine::Scenario& scenario,
                                          const std::vector<const engine::Technique*>& kinds);

/// What a node that does not compute is there for: "Switch", "Storage, computes".
QString fabricWord(const engine::Device& device);

/// Puts the gravest problem of the document's node into the words of its card, unless they say another one
/// already, and notes beside them. UI thread.
void addProblems(NodeCard& card, const DesignIndex& index, const engine::Node& node);

/// A part of a card that answers to a click.
struct CardPart {
    enum class Kind { None, Role, Technique, Remedy, MoreRemedies, Proposal };
    Kind kind = Kind::None;
    std::size_t index = 0; ///< of the technique
    bool operator==(const CardPart&) const = default;
    explicit operator bool() const { return kind != Kind::None; }
};

/// Where the parts of a card stand, from top to bottom, in the card's coordinates.
struct CardLayout {
    std::vector<QRectF> degrees; ///< of the layout
    double chips = 0.0;          ///< runtime and bound
    std::vector<QRectF> techniques;
    double path = 0.0; ///< inside a CSD
    double bars = 0.0; ///< or the problem in their place
    QRectF remedy;     ///< empty: none
    QRectF more;       ///< beside it, when there are others
    QRectF proposal;   ///< below the bar; empty: none
    double height = 0.0;
};
CardLayout cardLayout(const NodeCard& card);

QRectF roleRect(const NodeCard& card); ///< of the words that switch the role; empty when there is one only

CardPart cardPartAt(const NodeCard& card, QPointF point);
QRectF partRect(const NodeCard& card, const CardPart& part);
/// What clicking the part does: "Switch the role", "Use 3 cards".
QString partTip(const NodeCard& card, const CardPart& part);

} // namespace heteroscape::widgets

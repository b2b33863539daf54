// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/scenario/edit.h"

#include <QRectF>
#include <QString>

#include <vector>

namespace heteroscape::widgets {

// Arranging cards: pure functions from where they stand to the edits that move them. Cards that stay make no
// edit.

/// A card to be arranged, in scene px.
struct ArrangeBox {
    engine::NodeId id;
    QRectF rect;
};

enum class Align { Left, Centre, Right, Top, Middle, Bottom };
enum class Distribute { Horizontally, Vertically };

/// Brings an edge or the middle of every card to that of the rectangle around all of them.
engine::EditList alignEdit(const std::vector<ArrangeBox>& boxes, Align how);

/// Makes the gaps between neighbours equal; the two outermost cards stay. Fewer than three: nothing.
engine::EditList distributeEdit(const std::vector<ArrangeBox>& boxes, Distribute how);

/// What the step is called: "Align left".
QString arrangeText(Align how);
QString arrangeText(Distribute how);

} // namespace heteroscape::widgets

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/canvas/drop_targets.h"

class QPainter;

namespace heteroscape::widgets {

/// Marks over the scene while a part is dragged: softly all that can take it, strongly what it would act on,
/// in the error's colour what refuses it; the slot and ghost of a new card; a frame around the canvas for
/// what is about the whole design. Scene coordinates; `targets` may be null.
void paintDropPlan(QPainter& painter, const DropPlan& plan, const DropTargets* targets, CanvasView& view);

} // namespace heteroscape::widgets

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace heteroscape::widgets {

class CanvasView;

/// Writes the whole system as drawn on the canvas, in the light theme on white, as PNG, SVG or PDF by the
/// file's suffix. Throws engine::Error naming the file when it cannot be written or the suffix is another. UI
/// thread.
void exportCanvas(CanvasView& canvas, const QString& path);

} // namespace heteroscape::widgets

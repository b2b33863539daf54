// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/compare/compared_designs.h"
#include "widgets/lanes/time_span.h"
#include "widgets/plots/chart_export.h"

namespace heteroscape::widgets {

/// The designs side by side as a file's bytes: the time of one batch as bars, and one decode step of each
/// over the span `view` of time; light on white, 9 pt type. SVG and PDF keep text as text. UI thread.
QByteArray renderDesigns(const ComparedDesigns& designs, TimeSpan view, ImageFormat format,
                         const ImageSize& size);

/// The same into a file, whose suffix (.png, .svg, .pdf) names the format; replaced atomically. Throws Error
/// (InvalidInput for another suffix, Io) naming the path.
void exportDesigns(const ComparedDesigns& designs, TimeSpan view, const QString& path,
                   const ImageSize& size = {});

} // namespace heteroscape::widgets

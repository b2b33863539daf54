// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plots/chart_export.h"
#include "widgets/requests/requests_painter.h"

namespace heteroscape::widgets {

/// Lanes in a picture, at most: it would outgrow what pictures can hold.
inline constexpr std::size_t kLanesInPicture = 120;

/// A timeline of requests over a span of time as a file's bytes: light palette on white, 9 pt type, no
/// chrome, with the lanes from `firstLane` on, as high as they need. SVG and PDF keep text as text. Needs a
/// QApplication, but no window. UI thread.
QByteArray renderRequests(const RequestLanes& lanes, TimeSpan view, const MarkedRequest* marked,
                          std::size_t firstLane, ImageFormat format, const ImageSize& size);

/// The same into a file, whose suffix (.png, .svg, .pdf) names the format; replaced atomically. Throws Error
/// (InvalidInput for another suffix, Io) naming the path.
void exportRequests(const RequestLanes& lanes, TimeSpan view, const MarkedRequest* marked,
                    std::size_t firstLane, const QString& path, const ImageSize& size = {});

} // namespace heteroscape::widgets

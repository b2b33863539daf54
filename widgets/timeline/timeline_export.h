// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plots/chart_export.h"
#include "widgets/timeline/timeline_track.h"

namespace heteroscape::widgets {

/// Timelines over a span of time as a file's bytes: light palette on white, 9 pt type, no chrome, as high as
/// their lanes need. SVG and PDF keep text as text. Needs a QApplication, but no window. UI thread.
QByteArray renderTimeline(const TimelineTracks& tracks, TimeSpan view, ImageFormat format,
                          const ImageSize& size);

/// The same into a file, whose suffix (.png, .svg, .pdf) names the format; replaced atomically. Throws Error
/// (InvalidInput for another suffix, Io) naming the path.
void exportTimeline(const TimelineTracks& tracks, TimeSpan view, const QString& path,
                    const ImageSize& size = {});

/// The timelines as Chrome trace JSON, each under its name.
QString timelineTrace(const TimelineTracks& tracks);

} // namespace heteroscape::widgets

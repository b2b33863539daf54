// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/lanes/lanes_painter.h"
#include "widgets/plots/chart_export.h"
#include "widgets/timeline/timeline_track.h"

class QPainter;

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

/// Draws timelines as laid out, over the span `view` of time: on the screen in the shown theme, in exports
/// light. Segments narrower than 2 px are merged: drawn in the colour of what fills most of the stretch,
/// fainter the less of it is filled. Work grows with the pixels and the segments in view, not with the step.
class TimelinePainter : LanesPainter {
public:
    TimelinePainter(QPainter& painter, const TimelineTracks& tracks, const TimelineLayout& layout,
                    TimeSpan view, ChartStyle style);

    void paint();

private:
    void title(const TimelineLayout::Row& row);
    void lane(const TimelineLayout::Row& row);
    void overview();
    void legend();

    void layers(const TimelineTrack& track, const QRectF& row);
    void boundaries(const TimelineTrack& track, const QRectF& row); ///< of layers
    void place(const QRectF& row, double indent, const QString& text);
    /// The segments of a lane within a rectangle that stands for `span`; `plain`: without labels and marks.
    void segments(const TimelineTrack& track, engine::Lane lane, const QRectF& rect, TimeSpan span,
                  bool plain);
    void segment(const TrackSegment& what, engine::Phase phase, const QRectF& rect, bool plain);
    void name(const TrackSegment& what, const QRectF& rect, const QColor& fill);
    void swatch(const LegendKey& key, const QRectF& rect);
    /// `narrow`: without an outline that would set a pale fill off.
    QColor fillOf(const TrackSegment& what, engine::Phase phase, bool narrow) const;

    const TimelineTracks& m_tracks;
    const TimelineLayout& m_layout;
};

} // namespace heteroscape::widgets

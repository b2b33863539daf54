// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/lanes/lanes_painter.h"
#include "widgets/timeline/timeline_layout.h"

class QPainter;

namespace heteroscape::widgets {

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

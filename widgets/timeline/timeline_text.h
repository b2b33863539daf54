// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/lanes/lanes_painter.h"
#include "widgets/plots/read_out.h"
#include "widgets/timeline/timeline_track.h"

#include <QString>

#include <optional>
#include <vector>

namespace heteroscape::widgets {

QString bytesText(double bytes); ///< "14.7 MB"
QString layerText(int layer);    ///< "layer 12"; "head" for -1

/// "FFN gate", "Prefetch of FFN gate", "Read for FFN gate"
QString segmentTitle(const engine::TimelineSegment& segment);

/// "CSD kernels"; what it stands for: "16 × SmartSSD", empty where that goes without saying.
QString laneTitle(const engine::StepTimeline& step, engine::Lane lane);
QString lanePlace(const engine::StepTimeline& step, engine::Lane lane);

/// The same in a word or a letter, where the whole does not fit: "gate", "Q", "Allreduce"; empty when there
/// is none.
QString shortName(const engine::TimelineSegment& segment);

/// What is said of a segment under the mouse: heading and rows.
QString readOutHeading(const engine::TimelineSegment& segment);
std::vector<ReadOut::Row> readOutRows(const TimelineTrack& track, engine::Lane lane, std::size_t index);

/// "Layer 83.6 µs, 1.54× faster than without L2 prefetch (128.5 µs)"; without a baseline the layer and the
/// step.
QString headline(const TimelineTracks& tracks);

/// One row for each segment: timeline, lane, work, operator, layer, start_us, end_us, bytes, operands,
/// gb_per_s, bound. Exact numbers; the same tracks give the same text. `within`: only segments that reach
/// into that stretch of time, each with its own start and end; none: all.
QString timelineCsv(const TimelineTracks& tracks, const std::optional<TimeSpan>& within = {});

} // namespace heteroscape::widgets

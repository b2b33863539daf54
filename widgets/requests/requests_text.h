// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plots/chart.h"
#include "widgets/plots/read_out.h"
#include "widgets/requests/request_lanes.h"
#include "widgets/timeline/timeline_text.h"

#include <QString>

#include <vector>

namespace heteroscape::widgets {

/// The colour of a phase, the same in every timeline.
ChartColor phaseColor(engine::ServingPhase phase);
QString phaseLabel(engine::ServingPhase phase); ///< "Prefill"

QString countText(double count); ///< "1,000"
/// The unit of an axis that long: unitFor(), then minutes and hours.
TimeUnit axisUnit(double seconds);
/// "12.9 s", "21.6 min", "3.61 h"
QString spanText(double seconds);
/// "12.949 to 13.125 s": as exact as the span between them needs.
QString betweenText(double from, double to);

/// The labels of a time axis over `view` with about so many ticks.
struct TimeTicks {
    QString title; ///< "Time (s)"; where numbers would be long: "3,600.25 s + (µs)"
    std::vector<std::pair<double, QString>> ticks; ///< s
};
TimeTicks timeTicks(TimeSpan view, int wanted);

/// "P3", "D3", "KV3"; of a batch "P0–6".
QString segmentName(const RequestLanes& lanes, const engine::ServingSegment& segment);
/// "Request 3, decode"
QString readOutHeading(const RequestLanes& lanes, const engine::ServingSegment& segment);
std::vector<ReadOut::Row> readOutRows(const RequestLanes& lanes, const engine::ServingSegment& segment);

/// "1,000 requests, Poisson at 2 req/s, seed 1", and how many of them are recorded when not all are.
QString runText(const RequestLanes& lanes);
/// A request from arrival to end in one line.
QString storyText(const RequestLanes& lanes, std::uint32_t request);

} // namespace heteroscape::widgets

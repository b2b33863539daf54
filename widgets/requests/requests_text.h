// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/lanes/lanes_text.h"
#include "widgets/plots/chart.h"
#include "widgets/plots/read_out.h"
#include "widgets/requests/request_lanes.h"

#include <QString>

#include <vector>

namespace heteroscape::widgets {

/// The colour of a phase, the same in every timeline.
ChartColor phaseColor(engine::ServingPhase phase);
QString phaseLabel(engine::ServingPhase phase); ///< "Prefill"

QString countText(double count); ///< "1,000"

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

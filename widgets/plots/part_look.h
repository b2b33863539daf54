// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/evaluation/decisive.h"
#include "widgets/plots/chart.h"

namespace heteroscape::widgets {

/// The series of the phases of a request, wherever they are drawn.
inline constexpr int kPrefillSeries = 0;
inline constexpr int kDecodeSeries = 2;
inline constexpr int kHandOverSeries = 4;

/// How a part of the time of a batch looks wherever it is drawn. As timelines have them: what belongs
/// together has one hue.
ChartColor partColor(const engine::BatchPart& part);

/// A wait of decode that has the hue of another part.
bool isHatched(const engine::BatchPart& part);

} // namespace heteroscape::widgets

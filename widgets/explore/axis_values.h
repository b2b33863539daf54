// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/study/study.h"
#include "widgets/explore/default_axes.h"

namespace heteroscape::widgets {

/// An axis as one would type it: "8:128:*2", "1:16,24:200:8", "1:1000:log7", "llama3-8b,llama3-70b". Read
/// again it is the same axis.
AxisText axisText(const engine::Axis& axis);

} // namespace heteroscape::widgets

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/document/simulation_runner.h"
#include "widgets/plots/chart.h"

namespace heteroscape::widgets {

/// How many requests wait, are staged for a decode device and are worked on, over the simulated time, as
/// means over at most 256 spans. What never happens (nothing is ever staged) has no curve. Any thread.
Chart queueChart(const SimulationRun& run);

} // namespace heteroscape::widgets

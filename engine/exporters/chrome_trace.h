// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/evaluation/timeline.h"

#include <string>
#include <utility>
#include <vector>

namespace heteroscape::engine {

/// Step timelines as a Chrome trace (Trace Event Format), for chrome://tracing, Perfetto and the like: one
/// process for each timeline under the name given with it, one thread for each lane that has segments, one
/// complete event ("X") for each segment with `ts` and `dur` in µs, sorted by process, then as the timeline
/// is. Arguments of an event: operator (key), work, layer (from 0; "head"), bytes, hit. The same timelines
/// give the same text. Any thread.
/// Source: "Trace Event Format", the Chromium project.
std::string chromeTrace(const std::vector<std::pair<std::string, StepTimeline>>& processes);

} // namespace heteroscape::engine

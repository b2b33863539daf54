// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/evaluation/timeline.h"

#include <string>
#include <utility>
#include <vector>

namespace heteroscape::engine {

/// Step timelines as a Chrome trace (Trace Event Format), for chrome://tracing, Perfetto and the like: one
/// process for each timeline under the name given with it, one thread for each lane that has segments, under
/// the lane's name and place ("CSD kernels (16 × SmartSSD)"), one complete event ("X") for each segment with
/// `ts` and `dur` in µs, sorted by process, then as the timeline is. Arguments of an event: operator (key),
/// work, layer (from 0; "head"), bytes, gb_per_s, bound, hit. The same timelines give the same text. Any
/// thread.
/// Source: "Trace Event Format", the Chromium project.
std::string chromeTrace(const std::vector<std::pair<std::string, StepTimeline>>& processes);

/// One batch of requests in the same format: a process for each node that takes part, times from the start of
/// the prefill. Its steps stand in full; merged decode steps are one event on the compute lane, a KV
/// KV transfer one on the network lane. `otherData` holds "seconds", where the last event ends, and
/// "latency_s", the system's latency.
std::string requestTrace(const RequestTimeline& request);

} // namespace heteroscape::engine

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/evaluation/simulate.h"
#include "engine/evaluation/timeline.h"

#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace heteroscape::engine {

// Steps and requests over time, as text for other programs.

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
/// transfer one on the network lane. `otherData` holds "seconds", where the last event ends, and
/// "latency_s", the system's latency.
std::string requestTrace(const RequestTimeline& request);

// What was recorded of a simulation, as text. The same simulation gives the same text.

/// A stretch of simulated time, s: all of it unless said otherwise. What reaches into it is in it, with its
/// own start and end.
struct ServingSpan {
    double from = -std::numeric_limits<double>::infinity();
    double to = std::numeric_limits<double>::infinity();

    bool meets(double start, double end) const { return end > from && start < to; }
};

/// Segments by lane and start: lane, place, request, requests, phase, start_s, end_s, waited_s, waited_for.
std::string servingSegmentsCsv(const Scenario& scenario, const ServingEvaluation& serving,
                               ServingSpan within = {});

/// Finished requests by id: request, arrival_s, prompt_tokens, output_tokens, prefill_start_s, first_token_s,
/// decode_start_s, finish_s, wait_s, ttft_s, tpot_s, e2e_s.
/// Those that were in the system, from arrival to finish.
std::string servedRequestsCsv(const ServingEvaluation& serving, ServingSpan within = {});

/// Mean numbers of requests over time: start_s, end_s, waiting, staged, running, most_waiting.
std::string queueDepthCsv(const ServingEvaluation& serving);

/// A Chrome trace (Trace Event Format; for Perfetto, chrome://tracing): a process for each pool, a thread for
/// each lane, a complete event ("X") for each segment, and counters ("C") of the numbers of requests. `ts`
/// and `dur` in µs of simulated time.
std::string servingTrace(const Scenario& scenario, const ServingEvaluation& serving);

} // namespace heteroscape::engine

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/serving/recorder.h"
#include "engine/serving/server/server.h"

namespace heteroscape::engine {

/// What a transfer over a route takes of its links.
KvWay kvWayOf(const KvRoute& route);

/// The first of `slots` (s, when each is free) that is free at `start`, taken until `end`.
std::uint32_t freeSlot(std::vector<double>& slots, double start, double end);

/// Puts the spans of a disaggregated run on lanes: a prefill and the hand-over after it on those of its
/// prefill worker; decodes on those of their pool, dealt out over its replicas, which are alike.
/// `prefillPools` and `decodePools` are the pools of the run's groups.
void recordSplit(Recorder& recorder, const ServingSystem& system, std::span<const std::size_t> prefillPools,
                 std::span<const std::size_t> decodePools, const ServedRun& run,
                 std::vector<SplitSpan> spans);

} // namespace heteroscape::engine

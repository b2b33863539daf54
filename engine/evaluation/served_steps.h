// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/evaluation/simulate.h"

namespace heteroscape::engine {

/// Whether a design's requests are served step by step: by its batching, or because its users wait for
/// answers.
bool servesBySteps(const Serving& serving);

/// Serves them by the servers of `system` (see ServerSimulator), with the times of its pools: fills the
/// result of `out`, or its reason. Each copy of the model on a pool of whole requests is a server; sessions
/// are dealt out to servers in their order, so that the number of each is in proportion to the rate at which
/// its pool serves whole requests in steady state. Host times stand beside the pool's own step time:
///   T = max(T of the pool + L tau, L eager in steps with prompts) + step + seq x (sequences + pieces)
/// Source: silicon serving, section 4. Pools that offload serve whole batches whatever is chosen.
///
/// Prefill and decode pools are disaggregated workers (see serveSplit()): transfers take the links as drawn
/// and share them fairly; a request decodes in the pool that has least for the rate at which it decodes full.
void serveBySteps(const Scenario& scenario, const ServingSystem& system, ServingEvaluation& out,
                  const SimulationOptions& options);

} // namespace heteroscape::engine

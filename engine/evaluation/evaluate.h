// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/evaluation/evaluation.h"
#include "engine/scenario/diagnostics.h"

namespace heteroscape::engine {

class StepCache;

/// How much of an Evaluation is filled. Metrics: all but the reason in words of what does not fit (shortNode
/// says where), the layers of nodes that only prefill and the mean times of segments (LayerEvaluation), which
/// take another pass over the schedule. Steps: as Metrics of a batch whose requests are all worked on at
/// once, whether that fits or not; of one that does not only what the steps of nodes are.
enum class Detail { Metrics, Full, Steps };

/// Evaluates a scenario that validate() finds no errors in. Pure and thread-safe, no I/O.
/// A system that cannot run (memory too small) is a valid answer: feasible = false and the reason. Behind a
/// server what does not fit at once is let in later (Evaluation::atOnce).
/// On a scenario with errors: feasible = false and the first error as reason.
/// Rates, shares of time, power, energy and cost are those of a steady state in which no link carries more
/// than it can (see LinkLimit); where a link is full, it is the bound. Times of a request (TTFT, latency,
/// KV transfer) are those of one that has the links for itself, whether one is full or not.
Evaluation evaluate(const Scenario& scenario, Detail detail = Detail::Full);

/// How much longer than at the stock clock a power cap or a slower clock makes the steps of a node: what
/// shows them takes it from here, all parts of a step alike. Of a valid scenario.
double stepStretch(const Scenario& scenario, std::size_t node, Phase phase);

/// The same for a scenario already validated, into an Evaluation whose storage is reused:
/// the way of sweeps, which allocate nothing per point.
void evaluateInto(const Scenario& validScenario, Evaluation& out, Detail detail = Detail::Metrics);
/// Takes the steps of nodes from `cache` where it has them, the same to the last bit; its keys are those of
/// this scenario.
void evaluateInto(const Scenario& validScenario, Evaluation& out, StepCache& cache,
                  Detail detail = Detail::Metrics);

} // namespace heteroscape::engine

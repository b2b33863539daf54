// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/evaluation/evaluation.h"
#include "engine/schedule/compiled_phase.h"

namespace heteroscape::engine {

/// What one device of a phase does in a second in which it works on it, at the context that stands for the
/// phase: of `of` the seconds, FLOPs, bytes and bytes sent of a step. Waits of stages for each other are no
/// part of the time (they are idle), the host's are. Bytes that offloading moves and KV caches that are
/// handed over are not counted as sent.
PhaseRates phaseRates(const CompiledPhase& compiled, double keys, const PhaseEvaluation& of);

} // namespace heteroscape::engine

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/evaluation/evaluate.h"
#include "engine/schedule/compiled_phase.h"

namespace heteroscape::engine {

/// The figures of one decoder layer.
LayerEvaluation evaluateLayer(const CompiledPhase& decode, const Workload& workload, Detail detail);

} // namespace heteroscape::engine

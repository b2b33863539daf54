// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/evaluation/evaluate.h"
#include "engine/schedule/compiled_phase.h"

namespace heteroscape::engine {

/// The metrics of one decoder layer.
LayerEvaluation evaluateLayer(const CompiledPhase& decode, const Workload& workload, Detail detail);

/// How those that are metrics come about.
struct LayerTerms {
    Term fullSeconds;
    Term allReduceSeconds;
    Term attentionReadSeconds;
    Term ffnReadSeconds;
    Term attentionFootprint;
    Term ffnFootprint;
};
LayerTerms explainLayer(const CompiledPhase& decode, const Workload& workload);

} // namespace heteroscape::engine

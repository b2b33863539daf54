// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/evaluation/evaluate.h"
#include "engine/operators/operator_graph.h"
#include "engine/schedule/step.h"

namespace heteroscape::engine {

/// The figures of one decoder layer: `step` is a decode step of `graph` on `machine`.
LayerEvaluation evaluateLayer(const Step& step, const OperatorGraph& graph, const Machine& machine,
                              const Workload& workload, Detail detail);

} // namespace heteroscape::engine

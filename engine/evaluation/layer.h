// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/evaluation/evaluation.h"
#include "engine/operators/operator_graph.h"
#include "engine/timing/machine.h"

namespace heteroscape::engine {

/// The figures of one decoder layer. `decodeStep` is a decode graph with its techniques applied.
LayerEvaluation evaluateLayer(const OperatorGraph& decodeStep, const Machine& machine,
                              const Workload& workload);

} // namespace heteroscape::engine

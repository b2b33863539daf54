// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/device.h"
#include "engine/catalog/runtime.h"
#include "engine/operators/operator_graph.h"
#include "engine/timing/collective.h"
#include "engine/timing/step_cost.h"

namespace heteroscape::engine {

/// One device of a pool under a runtime, as the numbers that timing models use. SI.
struct Machine {
    Machine(const Device& device, const Runtime& runtime, const Collective& collective = {});

    const Runtime* runtime; ///< outlives the machine
    double peakFlops;       ///< FLOP/s at the runtime's precision, or of the accelerator it builds
    double peakBandwidth;   ///< B/s
    double channels;        ///< memory channels; NaN when not set
    double clock;           ///< Hz; NaN when not set
    double l2Capacity;      ///< B; 0 when not set
    double l2Bandwidth;     ///< B/s; endless when not set
    Collective collective;  ///< how the devices of the pool sum up
    double weightBytes;     ///< B an element
    double activationBytes;
    double kvBytes;

    double computeEfficiency(Phase phase) const;
    double memoryEfficiency(Phase phase) const;

    /// Seconds of an allreduce; zero for any other operator.
    double collectiveSeconds(const Operator& op) const;

    /// Bytes that an operator (once) or a whole step moves by the operator table.
    Affine bytes(const Operator& op) const;
    Affine bytes(const OperatorGraph& graph) const;
};

} // namespace heteroscape::engine

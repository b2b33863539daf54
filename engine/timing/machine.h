// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/device.h"
#include "engine/catalog/runtime.h"
#include "engine/catalog/server.h"
#include "engine/catalog/term.h"
#include "engine/operators/operator_graph.h"
#include "engine/timing/collective.h"
#include "engine/timing/step_cost.h"

namespace heteroscape::engine {

struct Gpu;

// Peaks of a device whose SMs, clock or rates per clock are edited (silicon_kernels.md, section 1:
// peak = S x FLOPs per clock x f). What a device does not set is that of the GPU whose kernels were measured.
// A peak with a source of its own follows: it is scaled by SMs and clock over those of that GPU, or made anew
// where its rate per clock is set. A peak that was set by hand or calibrated stays.

/// The GPU that a device names; null where it names none that is known.
const Gpu* measuredGpu(const Device& device);

/// One of peakFp16, peakInt8, peakFp8, peakFp4, op/s; NaN where nothing says it.
double devicePeak(const Device& device, Quantity Device::*peak);
/// How it comes about.
Term explainDevicePeak(const Device& device, Quantity Device::*peak);

/// One device of a pool under a runtime, as the numbers that timing models use. SI.
struct Machine {
    Machine(const Device& device, const Runtime& runtime, const Collective& collective = {});

    const Runtime* runtime;         ///< outlives the machine
    const Device* device;           ///< for what explains; outlives it too where that is asked
    double peakFlops;               ///< FLOP/s at the runtime's precision, or of the accelerator it builds
    double peakBandwidth;           ///< B/s
    double channels;                ///< memory channels; NaN when not set
    double clock;                   ///< Hz; NaN when not set
    double l2Capacity;              ///< B; 0 when not set
    double l2Bandwidth;             ///< B/s; endless when not set
    Collective collective;          ///< how the devices of the pool sum up
    const Server* server = nullptr; ///< what serves on the node; null: kernels alone. Outlives the machine
    double weightBytes;             ///< B an element
    double activationBytes;
    double kvBytes;

    double computeEfficiency(Phase phase) const;
    double memoryEfficiency(Phase phase) const;

    /// Seconds of a collective; zero for any other operator.
    double collectiveSeconds(const Operator& op) const;

    /// Bytes that an operator (once) or a whole step moves by the operator table.
    Affine bytes(const Operator& op) const;
    Affine bytes(const OperatorSums& step) const;

    // How those numbers come about. What is reached: a peak times the share of it that steps reach.
    Term explainFlopRate(Phase phase) const;
    Term explainByteRate(Phase phase) const;
    Term explainElement(Quantity Runtime::*bits, std::string name) const; ///< bytes of one element
    Term explainCollective(const Operator& op) const;                     ///< nothing where it takes no time
    Term explainTransfer(const Operator& op) const;                       ///< what of it the link is in use
    Term explainBytes(const Operator& op, double context) const;
    Term explainBytes(const OperatorGraph& graph, double context) const;

private:
    Term explainShare(Phase phase, std::string_view key, std::string name, double share) const;
    Term explainPayload(const Operator& op) const;
    Term explainBytes(double weights, double vectors, double activations, double kv) const;
};

} // namespace heteroscape::engine

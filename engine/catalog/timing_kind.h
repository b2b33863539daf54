// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/device.h"
#include "engine/catalog/kind.h"

#include <cstdint>
#include <limits>
#include <optional>

namespace heteroscape::engine {

struct Model;
struct Runtime;

/// What a timing model says of itself before anything is timed: its parameters, and what it needs of runtime
/// and device. How it times a step is said by TimingModel (engine/timing/timing_model.h), which every one is.
class TimingKind : public Kind {
public:
    using Kind::Kind;

    virtual bool times(Phase) const { return true; }

    /// A quantity of the device that it cannot do without.
    struct DeviceNeed {
        Quantity Device::*member;
        std::string_view key;  ///< "memory_channels"
        std::string_view what; ///< "the number of memory channels"
    };
    virtual std::span<const DeviceNeed> deviceNeeds() const { return {}; }

    /// Why it cannot time what a runtime runs; nothing when it can.
    struct Refusal {
        std::string_view key; ///< of the runtime's JSON: "operators"
        std::string message;
        std::string remedy;
    };
    virtual std::optional<Refusal> refusal(const Runtime&) const { return std::nullopt; }

    /// Why it cannot time what runs on a device, or a model; nothing when it can. The key is the device's.
    virtual std::optional<Refusal> refusalOn(const Runtime&, const Device&) const { return std::nullopt; }
    virtual std::optional<Refusal> refusalOf(const Model&) const { return std::nullopt; }
    /// The same of a model on a device, asked where each alone is no matter.
    virtual std::optional<Refusal> refusalFor(const Runtime&, const Device&, const Model&) const {
        return std::nullopt;
    }
    /// A hash of what it times with beside design and code: constants that are data. 0: nothing.
    virtual std::uint64_t constantsHash() const { return 0; }
    /// Which of them hold for a device, as they do for all of the same answer.
    virtual std::string_view constantsOn(const Device& device) const { return device.kernels; }
    /// Whether it times devices that nobody measured, by what others reached.
    virtual bool isByClass() const { return false; }

    /// Whether it times with constants of kernels, which a runtime may bring along (Runtime::ownKernels).
    virtual bool takesKernelConstants() const { return false; }
    /// Devices of one node, over which it times collectives as measured there; it takes more for several
    /// nodes.
    virtual double devicesOfNode(const Device&) const { return std::numeric_limits<double>::infinity(); }
    /// Whether a step that was measured whole (Runtime::measuredFor) may be among its parameters.
    virtual bool takesMeasuredSteps() const { return false; }
    /// Whether it can time a model of layer groups.
    virtual bool timesLayersThatDiffer() const { return true; }
    /// Whether it times such a uniform model by its layeredForm().
    virtual bool timesLayeredForm(const Model&) const { return false; }
    /// Whether part of a layer cannot be timed by it: it says something of a step as a whole.
    virtual bool timesWholeStepsOnly() const { return false; }
    /// Whether it knows which operands lie in L2, and so gains from prefetching them.
    virtual bool seesL2() const { return false; }
    /// Bytes that are stored and loaded for one byte of weights: more than 1 with meta-data of tiles.
    virtual double weightOverhead(const Settings&) const { return 1.0; }
    /// Shares of the device's peaks that its steps can reach.
    virtual double computeShare(const Settings&) const { return 1.0; }
    virtual double memoryShare(const Settings&) const { return 1.0; }
};

/// Listed in engine/timing/timing_model.cpp.
Registry<TimingKind>& timingKinds();

/// The timing model of one phase, with its parameters.
struct Timing {
    const TimingKind* kind = nullptr; ///< never null in what was read
    Settings settings;

    Timing() = default;
    explicit Timing(const TimingKind& model) : kind(&model), settings(model) {}
    bool operator==(const Timing&) const = default;
};

} // namespace heteroscape::engine

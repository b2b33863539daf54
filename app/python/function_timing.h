// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/timing/timing_model.h"

#include <pybind11/pybind11.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace heteroscape::python {

/// What a function is told of an operator: one repeat of it, at one context. SI.
struct TimedOperator {
    TimedOperator(const engine::Operator& op, const engine::Machine& machine, double keys);

    std::string key, kind, segment;
    double repeat, context, flops, bytes, weightBytes, kvBytes, rows, inner, columns, experts, payloadBytes,
        ranks;
};

/// What it is told of the device. SI, but figures and settings are as they are shown.
struct TimedMachine {
    TimedMachine(const engine::OperatorGraph& graph, const engine::Machine& machine, engine::Phase at);

    std::string phase, device;
    pybind11::dict figures, settings;
    double peakFlops, peakBandwidth, weightBytes, activationBytes, kvBytes, devices, linkBandwidth,
        linkLatency, batch, queryTokens;
};

/// A parameter of such a model. Its values are as they are shown.
struct FunctionParameter {
    std::string key, label, unit, about;
    double initial, minimum, maximum;
};

/// A timing model of which functions of Python time operators, or collectives, or both:
///   seconds(operator, machine), collective(operator, machine) -> s of one repeat, or (s, "memory").
/// Operators run one after the other. Without `seconds` the base model shares its step out to them, with its
/// parameters beside the model's own; without `collective` collectives are the base model's then, else as
/// their link is drawn. Over a decode the step is followed by lines through contexts: exact where it is
/// affine between kinks, within 1e-5 where it is smooth, its mean within 1e-6;
/// an explanation asks the function itself. Functions are called from any
/// thread, with Python's lock, which nobody may hold who waits for another thread. No two models have a key
/// in common, nor those of two processes: what a store holds of another function is never taken for this
/// one's.
class FunctionTiming final : public engine::TimingModel {
public:
    /// `seconds`, `collective`: callable, or None. The words, like the model, live as long as the process.
    FunctionTiming(std::string_view id, std::string_view label, std::string_view about,
                   std::span<const FunctionParameter> parameters, pybind11::object seconds,
                   pybind11::object collective, const engine::TimingModel& base);

    std::span<const engine::KindParameter> parameters() const override { return m_parameters; }
    std::span<const engine::KindOption> options() const override;
    void time(engine::TimingRoom& room, const engine::OperatorGraph& graph, const engine::Machine& machine,
              engine::Phase phase) const override;
    std::uint64_t constantsHash() const override { return m_hash; }

    // As the base model says, where it is asked.
    std::span<const DeviceNeed> deviceNeeds() const override;
    std::optional<Refusal> refusal(const engine::Runtime& runtime) const override;
    std::optional<Refusal> refusalOn(const engine::Runtime&, const engine::Device&) const override;
    std::optional<Refusal> refusalOf(const engine::Model& model) const override;
    std::optional<Refusal> refusalFor(const engine::Runtime&, const engine::Device&,
                                      const engine::Model&) const override;
    std::string_view constantsOn(const engine::Device& device) const override;
    bool isByClass() const override { return m_asksBase && m_base.isByClass(); }
    bool takesKernelConstants() const override { return m_asksBase && m_base.takesKernelConstants(); }
    double devicesOfNode(const engine::Device& device) const override;
    bool timesLayersThatDiffer() const override { return !m_asksBase || m_base.timesLayersThatDiffer(); }
    bool timesLayeredForm(const engine::Model& model) const override;
    bool timesWholeStepsOnly() const override { return m_asksBase && m_base.timesWholeStepsOnly(); }
    bool seesL2() const override { return m_asksBase && m_base.seesL2(); }
    double weightOverhead(const engine::Settings& settings) const override;
    double computeShare(const engine::Settings& settings) const override;
    double memoryShare(const engine::Settings& settings) const override;

private:
    friend class FunctionPhase;

    std::vector<engine::KindParameter> m_parameters; ///< those of the base model first
    pybind11::object m_seconds;
    pybind11::object m_collective;
    const engine::TimingModel& m_base;
    bool m_asksBase;
    std::uint64_t m_hash;

    engine::Timing baseTiming(const engine::Settings& settings) const;
};

} // namespace heteroscape::python

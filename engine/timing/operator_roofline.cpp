// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/timing/built_in.h"

#include "engine/timing/kernels/gpu.h"
#include "engine/timing/machine.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace heteroscape::engine {

namespace {

/// The peak against which a matrix is multiplied whose weights a recipe keeps in a format that tensor cores
/// take; null for any other operator.
Quantity Device::*narrowPeak(const Operator& op, const Model& model) {
    if (op.kind != OperatorKind::Linear || op.key == "q_absorb" || op.key == "v_absorb" || !model.weights)
        return nullptr;
    const auto format = model.weights->of(op.part).id;
    if (format == "int8")
        return &Device::peakInt8;
    if (format == "nvfp4")
        return &Device::peakFp4;
    return format.starts_with("fp8") || format == "mxfp8" ? &Device::peakFp8 : nullptr;
}

} // namespace

OperatorRoofline::OperatorRoofline(const OperatorGraph& graph, const Machine& machine, Phase phase)
    : PhaseTiming(graph, machine, phase), m_share(machine.computeEfficiency(phase)),
      m_byteRate(machine.peakBandwidth * machine.memoryEfficiency(phase)) {}

double fp8Peak(const Device& device) {
    const double own = devicePeak(device, &Device::peakFp8);
    if (own == own)
        return own;
    const double integer = devicePeak(device, &Device::peakInt8),
                 wide = devicePeak(device, &Device::peakFp16);
    const auto* gpu = measuredGpu(device);
    return !(integer < wide) || !gpu ? integer
                                     : wide * (gpu->figures.peak(Rate::Fp8) / gpu->figures.peak(Rate::Bf16));
}

Affine weightAndCacheBytes(const Operator& op, const Machine& machine) {
    return Affine{op.storedWeights() * machine.weightBytes + op.vectorWeights * machine.activationBytes,
                  0.0} +
           op.kv * machine.kvBytes;
}

OperatorPeak peakOfFormat(const Operator& op, const Model& model, const Machine& machine) {
    if (auto narrow = narrowPeak(op, model); narrow && !machine.runtime->peakCompute.isSet()) {
        const auto& device = *machine.device;
        const double known = narrow == &Device::peakFp8 ? fp8Peak(device) : devicePeak(device, narrow);
        if (!std::isnan(known))
            return {known, narrow == &Device::peakInt8 ? "INT8" : narrow == &Device::peakFp4 ? "FP4" : "FP8"};
    }
    return {machine.peakFlops, {}};
}

std::pair<Tangent, Bound> OperatorRoofline::at(const Operator& op, double context) const {
    if (isCollective(op.kind))
        return {{machine().collectiveSeconds(op), 0.0}, Bound::Network};
    const auto tangent = [context](const Affine& line, double rate) {
        return Tangent{line.at(context) / rate, line.perKey / rate};
    };
    const auto compute = tangent(op.flops, flopRate(op));
    const auto memory = tangent(machine().bytes(op), m_byteRate);
    return compute.value > memory.value ? std::pair(compute, Bound::Compute)
                                        : std::pair(memory, Bound::Memory);
}

StepCost OperatorRoofline::cost(double firstContext, double lastContext) const {
    return StepCost::fromTangents(firstContext, lastContext, [&](double context) {
        Tangent seconds;
        std::array<double, kBoundCount> spent{};
        for (const auto& op : graph().operators()) {
            const auto [once, bound] = at(op, context);
            seconds = seconds + once * op.repeat;
            spent[static_cast<std::size_t>(bound)] += once.value * op.repeat;
        }
        const auto most = std::max_element(spent.begin(), spent.end()) - spent.begin();
        return std::pair(seconds, static_cast<Bound>(most));
    });
}

void OperatorRoofline::operatorTimes(double context, std::span<OperatorTime> out) const {
    const auto operators = graph().operators();
    for (std::size_t i = 0; i < operators.size(); ++i) {
        const auto [once, bound] = at(operators[i], context);
        out[i] = {once.value * operators[i].repeat, bound};
    }
}

std::vector<Term> OperatorRoofline::operatorTerms(double context) const {
    std::vector<Term> terms;
    const auto byteRate = machine().explainByteRate(phase());
    for (const auto& op : graph().operators()) {
        if (isCollective(op.kind)) {
            terms.push_back(machine().explainCollective(op));
            continue;
        }
        const double rate = flopRate(op);
        const auto flops =
            Term::counted("Compute", op.flops.at(context), measures::flops, "operator table") /
            (rate == machine().peakFlops * m_share
                 ? machine().explainFlopRate(phase())
                 : Term::counted("Compute rate reached in the format of the weights", rate,
                                 measures::flopRate, "the device's peak in that format x the share of it"));
        terms.push_back(maximum(
            std::string(op.label), measures::microseconds,
            {flops.named("Compute time", measures::microseconds),
             (machine().explainBytes(op, context) / byteRate).named("Memory time", measures::microseconds)}));
    }
    return terms;
}

namespace {

class OperatorRooflineModel final : public PeakShareModel {
public:
    OperatorRooflineModel()
        : PeakShareModel("operator_roofline", "Roofline of each operator",
                         "Each operator by itself against the compute peak and the memory bandwidth, one "
                         "after the other: the sum of max(work / compute rate, bytes / byte rate), and "
                         "collectives. Matrices in 8 bits against the peak in 8 bits.") {}
    void time(TimingRoom& room, const OperatorGraph& graph, const Machine& machine,
              Phase phase) const override {
        room.emplace<OperatorRoofline>(graph, machine, phase);
    }
};

} // namespace

const TimingModel& operatorRooflineModel() {
    static const OperatorRooflineModel model;
    return model;
}

} // namespace heteroscape::engine

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/timing/built_in.h"

#include "engine/timing/kernels/gpu.h"
#include "engine/timing/machine.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace heteroscape::engine {

namespace {

/// The peak of matrices whose weights are in a format that tensor cores take; NaN of others.
OperatorPeak peakOfFormat(std::string_view format, const DevicePeaks& device) {
    if (format == "int8")
        return {device.int8, "INT8"};
    if (format == "nvfp4")
        return {device.fp4, "FP4"};
    const bool isFp8 = format.starts_with("fp8") || format == "mxfp8";
    return {isFp8 ? device.fp8 : std::nan(""), "FP8"};
}

} // namespace

DevicePeaks::DevicePeaks(const Device& device)
    : fp16(devicePeak(device, &Device::peakFp16)), int8(devicePeak(device, &Device::peakInt8)),
      fp8(devicePeak(device, &Device::peakFp8)), fp4(devicePeak(device, &Device::peakFp4)) {
    if (fp8 == fp8)
        return;
    const auto* gpu = measuredGpu(device);
    fp8 =
        !(int8 < fp16) || !gpu ? int8 : fp16 * (gpu->figures.peak(Rate::Fp8) / gpu->figures.peak(Rate::Bf16));
}

Affine weightAndCacheBytes(const Operator& op, const Machine& machine) {
    return Affine{op.storedWeights() * machine.weightBytes + op.vectorWeights * machine.activationBytes,
                  0.0} +
           op.kv * machine.kvBytes;
}

OperatorPeaks peaksOfFormats(const OperatorGraph& graph, const Machine& machine) {
    const OperatorPeak usual{machine.peakFlops, {}};
    std::array<OperatorPeak, kModelPartCount> parts;
    parts.fill(usual);
    if (const auto* weights = graph.model().weights; weights && !machine.runtime->peakCompute.isSet()) {
        const DevicePeaks device(*machine.device);
        for (std::size_t part = 0; part < parts.size(); ++part)
            if (const auto peak = peakOfFormat(weights->formats[part]->id, device); !std::isnan(peak.flops))
                parts[part] = peak;
    }
    OperatorPeaks peaks;
    for (const auto& op : graph.operators()) {
        const bool isMatrix = op.kind == OperatorKind::Linear && op.key != "q_absorb" && op.key != "v_absorb";
        peaks.add(isMatrix ? parts[static_cast<std::size_t>(op.part)] : usual);
    }
    return peaks;
}

OperatorRoofline::OperatorRoofline(const OperatorGraph& graph, const Machine& machine, Phase phase)
    : PhaseTiming(graph, machine, phase), m_peaks(peaksOfFormats(graph, machine)),
      m_share(machine.computeEfficiency(phase)),
      m_byteRate(machine.peakBandwidth * machine.memoryEfficiency(phase)) {}

std::pair<Tangent, Bound> OperatorRoofline::at(std::size_t i, double context) const {
    const auto& op = graph().operators()[i];
    if (isCollective(op.kind))
        return {{machine().collectiveSeconds(op), 0.0}, Bound::Network};
    const auto tangent = [context](const Affine& line, double rate) {
        return Tangent{line.at(context) / rate, line.perKey / rate};
    };
    const auto compute = tangent(op.flops, m_peaks[i].flops * m_share);
    const auto memory = tangent(machine().bytes(op), m_byteRate);
    return compute.value > memory.value ? std::pair(compute, Bound::Compute)
                                        : std::pair(memory, Bound::Memory);
}

StepCost OperatorRoofline::cost(double firstContext, double lastContext) const {
    return StepCost::fromTangents(firstContext, lastContext, [&](double context) {
        Tangent seconds;
        std::array<double, kBoundCount> spent{};
        const auto operators = graph().operators();
        for (std::size_t i = 0; i < operators.size(); ++i) {
            const auto [once, bound] = at(i, context);
            seconds = seconds + once * operators[i].repeat;
            spent[static_cast<std::size_t>(bound)] += once.value * operators[i].repeat;
        }
        const auto most = std::max_element(spent.begin(), spent.end()) - spent.begin();
        return std::pair(seconds, static_cast<Bound>(most));
    });
}

void OperatorRoofline::operatorTimes(double context, std::span<OperatorTime> out) const {
    const auto operators = graph().operators();
    for (std::size_t i = 0; i < operators.size(); ++i) {
        const auto [once, bound] = at(i, context);
        out[i] = {once.value * operators[i].repeat, bound};
    }
}

std::vector<Term> OperatorRoofline::operatorTerms(double context) const {
    std::vector<Term> terms;
    const auto byteRate = machine().explainByteRate(phase());
    const auto operators = graph().operators();
    for (std::size_t i = 0; i < operators.size(); ++i) {
        const auto& op = operators[i];
        if (isCollective(op.kind)) {
            terms.push_back(machine().explainCollective(op));
            continue;
        }
        const double rate = m_peaks[i].flops * m_share;
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

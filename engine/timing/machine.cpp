// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/timing/machine.h"

#include "engine/timing/kernels/kernel_catalog.h"
#include "engine/units/units.h"

#include <limits>
#include <map>

namespace heteroscape::engine {

namespace {

constexpr std::string_view kGpuFigures = "presets/kernels/gpus.json";

/// The rate per clock and SM that a peak is made of.
Quantity Device::*perClock(Quantity Device::*peak) {
    if (peak == &Device::peakFp16)
        return &Device::fp16PerClock;
    if (peak == &Device::peakInt8)
        return &Device::int8PerClock;
    return peak == &Device::peakFp8 ? &Device::fp8PerClock : &Device::fp4PerClock;
}

bool isSetByHand(const Quantity& peak) {
    return peak.isSet() && (peak.provenance == Provenance::User || peak.provenance == Provenance::Calibrated);
}

/// The device's figure, else the measured GPU's; not set where neither is.
template <class V>
V figureOr(const Device& device, Quantity Device::*member, const Gpu* gpu, double measured,
           std::string_view name, Measure measure) {
    if ((device.*member).isSet() || !gpu)
        return Numbers<V>::quantity(deviceFields, device, member);
    return Numbers<V>::leaf(name, measured, measure, kGpuFigures);
}

template <class V>
V peakOf(const Device& device, Quantity Device::*peak) {
    using N = Numbers<V>;
    const auto& stated = device.*peak;
    const auto rate = perClock(peak);
    const bool follows = device.sms.isSet() || device.clock.isSet() || (device.*rate).isSet();
    if (!follows || isSetByHand(stated))
        return N::quantity(deviceFields, device, peak);
    constexpr Measure hertz{"MHz", units::mega};
    const auto* gpu = measuredGpu(device);
    const double measuredClock = gpu ? gpu->figures.clockGhz * units::giga : 0.0;
    const V sms = figureOr<V>(device, &Device::sms, gpu, gpu ? gpu->figures.sms : 0.0, "SMs, measured GPU",
                              measures::count);
    const V clock = figureOr<V>(device, &Device::clock, gpu, measuredClock, "Clock, measured GPU", hertz);
    if ((device.*rate).isSet() && valueOf(sms) == valueOf(sms) && valueOf(clock) == valueOf(clock))
        return N::named(sms * N::quantity(deviceFields, device, rate) * clock, "Peak of the SMs",
                        measures::flopRate, device.name);
    if (!gpu || !stated.isSet())
        return N::quantity(deviceFields, device, peak);
    V scaled = N::quantity(deviceFields, device, peak);
    if (device.sms.isSet())
        scaled = scaled *
                 N::named(sms / N::leaf("SMs, measured GPU", gpu->figures.sms, measures::count, kGpuFigures),
                          "SMs over those measured", measures::count);
    if (device.clock.isSet())
        scaled = scaled * N::named(clock / N::leaf("Clock, measured GPU", measuredClock, hertz, kGpuFigures),
                                   "Clock over that measured", measures::count);
    return N::named(scaled, "Peak of the SMs", measures::flopRate, device.name);
}

} // namespace

const Gpu* measuredGpu(const Device& device) {
    if (!device.kernels.empty())
        for (const auto& gpu : shippedKernels().gpus)
            if (gpu.id == device.kernels)
                return &gpu;
    return nullptr;
}

double devicePeak(const Device& device, Quantity Device::*peak) {
    return peakOf<double>(device, peak);
}

Term explainDevicePeak(const Device& device, Quantity Device::*peak) {
    return peakOf<Term>(device, peak);
}

namespace {

constexpr double kBitsPerByte = 8.0;

double peakOf(const Device& device, const Runtime& runtime) {
    if (runtime.peakCompute.isSet())
        return runtime.peakCompute.value;
    return devicePeak(device, runtime.activationBits.value <= 8.0 ? &Device::peakInt8 : &Device::peakFp16);
}

} // namespace

Machine::Machine(const Device& on, const Runtime& run, const Collective& network)
    : runtime(&run), device(&on), peakFlops(peakOf(on, run)), peakBandwidth(on.memoryBandwidth.value),
      channels(on.memoryChannels.value), clock(on.clock.value), l2Capacity(on.l2Capacity.valueOr(0.0)),
      l2Bandwidth(on.l2Bandwidth.valueOr(std::numeric_limits<double>::infinity())), collective(network),
      weightBytes(run.weightBits.value / kBitsPerByte),
      activationBytes(run.activationBits.value / kBitsPerByte), kvBytes(run.kvBits.value / kBitsPerByte) {}

double Machine::computeEfficiency(Phase phase) const {
    const auto& timing = runtime->timing(phase);
    return timing.kind->computeShare(timing.settings);
}

double Machine::memoryEfficiency(Phase phase) const {
    const auto& timing = runtime->timing(phase);
    return timing.kind->memoryShare(timing.settings);
}

double Machine::collectiveSeconds(const Operator& op) const {
    return collective.seconds(op, op.payload * activationBytes);
}

Affine Machine::bytes(const Operator& op) const {
    return Affine{op.storedWeights() * weightBytes + op.vectorWeights * activationBytes, 0} +
           op.activations * activationBytes + op.kv * kvBytes;
}

Affine Machine::bytes(const OperatorSums& step) const {
    return Affine{step.weights * weightBytes + step.vectorWeights * activationBytes, 0} +
           step.activations * activationBytes + step.kv * kvBytes;
}

Term Machine::explainShare(Phase phase, std::string_view key, std::string name, double share) const {
    const auto& timing = runtime->timing(phase);
    const int index = timing.kind->indexOf(key);
    if (index >= 0 && timing.settings[static_cast<std::size_t>(index)] == share)
        return Numbers<Term>::setting(*timing.kind, timing.settings, static_cast<std::size_t>(index));
    return Term::counted(std::move(name), share, measures::count, std::string(timing.kind->label()));
}

Term Machine::explainFlopRate(Phase phase) const {
    using N = Numbers<Term>;
    auto peak =
        runtime->peakCompute.isSet()
            ? N::quantity(runtimeFields, *runtime, &Runtime::peakCompute)
            : explainDevicePeak(*device, runtime->activationBits.value <= kBitsPerByte ? &Device::peakInt8
                                                                                       : &Device::peakFp16);
    const double share = computeEfficiency(phase);
    if (share == 1.0)
        return peak;
    return (peak * explainShare(phase, "compute_efficiency", "Share of compute peak", share))
        .named("Compute rate reached", measures::flopRate);
}

Term Machine::explainByteRate(Phase phase) const {
    auto peak = Numbers<Term>::quantity(deviceFields, *device, &Device::memoryBandwidth);
    const double share = memoryEfficiency(phase);
    if (share == 1.0)
        return peak;
    return (peak * explainShare(phase, "memory_efficiency", "Share of memory peak", share))
        .named("Memory bandwidth reached", measures::byteRate);
}

Term Machine::explainElement(Quantity Runtime::*bits, std::string name) const {
    return (Numbers<Term>::quantity(runtimeFields, *runtime, bits) /
            Term::counted("Bits of a byte", kBitsPerByte, measures::count, "definition"))
        .named(std::move(name), measures::bytes);
}

Term Machine::explainPayload(const Operator& op) const {
    return (Term::counted(op.kind == OperatorKind::AllReduce ? "Elements that are summed up"
                                                             : "Elements that are sent",
                          op.payload, measures::count, "operator table") *
            explainElement(&Runtime::activationBits, "Bytes of an activation"))
        .named("Payload", measures::megabytes);
}

Term Machine::explainCollective(const Operator& op) const {
    if (!isCollective(op.kind))
        return {};
    return collective.explain(op, explainPayload(op)).named(std::string(op.label), measures::microseconds);
}

Term Machine::explainTransfer(const Operator& op) const {
    if (!(op.payload > 0.0))
        return {};
    return collective.explainTransfer(op, explainPayload(op))
        .named(std::string(op.label) + " on the link", measures::microseconds);
}

Term Machine::explainBytes(double weights, double vectors, double activations, double kv) const {
    const auto part = [&](const char* name, double elements, Quantity Runtime::*bits, const char* element) {
        return (Numbers<Term>::counted("Elements", elements, measures::count, "operator table") *
                explainElement(bits, element))
            .named(name, measures::megabytes);
    };
    return sum("Bytes moved", measures::megabytes,
               {part("Weights", weights, &Runtime::weightBits, "Bytes of a weight"),
                part("Norms", vectors, &Runtime::activationBits, "Bytes of an activation"),
                part("Activations", activations, &Runtime::activationBits, "Bytes of an activation"),
                part("KV cache", kv, &Runtime::kvBits, "Bytes of a K or V element")});
}

namespace {

/// Elements are told as they are: a recipe changes the bytes of one, not their number.
Term explainWeights(const Machine& machine, std::span<const Operator> operators, bool allLayers) {
    const auto counted = [](const char* name, double value) {
        return Numbers<Term>::counted(name, value, measures::count, "operator table");
    };
    const auto element = [&](double scale) {
        return scale == 1.0 ? machine.explainElement(&Runtime::weightBits, "Bytes of a weight")
                            : Term::counted("Bytes of a weight as it is stored", scale * machine.weightBytes,
                                            measures::bytes, "format of the weights, scales included");
    };
    std::map<double, double> elements; // by what the recipe makes of them
    std::vector<Term> parts;
    for (const auto& op : operators) {
        const double times = allLayers ? op.repeat : 1.0;
        if (op.part == ModelPart::Experts)
            parts.push_back((counted("Experts met", op.gemm.experts * times) *
                             counted("Elements of an expert", op.weights / op.gemm.experts) *
                             element(op.weightScale))
                                .named("Experts", measures::megabytes));
        else if (op.weights > 0.0)
            elements[op.weightScale] += op.weights * times;
    }
    for (const auto& [scale, number] : elements)
        parts.push_back(
            (counted("Elements", number) * element(scale)).named("Matrices", measures::megabytes));
    return sum("Weights", measures::megabytes, parts);
}

Term together(const Term& weights, const Term& others) {
    return (weights + others.named("All but weights", measures::megabytes))
        .named("Bytes moved", measures::megabytes);
}

} // namespace

Term Machine::explainBytes(const Operator& op, double context) const {
    return together(explainWeights(*this, {&op, 1}, false),
                    explainBytes(0.0, op.vectorWeights, op.activations.at(context), op.kv.at(context)));
}

Term Machine::explainBytes(const OperatorGraph& graph, double context) const {
    const auto sums = graph.sums();
    return together(explainWeights(*this, graph.operators(), true),
                    explainBytes(0.0, sums.vectorWeights, sums.activations.at(context), sums.kv.at(context)));
}

} // namespace heteroscape::engine

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluation/phase_rates.h"

#include <array>

namespace heteroscape::engine {

namespace {

/// The bits that an operator multiplies in: those of the peak it is held against, whose name ends with them
/// ("FP8"), else the runtime's.
double multipliedBits(const OperatorPeak& peak, const Runtime& runtime) {
    if (peak.precision.empty())
        return runtime.activationBits.value;
    return peak.precision.ends_with("4") ? 4.0 : peak.precision.ends_with("8") ? 8.0 : 16.0;
}

/// Share of the time that a slower clock stretches: all but what waits for memory or links.
double clockedShare(const CompiledPhase& compiled, double keys, double kernelSeconds) {
    if (compiled.phase() == Phase::Prefill)
        return 1.0;
    std::array<OperatorTime, OperatorGraph::kCapacity> times;
    compiled.step().operatorTimes(keys, times);
    double all = 0.0, clocked = 0.0;
    for (std::size_t i = 0; i < compiled.graph().operators().size(); ++i) {
        const auto bound = times[i].bound;
        all += times[i].seconds;
        if (bound == Bound::Compute || bound == Bound::L2 || bound == Bound::Waves ||
            bound == Bound::Latency || bound == Bound::LaunchFloor)
            clocked += times[i].seconds;
    }
    return all > 0.0 ? std::min(1.0, kernelSeconds * clocked / all) : 0.0;
}

} // namespace

PhaseRates phaseRates(const CompiledPhase& compiled, double keys, const PhaseEvaluation& of) {
    const auto& graph = compiled.graph();
    const auto& machine = compiled.machine();
    const auto& timing = compiled.step().timing();
    const double seconds = of.workSeconds == of.workSeconds ? of.workSeconds : of.seconds;
    PhaseRates rates;
    if (!(seconds > 0.0))
        return rates;
    rates.known = true;
    rates.kernels = compiled.step().kernelSeconds(keys) / graph.shape().tokensAStep / seconds;
    rates.roofline = !machine.runtime->timing(compiled.phase()).kind->takesKernelConstants();
    rates.memory = of.movedBytes / seconds;
    double flops = 0.0, flops8 = 0.0, flops4 = 0.0, packed = 0.0;
    const auto operators = graph.operators();
    for (std::size_t i = 0; i < operators.size(); ++i) {
        const auto& op = operators[i];
        if (op.offloaded)
            continue;
        const double bits = multipliedBits(timing.peakOf(i), *machine.runtime);
        const double own = op.repeat * op.flops.at(keys);
        flops += own;
        flops8 += bits == 8.0 ? own : 0.0;
        flops4 += bits == 4.0 ? own : 0.0;
        // Formats of four bits have no units but FP4's; eight bits all devices multiply.
        if (bits > 4.0 && machine.weightBytes * op.weightScale < 0.75)
            packed += op.repeat * op.storedWeights() * machine.weightBytes;
    }
    if (flops > 0.0) {
        rates.flops8 = of.flops / seconds * (flops8 / flops);
        rates.flops4 = of.flops / seconds * (flops4 / flops);
        rates.flops16 = of.flops / seconds - rates.flops8 - rates.flops4;
    }
    rates.unpacked = compiled.deviceShare() * packed / seconds;
    const auto send = [&](const LinkType* link, double bytes) {
        if (link && bytes > 0.0)
            rates.sent[static_cast<std::size_t>(sentOver(*link))] += bytes / seconds;
    };
    send(machine.collective.link, of.collectiveBytes.near);
    send(machine.collective.network.link, of.collectiveBytes.far);
    const auto& device = *machine.device;
    if (device.powerCap.isSet() || device.powerClock.isSet())
        rates.clocked = clockedShare(compiled, keys, rates.kernels);
    return rates;
}

} // namespace heteroscape::engine

// SPDX-License-Identifier: GPL-3.0-or-later

#include "engine/timing/built_in.h"

#include <map>

namespace heteroscape::engine {

PeakBound::PeakBound(const OperatorGraph& graph, const Machine& machine, Phase phase)
    : PhaseTiming(graph, machine, phase), m_share(machine.computeEfficiency(phase)) {
    for (const auto& op : graph.operators()) {
        m_compute += op.flops * (op.repeat / (peakOf(op).flops * m_share));
        m_bytes += weightAndCacheBytes(op, machine) * op.repeat;
    }
}

OperatorPeak PeakBound::peakOf(const Operator& op) const {
    auto best = peakOfFormat(op, graph().model(), machine());
    if (machine().runtime->peakCompute.isSet())
        return best;
    const auto& device = *machine().device;
    const auto take = [&](double peak, std::string_view precision) {
        if (peak > best.flops)
            best = {peak, precision};
    };
    const double bits = machine().runtime->activationBits.value;
    const auto* weights = graph().model().weights;
    const bool mxfp4 = op.kind == OperatorKind::Linear && weights && weights->of(op.part).id == "mxfp4";
    take(devicePeak(device, &Device::peakFp16), "FP16");
    if (bits <= 8.0)
        take(devicePeak(device, &Device::peakInt8), "INT8");
    if (bits <= 8.0 || mxfp4)
        take(fp8Peak(device), "FP8");
    if (bits <= 4.0 || mxfp4)
        take(devicePeak(device, &Device::peakFp4), "FP4");
    return best;
}

Affine PeakBound::bytesOf(std::size_t op) const {
    return weightAndCacheBytes(graph().operators()[op], machine());
}

StepCost PeakBound::cost(double, double) const {
    StepCost cost;
    cost.add(Bound::Compute, m_compute);
    cost.add(Bound::Memory,
             m_bytes * (1.0 / (machine().peakBandwidth * machine().memoryEfficiency(phase()))));
    return withTransfers(cost);
}

void PeakBound::operatorTimes(double context, std::span<OperatorTime> out) const {
    const auto operators = graph().operators();
    const double byteRate = machine().peakBandwidth * machine().memoryEfficiency(phase());
    for (std::size_t i = 0; i < operators.size(); ++i) {
        const auto& op = operators[i];
        if (isCollective(op.kind)) {
            out[i] = {op.repeat *
                          machine().collective.transferSeconds(op, op.payload * machine().activationBytes),
                      Bound::Network};
            continue;
        }
        const double compute = op.flops.at(context) / (peakOf(op).flops * m_share);
        const double memory = weightAndCacheBytes(op, machine()).at(context) / byteRate;
        out[i] = {op.repeat * std::max(compute, memory), compute > memory ? Bound::Compute : Bound::Memory};
    }
    fitToStep(context, out);
}

Term PeakBound::explain(double context) const {
    std::map<double, double> flops; // by peak
    for (const auto& op : graph().operators())
        flops[peakOf(op).flops] += op.repeat * op.flops.at(context);
    std::vector<Term> compute;
    for (const auto& [peak, work] : flops)
        if (work > 0.0)
            compute.push_back((Term::counted("Compute", work, measures::flops, "operator table") /
                               (peak == machine().peakFlops
                                    ? machine().explainFlopRate(phase())
                                    : Term::counted("Compute rate reached in the format of the weights",
                                                    peak * m_share, measures::flopRate,
                                                    "the device's peak in that format x the share of it")))
                                  .named("Compute time", measures::milliseconds));
    const auto memory =
        (Term::counted("Weights and caches", m_bytes.at(context), measures::megabytes, "operator table") /
         machine().explainByteRate(phase()))
            .named("Memory time", measures::milliseconds);
    return withTransfers(maximum("Compute and memory", measures::milliseconds,
                                 {sum("Compute time of all", measures::milliseconds, compute), memory}));
}

namespace {

class PeakBoundModel final : public PeakShareModel {
public:
    PeakBoundModel()
        : PeakShareModel("peak_bound", "Every peak at once",
                         "What a step takes at least: its compute, its weights and caches, or what its "
                         "collectives send, whichever takes longest at the peak of what it needs; all of it "
                         "overlaps, and activations stay on the chip.") {}
    bool timesLayeredForm(const Model& model) const override { return model.isMixture(); }
    void time(TimingRoom& room, const OperatorGraph& graph, const Machine& machine,
              Phase phase) const override {
        room.emplace<PeakBound>(graph, machine, phase);
    }
};

} // namespace

const TimingModel& peakBoundModel() {
    static const PeakBoundModel model;
    return model;
}

} // namespace heteroscape::engine

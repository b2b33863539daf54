// SPDX-License-Identifier: GPL-3.0-or-later

#include "engine/timing/built_in.h"

#include <array>
#include <map>

namespace heteroscape::engine {

namespace {

/// Raised to the highest that the device has for the weights of each operator, or for the activations.
OperatorPeaks highestPeaks(const OperatorGraph& graph, const Machine& machine) {
    auto peaks = peaksOfFormats(graph, machine);
    if (machine.runtime->peakCompute.isSet())
        return peaks;
    const DevicePeaks device(*machine.device);
    const double bits = machine.runtime->activationBits.value;
    const auto* weights = graph.model().weights;
    std::array<bool, kModelPartCount> mxfp4{};
    for (std::size_t part = 0; weights && part < mxfp4.size(); ++part)
        mxfp4[part] = weights->formats[part]->id == "mxfp4";
    for (std::size_t i = 0; i < peaks.size(); ++i) {
        const auto& op = graph.operators()[i];
        const bool narrow = op.kind == OperatorKind::Linear && mxfp4[static_cast<std::size_t>(op.part)];
        const auto take = [&best = peaks[i]](double peak, std::string_view precision) {
            if (peak > best.flops)
                best = {peak, precision};
        };
        take(device.fp16, "FP16");
        if (bits <= 8.0)
            take(device.int8, "INT8");
        if (bits <= 8.0 || narrow)
            take(device.fp8, "FP8");
        if (bits <= 4.0 || narrow)
            take(device.fp4, "FP4");
    }
    return peaks;
}

} // namespace

PeakBound::PeakBound(const OperatorGraph& graph, const Machine& machine, Phase phase)
    : PhaseTiming(graph, machine, phase), m_peaks(highestPeaks(graph, machine)),
      m_share(machine.computeEfficiency(phase)) {
    const auto operators = graph.operators();
    Affine compute;
    for (std::size_t i = 0; i < operators.size(); ++i) {
        compute += operators[i].flops * (operators[i].repeat / (m_peaks[i].flops * m_share));
        m_bytes += weightAndCacheBytes(operators[i], machine) * operators[i].repeat;
    }
    m_cost.add(Bound::Compute, compute);
    m_cost.add(Bound::Memory, m_bytes * (1.0 / (machine.peakBandwidth * machine.memoryEfficiency(phase))));
    m_cost = withTransfers(m_cost);
}

Affine PeakBound::bytesOf(std::size_t op) const {
    return weightAndCacheBytes(graph().operators()[op], machine());
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
        const double compute = op.flops.at(context) / (m_peaks[i].flops * m_share);
        const double memory = weightAndCacheBytes(op, machine()).at(context) / byteRate;
        out[i] = {op.repeat * std::max(compute, memory), compute > memory ? Bound::Compute : Bound::Memory};
    }
    fitToStep(m_cost, context, out);
}

Term PeakBound::explain(double context) const {
    std::map<double, double> flops; // by peak
    const auto operators = graph().operators();
    for (std::size_t i = 0; i < operators.size(); ++i)
        flops[m_peaks[i].flops] += operators[i].repeat * operators[i].flops.at(context);
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

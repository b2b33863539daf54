// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/timing/built_in.h"

#include "engine/units/units.h"

#include <algorithm>
#include <array>

namespace heteroscape::engine {

namespace {

constexpr std::size_t kFloor = 2; // after the two shares

StepCost withFloor(StepCost cost, const Settings& settings) {
    cost.add(Bound::LaunchFloor, {settings[kFloor], 0});
    return cost;
}

class LaunchFloorTiming : public RooflineTiming {
public:
    using RooflineTiming::RooflineTiming;

protected:
    StepCost wholeCost() const override { return withFloor(RooflineTiming::wholeCost(), settings()); }
    std::vector<Term> wholeTerms(double context) const override {
        auto terms = RooflineTiming::wholeTerms(context);
        terms.push_back(Numbers<Term>::setting(*machine().runtime->timing(phase()).kind, settings(), kFloor));
        return terms;
    }
};

/// A whole step as it was measured, collectives included.
class MeasuredStepTiming final : public LaunchFloorTiming {
public:
    using LaunchFloorTiming::LaunchFloorTiming;

    StepCost cost(double, double) const override { return withTransfers(wholeCost()); }
    void operatorTimes(double context, std::span<OperatorTime> out) const override {
        RooflineTiming::operatorTimes(context, out);
        fitToStep(context, out);
    }
    std::vector<Term> operatorTerms(double context) const override {
        return fittedToStep(context, RooflineTiming::operatorTerms(context));
    }
    Term explain(double context) const override { return withTransfers(explainWhole(context)); }
};

class LaunchFloorModel final : public PeakShareModel {
public:
    LaunchFloorModel()
        : PeakShareModel("launch_floor", "Launch floor",
                         "Roofline, but a step is never shorter than launching its kernels takes (GLITCHES, "
                         "section V).") {
        const auto shares = PeakShareModel::parameters();
        std::copy(shares.begin(), shares.end(), m_table.begin());
        m_table[kFloor] = {{"launch_floor_ms", "Launch floor", "ms", units::milli, 0, 1e6, false, true,
                            "The least time of one step: what launching its kernels takes."}};
    }
    std::span<const KindParameter> parameters() const override { return m_table; }
    void time(TimingRoom& room, const OperatorGraph& graph, const Machine& machine,
              Phase phase) const override {
        if (phase == Phase::Decode && machine.runtime->measuredFor)
            room.emplace<MeasuredStepTiming>(graph, machine, phase);
        else
            room.emplace<LaunchFloorTiming>(graph, machine, phase);
    }
    bool takesMeasuredSteps() const override { return true; }
    bool timesWholeStepsOnly() const override { return true; }

private:
    std::array<KindParameter, kFloor + 1> m_table;
};

} // namespace

const TimingModel& launchFloorModel() {
    static const LaunchFloorModel model;
    return model;
}

RooflineTiming::RooflineTiming(const OperatorGraph& graph, const Machine& machine, Phase phase)
    : PhaseTiming(graph, machine, phase), m_sums(graph.sums()),
      m_flopRate(machine.peakFlops * machine.computeEfficiency(phase)),
      m_byteRate(machine.peakBandwidth * machine.memoryEfficiency(phase)) {}

StepCost RooflineTiming::wholeCost() const {
    StepCost cost;
    cost.add(Bound::Compute, m_sums.flops * (1.0 / m_flopRate));
    cost.add(Bound::Memory, machine().bytes(m_sums) * (1.0 / m_byteRate));
    return cost;
}

StepCost RooflineTiming::cost(double, double) const {
    auto cost = wholeCost();
    cost.delay(collectiveSeconds());
    return cost;
}

void RooflineTiming::operatorTimes(double context, std::span<OperatorTime> out) const {
    const auto operators = graph().operators();
    double compute = 0.0; // own times of compute-bound operators, s
    double memory = 0.0;
    for (std::size_t i = 0; i < operators.size(); ++i) {
        const auto& op = operators[i];
        const double flops = op.flops.at(context) / m_flopRate;
        const double bytes = machine().bytes(op).at(context) / m_byteRate;
        out[i] = {op.repeat * std::max(flops, bytes), flops > bytes ? Bound::Compute : Bound::Memory};
        (out[i].bound == Bound::Compute ? compute : memory) += out[i].seconds;
    }
    // Too long together: the compute-bound ones run faster than the mean efficiency, since only they can
    // without passing a roof. Too short: all of them wait, for launches.
    const double step = wholeCost().at(context);
    const bool shrinks = compute + memory > step && step > memory;
    const double scale = shrinks ? (step - memory) / compute : step / (compute + memory);
    for (std::size_t i = 0; i < operators.size(); ++i)
        if (!shrinks || out[i].bound == Bound::Compute)
            out[i].seconds *= scale;
    timeCollectives(out);
}

std::vector<Term> RooflineTiming::wholeTerms(double context) const {
    const auto flops = Term::counted("Compute", m_sums.flops.at(context), measures::flops, "operator table");
    return {(flops / machine().explainFlopRate(phase())).named("Compute time", measures::milliseconds),
            (machine().explainBytes(graph(), context) / machine().explainByteRate(phase()))
                .named("Memory time", measures::milliseconds)};
}

Term RooflineTiming::explainWhole(double context) const {
    return maximum("Operators together", measures::milliseconds, wholeTerms(context))
        .remarked("bound by " + std::string(boundLabel(wholeCost().boundAt(context))));
}

Term RooflineTiming::explain(double context) const {
    std::vector<Term> parts(graph().operators().size());
    for (std::size_t i = 0; i < parts.size(); ++i)
        parts[i] = machine().explainCollective(graph().operators()[i]);
    parts = ofStep(parts);
    parts.insert(parts.begin(), explainWhole(context));
    return sum("Operators", measures::milliseconds, parts);
}

/// As operatorTimes() shares a step out.
std::vector<Term> RooflineTiming::operatorTerms(double context) const {
    const auto operators = graph().operators();
    const auto flopRate = machine().explainFlopRate(phase());
    const auto byteRate = machine().explainByteRate(phase());
    std::vector<Term> alone;
    std::vector<Term> compute; // own times of compute-bound operators
    std::vector<Term> memory;
    std::vector<bool> computes;
    for (const auto& op : operators) {
        const double flops = op.flops.at(context) / m_flopRate;
        const double bytes = machine().bytes(op).at(context) / m_byteRate;
        const auto flopTerm =
            Numbers<Term>::counted("Compute", op.flops.at(context), measures::flops, "operator table");
        alone.push_back(maximum(
            std::string(op.label) + " alone", measures::microseconds,
            {(flopTerm / flopRate).named("Compute time", measures::microseconds),
             (machine().explainBytes(op, context) / byteRate).named("Memory time", measures::microseconds)}));
        computes.push_back(flops > bytes);
    }
    for (std::size_t i = 0; i < operators.size(); ++i) {
        std::vector<Term> one(operators.size());
        one[i] = alone[i];
        for (auto& term : ofStep(one))
            (computes[i] ? compute : memory).push_back(std::move(term));
    }
    const auto computeSum = sum("Compute-bound ones", measures::milliseconds, compute);
    const auto memorySum = sum("Memory-bound ones", measures::milliseconds, memory);
    const auto step = explainWhole(context);
    const bool shrinks =
        computeSum.value() + memorySum.value() > step.value() && step.value() > memorySum.value();
    const auto scale =
        shrinks ? ((step - memorySum).named("Left for the compute-bound ones", measures::milliseconds) /
                   computeSum)
                : (step / (computeSum + memorySum).named("Operators alone", measures::milliseconds));
    const auto stretch = scale.named("Share of their own time", measures::count);
    std::vector<Term> terms;
    for (std::size_t i = 0; i < operators.size(); ++i) {
        if (isCollective(operators[i].kind))
            terms.push_back(machine().explainCollective(operators[i]));
        else if (!shrinks || computes[i])
            terms.push_back(
                (alone[i] * stretch).named(std::string(operators[i].label), measures::microseconds));
        else
            terms.push_back(alone[i]);
    }
    return terms;
}

std::span<const KindParameter> PeakShareModel::parameters() const {
    static const std::array<KindParameter, 2> table{{
        {{"compute_efficiency", "Share of compute peak", "", 1, 1e-4, 1, false, true,
          "Share of the compute peak that a step reaches."}},
        {{"memory_efficiency", "Share of memory peak", "", 1, 1e-4, 1, false, true,
          "Share of the memory bandwidth that a step reaches."}},
    }};
    return table;
}

namespace {

class RooflineModel final : public PeakShareModel {
public:
    RooflineModel()
        : PeakShareModel("roofline", "Roofline",
                         "The whole step against the compute peak and the memory bandwidth, whichever takes "
                         "longer (Williams, Waterman, Patterson, CACM 2009).") {}
    void time(TimingRoom& room, const OperatorGraph& graph, const Machine& machine,
              Phase phase) const override {
        room.emplace<RooflineTiming>(graph, machine, phase);
    }
};

} // namespace

const TimingModel& rooflineModel() {
    static const RooflineModel model;
    return model;
}

} // namespace heteroscape::engine

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/timing/launch_floor.h"

#include "engine/timing/roofline.h"
#include "engine/units/units.h"

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
    std::vector<Term> wholeTerms(double keys) const override {
        auto terms = RooflineTiming::wholeTerms(keys);
        terms.push_back(Numbers<Term>::setting(*machine().runtime->timing(phase()).kind, settings(), kFloor));
        return terms;
    }
};

/// A whole step as it was measured, collectives included.
class MeasuredStepTiming final : public LaunchFloorTiming {
public:
    using LaunchFloorTiming::LaunchFloorTiming;

    StepCost cost(double, double) const override { return withTransfers(wholeCost()); }
    void operatorTimes(double keys, std::span<OperatorTime> out) const override {
        RooflineTiming::operatorTimes(keys, out);
        fitToStep(keys, out);
    }
    std::vector<Term> operatorTerms(double keys) const override {
        return fittedToStep(keys, RooflineTiming::operatorTerms(keys));
    }
    Term explain(double keys) const override { return withTransfers(explainWhole(keys)); }
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

} // namespace heteroscape::engine

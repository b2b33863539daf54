// SPDX-License-Identifier: GPL-3.0-or-later
// A timing model that nothing but this file knows of: everything that is made from the list of them has it.
#include "engine/timing/timing_model.h"
#include "engine/units/units.h"

#include <array>

using namespace heteroscape::engine;

namespace {

/// Every operator takes the same time, and its collectives.
class EvenTiming final : public PhaseTiming {
public:
    using PhaseTiming::PhaseTiming;

    StepCost cost(double, double) const override {
        double repeats = 0.0;
        for (const auto& op : graph().operators())
            repeats += op.kind == OperatorKind::AllReduce ? 0.0 : op.repeat;
        StepCost cost;
        cost.add(Bound::LaunchFloor, {repeats * settings()[0], 0.0});
        cost.delay(collectiveSeconds());
        return cost;
    }
    void operatorTimes(double, std::span<OperatorTime> out) const override {
        const auto operators = graph().operators();
        for (std::size_t i = 0; i < operators.size(); ++i)
            out[i] = {operators[i].repeat * settings()[0], Bound::LaunchFloor};
        timeCollectives(out);
    }
};

const std::array<KindParameter, 1> kParameters{{
    {{"each_us", "Time of each operator", "\u00b5s", units::micro, 0, 1e9, false, true,
      "What one operator takes."},
     5 * units::micro},
}};

class ToyTiming final : public TimingModel {
public:
    ToyTiming() : TimingModel("toy_even", "Toy, even", "Every operator takes the same time.") {}
    std::span<const KindParameter> parameters() const override { return kParameters; }
    std::span<const DeviceNeed> deviceNeeds() const override {
        static const std::array<DeviceNeed, 1> needs{{{&Device::clock, "clock_mhz", "the clock"}}};
        return needs;
    }
    void time(TimingRoom& room, const OperatorGraph& graph, const Machine& machine,
              Phase phase) const override {
        room.emplace<EvenTiming>(graph, machine, phase);
    }
};
const ToyTiming toy;
const Registered<TimingKind> registered(timingKinds(), toy);

} // namespace

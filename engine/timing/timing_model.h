// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/timing_kind.h"
#include "engine/timing/blocks.h"
#include "engine/timing/machine.h"

#include <cstddef>
#include <functional>
#include <limits>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace heteroscape::engine {

/// The peak that the arithmetic of an operator is held against: that of the precision that it multiplies in.
struct OperatorPeak {
    double flops = 0.0;         ///< FLOP/s
    std::string_view precision; ///< "FP8"; empty: the runtime's own
};

/// The contexts that a cost was made for: cost(first, last).
struct Contexts {
    double first;
    double last;
};

/// One phase of a model on one device of a pool, timed by one timing model: what a step takes, what it moves,
/// and how its time is shared out. Collectives are part of the step. Graph and machine outlive it; it
/// allocates nothing but what blocks() returns.
class PhaseTiming {
public:
    PhaseTiming(const OperatorGraph& graph, const Machine& machine, Phase phase)
        : m_graph(graph), m_machine(machine), m_phase(phase) {}
    PhaseTiming(const PhaseTiming&) = delete;
    PhaseTiming& operator=(const PhaseTiming&) = delete;
    virtual ~PhaseTiming() = default;

    /// The time of a step for contexts from `firstContext` to `lastContext`.
    virtual StepCost cost(double firstContext, double lastContext) const = 0;

    /// The time at `context` shared out to the operators (parallel to the graph's), all repeats;
    /// the times add up to the step's.
    virtual void operatorTimes(double context, std::span<OperatorTime> out) const = 0;

    /// How the time of each operator comes about at `context`: of one of its repeats, parallel to
    /// the graph's operators, nothing where it takes none. Unless the model says more: its part of
    /// operatorTimes().
    virtual std::vector<Term> operatorTerms(double context) const;
    /// How far the time of each operator is expected to be off at `context`, parallel to the
    /// graph's operators: of models that rest on measured constants.
    virtual void operatorErrors(double context, std::span<ExpectedError> out) const;
    /// What the collective with this ordinal in the graph takes, once, and how that comes about: over its
    /// link as drawn, unless the model times collectives itself.
    virtual double collectiveOnce(std::size_t op) const;
    virtual Term explainCollective(std::size_t op) const;
    /// How cost() comes about at `context`; unless the model says more: the sum of its operators.
    virtual Term explain(double context) const;
    /// How cost(contexts.first, contexts.last).at(keys) comes about. The same, unless the time is not affine
    /// in the context and cost() draws lines through stretches of contexts.
    virtual Term explainWithin(Contexts contexts, double context) const;

    /// Bytes that a step moves between memory and chip, with meta-data or what tiling reads again.
    virtual Affine movedBytes() const { return m_machine.bytes(sums()); }
    virtual OperatorSums sums() const { return m_graph.sums(); } ///< of the graph

    /// The schedule at `context`: sum of repeat x seconds is the step's time. One operator after
    /// the other, collectives on the network, unless the model knows better.
    virtual std::vector<ScheduleBlock> blocks(double context) const;

    /// Bytes that one operator moves to and from memory and L2, once.
    struct Traffic {
        Affine memory;
        Affine l2;
    };
    virtual Traffic traffic(const Operator& op) const { return {m_machine.bytes(op), {}}; }
    /// Bytes of the operator with this ordinal in the graph, once; of all of them movedBytes(), or the
    /// graph's.
    virtual Affine bytesOf(std::size_t op) const { return m_machine.bytes(m_graph.operators()[op]); }
    virtual OperatorPeak peakOf(std::size_t) const { return {m_machine.peakFlops, {}}; }
    /// B/s between L2 and the cores, where operators are timed against it; 0 where they are not.
    virtual double l2Roof() const { return 0.0; }
    /// What of a step costs of the runtime have added to its operators, s: no kernel runs meanwhile.
    virtual double addedToStep() const { return 0.0; }
    /// Share of the peak bandwidth that the loads of weights reach, merged as in the graph; NaN where the
    /// model knows no loads.
    virtual double loadUtilisation() const { return std::numeric_limits<double>::quiet_NaN(); }

protected:
    const OperatorGraph& graph() const { return m_graph; }
    const Machine& machine() const { return m_machine; }
    Phase phase() const { return m_phase; }
    const Settings& settings() const { return m_machine.runtime->timing(m_phase).settings; }

    std::string modelText() const; ///< what a term that is counted by the model names as its source

    /// For models that time collectives apart, one after the other: all of a step, s, and each in its place.
    double collectiveSeconds() const;
    void timeCollectives(std::span<OperatorTime> out) const;
    /// Terms of one repeat each, as operatorTerms() has them, all repeats of a step together.
    std::vector<Term> ofStep(const std::vector<Term>& once) const;
    /// Of times shared out at `context`, one repeat each: what operatorTerms() makes of its own.
    std::vector<Term> termsOf(double context, std::span<const OperatorTime> times) const;
    /// For models whose times hold their collectives: they still take the link, so that no step is shorter
    /// than what it transfers. The second makes operators' times add up to such a step.
    StepCost withTransfers(StepCost cost) const;
    void fitToStep(double context, std::span<OperatorTime> out) const;
    void fitToStep(const StepCost& whole, double context, std::span<OperatorTime> out) const;
    /// The same for terms: of a step at one context, and of its operators, one repeat each.
    Term withTransfers(const Term& seconds) const;
    std::vector<Term> fittedToStep(double context, std::vector<Term> once) const;

private:
    const OperatorGraph& m_graph;
    const Machine& m_machine;
    Phase m_phase;
};

/// Where a PhaseTiming is made: in place, so that a sweep does not allocate.
class TimingRoom {
public:
    TimingRoom() = default;
    TimingRoom(const TimingRoom&) = delete;
    TimingRoom& operator=(const TimingRoom&) = delete;
    ~TimingRoom() { clear(); }

    template <class T, class... Arguments>
    void emplace(Arguments&&... arguments) {
        clear();
        if constexpr (sizeof(T) <= kBytes && alignof(T) <= alignof(std::max_align_t)) {
            m_timing = new (m_bytes) T(std::forward<Arguments>(arguments)...);
            m_inPlace = true;
        } else {
            m_timing = new T(std::forward<Arguments>(arguments)...);
            m_inPlace = false;
        }
    }
    const PhaseTiming& operator*() const { return *m_timing; }
    const PhaseTiming* operator->() const { return m_timing; }

private:
    static constexpr std::size_t kBytes = 4096;

    alignas(std::max_align_t) std::byte m_bytes[kBytes];
    PhaseTiming* m_timing = nullptr;
    bool m_inPlace = false;

    void clear() {
        if (m_inPlace)
            m_timing->~PhaseTiming();
        else
            delete m_timing;
        m_timing = nullptr;
        m_inPlace = false;
    }
};

/// Steps of one phase that are alike but for their requests or sequences: each as cost() of its own graph has
/// it, to the last bit, without making one where that is not needed. One thread.
class StepTimes {
public:
    virtual ~StepTimes() = default;
    /// s of a step of a server (StepShape::sequences)
    virtual double seconds(const StepShape& shape) = 0;
    /// Of requests that are alike, as many as the shape has; all else in it is the same in each call, but for
    /// the context about which windows are taken as full or not.
    virtual StepCost cost(const StepShape& shape, double firstContext, double lastContext) = 0;
};

/// A timing model: how a step's time follows from its operators. One object in a file of its own, listed in
/// timing_model.cpp; every TimingKind is one.
class TimingModel : public TimingKind {
public:
    using TimingKind::TimingKind;

    /// Makes the timing of a phase of the machine's runtime. Graph (after its techniques) and machine outlive
    /// it.
    virtual void time(TimingRoom& room, const OperatorGraph& graph, const Machine& machine,
                      Phase phase) const = 0;

    /// Such steps of the machine's runtime, whose graphs (after their techniques) `graphOf` makes. The
    /// machine outlives it. Null: this model wants a graph for each.
    virtual std::unique_ptr<StepTimes> stepTimes(std::function<OperatorGraph(const StepShape&)> graphOf,
                                                 const Machine& machine, Phase phase) const;
};

/// What the runtime's costs add to one pass of an operator, s.
double addedSeconds(const Runtime& runtime, const Operator& op);

/// The timing of a phase by the model that the machine's runtime names for it, with what the runtime's costs
/// add to each operator.
void timePhase(TimingRoom& room, const OperatorGraph& graph, const Machine& machine, Phase phase);
std::unique_ptr<StepTimes> stepTimes(std::function<OperatorGraph(const StepShape&)> graphOf,
                                     const Machine& machine, Phase phase);

} // namespace heteroscape::engine

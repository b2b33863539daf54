// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/timing/timing_model.h"

#include "engine/timing/built_in.h"

#include <cmath>

namespace heteroscape::engine {

Registry<TimingKind>& timingKinds() {
    static Registry<TimingKind> registry(
        "timing model",
        {&rooflineModel(), &operatorRooflineModel(), &peakBoundModel(), &launchFloorModel(),
         &instructionStreamModel(), &l2PanelModel(), &ascend910bMeasuredModel(), &ascend910bPrefillModel(),
         &gpuKernelsTrtllm(), &gpuKernelsSglang(), &gpuKernelsVllm(), &gpuKernelsBest(), &classRuleModel()});
    return registry;
}

double addedSeconds(const Runtime& runtime, const Operator& op) {
    double seconds = 0.0;
    runtime.costs.forEachSet([&](const CostKind& kind, std::size_t parameter, const Quantity& quantity) {
        seconds += kind.timesOfOperator(parameter, op) * quantity.value;
    });
    return seconds;
}

namespace {

/// Any timing model, with what costs of the runtime add to its operators.
class WithCosts final : public PhaseTiming {
public:
    WithCosts(const TimingModel& model, const OperatorGraph& graph, const Machine& machine, Phase phase)
        : PhaseTiming(graph, machine, phase) {
        model.time(m_own, graph, machine, phase);
        for (std::size_t i = 0; i < graph.operators().size(); ++i)
            m_step += graph.operators()[i].repeat * added(i);
    }

    StepCost cost(double firstContext, double lastContext) const override {
        auto cost = m_own->cost(firstContext, lastContext);
        cost.addFixed(m_step);
        return cost;
    }
    void operatorTimes(double context, std::span<OperatorTime> out) const override {
        m_own->operatorTimes(context, out);
        for (std::size_t i = 0; i < graph().operators().size(); ++i) {
            const double more = graph().operators()[i].repeat * added(i);
            if (more > out[i].seconds)
                out[i].bound = Bound::LaunchFloor;
            out[i].seconds += more;
        }
    }
    std::vector<Term> operatorTerms(double context) const override {
        auto terms = m_own->operatorTerms(context);
        for (std::size_t i = 0; i < terms.size(); ++i)
            terms[i] = withAdded(terms[i], i);
        return terms;
    }
    void operatorErrors(double context, std::span<ExpectedError> out) const override {
        m_own->operatorErrors(context, out);
    }
    double collectiveOnce(std::size_t op) const override { return m_own->collectiveOnce(op) + added(op); }
    Term explainCollective(std::size_t op) const override {
        return withAdded(m_own->explainCollective(op), op);
    }
    Term explain(double context) const override { return withAdded(m_own->explain(context)); }
    Term explainWithin(Contexts contexts, double context) const override {
        return withAdded(m_own->explainWithin(contexts, context));
    }
    std::vector<ScheduleBlock> blocks(double context) const override;

    Affine movedBytes() const override { return m_own->movedBytes(); }
    OperatorSums sums() const override { return m_own->sums(); }
    Traffic traffic(const Operator& op) const override { return m_own->traffic(op); }
    Affine bytesOf(std::size_t op) const override { return m_own->bytesOf(op); }
    OperatorPeak peakOf(std::size_t op) const override { return m_own->peakOf(op); }
    double l2Roof() const override { return m_own->l2Roof(); }
    double addedToStep() const override { return m_step; }
    double loadUtilisation() const override { return m_own->loadUtilisation(); }

private:
    TimingRoom m_own;
    double m_step = 0.0;

    /// Whether an operator of the graph does anything here.
    bool pays(const Operator& op) const {
        return !op.offloaded && (!isCollective(op.kind) || machine().collective.trafficFactor(op) > 0.0);
    }
    double added(std::size_t index) const { ///< once
        const auto& op = graph().operators()[index];
        return pays(op) ? addedSeconds(*machine().runtime, op) : 0.0;
    }
    Term explainAdded(std::size_t index) const {
        const auto& op = graph().operators()[index];
        std::vector<Term> parts;
        if (pays(op))
            machine().runtime->costs.forEachSet(
                [&](const CostKind& kind, std::size_t parameter, const Quantity& quantity) {
                    const double times = kind.timesOfOperator(parameter, op);
                    const auto once = Term::quantity(kind.parameters()[parameter].spec, quantity);
                    if (times == 1.0)
                        parts.push_back(once);
                    else if (times > 0.0)
                        parts.push_back(
                            Term::counted("Times a pass", times, measures::count, std::string(kind.label())) *
                            once);
                });
        return sum(std::string(op.label) + ", fixed times", measures::microseconds, parts);
    }
    Term withAdded(const Term& once, std::size_t index) const {
        const auto more = explainAdded(index);
        return more ? (once + more)
                          .named(std::string(graph().operators()[index].label), measures::microseconds)
                    : once;
    }
    Term withAdded(const Term& step) const {
        std::vector<Term> added;
        for (std::size_t i = 0; i < graph().operators().size(); ++i)
            added.push_back(explainAdded(i));
        return sum("Operators", measures::milliseconds,
                   {step, sum("Fixed times of operators", measures::milliseconds, ofStep(added))});
    }
};

/// The model's own schedule, each block followed by what its operators pay.
std::vector<ScheduleBlock> WithCosts::blocks(double context) const {
    auto blocks = m_own->blocks(context);
    const auto operators = graph().operators();
    std::vector<double> more(blocks.size(), 0.0);
    std::size_t block = 0;
    for (std::size_t i = 0; i < operators.size(); ++i) {
        for (std::size_t k = 0; k < blocks.size(); ++k) // one that takes no time stays with the one before
            for (const auto& segment : blocks[k].segments)
                if (!isFlow(segment.work) && segment.op == i && blocks[k].repeat > 0.0)
                    block = k;
        if (!blocks.empty())
            more[block] += operators[i].repeat * added(i) / blocks[block].repeat;
    }
    for (std::size_t k = 0; k < blocks.size(); ++k)
        if (more[k] > 0.0) {
            auto& [segment, repeat, seconds, segments] = blocks[k];
            segments.push_back(
                {Lane::Host, Work::Host, 0, seconds, seconds + more[k], 0.0, Bound::LaunchFloor});
            seconds += more[k];
        }
    return blocks;
}

} // namespace

void timePhase(TimingRoom& room, const OperatorGraph& graph, const Machine& machine, Phase phase) {
    // Only timing models are registered.
    const auto& model = *static_cast<const TimingModel*>(machine.runtime->timing(phase).kind);
    if (machine.runtime->costs)
        room.emplace<WithCosts>(model, graph, machine, phase);
    else
        model.time(room, graph, machine, phase);
}

std::unique_ptr<StepTimes> stepTimes(std::function<OperatorGraph(const StepShape&)> graphOf,
                                     const Machine& machine, Phase phase) {
    return machine.runtime->costs ? nullptr
                                  : static_cast<const TimingModel*>(machine.runtime->timing(phase).kind)
                                        ->stepTimes(std::move(graphOf), machine, phase);
}

std::unique_ptr<StepTimes> TimingModel::stepTimes(std::function<OperatorGraph(const StepShape&)>,
                                                  const Machine&, Phase) const {
    return nullptr;
}

double PhaseTiming::collectiveSeconds() const {
    double seconds = 0.0;
    if (m_machine.collective.devices > 1.0)
        for (const auto& op : m_graph.operators())
            if (isCollective(op.kind))
                seconds += op.repeat * m_machine.collectiveSeconds(op);
    return seconds;
}

void PhaseTiming::timeCollectives(std::span<OperatorTime> out) const {
    const auto operators = m_graph.operators();
    for (std::size_t i = 0; m_machine.collective.devices > 1.0 && i < operators.size(); ++i)
        if (isCollective(operators[i].kind))
            out[i] = {operators[i].repeat * m_machine.collectiveSeconds(operators[i]), Bound::Network};
}

StepCost PhaseTiming::withTransfers(StepCost cost) const {
    if (m_machine.collective.devices <= 1.0)
        return cost;
    double seconds = 0.0;
    for (const auto& op : m_graph.operators())
        if (isCollective(op.kind))
            seconds +=
                op.repeat * m_machine.collective.transferSeconds(op, op.payload * m_machine.activationBytes);
    if (seconds > 0.0)
        cost.add(Bound::Network, {seconds, 0.0});
    return cost;
}

void PhaseTiming::fitToStep(double context, std::span<OperatorTime> out) const {
    fitToStep(cost(context, context), context, out);
}

void PhaseTiming::fitToStep(const StepCost& whole, double context, std::span<OperatorTime> out) const {
    constexpr double kRounding = 1e-9;
    const auto times = out.first(m_graph.operators().size());
    double own = 0.0;
    for (const auto& time : times)
        own += time.seconds;
    const double step = whole.at(context);
    if (std::fabs(step - own) <= kRounding * step)
        return;
    const auto bound = whole.boundAt(context);
    const bool all = bound == Bound::Network || step > own; // what makes it longer than they are
    for (auto& time : times)
        time = {time.seconds * (step / own), all ? bound : time.bound};
}

Term PhaseTiming::withTransfers(const Term& seconds) const {
    std::vector<Term> transfers;
    for (const auto& op : m_graph.operators())
        transfers.push_back(m_machine.explainTransfer(op));
    return max(seconds, sum("Transfers of collectives", measures::milliseconds, ofStep(transfers)))
        .named("Operators", measures::milliseconds);
}

std::vector<Term> PhaseTiming::fittedToStep(double context, std::vector<Term> once) const {
    constexpr double kRounding = 1e-9;
    const auto own = sum("Operators alone", measures::milliseconds, ofStep(once));
    const auto step = explain(context);
    if (std::fabs(step.value() - own.value()) <= kRounding * step.value())
        return once;
    const auto stretch = (step / own).named("Share of their own time", measures::count);
    for (auto& term : once)
        term = (term * stretch).named(term.name() + ", in the step", measures::microseconds);
    return once;
}

void PhaseTiming::operatorErrors(double, std::span<ExpectedError>) const {}

double PhaseTiming::collectiveOnce(std::size_t op) const {
    return m_machine.collectiveSeconds(m_graph.operators()[op]);
}

Term PhaseTiming::explainCollective(std::size_t op) const {
    return m_machine.explainCollective(m_graph.operators()[op]);
}

std::vector<Term> PhaseTiming::operatorTerms(double context) const {
    std::array<OperatorTime, OperatorGraph::kCapacity> times;
    operatorTimes(context, times);
    return termsOf(context, times);
}

std::string PhaseTiming::modelText() const {
    const auto& kind = *m_machine.runtime->timing(m_phase).kind;
    auto model = std::string(kind.label());
    if (kind.takesKernelConstants() && m_machine.runtime->ownKernels)
        model += ", " + m_machine.runtime->ownKernels->text();
    return model;
}

std::vector<Term> PhaseTiming::termsOf(double context, std::span<const OperatorTime> times) const {
    const auto model = modelText();
    std::array<ExpectedError, OperatorGraph::kCapacity> errors{};
    operatorErrors(context, errors);
    std::vector<Term> terms;
    const auto operators = m_graph.operators();
    for (std::size_t i = 0; i < operators.size(); ++i)
        terms.push_back(times[i].seconds > 0.0
                            ? Term::counted(std::string(operators[i].label),
                                            times[i].seconds / operators[i].repeat, measures::microseconds,
                                            model + ", bound by " + std::string(boundLabel(times[i].bound)))
                                  .expecting(errors[i])
                            : Term());
    return terms;
}

std::vector<Term> PhaseTiming::ofStep(const std::vector<Term>& once) const {
    std::vector<Term> terms;
    const auto operators = m_graph.operators();
    for (std::size_t i = 0; i < operators.size(); ++i) {
        const auto& op = operators[i];
        if (!once[i] || op.repeat == 0.0)
            continue;
        terms.push_back(
            op.repeat == 1.0
                ? once[i]
                : (Term::counted("Times in a step", op.repeat, measures::count, "operator table") * once[i])
                      .named(std::string(op.label) + ", all layers", measures::milliseconds));
    }
    return terms;
}

Term PhaseTiming::explain(double context) const {
    return sum("Operators", measures::milliseconds, ofStep(operatorTerms(context)));
}

Term PhaseTiming::explainWithin(Contexts, double context) const {
    return explain(context);
}

std::vector<ScheduleBlock> PhaseTiming::blocks(double context) const {
    std::array<OperatorTime, OperatorGraph::kCapacity> times;
    operatorTimes(context, times);
    std::vector<ScheduleBlock> blocks;
    const auto operators = m_graph.operators();
    for (std::size_t i = 0; i < operators.size(); ++i) {
        const auto& op = operators[i];
        if (i == 0 || opensBlock(operators[i - 1], op))
            blocks.push_back({op.segment, op.repeat, 0.0, {}});
        blocks.back().append(op, i, times[i]);
    }
    return blocks;
}

} // namespace heteroscape::engine

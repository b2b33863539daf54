// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/scenario/scenario.h"
#include "engine/schedule/offloading.h"
#include "engine/schedule/step.h"

#include <memory>
#include <vector>

namespace heteroscape::engine {

/// One device of a node under the node's runtime, with the network of its pool. The node has a runtime.
Machine machineOf(const Scenario& scenario, const Node& node);

/// The step of a phase on one device of the node: prefill takes the whole prompt at once, decode one token.
StepShape phaseShape(const Scenario& scenario, const Node& node, Phase phase);

/// What the host of the node's server and the costs of runtimes make of such a step; none without both.
std::optional<StepHost> hostOf(const Scenario& scenario, const Node& node, const StepShape& shape);

/// The steps of a phase on the node that are alike but for their requests or sequences, where each is one
/// graph on one kind of device; null where it is not (stages, attention-FFN disaggregation, prompts that
/// ranks cut, a draft model), or where the timing model has none. Scenario, node and machine outlive it;
/// `shape` is one of them.
std::unique_ptr<StepTimes> stepTimesOf(const Scenario& scenario, const Node& node, const StepShape& shape,
                                       const Machine& machine);

/// CompiledPhase::cost() of a decode, to the last bit, by such steps of the node.
StepCost decodeCost(const Scenario& scenario, const Node& node, StepTimes& steps, double firstContext,
                    double lastContext);

/// Tokens of a request at its end: what its KV cache is set aside for.
double phaseMaxTokens(const Workload& workload);

/// The context at which a phase is shown as one step: the prompt, or the mean of decode's contexts P+1 ..
/// P+D.
double representativeContext(const Workload& workload, Phase phase);

/// The model as a copy of it lies on the node: the scenario's, or its layered form (see isLayered()).
std::shared_ptr<const Model> servedModel(const Scenario& scenario, const Node& node);

/// B over one of the parallel links of each drawn one that activations cross in a step of a split pool, in
/// the busier way; empty for any other node.
struct LinkBytes {
    std::size_t link = 0; ///< index
    double bytes = 0.0;
};

/// One phase of one node made runnable: the graph after its techniques, the step that times it. Everybody
/// who asks what a phase takes, moves or looks like asks here: evaluation, breakdown, timeline, tables of the
/// simulation, explanations.
class CompiledPhase {
public:
    /// Scenario, node, machine (see machineOf()) and offloading (null: nothing is offloaded) outlive it.
    CompiledPhase(const Scenario& scenario, const Node& node, Phase phase, const Machine& machine,
                  const Offloading* offloading);
    /// The same for a step of another shape: a chunk of a prompt.
    CompiledPhase(const Scenario& scenario, const Node& node, const StepShape& shape, const Machine& machine,
                  const Offloading* offloading = nullptr);
    /// A graph that was made by other means, its techniques applied.
    CompiledPhase(const OperatorGraph& graph, const Machine& machine, const Offloading* offloading = nullptr);
    CompiledPhase(const CompiledPhase&) = delete;
    CompiledPhase& operator=(const CompiledPhase&) = delete;

    Phase phase() const { return m_graph.shape().phase; }
    const OperatorGraph& graph() const { return m_graph; }
    const Machine& machine() const { return m_machine; }
    const Step& step() const { return m_step; }

    /// The cost over the contexts of a whole phase of the workload: the prompt, or all tokens of the output.
    /// Of a decode that of one token: a step is shared out to the tokens that it is expected to yield.
    StepCost cost(const Workload& workload) const;
    /// Makes it the phase of the same requests with another final length: all that its graph knows of the
    /// output, and that of a decode of the prompt. Of a uniform model whose techniques do not read lengths.
    void setMaxTokens(double tokens) { m_graph.setMaxTokens(tokens); }
    /// The same for contexts from `firstContext` to `lastContext`, windows that fill up on the way in their
    /// place.
    StepCost cost(double firstContext, double lastContext) const;
    /// Seconds of each part of a step at a context.
    SegmentSeconds segmentSeconds(double context) const;
    /// Seconds of the whole phase: one prefill, or the steps of all output tokens.
    double totalSeconds(const Workload& workload) const;
    double totalSeconds(const StepCost& cost, const Workload& workload) const; ///< with cost(workload)

    Term explainTotal(const Workload& workload) const; ///< how totalSeconds() comes about

    /// What a device does in a step over what the graph says. Where a replica is a pipeline, the
    /// graph is one microbatch in all stages, and a device works off all microbatches of one stage: M / P.
    /// Devices that attention-FFN disaggregation work off every microbatch: M. Of a decode for one token (see
    /// cost()).
    double deviceShare() const;

    SentBytes collectiveBytes() const; ///< of one step, by each device
    /// Activations of one step between the nodes of a split pool.
    std::vector<LinkBytes> activationBytes() const;
    /// Bytes that a device sends for one operator's collective, once.
    double collectiveBytes(const Operator& op) const;

    /// Calls visit(phase) with the phase whose windows are full or not as at `context`.
    template <class Visit>
    void at(double context, Visit visit) const {
        if (holdsAt(context))
            visit(*this);
        else
            visit(CompiledPhase(*this, context));
    }

private:
    CompiledPhase(const CompiledPhase& other, double context);

    const Scenario* m_scenario = nullptr; ///< where the graph was made of it
    const Node* m_node = nullptr;
    std::shared_ptr<const Model> m_model;
    OperatorGraph m_graph;
    const Machine& m_machine;
    Step m_step;

    bool holdsAt(double context) const; ///< the graph, whose windows are full or not
    StepCost stepCost(double firstContext, double lastContext) const; ///< of steps, whatever they yield
    /// Calls visit(phase, first, last) for runs of contexts over which one graph holds.
    template <class Visit>
    void forContexts(double firstContext, double lastContext, Visit visit) const;
};

} // namespace heteroscape::engine

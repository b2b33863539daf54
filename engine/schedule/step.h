// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/server.h"
#include "engine/operators/operator_graph.h"
#include "engine/schedule/attention_ffn.h"
#include "engine/schedule/layer_flows.h"
#include "engine/schedule/pipeline.h"
#include "engine/timing/step_cost.h"
#include "engine/timing/timing_model.h"

#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace heteroscape::engine {

class DraftSteps;

/// The stages of a microbatch's graph through all stages of one node, each with its own layers (the later
/// ones with more where they do not divide), the embedding in the first and the head in the last.
std::vector<StageTime> stageTimes(const PhaseTiming& timing, const OperatorGraph& graph, double context);

/// A step of a replica whose stages lie on several nodes, each with its own devices, runtime and
/// layout: M microbatches go through all of them. As Microbatches, with a stage's time t_i by its own
/// devices:
///
///     prefill   sum t_i + (N - 1) x + (M - 1)(max t_i + x)
///     decode    max(sum t_i + N x, M (max t_i + x))
///
/// x: activations of a microbatch on their way to the next node, by the slowest of these ways. Source:
/// moe_parallel, section 7.
class PipelineNodes {
public:
    /// `count` microbatches; `send`: x, s, which `link` (index; npos: none is drawn) takes longest for.
    PipelineNodes(Phase phase, double count, double send, std::size_t link)
        : m_phase(phase), m_count(count), m_send(send), m_link(link) {}
    PipelineNodes(const PipelineNodes&) = delete;
    PipelineNodes& operator=(const PipelineNodes&) = delete;

    /// The next node: a microbatch through its stages, and in the fullest of them (the same where it has
    /// one). The graphs are of the model.
    void add(std::string name, std::shared_ptr<const Model> model, const OperatorGraph& through,
             const OperatorGraph& fullest, const Machine& machine);

    /// Sequences of a rank of the first node on one that has `share` of them, kept here.
    std::span<const StepSequences> dealt(std::span<const StepSequences> sequences, double share);

    StepCost cost(double firstContext, double lastContext) const;
    double slowestSeconds(double context) const;             ///< max t_i + x
    Term explain(Contexts contexts, double context) const;   ///< that cost at one
    std::vector<StageTime> stageTimes(double context) const; ///< of all nodes
    std::vector<StepPart> parts(double context) const; ///< nodes, then links: each if it were twice as fast
    double send() const { return m_send; }
    std::size_t slowestLink() const { return m_link; }
    std::size_t size() const { return m_nodes.size(); }

private:
    struct Timed {
        Timed(std::string shown, std::shared_ptr<const Model> of, const OperatorGraph& all,
              const OperatorGraph& one, const Machine& on, Phase phase)
            : name(std::move(shown)), model(std::move(of)), machine(on), throughGraph(all),
              fullestGraph(one) {
            timePhase(through, throughGraph, machine, phase);
            timePhase(fullest, fullestGraph, machine, phase);
        }
        std::string name;
        std::shared_ptr<const Model> model;
        Machine machine;
        OperatorGraph throughGraph;
        OperatorGraph fullestGraph;
        TimingRoom through;
        TimingRoom fullest;
    };

    Phase m_phase;
    double m_count;
    double m_send;
    std::size_t m_link;
    std::vector<std::unique_ptr<const Timed>> m_nodes;
    std::deque<std::vector<StepSequences>> m_dealt;
};

/// A node of a replica whose runtime adds to its times (Runtime::costs).
struct PayingNode {
    const Runtime* runtime; ///< outlives the step
    double layers;          ///< on the node
    double stages;          ///< that they lie in
};

/// What hosts make of a step of the kernels: that of a server (see Server), and the costs of runtimes (see
/// CostKind). Of k seconds of kernels, L layers (layer: with that of parallel experts) and n sequences of a
/// rank:
///
///     decode    k + L layer + step + n sequence + c
///     prompts   max(k + f L layer, L eager) + step + n sequence + c
///
/// f: the server's factor on steps with prompts where ranks attend to requests of their own; c: what the
/// nodes' runtimes pay beside their operators, one after the other.
class StepHost {
public:
    /// `layers` of a replica, which lies in `stages` one after the other. The shape is of one
    /// microbatch. `server`: null where there is none.
    StepHost(const Server* server, const Model& model, const StepShape& shape, double layers, double stages,
             std::vector<PayingNode> payers);
    /// Becomes that of another step of its phase and layout.
    void take(const StepShape& shape);

    StepCost with(StepCost kernels) const;
    double with(double kernels) const { return of(kernels, 1.0) + m_paid; }                  ///< s
    double stageWith(double kernels) const { return of(kernels, m_stages) + m_paidByStage; } ///< of one, s
    Term with(const Term& kernels) const;

private:
    double m_layers = 0.0;                     ///< s, all of them
    double m_floor = 0.0;                      ///< s
    double m_ofStep = 0.0, m_ofSequence = 0.0; ///< s
    double m_step = 0.0;                       ///< s, with the sequences
    double m_stages;
    std::vector<PayingNode> m_payers;
    StepSize m_size;            ///< but for its layers
    double m_paid = 0.0;        ///< s
    double m_paidByStage = 0.0; ///< of the stage that pays most

    double of(double kernels, double stages) const;
};

/// Seconds by kind of work.
using WorkSeconds = std::array<double, kWorkCount>;

/// Seconds of each part of a step, once.
struct SegmentSeconds {
    double attention = 0.0;
    double ffn = 0.0;
    double head = 0.0;
};

/// One step of a model on one device of a pool: its operators by the timing model that the runtime names for
/// the phase, and, where the runtime offloads, each layer's flows added to them or beside them (see
/// LayerFlows). Where a replica is a pipeline of stages, the graph is a microbatch on its way
/// through all of them, and the step is over when the others have passed as well (see Microbatches). Where
/// layers are split between two nodes, the graph is what the attention devices do for one microbatch (see
/// AttentionFfn). The times of hosts are part of the step (see StepHost).
class Step {
public:
    /// The graph, its techniques applied, the machine and the flows (null: nothing is offloaded) outlive the
    /// step. `others`: null where one microbatch is the batch.
    Step(const OperatorGraph& graph, const Machine& machine, Phase phase, const LayerFlows* flows = nullptr,
         std::unique_ptr<const Microbatches> others = nullptr,
         std::unique_ptr<const AttentionFfn> split = nullptr,
         std::unique_ptr<const PipelineNodes> stages = nullptr,
         std::unique_ptr<const DraftSteps> draft = nullptr, std::optional<StepHost> host = {});
    ~Step();

    /// The time for contexts from `firstContext` to `lastContext`.
    StepCost cost(double firstContext, double lastContext) const;
    /// Seconds until the next step may follow: of a pipeline those of the fullest stage and its message.
    double stageSeconds(double context) const;
    StepCost verified(double firstContext,
                      double lastContext) const; ///< cost() without a draft model's guesses

    StepCost ofKernels(double firstContext,
                       double lastContext) const; ///< cost() without hosts
    double hostSeconds(double context) const;     ///< what those add, beside operators

    const PhaseTiming& timing() const { return *m_timing; } ///< of the operators alone

    /// Whether a device may wait for others in it: for stages, microbatches, another node's part of layers.
    bool waits() const { return m_others || m_split || m_stages || m_graph.shape().layout.pp > 1.0; }
    /// Of one step (of one microbatch after the other), s in which a device works, and in which it waits;
    /// with hostSeconds() they are the step.
    double workSeconds(double context) const;
    double waitSeconds(double context) const;
    /// Of that work what the operators take, without what offloading adds.
    double kernelSeconds(double context) const;
    /// Of a step of several nodes, in the order of their pool, the links between them last; else empty.
    std::vector<StepPart> parts(double context) const;
    std::size_t slowestLink() const; ///< the index of that of their links which takes longest; npos: none

    /// The time at `context` shared out to the operators (parallel to the graph's), all repeats;
    /// with waitSeconds() and hostSeconds() the times add up to the step's.
    void operatorTimes(double context, std::span<OperatorTime> out) const;

    /// Of one microbatch; where layers are split all of a layer, its microbatches together, as attention.
    SegmentSeconds segmentSeconds(double context) const;
    const AttentionFfn* split() const { return m_split.get(); }
    const PipelineNodes* stages() const { return m_stages.get(); }
    const DraftSteps* draft() const { return m_draft.get(); } ///< null: no model of its own guesses tokens

    /// The stages that microbatches pass, in their order, at `context`; empty without a pipeline.
    std::vector<StageTime> stageTimes(double context) const;

    // How these come about, with terms from what computes them.
    Term explain(double context) const; ///< cost() at a context
    /// cost(contexts.first, contexts.last) at one.
    Term explainWithin(Contexts contexts, double context) const;
    /// A whole decode (contexts as StepCost::sumOverDecode): runs of steps of one kind, each at the middle of
    /// its contexts.
    Term explainDecode(double prompt, double tokens) const;
    Term explainLayer(double context) const; ///< attention and FFN of segmentSeconds()
    std::array<Term, kWorkCount> explainDecodeParts(double prompt, double tokens) const;

    /// A whole decode, shared out to what it waits for (contexts as StepCost::sumOverDecode). Of chains that
    /// run side by side the longest takes the time.
    WorkSeconds decodeParts(double prompt, double tokens) const;

    /// The schedule at `context`. Sum of repeat x seconds is the step's time.
    std::vector<ScheduleBlock> blocks(double context) const;

private:
    const OperatorGraph& m_graph;
    const LayerFlows* m_flows;
    TimingRoom m_timing;
    std::unique_ptr<const Microbatches> m_others;
    std::unique_ptr<const PipelineNodes> m_stages; ///< null where they lie on one node
    std::unique_ptr<const AttentionFfn> m_split;   ///< null where the devices do whole layers
    std::unique_ptr<const DraftSteps> m_draft;
    std::optional<StepHost> m_host;

    Term explainKernels(Contexts contexts, double context) const;
    Term explainVerified(Contexts contexts, double context) const;
    StepCost ownCost(double firstContext, double lastContext) const;   ///< of the graph's microbatch
    double ofAllMicrobatches(double ownSeconds, double context) const; ///< on one device, with guesses
    void ownTimes(double context, std::span<OperatorTime> out) const;
    Term explainOwn(Contexts contexts, double context) const;
    StepCost chainCost(double context) const;
    Term layers() const;
    Term ofMeanLayer(const Operator& op, const Term& once) const;
    Term explainSerial(double context) const;              ///< all layers
    std::vector<Term> explainChains(double context) const; ///< all layers
    std::vector<Term> operatorTerms(double context) const; ///< once each, as operatorTimes() shares them out
    std::vector<ScheduleBlock> offloadedBlocks(double context) const;
};

} // namespace heteroscape::engine

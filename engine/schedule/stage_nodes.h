// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/schedule/pipeline.h"
#include "engine/timing/timing_model.h"

#include <deque>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace heteroscape::engine {

/// The stages of a microbatch's graph through all stages of one node, each with its own layers (the later
/// ones with more where they do not divide), the embedding in the first and the head in the last.
std::vector<StageTime> stageTimes(const PhaseTiming& timing, const OperatorGraph& graph, double keys);

/// A step of a copy of the model whose stages lie on several nodes, each with its own devices, runtime and
/// layout: M microbatches go through all of them. As Microbatches, with a stage's time t_i by its own
/// devices:
///
///     prefill   sum t_i + (N - 1) x + (M - 1)(max t_i + x)
///     decode    max(sum t_i + N x, M (max t_i + x))
///
/// x: activations of a microbatch on their way to the next node, by the slowest of these ways. Source:
/// moe_parallel, section 7.
class StageNodes {
public:
    /// `count` microbatches; `send`: x, s, which `link` (index; npos: none is drawn) takes longest for.
    StageNodes(Phase phase, double count, double send, std::size_t link)
        : m_phase(phase), m_count(count), m_send(send), m_link(link) {}
    StageNodes(const StageNodes&) = delete;
    StageNodes& operator=(const StageNodes&) = delete;

    /// The next node: a microbatch through its stages, and in the fullest of them (the same where it has
    /// one). The graphs are of the model.
    void add(std::string name, std::shared_ptr<const Model> model, const OperatorGraph& through,
             const OperatorGraph& fullest, const Machine& machine);

    /// Sequences of a rank of the first node on one that has `share` of them, kept here.
    std::span<const StepSequences> dealt(std::span<const StepSequences> sequences, double share);

    StepCost cost(double firstKeys, double lastKeys) const;
    double slowestSeconds(double keys) const;             ///< max t_i + x
    Term explain(Contexts contexts, double keys) const;   ///< that cost at one
    std::vector<StageTime> stageTimes(double keys) const; ///< of all nodes
    std::vector<StepPart> parts(double keys) const; ///< nodes, then links: each if it were twice as fast
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

} // namespace heteroscape::engine

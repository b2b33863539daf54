// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/schedule/pipeline.h"
#include "engine/timing/timing_model.h"

#include <memory>
#include <vector>

namespace heteroscape::engine {

/// What crosses between attention and the networks of a layer: s of one microbatch, one way, the larger of
/// the two, and B on the link that takes longest.
struct SplitMessage {
    double seconds = 0.0; ///< t_c
    double bytes = 0.0;
    std::size_t link = static_cast<std::size_t>(-1); ///< index of that link; npos: none is drawn
};

/// A step whose layers are split between two nodes: the devices of one do attention (and norms, router,
/// shared expert, head), those of the other the feed-forward networks. m microbatches go round between them;
/// attention, networks and each way of the links serve one at a time and work at the same time:
///
///     layer      max(m t_a, m t_f, m t_c, t_a + t_f + 2 t_c)
///     decode     sum over layers, m times embedding and head
///     prefill    (L - 1) layers + t_a + t_f + 2 t_c + (m - 1) max(t_a, t_f, t_c), the same
///
/// of one microbatch t_a on the attention devices, t_f on the others, t_c for the larger way of its
/// activations. Exact for equal layers; where kinds of layers alternate every pair of them is taken as often
/// as chance has it. Source: moe_parallel, section 13.
class AttentionFfn {
public:
    /// Both graphs are of one microbatch, their techniques applied (see Layout::side). `dense` and `mixture`:
    /// messages of the two kinds of layers; `links`: what they cross. What the machines point to outlives it.
    AttentionFfn(const OperatorGraph& attention, const Machine& attentionMachine, const OperatorGraph& ffn,
                 const Machine& ffnMachine, Phase phase, const SplitMessage& dense,
                 const SplitMessage& mixture, std::span<const LinkType* const> links);
    AttentionFfn(const AttentionFfn&) = delete;
    AttentionFfn& operator=(const AttentionFfn&) = delete;

    StepCost cost(double firstContext, double lastContext) const;
    Term explain(Contexts contexts, double context) const; ///< that cost at one
    /// Of layers of one kind, s: of one microbatch, and `seconds` of all.
    struct LayerTimes {
        double layers = 0.0;
        double attention = 0.0; ///< t_a
        double ffn = 0.0;       ///< t_f
        double message = 0.0;   ///< t_c
        double seconds = 0.0;
    };
    std::vector<LayerTimes> layerTimes(double context) const;
    double layerSeconds(double context) const; ///< of a mean layer, all microbatches
    Term explainLayer(double context) const;
    double headSeconds(double context) const; ///< embedding and head, all microbatches

    /// Attention devices, the others, links: each if it were twice as fast.
    /// Collectives are the links' where they go over those between the two, and nobody's elsewhere.
    std::vector<StepPart> parts(double context) const;
    std::size_t slowestLink() const; ///< index; npos: none

    /// One repeat a layer: each microbatch starts 1/m of a layer after the one before; what is under way at
    /// the end of a layer goes on at the start of the next.
    std::vector<ScheduleBlock> blocks(double context) const;

private:
    struct Piece { ///< a stretch of one of the graphs, once
        Piece(const OperatorGraph& whole, std::size_t first, std::size_t count, const Machine& machine,
              Phase phase)
            : graph(whole, first, count), firstOperator(first) {
            timePhase(timing, graph, machine, phase);
        }
        OperatorGraph graph;
        TimingRoom timing;
        std::size_t firstOperator;
    };
    struct Part {
        std::unique_ptr<const Piece> piece;
        double repeat = 1.0;
        bool mixture = false;
    };
    struct Pair { ///< layers that have one attention and one kind of network
        double layers = 0.0;
        std::size_t attention = 0;
        std::size_t after = 0; ///< norm, router and shared expert
        std::size_t ffn = 0;
        SplitMessage message{};
    };

    Machine m_attentionMachine;
    Machine m_ffnMachine;
    Phase m_phase;
    double m_microbatches;
    std::vector<const LinkType*> m_links;
    double m_layers = 0.0;
    std::vector<Part> m_attention; ///< by groups
    std::vector<Part> m_after;
    std::vector<Part> m_ffn;
    std::vector<Part> m_head; ///< embedding, head
    std::vector<Pair> m_pairs;

    double stepSeconds(const LayerTimes& kind) const;
    static double collectiveSeconds(const Piece& piece, double context);
    struct Costs;
    struct Moment;
    Moment at(const Costs& costs, double context) const;
    void split(const OperatorGraph& graph, const Machine& machine, bool attention);
    Term explainPair(const Pair& pair, Contexts contexts, double context) const;
    Term explainHead(Contexts contexts, double context) const;
};

} // namespace heteroscape::engine

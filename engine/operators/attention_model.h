// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/attention_kind.h"
#include "engine/operators/operator_graph.h"

#include <string_view>

namespace heteroscape::engine {

/// What one rank has to do of a step, in one layer. Symbols of the specification of models of 2026
/// (moe_parallel), section 1.
struct LayerStep {
    Phase phase;
    double hidden;      ///< d
    double requests;    ///< b: of one attention rank
    double queryTokens; ///< q: new tokens of each request
    double pastTokens;  ///< P: there before (prefill)
    double tokens;      ///< b q of prompts, before cp shares them out
    double rows;        ///< t = b q / cp
    double groupRows;   ///< T = t dp cp: of all ranks that share the experts
    double tp;
    double cp;
    double context;   ///< S of a decode, about which limits are taken as reached or not
    double maxTokens; ///< what a request's cache is set aside for
    double kvBytes;   ///< B of a K or V element
    double logits;    ///< rows of the LM head
    /// Of a step of a server: then b, q and P are those of a part (see forEachPart()).
    std::span<const StepSequences> sequences;
    bool placed = false; ///< a part at its own context: what it does is known, not affine in S

    bool decodes() const { return phase == Phase::Decode; }
    /// Calls visit(part) with each kind of sequences; with the step itself where all are alike.
    template <class Visit>
    void forEachPart(Visit visit) const {
        if (sequences.empty())
            visit(*this);
        for (const auto& one : sequences)
            visit(partOf(one));
    }
    /// What is affine in S, at the part's own context where that is known.
    Affine known(const Affine& sum) const { return placed ? Affine{sum.at(context), 0.0} : sum; }
    /// Keys that one query sees at most `limit` of, of all requests' queries (section 4.1): affine in S in a
    /// decode, constant in prefill.
    Affine pairs(double limit) const;
    /// Tokens of a request's cache of which the step reads at most `limit` and the guesses: affine in S.
    Affine cachedTokens(double limit) const;

private:
    LayerStep partOf(const StepSequences& one) const;
};

/// Writes the operators of layered models into a graph, block by block.
class LayerWriter {
public:
    LayerWriter(OperatorGraph& graph, const LayerStep& step) : m_graph(graph), m_step(step) {}

    const LayerStep& step() const { return m_step; }

    /// What follows belongs to `repeat` layers alike.
    void openBlock(Segment segment, double repeat, const LayerGroup* group = nullptr);

    Operator& add(OperatorKind kind, std::string_view key, std::string_view label, OperatorSet inputs);
    std::size_t last() const { return m_graph.operators().size() - 1; }

    /// rows x inner times inner x columns: 2 m n k FLOPs, n k weights, m k + m n activations. Its index.
    std::size_t linear(ModelPart part, std::string_view key, std::string_view label, OperatorSet inputs,
                       double rows, double inner, double columns);
    /// An operator without weights; its index.
    std::size_t elementwise(OperatorKind kind, std::string_view key, std::string_view label,
                            OperatorSet inputs, double flops, double activations);
    /// With residual: 8 FLOPs and 4 elements for each of rows x hidden.
    std::size_t norm(std::string_view key, std::string_view label, OperatorSet inputs);
    /// A collective of `ranks`; nothing for one. Gives what the next operator waits for.
    OperatorSet collective(OperatorKind kind, std::string_view key, std::string_view label,
                           OperatorSet inputs, double ranks, double payload);
    /// Sets what a recipe makes of the weights of `part`.
    void store(Operator& op, ModelPart part) const;

private:
    OperatorGraph& m_graph;
    LayerStep m_step;
    Segment m_segment = Segment::Attention;
    double m_repeat = 1.0;
    std::uint8_t m_block = 0;
    const LayerGroup* m_group = nullptr;
};

/// A kind of attention with the operators of its layers. Equations: sections 3, 4.1 to 4.4 and 5 of the
/// specification of models of 2026 (moe_parallel).
class AttentionModel : public AttentionKind {
public:
    using AttentionKind::AttentionKind;

    /// Writes what follows the norm, up to and with the output projection. `input`: the norm.
    virtual void write(LayerWriter& writer, const Settings& figures, OperatorSet input) const = 0;

protected:
    static KindParameter count(std::string_view key, std::string_view label, double minimum, bool required,
                               std::string_view about) {
        return {{key, label, "", 1, minimum, 1 << 20, true, required, about}};
    }
};

const AttentionModel& groupedQueryAttention();
const AttentionModel& latentAttention();
const AttentionModel& gatedDeltaRule();
const AttentionModel& recurrentLayer();
const AttentionModel& sparseAttention();
const AttentionModel& noAttention();

} // namespace heteroscape::engine

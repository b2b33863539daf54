// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/small_list.h"
#include "engine/catalog/device.h"
#include "engine/catalog/model.h"
#include "engine/catalog/runtime.h"
#include "engine/operators/affine.h"
#include "engine/scenario/layout.h"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace heteroscape::engine {

/// What one of `devices` devices holds of every layer under tensor parallelism (Megatron-LM: attention by
/// heads, feed-forward by its inner width, LM head by the vocabulary). Whole query heads, rounded up; whole
/// KV heads, rounded down but never below one, so that fewer KV heads than devices are replicated; fractions
/// of a column are allowed. Source: Shoeybi et al., arXiv:1909.08053, section 3; PRESERVE section 2.
struct Shard {
    Shard(const Model& model, double devices);

    double devices;
    double heads;
    double kvHeads;
    double ffn;   ///< columns of one expert
    double vocab; ///< columns of the LM head

    /// Weight elements of one device: layers with every expert and the router, norms, LM head, embedding.
    double parameters(const Model& model) const;
    /// K and V elements of one token on one device, all layers.
    double kvElementsPerToken(const Model& model) const;
};

enum class OperatorKind {
    Norm,
    Linear,
    Rope,
    Positions,
    CacheAppend,
    Scores,
    Softmax,
    WeightedValues,
    Residual,
    Activation,
    Attention, ///< scores, softmax and weighted values in one kernel; a state that is read and written
    Index,     ///< which keys a sparse attention looks at
    Convolution,
    Embedding,
    AllReduce,
    AllGather,
    ReduceScatter,
    AllToAll, ///< dispatch to experts, and back
    Send      ///< to the next stage of a pipeline
};
/// What devices do together, over their links.
inline bool isCollective(OperatorKind kind) {
    return kind >= OperatorKind::AllReduce;
}

/// The part of a step that an operator belongs to.
enum class Segment { Attention, Ffn, Head };
std::string_view segmentName(Segment segment); ///< "attention", "ffn", "head"

/// Operators of one graph, as bits of their indices.
class OperatorSet {
public:
    static constexpr std::size_t kCapacity = 128;

    OperatorSet() = default;
    OperatorSet(std::initializer_list<std::size_t> indices) {
        for (const auto index : indices)
            insert(index);
    }
    void insert(std::size_t index) { m_bits[index / 64] |= std::uint64_t{1} << index % 64; }
    bool contains(std::size_t index) const { return (m_bits[index / 64] >> index % 64 & 1U) != 0; }
    bool empty() const { return (m_bits[0] | m_bits[1]) == 0; }
    std::size_t size() const {
        return static_cast<std::size_t>(std::popcount(m_bits[0]) + std::popcount(m_bits[1]));
    }
    /// Calls visit(index) in ascending order.
    template <class Visit>
    void forEach(Visit visit) const {
        for (std::size_t word = 0; word < m_bits.size(); ++word)
            for (auto bits = m_bits[word]; bits != 0; bits &= bits - 1)
                visit(64 * word + static_cast<std::size_t>(std::countr_zero(bits)));
    }

    bool operator==(const OperatorSet&) const = default;

private:
    std::array<std::uint64_t, kCapacity / 64> m_bits{};
};

/// The matrix product behind a linear operator: rows x inner times inner x columns, `experts` times, the rows
/// shared out evenly to them.
struct Gemm {
    double rows = 0.0; ///< of all experts together
    double inner = 0.0;
    double columns = 0.0;
    double experts = 1.0;
};

/// One operator of a step on one device: all requests of the batch, one layer. Counts are exact and free of
/// precision; bytes follow from elements once a runtime is known.
struct Operator {
    OperatorKind kind = OperatorKind::Linear;
    std::string_view key;       ///< "gate_proj"
    std::string_view label;     ///< "FFN gate"
    double repeat = 1.0;        ///< layers it stands in, or 1
    Affine flops;               ///< FLOP
    double weights = 0.0;       ///< matrix elements read
    double weightScale = 1.0;   ///< B of one of them over the runtime's: what the model's recipe makes of it
    double vectorWeights = 0.0; ///< weight elements kept at activation precision (norm gains)
    Affine activations;         ///< elements read and written
    Affine kv;                  ///< KV cache elements read and written
    OperatorSet inputs;         ///< the operators it waits for
    Segment segment = Segment::Attention;
    std::uint8_t block = 0;                ///< operators of one segment that stand in the same layers
    ModelPart part = ModelPart::Attention; ///< of a layered model: what its weights belong to
    const LayerGroup* group = nullptr;     ///< of a layered model, attention only
    Gemm gemm;                             ///< linears only
    double scoreFlops = 0.0;               ///< attention: FLOP for one score of one head; 0: it has no scores
    double kvAllocated = 0.0; ///< KV elements set aside at the final length (attention of decode)
    double payload = 0.0; ///< elements at activation precision: all-reduce, all-gather and reduce-scatter of
                          ///< the whole vector, all-to-all and send what one device sends to others
    double ranks = 0.0;   ///< devices of a collective; 0: all that share the model
    double chosen = 0.0; ///< all-to-all that sends a token once to each rank that has some of so many experts
                         ///< (k), and once to each node; 0: every copy apart
    double loadsPerFetch = 1.0; ///< compute instructions served by one load (set by load merging)
    bool prefetched = false;    ///< its weights or KV cache are read into L2 ahead (set by L2 prefetch)
    double l2Left = 0.0;        ///< B of the L2 budget that are left after it
    bool offloaded = false;     ///< another device works it off: costs nothing here (set by moveAttention)

    /// Elements of the runtime's precision that take as many bytes as its weights.
    double storedWeights() const { return weights * weightScale; }
};

/// Whether `op` opens a stretch of operators that the layers repeat together.
inline bool opensBlock(const Operator& before, const Operator& op) {
    return before.segment != op.segment || before.block != op.block;
}

/// Sequences that are alike in a step of a server.
struct StepSequences {
    double count = 1.0;       ///< on the data-parallel rank that has most to do
    double queryTokens = 1.0; ///< new tokens of each
    double pastTokens = 0.0;  ///< of each, whose KV cache is there already
    bool decodes = false;     ///< else a piece of a prompt
    double logits = 1.0;      ///< rows of the LM head that each asks for

    /// The context at which the step of its own phase is asked about.
    double keys() const { return pastTokens + (decodes ? 1.0 : queryTokens); }
};

/// What a step is made for.
struct StepShape {
    Phase phase = Phase::Decode;
    double queryTokens = 1.0; ///< new tokens of each request
    double pastTokens = 0.0;  ///< prefill in chunks: tokens of each request whose KV cache is there already
    double batch = 1.0;       ///< requests
    double maxTokens = 1.0;   ///< prompt and output of one request: what its KV cache is allocated for
    double devices = 1.0;     ///< that share one replica
    OperatorStyle style = OperatorStyle::Eager;
    double tokensAStep = 1.0; ///< decode: tokens of each request that a step is expected to yield

    // Of layered models:
    Layout layout{};        ///< how the model lies over them; tensor parallel by default
    bool allStages = false; ///< a microbatch through all stages, one after the other; else the fullest alone
    double context = 0.0;   ///< decode: the tokens attended to about which windows are taken as full or not
    double weightBytes = 2.0; ///< B of a weight of the runtime, which a recipe replaces
    double kvBytes = 2.0;     ///< B of a K or V element, for what a cache keeps at another precision

    /// A step of a server, which takes several kinds of sequences together (phase Prefill): what goes with
    /// tokens (linears, experts, collectives) takes all rows at once, and each sequence attends to its own
    /// context. Then `batch`, `queryTokens` and `pastTokens` say nothing; the counts are those of a
    /// microbatch. Outlives the graph. Empty: `batch` requests that are alike.
    std::span<const StepSequences> sequences{};
    double groupRows = 0.0; ///< token rows of such a step on all ranks, which meet the experts together

    /// Token rows of one rank in a microbatch.
    double rows() const;
    /// Rows of the LM head of a step of a server.
    double logits() const;
};

/// What all operators of a step come to.
struct OperatorSums {
    Affine flops;               ///< FLOP
    double weights = 0.0;       ///< matrix elements, those of a recipe as in Operator::storedWeights()
    double vectorWeights = 0.0; ///< weight elements kept at activation precision
    Affine activations;         ///< elements
    Affine kv;                  ///< KV cache elements
};

/// One step of a model on one device of a tensor parallel pool: `queryTokens` new tokens for each of `batch`
/// requests, attending to t keys each; everything affine in t. Building one of a uniform model does not
/// allocate. Operators stand in the order in which they run; each waits for earlier ones only.
///
/// Eager: Hugging Face eager mode as in GLITCHES Table I (section 2 of the paper's accounting: linears, rope,
/// KV concatenation that writes the whole cache, attention in full without the causal half, fused silu*mul,
/// norms, residuals; no rope in a model without rotary positions; final norm and lm_head for the last token
/// of each request; embedding left out); over several devices each layer's o_proj and down_proj are followed
/// by an allreduce.
///
/// Fused: PRESERVE section 3. A layer is two segments, each opened by an allreduce (over several devices):
///   AllReduce -> norm -> q, k, v -> attention -> o_proj,  AllReduce -> norm -> gate, up -> act -> down_proj,
/// and a step ends with AllReduce -> norm -> lm_head for the last token of each request. Norms hold the
/// residual; its edges are left out, so that a search does not walk round the next allreduce. Prefill
/// attention is causal, keeps its own K and V on the chip and reads those of past tokens. In a mixture of
/// experts each token goes through expertsPerToken of them, and the weights of all are read, as routing is
/// not known ahead.
///
/// Layered models have one accounting whatever the style, see layered_graph.cpp.
///
/// Matrices: INF2's accounting (section 2.2 of the paper's model): the matrix products of the layers alone,
/// attention in full without the causal half. Activations, norms and the LM head are left out.
class OperatorGraph {
public:
    static constexpr std::size_t kCapacity = OperatorSet::kCapacity; ///< operators, at most

    OperatorGraph(const Model& model, const StepShape& shape);
    /// One repeat of a stretch of `count` operators from `first`, as a graph of its own: waits for nothing
    /// before it.
    OperatorGraph(const OperatorGraph& whole, std::size_t first, std::size_t count);

    std::span<const Operator> operators() const { return m_operators.span(); }
    std::span<Operator> operators() { return m_operators.span(); }

    Operator& add(const Operator& op); ///< after all others
    /// Makes it the graph of the same step for requests of another final length. Of a uniform model.
    void setMaxTokens(double tokens);

    const StepShape& shape() const { return m_shape; }
    const Shard& shard() const { return m_shard; }
    const Model& model() const { return *m_model; }

    OperatorSums sums() const; ///< of the step: every operator as often as it stands in it

private:
    const Model* m_model; ///< outlives the graph
    StepShape m_shape;
    Shard m_shard;
    SmallList<Operator, 24> m_operators;

    Operator& add(OperatorKind kind, std::string_view key, std::string_view label, Segment segment,
                  double repeat, OperatorSet inputs);
    std::size_t last() const { return m_operators.size() - 1; }
    void addNorm(std::string_view key, std::string_view label, Segment segment, double repeat,
                 OperatorSet inputs);
    void addLinear(std::string_view key, std::string_view label, Segment segment, double repeat,
                   OperatorSet inputs, Gemm gemm);
    /// Gate (where there is one) and up projection, and the activation that joins them, read and written
    /// once.
    Operator& addActivation(double repeat, OperatorSet inputs, const Gemm& wide);
    OperatorSet addAllReduce(std::string_view key, std::string_view label, Segment segment, double repeat,
                             OperatorSet inputs, double rows);
    /// What attends to every key of its request: elements a query and key, and a request and key.
    struct Attended {
        Affine queries;
        Affine requests;
    };
    Attended attended() const;
    double rows() const { return m_shape.rows(); }
    double headRows() const; ///< of the LM head
    /// K and V elements of one layer that are set aside for requests of a uniform model at their final
    /// length.
    double allocatedElements() const {
        return 2.0 * m_shape.batch * m_shape.maxTokens * (m_shard.kvHeads * m_model->headDim.value);
    }
    void buildEager();
    void buildFused();
    void buildMatrices();
    void buildLayered();
};

} // namespace heteroscape::engine

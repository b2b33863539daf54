// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/operators/attention_model.h"
#include "engine/operators/experts.h"
#include "engine/operators/layer_memory.h"
#include "engine/operators/operator_graph.h"

#include <algorithm>
#include <cmath>

namespace heteroscape::engine {

namespace {

ExpertTraffic trafficOf(const Model& model, const Layout& layout) {
    if (layout.side != LayerSide::Whole)
        return ExpertTraffic::AllToAll; // or its like: rows are scattered before they are sent
    if (!model.isMixture())
        return ExpertTraffic::AllReduce;
    if (layout.traffic != ExpertTraffic::Automatic)
        return layout.traffic;
    if (layout.dp <= 1.0 && layout.cp <= 1.0)
        return ExpertTraffic::AllReduce;
    return layout.etp <= 1.0 ? ExpertTraffic::AllToAll : ExpertTraffic::AllGather;
}

LayerStep stepOf(const Model& model, const StepShape& shape) {
    const auto& layout = shape.layout;
    LayerStep step{};
    step.phase = shape.phase;
    step.hidden = model.hidden.value;
    // Fewer requests than ranks: the step is that of a rank that has one.
    step.requests = std::max(std::min(1.0, shape.batch), shape.batch / (layout.dp * layout.microbatches));
    step.queryTokens = shape.queryTokens;
    step.pastTokens = shape.pastTokens;
    step.tp = layout.tp;
    step.cp = step.decodes() ? 1.0 : layout.cp; // its ranks would all do the same attention
    step.tokens = step.requests * step.queryTokens;
    step.rows = step.tokens / step.cp;
    step.groupRows = shape.batch / layout.microbatches * step.queryTokens;
    step.logits = step.requests * (step.decodes() ? step.queryTokens : 1.0);
    step.context = shape.context;
    step.maxTokens = shape.maxTokens;
    step.kvBytes = shape.kvBytes;
    if (shape.sequences.empty())
        return step;
    step.sequences = shape.sequences;
    step.tokens = step.rows = 0.0;
    for (const auto& one : shape.sequences) {
        const double rows = one.count * one.queryTokens;
        step.tokens += one.decodes ? 0.0 : rows;
        step.rows += one.decodes ? rows : rows / step.cp;
    }
    step.groupRows = shape.groupRows;
    step.logits = shape.logits();
    return step;
}

/// A step of a layered model on one device of the fullest stage, one microbatch. Groups of attention, dense
/// networks and mixtures are blocks of their own, each as often as it stands in a stage: c ceil(L/pp)/L
/// times; or of all stages one after the other, as a microbatch passes them. Sources: moe_parallel, sections
/// 4 (operators) and 5 (collectives).
///
/// Collectives open the block after the one that they follow, where every layer has the same: a prefetch
/// finds what it can hide under them.
class LayeredStep {
public:
    LayeredStep(OperatorGraph& graph, const LayerStep& step)
        : m_model(graph.model()), m_layout(graph.shape().layout), m_step(step),
          m_passes(graph.shape().allStages), m_traffic(trafficOf(m_model, m_layout)), m_writer(graph, step) {
        const double layers = m_model.layers.value;
        if (!m_passes)
            m_share = std::ceil(layers / m_layout.pp) / layers;
    }

    void write() {
        if (m_layout.side == LayerSide::Whole)
            writeWhole();
        else if (m_layout.side == LayerSide::Attention)
            writeAttentionSide();
        else
            writeFfnSide();
    }

private:
    void writeWhole() {
        if (m_layout.pp <= 1.0 || m_passes) {
            writeEmbedding();
        }
        for (const auto& group : m_model.groups)
            writeAttention(group);
        if (const double dense = m_model.plainLayers(); dense > 0.0)
            writeDense(dense);
        if (const double mixed = m_model.mixtureLayers(); mixed > 0.0)
            writeMixture(mixed);
        writeHead();
    }

    void writeEmbedding() {
        if (m_model.embeddings.valueOr(2.0) <= 0.0)
            return; // it lies on the node of the first layers
        m_writer.openBlock(Segment::Head, 1.0);
        m_writer.elementwise(OperatorKind::Embedding, "embedding", "Embedding", {}, 0.0,
                             2.0 * m_step.rows * d());
    }

    /// Attention, norms, router and shared expert, embedding and head. Between the two collectives each of
    /// the tp ranks sends its own rows to the devices of the networks. Source: moe_parallel, section 13.
    void writeAttentionSide() {
        writeEmbedding();
        for (const auto& group : m_model.groups)
            writeAttention(group);
        const double mixed = m_model.mixtureLayers();
        const auto gather = [this](OperatorSet done) {
            m_writer.collective(K::AllGather, "attention_gather", "Rows of all ranks", done, tp(),
                                rowElements());
        };
        if (const double dense = m_model.plainLayers(); dense > 0.0) {
            m_writer.openBlock(Segment::Ffn, dense);
            gather({m_writer.norm("ffn_norm", "FFN norm", afterAttention())});
        }
        if (mixed > 0.0) {
            m_writer.openBlock(Segment::Ffn, mixed);
            const auto norm = m_writer.norm("moe_norm", "FFN norm", afterAttention());
            const double own = m_step.rows / tp();
            const auto router = writeRouter(norm, own);
            gather(writeSharedExpert(norm, own, {router}));
        }
        m_writer.openBlock(Segment::Head, 1.0);
        writeLogits();
    }

    /// Dense networks of all rows cut by width, experts as they are dealt.
    void writeFfnSide() {
        const double devices = m_layout.stageDevices();
        const double mixed = m_model.mixtureLayers();
        if (const double dense = m_model.plainLayers(); dense > 0.0) {
            m_writer.openBlock(Segment::Ffn, dense);
            const auto input = m_writer.collective(K::AllGather, "ffn_gather", "Rows of all FFN devices", {},
                                                   devices, groupElements());
            writeNetwork(ModelPart::Dense, "gate_up_proj", "FFN gate and up", "down_proj", "FFN down", input,
                         m_step.groupRows, m_model.ffn.value / devices);
            m_writer.collective(K::ReduceScatter, "ffn_scatter", "Sums of all FFN devices", {m_writer.last()},
                                devices, groupElements());
        }
        if (mixed > 0.0) {
            m_writer.openBlock(Segment::Ffn, mixed);
            const double copies =
                copiesAtRank(m_model, m_layout.ep, m_step.groupRows, m_step.decodes()) * d();
            const auto input = m_writer.collective(K::AllGather, "expert_gather", "Tokens of the rank", {},
                                                   m_layout.etp, copies);
            writeExperts(input);
            m_writer.collective(K::ReduceScatter, "expert_scatter", "Sums of experts", {m_writer.last()},
                                m_layout.etp, copies);
        }
    }

    using K = OperatorKind;

    const Model& m_model;
    const Layout& m_layout;
    LayerStep m_step;
    bool m_passes; ///< all stages
    ExpertTraffic m_traffic;
    LayerWriter m_writer;
    double m_share = 1.0; ///< of the layers: those of a stage

    double d() const { return m_step.hidden; }
    double tp() const { return m_layout.tp; }
    double rowElements() const { return m_step.rows * d(); }        // t d
    double groupElements() const { return m_step.groupRows * d(); } // T d
    bool reduces() const { return m_traffic == ExpertTraffic::AllReduce; }
    double ranks() const { return tp() * m_layout.dp * m_step.cp; } ///< of a stage, at work

    void writeAttention(const LayerGroup& group) {
        if (!group.attention->attends())
            return;
        m_writer.openBlock(Segment::Attention, group.count * m_share, &group);
        OperatorSet input;
        if (reduces())
            input = m_writer.collective(K::AllReduce, "attention_allreduce", "Attention allreduce", {},
                                        m_model.isMixture() ? ranks() : tp(), rowElements());
        const auto norm = m_writer.norm("input_norm", "Attention norm", input);
        static_cast<const AttentionModel*>(group.attention)->write(m_writer, group.figures, {norm});
    }

    /// What follows the output projection; the first of a block of feed-forward networks.
    OperatorSet afterAttention() {
        return m_writer.collective(
            reduces() ? K::AllReduce : K::ReduceScatter, reduces() ? "ffn_allreduce" : "ffn_reducescatter",
            reduces() ? "FFN allreduce" : "FFN reduce-scatter", {}, tp(), rowElements());
    }

    /// Matrices of a network, all but the last side by side.
    double matrices() const { return m_model.ffnMatrices.valueOr(3.0); }

    /// Gate, if there is one, and up as one, the activation, down; `rows` of the width w on this device.
    void writeNetwork(ModelPart part, std::string_view upKey, std::string_view upLabel,
                      std::string_view downKey, std::string_view downLabel, OperatorSet input, double rows,
                      double w) {
        OperatorSet up{m_writer.linear(part, upKey, upLabel, input, rows, d(), (matrices() - 1.0) * w)};
        if (part == ModelPart::Dense)
            up = {m_writer.elementwise(K::Activation, "silu_mul", "SiLU and multiply", up, 5.0 * rows * w,
                                       matrices() * rows * w)};
        m_writer.linear(part, downKey, downLabel, up, rows, w, d());
    }

    void writeDense(double count) {
        m_writer.openBlock(Segment::Ffn, count * m_share);
        const auto norm = m_writer.norm("ffn_norm", "FFN norm", afterAttention());
        OperatorSet input{norm};
        if (!reduces())
            input = m_writer.collective(K::AllGather, "dense_gather", "Rows of all ranks", input, tp(),
                                        rowElements());
        writeNetwork(ModelPart::Dense, "gate_up_proj", "FFN gate and up", "down_proj", "FFN down", input,
                     m_step.rows, m_model.ffn.value / tp());
        if (!reduces())
            m_writer.collective(K::AllReduce, "dense_allreduce", "Dense FFN allreduce", {m_writer.last()},
                                tp(), rowElements());
    }

    void writeMixture(double count) {
        m_writer.openBlock(Segment::Ffn, count * m_share);
        const auto norm = m_writer.norm("moe_norm", "FFN norm", afterAttention());
        const double own = reduces() ? m_step.rows : m_step.rows / tp(); // rows that this rank routes
        auto sent = OperatorSet{writeRouter(norm, own)};
        if (m_traffic == ExpertTraffic::AllGather)
            sent = m_writer.collective(K::AllGather, "expert_gather", "Tokens of all ranks", sent, ranks(),
                                       groupElements());
        else if (m_traffic == ExpertTraffic::AllToAll)
            sent = m_writer.collective(K::AllToAll, "dispatch", "Dispatch to experts", sent, m_layout.ep,
                                       own * copies() * (d() + d() / 32.0) / 2.0); // FP8 and scales
        writeExperts(sent);
        auto done = writeSharedExpert(norm, own, {m_writer.last()});
        if (m_traffic == ExpertTraffic::AllGather)
            done = m_writer.collective(K::ReduceScatter, "expert_scatter", "Sums of experts", done, ranks(),
                                       groupElements());
        else if (m_traffic == ExpertTraffic::AllToAll)
            done = m_writer.collective(K::AllToAll, "combine", "Combine of experts", done, m_layout.ep,
                                       own * copies() * d());
        if (!reduces())
            m_writer.collective(K::AllGather, "attention_gather", "Rows of all ranks", done, tp(),
                                rowElements());
    }

    std::size_t writeRouter(std::size_t norm, double rows) {
        return m_writer.linear(ModelPart::Router, "router", "Router", {norm}, rows, d(),
                               m_model.experts.value);
    }

    /// What is done after it and `beside`.
    OperatorSet writeSharedExpert(std::size_t norm, double rows, OperatorSet beside) {
        if (!(m_model.sharedWidth.valueOr(0.0) > 0.0))
            return beside;
        writeNetwork(ModelPart::Shared, "shared_gate_up", "Shared expert gate and up", "shared_down",
                     "Shared expert down", {norm}, rows,
                     m_model.sharedWidth.value / (reduces() ? tp() : 1.0));
        beside.insert(m_writer.last());
        return beside;
    }

    /// Copies of a token that leave the device: low-latency kernels send one for each expert that is chosen
    /// (decode), normal ones one for each rank (prefill). Section 5.
    double copies() const {
        const double ep = m_layout.ep;
        return copiesOfToken(m_model, ep, m_step.decodes()) * (ep - 1.0) / ep;
    }

    void writeExperts(OperatorSet input) {
        const double experts = m_model.experts.value;
        const double perToken = m_model.expertsPerToken.value;
        const double ep = m_layout.ep;
        const double tokens = m_step.groupRows;
        const double pairs = busiestRankPairs(experts, perToken, tokens, ep, 0.0);
        const double met = distinctExperts(experts, perToken, tokens) / ep;
        const double width = m_model.expertWidth.value / m_layout.etp;
        auto& op = m_writer.add(K::Linear, "experts", "Experts", input);
        op.flops.constant = 2.0 * pairs * matrices() * d() * width;
        op.weights = met * matrices() * d() * width;
        op.activations.constant = pairs * (2.0 * d() + matrices() * width);
        op.gemm = {pairs, d(), matrices() * width, met};
        m_writer.store(op, ModelPart::Experts);
    }

    /// The rows of the head.
    double writeLogits() {
        const double rows = m_step.logits;
        if (!(m_model.vocab.value > 0.0) || !(rows > 0.0))
            return 0.0; // it lies on the node of the last layers, or nobody asks for a token
        m_writer.linear(ModelPart::Head, "lm_head", "LM head", {}, rows, d(), m_model.vocab.value / tp());
        return rows;
    }

    void writeHead() {
        if (m_layout.pp > 1.0) { // the last stage of a decode sends its tokens back to the first
            m_writer.openBlock(Segment::Head, m_passes ? m_layout.pp - (m_step.decodes() ? 0.0 : 1.0) : 1.0);
            m_writer.collective(K::Send, "stage_send", "To the next stage", {}, 2.0, rowElements() / tp());
        }
        m_writer.openBlock(Segment::Head, 1.0);
        const double rows = writeLogits();
        if (!(rows > 0.0))
            return;
        m_writer.collective(K::AllGather, "logits_gather", "Logits of all ranks", {m_writer.last()}, tp(),
                            rows * m_model.vocab.value);
    }
};

} // namespace

void OperatorGraph::buildLayered() {
    LayeredStep(*this, stepOf(*m_model, m_shape)).write();
}

} // namespace heteroscape::engine

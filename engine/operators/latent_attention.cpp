// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/operators/attention_model.h"
#include "engine/units/number_text.h"

#include <algorithm>
#include <array>

namespace heteroscape::engine {

namespace {

/// Multi-head latent attention (DeepSeek-V2, arXiv:2405.04434), with an index that picks the keys of each
/// query where one is set (DeepSeek-V3.2). The cache is one latent a token, the same on every device.
/// Naive form (prefill): keys and values are unfolded for past tokens too. Absorbed form (decode, and prefill
/// of a layer with an index beyond the keys that it keeps): queries are folded into the latent space, all
/// heads attend to one key. Source: moe_parallel, sections 3 and 4.3.
class LatentAttention final : public AttentionModel {
public:
    LatentAttention()
        : AttentionModel("mla", "Latent attention",
                         "Keys and values of all heads are kept as one small latent vector of each token; an "
                         "index may choose which tokens are attended to.") {}

    enum Figure : std::size_t {
        kHeads,
        kQueryRank,
        kKvRank,
        kNope,
        kRope,
        kValue,
        kIndexHeads,
        kIndexDim,
        kIndexKeys
    };

    std::span<const KindParameter> parameters() const override {
        static const std::array<KindParameter, 9> table{
            {count("heads", "Heads", 1, true, "Query heads of one layer."),
             count("q_rank", "Query rank", 1, false,
                   "Width of the compressed query; not set: queries are projected directly."),
             count("kv_rank", "KV rank", 1, true, "Width of the compressed keys and values."),
             count("nope_dim", "Width without positions", 1, true,
                   "Elements of a query or key head without rotary positions."),
             count("rope_dim", "Rotary width", 1, true,
                   "Elements of a query head, and of the key that all heads share, with rotary positions."),
             count("v_dim", "Width of a value head", 1, true, "Elements of one value head."),
             count("index_heads", "Heads of the index", 1, false,
                   "Heads that choose which tokens are attended to; not set: another layer's index does, or "
                   "all are."),
             count("index_dim", "Width of the index", 1, false, "Elements of one head of the index."),
             count("index_keys", "Keys that are kept", 1, false,
                   "Tokens that the index leaves to a query.")}};
        return table;
    }

    double weights(const Settings& f, double hidden, double tp) const override {
        const double h = f[kHeads] / tp;
        const double latent = f[kKvRank] + f[kRope];
        const double query = h * (f[kNope] + f[kRope]);
        double elements = queryRank(f) > 0.0 ? hidden * queryRank(f) + queryRank(f) * query : hidden * query;
        elements += hidden * latent + f[kKvRank] * h * (f[kNope] + f[kValue]) + h * f[kValue] * hidden;
        if (hasIndex(f))
            elements += queryIn(f, hidden) * f[kIndexHeads] * f[kIndexDim] + hidden * f[kIndexDim] +
                        hidden * f[kIndexHeads];
        return elements;
    }
    double cacheBytes(const Settings& f, double tokens, double element, double) const override {
        return tokens * ((f[kKvRank] + f[kRope]) * element + indexBytes(f));
    }
    double heads(const Settings& f) const override { return f[kHeads]; }
    bool isLatent() const override { return true; }
    double limit(const Settings& f) const override {
        return f.quantity(kIndexKeys).valueOr(std::numeric_limits<double>::infinity());
    }
    std::string words(const Settings& f) const override {
        auto text =
            plainText(f[kHeads]) + " heads, latent " + plainText(f[kKvRank]) + " + " + plainText(f[kRope]);
        return picks(f) ? text + ", " + mark(f) : text;
    }
    std::string mark(const Settings& f) const override {
        if (!picks(f))
            return {};
        return "top " + plainText(f[kIndexKeys]) + (hasIndex(f) ? "" : " of another layer");
    }
    Mistake mistake(const Settings& f) const override {
        if (f.quantity(kIndexHeads).isSet() != f.quantity(kIndexDim).isSet() || (hasIndex(f) && !picks(f)))
            return {
                "index_keys", "an index needs three figures",
                "Give index_heads, index_dim and index_keys, or none of them; index_keys alone where another "
                "layer's index picks"};
        return {};
    }

    void write(LayerWriter& writer, const Settings& f, OperatorSet input) const override {
        constexpr auto part = ModelPart::Attention;
        const auto& step = writer.step();
        const double t = step.rows;
        const double h = f[kHeads] / step.tp;
        const double headWidth = f[kNope] + f[kRope];
        auto query = input;
        if (queryRank(f) > 0.0)
            query = {writer.linear(part, "q_down", "Q down", input, t, step.hidden, queryRank(f))};
        OperatorSet ready{
            writer.linear(part, "q_proj", "Q projection", query, t, queryIn(f, step.hidden), h * headWidth)};
        OperatorSet latent{
            writer.linear(part, "kv_down", "KV down", input, t, step.hidden, f[kKvRank] + f[kRope])};
        if (step.cp > 1.0)
            latent = writer.collective(OperatorKind::AllGather, "kv_gather", "Latents of all ranks", latent,
                                       step.cp, step.tokens * (f[kKvRank] + f[kRope] + indexBytes(f) / 2.0));
        latent.forEach([&](std::size_t i) { ready.insert(i); });
        if (hasIndex(f))
            ready.insert(writeIndex(writer, f, query, input));
        bool naive = false;
        double absorbed = 0.0; // rows
        step.forEachPart([&](const LayerStep& one) {
            naive = naive || !isAbsorbed(one, f);
            absorbed += isAbsorbed(one, f) ? one.rows : 0.0;
        });
        OperatorSet attended;
        if (naive)
            attended.insert(writeNaive(writer, f, ready, h));
        if (absorbed > 0.0)
            attended.insert(writeAbsorbed(writer, f, ready, h, absorbed));
        writer.linear(part, "o_proj", "Output projection", attended, t, h * f[kValue], step.hidden);
    }

private:
    static double queryRank(const Settings& f) { return f.quantity(kQueryRank).valueOr(0.0); }
    static double queryIn(const Settings& f, double hidden) {
        return queryRank(f) > 0.0 ? queryRank(f) : hidden;
    }
    static bool hasIndex(const Settings& f) { return f.quantity(kIndexHeads).isSet(); }
    static bool picks(const Settings& f) {
        return f.quantity(kIndexKeys).isSet();
    } ///< by its own or another's
    static bool isAbsorbed(const LayerStep& one, const Settings& f) {
        const double tokens = one.pastTokens + one.queryTokens; // S of a prefill
        return one.decodes() || (picks(f) && tokens > f[kIndexKeys]);
    }
    /// B a token: one byte an element and a scale for 32, whatever the precision of the cache.
    static double indexBytes(const Settings& f) {
        return hasIndex(f) ? f[kIndexDim] * (1.0 + 1.0 / 32.0) : 0.0;
    }

    /// The index runs at every context and is whole on every device.
    static std::size_t writeIndex(LayerWriter& writer, const Settings& f, OperatorSet query,
                                  OperatorSet input) {
        constexpr auto part = ModelPart::Attention;
        const auto& step = writer.step();
        const double width = f[kIndexHeads] * f[kIndexDim];
        OperatorSet ready{writer.linear(part, "index_q", "Q of the index", query, step.rows,
                                        queryIn(f, step.hidden), width)};
        ready.insert(
            writer.linear(part, "index_k", "K of the index", input, step.rows, step.hidden, f[kIndexDim]));
        ready.insert(writer.linear(part, "index_w", "Weights of the index", input, step.rows, step.hidden,
                                   f[kIndexHeads]));
        auto& index = writer.add(OperatorKind::Index, "index", "Index", ready);
        constexpr double kAll = std::numeric_limits<double>::infinity();
        const double element = indexBytes(f) / step.kvBytes;
        step.forEachPart([&](const LayerStep& one) {
            index.flops += one.known(one.pairs(kAll) * (2.0 * width));
            if (one.decodes())
                index.kv += one.known(one.cachedTokens(kAll) * (one.requests * element));
            else
                index.kv.constant += one.requests * (one.pastTokens + one.queryTokens) * element;
        });
        if (step.decodes())
            index.kvAllocated = step.requests * step.maxTokens * element;
        return writer.last();
    }

    static std::size_t absorb(LayerWriter& writer, std::string_view key, std::string_view label,
                              OperatorSet inputs, double t, double heads, double width, double rank) {
        auto& op = writer.add(OperatorKind::Linear, key, label, inputs);
        op.flops.constant = 2.0 * t * heads * width * rank;
        op.weights = heads * width * rank;
        op.activations.constant = t * heads * (width + rank);
        op.gemm = {t * heads, width, rank, heads};
        writer.store(op, ModelPart::Attention);
        return writer.last();
    }

    /// Of the parts that are absorbed, `rows` in all.
    std::size_t writeAbsorbed(LayerWriter& writer, const Settings& f, OperatorSet ready, double h,
                              double rows) const {
        const auto& step = writer.step();
        const double rank = f[kKvRank];
        const double latent = rank + f[kRope];
        ready.insert(absorb(writer, "q_absorb", "Q into the latent space", ready, rows, h, f[kNope], rank));
        auto& attend = writer.add(OperatorKind::Attention, step.sequences.empty() ? "attention" : "absorbed",
                                  "Latent attention", ready);
        attend.scoreFlops = 2.0 * (2.0 * rank + f[kRope]);
        step.forEachPart([&](const LayerStep& one) {
            if (!isAbsorbed(one, f))
                return;
            attend.flops += one.known(one.pairs(limit(f)) * (2.0 * h * (2.0 * rank + f[kRope])));
            attend.activations.constant += one.rows * h * (2.0 * rank + f[kRope]);
            if (one.decodes()) {
                // Each of several queries picks keys of its own once the index leaves some out.
                const bool own = picks(f) && one.context > f[kIndexKeys];
                const auto read = picks(f) ? keptTokens(one, f) : one.cachedTokens(limit(f));
                attend.kv += one.known(read * (one.requests * latent * (own ? one.queryTokens : 1.0)));
            } else {
                attend.kv.constant += one.requests * (one.pastTokens + one.queryTokens) * latent;
            }
        });
        if (step.decodes())
            attend.kvAllocated = step.requests * step.maxTokens * latent;
        return absorb(writer, "v_absorb", "Values out of the latent space", {writer.last()}, rows, h,
                      f[kValue], rank);
    }

    static Affine keptTokens(const LayerStep& step, const Settings& f) {
        return step.context < f[kIndexKeys] ? Affine{0.0, 1.0} : Affine{f[kIndexKeys], 0.0};
    }

    /// Of the parts that are not absorbed.
    std::size_t writeNaive(LayerWriter& writer, const Settings& f, OperatorSet ready, double h) const {
        const auto& step = writer.step();
        const double width = f[kNope] + f[kRope] + f[kValue];
        double tokens = 0.0; // b S
        Operator sums;
        step.forEachPart([&](const LayerStep& one) {
            if (isAbsorbed(one, f))
                return;
            const double own = one.requests * (one.pastTokens + one.queryTokens);
            tokens += own;
            sums.flops += one.pairs(limit(f)) * (2.0 * h * width);
            sums.activations.constant += (one.rows + own) * h * width;
            sums.kv.constant +=
                one.requests * (one.pastTokens + one.queryTokens / one.cp) * (f[kKvRank] + f[kRope]);
        });
        const auto unfolded = writer.linear(ModelPart::Attention, "kv_up", "K and V unfolded", ready, tokens,
                                            f[kKvRank], h * (f[kNope] + f[kValue]));
        auto& attend = writer.add(OperatorKind::Attention, "attention", "Latent attention", {unfolded});
        attend.flops = sums.flops;
        attend.scoreFlops = 2.0 * width;
        attend.activations = sums.activations;
        attend.kv = sums.kv;
        return writer.last();
    }
};

} // namespace

const AttentionModel& latentAttention() {
    static const LatentAttention kind;
    return kind;
}

} // namespace heteroscape::engine

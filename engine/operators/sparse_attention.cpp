// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/operators/attention_model.h"
#include "engine/units/number_text.h"

#include <algorithm>
#include <cmath>

namespace heteroscape::engine {

namespace {

/// Attention whose cache has one entry for several tokens, or of whose entries a query reads some: compressed
/// and heavily compressed attention (DeepSeek-V4), block-sparse attention (MiniMax-M3), factorized attention
/// (Step-3, arXiv:2507.19427). Entries are of KV heads, of which a device has at least one; beside them the
/// last `window` tokens have entries of their own. An index, whole on every device, reads all entries to pick
/// those.
class SparseAttention final : public AttentionModel {
public:
    SparseAttention()
        : AttentionModel("sparse", "Sparse or compressed attention",
                         "One entry of the cache may stand for several tokens, and a query may read only "
                         "some entries, which an index picks.") {}

    enum Figure : std::size_t {
        kHeads,
        kKvHeads,
        kEntry,
        kScore,
        kProjected,
        kInner,
        kFurther,
        kRatio,
        kKept,
        kWindow,
        kIndexDim,
        kIndexHeads
    };

    std::span<const KindParameter> parameters() const override {
        static const std::array<KindParameter, 12> table{
            {count("heads", "Query heads", 1, true, "Query heads of one layer."),
             count("kv_heads", "KV heads", 1, true, "Heads of keys and values of one layer."),
             count("entry", "Elements of an entry", 1, true,
                   "Elements that one KV head keeps for one entry, keys and values together."),
             count("score", "Width of a pair", 1, true,
                   "Elements of a key and a value that one query head meets for one entry."),
             count("projected", "Columns in", 1, true,
                   "Columns of all projections of the layer's input together."),
             count("inner", "Width out", 1, true, "Rows of the output projection."),
             optional("further", "Further weights", 1e12, "Elements of its further matrices; not set: none."),
             optional("ratio", "Tokens of an entry", 1 << 20,
                      "Tokens that one entry stands for; 0: the window alone; not set: 1."),
             optional("kept", "Entries that are read", 1 << 20, "Of a query; not set: all."),
             optional("window", "Window", 1 << 20, "Last tokens with an entry of their own; not set: none."),
             optional("index_dim", "Width of the index", 1 << 20,
                      "Elements that an index keeps for one entry; not set: no index."),
             optional("index_heads", "Heads of the index", 1 << 20, "Heads that pick entries.")}};
        return table;
    }

    double weights(const Settings& f, double hidden, double tp) const override {
        return (hidden * (f[kProjected] + f[kInner]) + set(f, kFurther)) / tp;
    }
    double cacheBytes(const Settings& f, double tokens, double element, double tp) const override {
        const double near = std::min(tokens, set(f, kWindow)) * entry(f, tp);
        return (near + tokens * perToken(f) * (entry(f, tp) + set(f, kIndexDim))) * element;
    }
    double heads(const Settings& f) const override { return f[kHeads]; }
    double limit(const Settings& f) const override {
        if (perToken(f) == 0.0)
            return set(f, kWindow);
        return f.quantity(kKept).valueOr(std::numeric_limits<double>::infinity()) / perToken(f);
    }
    std::string words(const Settings& f) const override {
        return plainText(f[kHeads]) + " query and " + plainText(f[kKvHeads]) + " KV heads, " + mark(f);
    }
    std::string mark(const Settings& f) const override {
        if (perToken(f) == 0.0)
            return "window " + plainText(set(f, kWindow));
        auto text = perToken(f) < 1.0 ? "1 entry for " + plainText(f[kRatio]) : std::string("every token");
        return f.quantity(kKept).isSet() ? text + ", top " + plainText(f[kKept]) : text;
    }

    void write(LayerWriter& writer, const Settings& f, OperatorSet input) const override {
        constexpr auto part = ModelPart::Attention;
        const auto& step = writer.step();
        const double t = step.rows;
        const double in = f[kProjected] / step.tp;
        const double out = f[kInner] / step.tp;
        OperatorSet ready{writer.linear(part, "in_proj", "Input projections", input, t, step.hidden, in)};
        if (const double more = set(f, kFurther) / step.tp; more > 0.0)
            ready = {writer.linear(part, "mid_proj", "Further projections", ready, t, in, more / in)};
        const double share = perToken(f);
        if (f.quantity(kIndexDim).isSet())
            ready.insert(writeIndex(writer, f, ready, share));
        auto& attend = writer.add(OperatorKind::Attention, "attention", "Attention", ready);
        attend.scoreFlops = 2.0 * f[kScore];
        const double width = entry(f, step.tp);
        const double flops = 2.0 * f[kHeads] / step.tp * f[kScore];
        step.forEachPart([&](const LayerStep& one) {
            attend.flops += one.known(one.pairs(limit(f)) * (flops * share));
            attend.flops += one.known(one.pairs(set(f, kWindow)) * flops);
            attend.activations.constant += one.rows * (in + out);
            if (one.decodes()) {
                attend.kv += one.known(one.cachedTokens(limit(f)) * (one.requests * width * share));
                if (const double window = set(f, kWindow); window > 0.0)
                    attend.kv += one.known(one.cachedTokens(window) * (one.requests * width));
            } else {
                const double tokens = one.pastTokens + one.queryTokens / one.cp;
                attend.kv.constant +=
                    one.requests * width * (tokens * share + std::min(tokens, set(f, kWindow)));
            }
        });
        if (step.decodes())
            attend.kvAllocated = step.requests * cacheBytes(f, step.maxTokens, 1.0, step.tp);
        writer.linear(part, "o_proj", "Output projection", {writer.last()}, t, out, step.hidden);
    }

private:
    static KindParameter optional(std::string_view key, std::string_view label, double most,
                                  std::string_view about) {
        return {{key, label, "", 1, 0, most, true, false, about}};
    }
    static double set(const Settings& f, Figure figure) { return f.quantity(figure).valueOr(0.0); }
    static double perToken(const Settings& f) {
        const double ratio = f.quantity(kRatio).valueOr(1.0);
        return ratio > 0.0 ? 1.0 / ratio : 0.0;
    }
    static double entry(const Settings& f, double tp) { return std::max(1.0, f[kKvHeads] / tp) * f[kEntry]; }

    static std::size_t writeIndex(LayerWriter& writer, const Settings& f, OperatorSet input, double share) {
        const auto& step = writer.step();
        auto& index = writer.add(OperatorKind::Index, "index", "Index", input);
        constexpr double kAll = std::numeric_limits<double>::infinity();
        step.forEachPart([&](const LayerStep& one) {
            index.flops += one.known(one.pairs(kAll) * (2.0 * f[kIndexDim] * set(f, kIndexHeads) * share));
            const double element = one.requests * f[kIndexDim] * share;
            if (one.decodes())
                index.kv += one.known(one.cachedTokens(kAll) * element);
            else
                index.kv.constant += (one.pastTokens + one.queryTokens) * element;
        });
        return writer.last();
    }
};

} // namespace

const AttentionModel& sparseAttention() {
    static const SparseAttention kind;
    return kind;
}

} // namespace heteroscape::engine

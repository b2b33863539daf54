// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/operators/attention_model.h"
#include "engine/units/number_text.h"

#include <algorithm>
#include <cmath>

namespace heteroscape::engine {

namespace {

/// Grouped-query attention, with or without a window. Queries d x H h (twice with an output gate), keys
/// d x G h and values d x G v by KV heads, of which a device has at least one; output H v x d. Source:
/// moe_parallel, sections 3 and 4.2; Ainslie et al., arXiv:2305.13245.
class GroupedQueryAttention final : public AttentionModel {
public:
    GroupedQueryAttention()
        : AttentionModel(
              "gqa", "Grouped-query attention",
              "Several query heads share one head of keys and values; with a window each token sees "
              "only so many before it.") {}

    enum Figure : std::size_t { kHeads, kKvHeads, kDim, kValueDim, kWindow };
    enum Option : std::size_t { kGate, kSinks, kQkNorm, kKeysAreValues };

    std::span<const KindParameter> parameters() const override {
        static const std::array<KindParameter, 5> table{
            {count("heads", "Query heads", 1, true, "Query heads of one layer."),
             count("kv_heads", "KV heads", 1, true, "Heads of keys and values of one layer."),
             count("head_dim", "Head width", 1, true, "Elements of one query or key head."),
             count("v_dim", "Width of a value head", 1, false,
                   "Elements of one value head; not set: as a key head."),
             count("window", "Window", 1, false, "Tokens that each token sees; not set: all before it.")}};
        return table;
    }
    std::span<const KindOption> options() const override {
        static const std::array<KindOption, 4> table{
            {{"gate", "Output gate", "The query projection is twice as wide: half of it gates the output.",
              false},
             {"sinks", "Sinks", "Each head has a scalar that takes attention from every token.", false},
             {"qk_norm", "QK norm", "Queries and keys are normed before attention.", false},
             {"k_is_v", "K = V", "Values are the keys: no projection of their own.", false}}};
        return table;
    }

    double weights(const Settings& f, double hidden, double tp) const override {
        const auto s = shapeOf(f, tp);
        return hidden * (s.query + s.keys + s.values) + hidden * s.heads * s.value;
    }
    double cacheBytes(const Settings& f, double tokens, double element, double tp) const override {
        const auto s = shapeOf(f, tp);
        return std::min(tokens, limit(f)) * s.kvHeads * (s.key + s.value) * element;
    }
    double heads(const Settings& f) const override { return f[kHeads]; }
    double limit(const Settings& f) const override {
        return f.quantity(kWindow).valueOr(std::numeric_limits<double>::infinity());
    }
    std::string words(const Settings& f) const override {
        auto text = plainText(f[kHeads]) + " query and " + plainText(f[kKvHeads]) + " KV heads of " +
                    plainText(f[kDim]);
        if (const double v = valueWidth(f); v != f[kDim])
            text += " and " + plainText(v);
        for (std::size_t i = 0; i < options().size(); ++i)
            if (f.isOn(i))
                text.append(", ").append(options()[i].label);
        return f.quantity(kWindow).isSet() ? text + ", " + mark(f) : text;
    }
    std::string mark(const Settings& f) const override {
        return f.quantity(kWindow).isSet() ? "window " + plainText(f[kWindow]) : std::string();
    }
    Mistake mistake(const Settings& f) const override {
        if (std::fmod(f[kHeads], f[kKvHeads]) != 0.0)
            return {"kv_heads", "does not divide heads",
                    "Grouped-query attention needs heads to be a multiple of kv_heads"};
        return {};
    }

    void write(LayerWriter& writer, const Settings& f, OperatorSet input) const override {
        constexpr auto part = ModelPart::Attention;
        const auto& step = writer.step();
        const auto s = shapeOf(f, step.tp);
        const double t = step.rows;
        const double kvWidth = s.kvHeads * (s.key + s.value);
        OperatorSet ready{writer.linear(part, "q_proj", f.isOn(kGate) ? "Q and gate" : "Q projection", input,
                                        t, step.hidden, s.query)};
        ready.insert(writer.linear(part, "k_proj", "K projection", input, t, step.hidden, s.keys));
        if (s.values > 0.0)
            ready.insert(writer.linear(part, "v_proj", "V projection", input, t, step.hidden, s.values));
        if (f.isOn(kQkNorm)) {
            const double elements = t * (s.heads + s.kvHeads) * s.key;
            ready = {writer.elementwise(OperatorKind::Norm, "qk_norm", "QK norm", ready, 4.0 * elements,
                                        2.0 * elements)};
        }
        if (step.cp > 1.0)
            ready = writer.collective(OperatorKind::AllGather, "kv_gather", "K and V of all ranks", ready,
                                      step.cp, step.tokens * kvWidth * step.kvBytes / 2.0);
        auto& attend = writer.add(OperatorKind::Attention, "attention", "Attention", ready);
        attend.scoreFlops = 2.0 * (s.key + s.value);
        step.forEachPart([&](const LayerStep& one) {
            const double b = one.requests;
            attend.flops += one.known(one.pairs(limit(f)) * (2.0 * s.heads * (s.key + s.value)));
            attend.activations.constant += one.rows * s.heads * (s.key + s.value);
            if (one.decodes()) {
                attend.kv += one.known(one.cachedTokens(limit(f)) * (b * kvWidth));
            } else {
                attend.kv.constant +=
                    b * (std::min(one.pastTokens, limit(f)) + one.queryTokens / one.cp) * kvWidth;
                attend.activations.constant += b * one.queryTokens * kvWidth;
            }
        });
        if (step.decodes())
            attend.kvAllocated = step.requests * std::min(step.maxTokens, limit(f)) * kvWidth;
        writer.linear(part, "o_proj", "Output projection", {writer.last()}, t, s.heads * s.value,
                      step.hidden);
    }

private:
    struct Shape {
        double heads, kvHeads, key, value;
        double query, keys, values; ///< columns
    };
    static double valueWidth(const Settings& f) { return f.quantity(kValueDim).valueOr(f[kDim]); }
    static Shape shapeOf(const Settings& f, double tp) {
        Shape s{f[kHeads] / tp, std::max(1.0, f[kKvHeads] / tp), f[kDim], valueWidth(f), 0, 0, 0};
        s.query = s.heads * s.key * (f.isOn(kGate) ? 2.0 : 1.0);
        s.keys = s.kvHeads * s.key;
        s.values = f.isOn(kKeysAreValues) ? 0.0 : s.kvHeads * s.value;
        return s;
    }
};

} // namespace

const AttentionModel& groupedQueryAttention() {
    static const GroupedQueryAttention kind;
    return kind;
}

} // namespace heteroscape::engine

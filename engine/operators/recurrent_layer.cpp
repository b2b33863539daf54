// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/operators/attention_model.h"
#include "engine/units/number_text.h"

#include <cmath>
#include <limits>

namespace heteroscape::engine {

namespace {

/// A layer that keeps a state of fixed size in place of a cache: Mamba (arXiv:2312.00752), Mamba-2
/// (arXiv:2405.21060), Kimi delta attention (arXiv:2510.26692), lightning attention (arXiv:2405.17381), short
/// convolutions (LFM2). One projection in, a recurrence over the state, one projection out. Of each element
/// of the state a token makes a decay, an update and a product with the output: 6 FLOPs, as h = a h + b x,
/// y = c h says. The state is fp32 and is read and written once a step.
class RecurrentLayer final : public AttentionModel {
public:
    RecurrentLayer()
        : AttentionModel("recurrent", "Recurrent layer",
                         "A state-space layer, linear attention or a short convolution: a state of fixed "
                         "size, whatever the context.") {}

    enum Figure : std::size_t { kHeads, kProjected, kInner, kFurther, kState, kTail };

    std::span<const KindParameter> parameters() const override {
        static const std::array<KindParameter, 6> table{
            {count("heads", "Heads", 1, true, "What devices share: each has a part of the state."),
             count("projected", "Columns in", 1, true,
                   "Columns of all projections of the layer's input together."),
             count("inner", "Width out", 1, true, "Rows of the output projection."),
             elements("further", "Further weights",
                      "Elements of what else it has: convolution, gates of low rank; not set: none."),
             elements("state", "State", "Elements that a request keeps; not set: none."),
             elements("tail", "Tail of the convolution",
                      "Elements of the last inputs that a request keeps, in 16 bits; not set: none.")}};
        return table;
    }

    double weights(const Settings& f, double hidden, double tp) const override {
        return (hidden * (f[kProjected] + f[kInner]) + further(f)) / tp;
    }
    double cacheBytes(const Settings& f, double, double, double tp) const override {
        return stateBytes(f, tp);
    }
    double heads(const Settings& f) const override { return f[kHeads]; }
    std::string words(const Settings& f) const override {
        return plainText(f[kHeads]) + " heads, width " + plainText(f[kInner]) + ", a state of " +
               plainText(std::round(stateBytes(f, 1.0) / 1e3)) + " kB";
    }
    std::string mark(const Settings&) const override { return "recurrent"; }

    void write(LayerWriter& writer, const Settings& f, OperatorSet input) const override {
        constexpr auto part = ModelPart::Attention;
        const auto& step = writer.step();
        const double in = f[kProjected] / step.tp;
        const double out = f[kInner] / step.tp;
        const double t = step.rows;
        const auto projected = writer.linear(part, "in_proj", "Input projection", input, t, step.hidden, in);
        auto& rule = writer.add(OperatorKind::Attention, "attention", "Recurrence", {projected});
        rule.weights = further(f) / step.tp;
        rule.flops.constant = 2.0 * t * rule.weights;
        step.forEachPart([&](const LayerStep& one) {
            rule.flops.constant += 6.0 * one.rows * f.quantity(kState).valueOr(0.0) / step.tp;
            rule.activations.constant += one.rows * (in + out);
            const double stored = one.requests * stateBytes(f, step.tp) / step.kvBytes;
            rule.kv.constant += 2.0 * stored;
            rule.kvAllocated = step.decodes() ? stored : 0.0;
        });
        writer.store(rule, part);
        writer.linear(part, "o_proj", "Output projection", {writer.last()}, t, out, step.hidden);
    }

private:
    static KindParameter elements(std::string_view key, std::string_view label, std::string_view about) {
        return {{key, label, "", 1, 0, 1e12, true, false, about}};
    }
    static double further(const Settings& f) { return f.quantity(kFurther).valueOr(0.0); }
    static double stateBytes(const Settings& f, double tp) {
        constexpr double kStateBytes = 4.0, kTailBytes = 2.0;
        return (f.quantity(kState).valueOr(0.0) * kStateBytes + f.quantity(kTail).valueOr(0.0) * kTailBytes) /
               tp;
    }
};

} // namespace

const AttentionModel& recurrentLayer() {
    static const RecurrentLayer kind;
    return kind;
}

namespace {

/// Layers that are a feed-forward network alone, where attention and networks are layers of their own
/// (Nemotron-H, arXiv:2504.03624) or a search left attention out (Puzzle, arXiv:2411.19146).
class NoAttention final : public AttentionModel {
public:
    NoAttention()
        : AttentionModel("none", "No attention", "The layer is a feed-forward network, or nothing, alone.") {}

    double weights(const Settings&, double, double) const override { return 0.0; }
    double cacheBytes(const Settings&, double, double, double) const override { return 0.0; }
    double heads(const Settings&) const override { return std::numeric_limits<double>::infinity(); }
    bool attends() const override { return false; }
    std::string words(const Settings&) const override { return "none"; }
    void write(LayerWriter&, const Settings&, OperatorSet) const override {}
};

} // namespace

const AttentionModel& noAttention() {
    static const NoAttention kind;
    return kind;
}

} // namespace heteroscape::engine

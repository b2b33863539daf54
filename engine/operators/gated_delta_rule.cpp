// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/operators/attention_model.h"
#include "engine/units/number_text.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace heteroscape::engine {

namespace {

/// Gated delta rule (Qwen3-Next, Qwen3.5): a state of fixed size in place of a cache, fp32, and the tail of a
/// convolution, three columns of bf16. Prefill goes in chunks of 64. Source: moe_parallel, sections 3 and
/// 4.4; Yang et al., arXiv:2412.06464.
class GatedDeltaRule final : public AttentionModel {
public:
    GatedDeltaRule()
        : AttentionModel(
              "gdn", "Gated delta rule",
              "Linear attention: each head keeps a matrix of fixed size, which every token reads and "
              "writes, whatever the context.") {}

    enum Figure : std::size_t { kKeyHeads, kValueHeads, kKeyDim, kValueDim, kConvolution };

    std::span<const KindParameter> parameters() const override {
        static const std::array<KindParameter, 5> table{
            {count("k_heads", "Key heads", 1, true, "Heads of queries and keys of one layer."),
             count("v_heads", "Value heads", 1, true, "Heads of values, and states, of one layer."),
             count("k_dim", "Width of a key head", 1, true, "Elements of one query or key head."),
             count("v_dim", "Width of a value head", 1, true, "Elements of one value head."),
             count("convolution", "Convolution", 2, true, "Tokens that the short convolution sees.")}};
        return table;
    }

    double weights(const Settings& f, double hidden, double tp) const override {
        const double values = f[kValueHeads] * f[kValueDim];
        return hidden * (projected(f) + 2.0 * f[kValueHeads]) / tp + values / tp * hidden +
               f[kConvolution] * channels(f, tp);
    }
    double cacheBytes(const Settings& f, double, double, double tp) const override {
        return stateBytes(f, tp) + (f[kConvolution] - 1.0) * channels(f, tp) * kTailBytes;
    }
    double heads(const Settings& f) const override { return f[kValueHeads]; }
    std::string words(const Settings& f) const override {
        return plainText(f[kKeyHeads]) + " key and " + plainText(f[kValueHeads]) + " value heads of " +
               plainText(f[kKeyDim]) + ", a state of " + plainText(std::round(stateBytes(f, 1.0) / 1e3)) +
               " kB";
    }
    std::string mark(const Settings&) const override { return "linear"; }

    void write(LayerWriter& writer, const Settings& f, OperatorSet input) const override {
        constexpr auto part = ModelPart::Attention;
        const auto& step = writer.step();
        const double t = step.rows;
        const double values = f[kValueHeads] * f[kValueDim] / step.tp;
        const double z = channels(f, step.tp);
        OperatorSet ready{writer.linear(part, "qkvz_proj", "Q, K, V and gate", input, t, step.hidden,
                                        projected(f) / step.tp)};
        ready.insert(writer.linear(part, "ba_proj", "Decay and strength", input, t, step.hidden,
                                   2.0 * f[kValueHeads] / step.tp));
        auto& convolution = writer.add(OperatorKind::Convolution, "convolution", "Convolution", ready);
        convolution.flops.constant = 2.0 * f[kConvolution] * t * z;
        convolution.weights = f[kConvolution] * z;
        convolution.activations.constant = 2.0 * t * z;
        writer.store(convolution, part);
        auto& rule = writer.add(OperatorKind::Attention, "attention", "Delta rule", {writer.last()});
        const double state = values * f[kKeyDim]; // elements of all heads of one request
        step.forEachPart([&](const LayerStep& one) {
            const double rows = one.rows;
            rule.activations.constant += rows * (z + values);
            if (one.decodes()) {
                rule.flops.constant += 7.0 * rows * state;
            } else {
                rule.flops.constant += rows * f[kValueHeads] / step.tp *
                                       (6.0 * f[kKeyDim] * f[kValueDim] + 6.0 * kChunk * f[kKeyDim] +
                                        4.0 * kChunk * f[kValueDim]);
                rule.activations.constant += rows / kChunk * state * (kStateBytes / kActivationBytes);
            }
            const double stored = one.requests * stateBytes(f, step.tp) / step.kvBytes;
            rule.kv.constant += 2.0 * stored; // read and written once
            rule.kvAllocated = step.decodes() ? stored : 0.0;
        });
        writer.linear(part, "o_proj", "Output projection", {writer.last()}, t, values, step.hidden);
    }

private:
    static constexpr double kChunk = 64.0;
    static constexpr double kStateBytes = 4.0;      // fp32
    static constexpr double kTailBytes = 2.0;       // bf16
    static constexpr double kActivationBytes = 2.0; // that an element of the graph stands for, bf16

    static double projected(const Settings& f) {
        return 2.0 * f[kKeyHeads] * f[kKeyDim] + 2.0 * f[kValueHeads] * f[kValueDim];
    }
    /// Of the convolution: queries and keys of at least one head, values.
    static double channels(const Settings& f, double tp) {
        return 2.0 * std::max(1.0, f[kKeyHeads] / tp) * f[kKeyDim] + f[kValueHeads] / tp * f[kValueDim];
    }
    static double stateBytes(const Settings& f, double tp) {
        return f[kValueHeads] / tp * f[kKeyDim] * f[kValueDim] * kStateBytes;
    }
};

} // namespace

const AttentionModel& gatedDeltaRule() {
    static const GatedDeltaRule kind;
    return kind;
}

} // namespace heteroscape::engine

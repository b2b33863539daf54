// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/operators/attention_model.h"

namespace heteroscape::engine {

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

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/techniques/offload_attention.h"

#include "engine/scenario/tiers.h"

namespace heteroscape::engine {

namespace {

bool touchesKv(const Operator& op) {
    switch (op.kind) {
    case OperatorKind::CacheAppend:
    case OperatorKind::Scores:
    case OperatorKind::Softmax:
    case OperatorKind::WeightedValues:
    case OperatorKind::Attention:
        return true;
    default:
        return false;
    }
}

class OffloadAttention final : public GraphPass {
public:
    std::string_view name() const override { return "offload_attention"; }
    bool actsOn(const PassContext& context) const override {
        return context.phase == Phase::Decode && offloads(context.node);
    }
    void apply(OperatorGraph& graph, const PassContext&) const override { offloadAttention(graph); }
    bool maySet(OperatorMark mark) const override { return mark == OperatorMark::Offloaded; }
    WorkFactors declared(const Operator& before, const PassContext&) const override {
        return touchesKv(before) ? WorkFactors{0.0, 1.0, 0.0, 0.0} : WorkFactors{};
    }
};

} // namespace

void offloadAttention(OperatorGraph& graph) {
    for (auto& op : graph.operators()) {
        if (!touchesKv(op))
            continue;
        op.offloaded = true;
        op.flops = {};
        op.activations = {};
        op.kv = {};
        op.kvAllocated = 0.0;
    }
}

const GraphPass& offloadAttentionPass() {
    static const OffloadAttention pass;
    return pass;
}

} // namespace heteroscape::engine

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/techniques/offload_attention.h"

namespace heteroscape::engine {

void offloadAttention(OperatorGraph& graph) {
    for (auto& op : graph.operators()) {
        switch (op.kind) {
        case OperatorKind::CacheAppend:
        case OperatorKind::Scores:
        case OperatorKind::Softmax:
        case OperatorKind::WeightedValues:
        case OperatorKind::Attention:
            op.offloaded = true;
            op.flops = {};
            op.activations = {};
            op.kv = {};
            op.kvAllocated = 0.0;
            break;
        default:
            break;
        }
    }
}

} // namespace heteroscape::engine

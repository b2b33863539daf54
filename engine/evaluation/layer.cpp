// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluation/layer.h"

namespace heteroscape::engine {

LayerEvaluation evaluateLayer(const CompiledPhase& decode, const Workload& workload, Detail detail) {
    const auto& step = decode.step();
    const auto& machine = decode.machine();
    const double mean = representativeKeys(workload, Phase::Decode);
    const double full = workload.promptTokens.value + workload.outputTokens.value;
    const auto atFull = step.segmentSeconds(full);
    LayerEvaluation layer;
    if (detail == Detail::Full) {
        const auto atMean = step.segmentSeconds(mean);
        layer.attentionSeconds = atMean.attention;
        layer.ffnSeconds = atMean.ffn;
    }
    layer.fullSeconds = atFull.attention + atFull.ffn;
    layer.allReduceSeconds = layer.attentionFootprint = layer.ffnFootprint = layer.prefetched = 0.0;
    double attentionRead = 0.0; // B
    for (const auto& op : decode.graph().operators()) {
        if (op.segment == Segment::Head)
            continue;
        const double weights = op.weights * machine.weightBytes;
        const double allocated = op.kvAllocated * machine.kvBytes;
        if (op.kind == OperatorKind::AllReduce)
            layer.allReduceSeconds = machine.collectiveSeconds(op);
        if (op.prefetched)
            layer.prefetched += weights + allocated;
        if (op.segment == Segment::Attention) {
            layer.attentionFootprint += weights + allocated;
            attentionRead += weights + op.kv.at(mean) * machine.kvBytes;
        } else {
            layer.ffnFootprint += weights;
        }
    }
    const double bandwidth = machine.peakBandwidth * machine.memoryEfficiency(Phase::Decode);
    layer.attentionReadSeconds = attentionRead / bandwidth;
    layer.ffnReadSeconds = layer.ffnFootprint / bandwidth;
    return layer;
}

} // namespace heteroscape::engine

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluation/layer.h"

#include <optional>

namespace heteroscape::engine {

namespace {

/// Bytes of one layer on one device.
template <class V>
struct LayerBytesOf {
    V attentionFootprint{};
    V ffnFootprint{};
    V attentionRead{}; ///< at the mean context
    V prefetched{};
};

template <class V>
LayerBytesOf<V> layerBytes(const OperatorGraph& graph, const V& weight, const V& kvElement, double mean) {
    using N = Numbers<V>;
    const auto size = [](std::string_view name, double elements, const V& element, std::string_view of) {
        return N::named(N::counted("Elements", elements, measures::count, "operator table") * element, name,
                        measures::megabytes, of);
    };
    LayerBytesOf<V> bytes;
    for (const auto& op : graph.operators()) {
        if (op.segment == Segment::Head)
            continue;
        const double share = op.repeat / graph.model().layers.value; // of a mean layer, where they differ
        const V weights = size("Weights", share * op.storedWeights(), weight, op.label);
        const V allocated = size("KV cache as allocated", share * op.kvAllocated, kvElement, op.label);
        const V held = N::named(weights + allocated, op.label, measures::megabytes);
        if (op.prefetched)
            bytes.prefetched = bytes.prefetched + held;
        if (op.segment == Segment::Attention) {
            const V kv = size("KV cache at the mean context", share * op.kv.at(mean), kvElement, op.label);
            bytes.attentionFootprint = bytes.attentionFootprint + held;
            bytes.attentionRead = bytes.attentionRead + N::named(weights + kv, op.label, measures::megabytes);
        } else {
            bytes.ffnFootprint = bytes.ffnFootprint + weights;
        }
    }
    return bytes;
}

/// The last collective of a layer, as its ordinal; none where there is no link to cross.
std::optional<std::size_t> layerCollective(const OperatorGraph& graph) {
    const auto operators = graph.operators();
    for (std::size_t i = operators.size(); i-- > 0;)
        if (operators[i].segment != Segment::Head && isCollective(operators[i].kind))
            return i;
    return {};
}

} // namespace

LayerEvaluation evaluateLayer(const CompiledPhase& decode, const Workload& workload, Detail detail) {
    const auto& machine = decode.machine();
    const double mean = representativeKeys(workload, Phase::Decode);
    const double full = workload.promptTokens.value + workload.outputTokens.value;
    const auto atFull = decode.segmentSeconds(full);
    LayerEvaluation layer;
    if (detail == Detail::Full) {
        const auto atMean = decode.segmentSeconds(mean);
        layer.attentionSeconds = atMean.attention;
        layer.ffnSeconds = atMean.ffn;
    }
    layer.fullSeconds = atFull.attention + atFull.ffn;
    layer.allReduceSeconds = 0.0;
    if (const auto op = layerCollective(decode.graph()))
        layer.allReduceSeconds = decode.step().timing().collectiveOnce(*op);
    const auto bytes = layerBytes<double>(decode.graph(), machine.weightBytes, machine.kvBytes, mean);
    layer.attentionFootprint = bytes.attentionFootprint;
    layer.ffnFootprint = bytes.ffnFootprint;
    layer.prefetched = bytes.prefetched;
    const double bandwidth = machine.peakBandwidth * machine.memoryEfficiency(Phase::Decode);
    layer.attentionReadSeconds = bytes.attentionRead / bandwidth;
    layer.ffnReadSeconds = layer.ffnFootprint / bandwidth;
    return layer;
}

LayerTerms explainLayer(const CompiledPhase& decode, const Workload& workload) {
    const auto& machine = decode.machine();
    const auto bytes =
        layerBytes<Term>(decode.graph(), machine.explainElement(&Runtime::weightBits, "Bytes of a weight"),
                         machine.explainElement(&Runtime::kvBits, "Bytes of a K or V element"),
                         representativeKeys(workload, Phase::Decode));
    LayerTerms layer;
    layer.fullSeconds = decode.step().explainLayer(workload.promptTokens.value + workload.outputTokens.value);
    if (const auto op = layerCollective(decode.graph()))
        layer.allReduceSeconds = decode.step().timing().explainCollective(*op);
    const auto bandwidth = machine.explainByteRate(Phase::Decode);
    layer.attentionFootprint = bytes.attentionFootprint;
    layer.ffnFootprint = bytes.ffnFootprint;
    layer.attentionReadSeconds =
        bytes.attentionRead.named("Read by the attention segment", measures::megabytes) / bandwidth;
    layer.ffnReadSeconds =
        bytes.ffnFootprint.named("Read by the FFN segment", measures::megabytes) / bandwidth;
    return layer;
}

} // namespace heteroscape::engine

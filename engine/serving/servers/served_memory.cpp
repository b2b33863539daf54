// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/serving/servers/served_memory.h"

#include <algorithm>

namespace heteroscape::engine {

namespace {

constexpr double kWindowedShare = 0.04; ///< of a full layer's cache

/// B of a weight with its scales.
double storedBytes(const std::string& format) {
    if (format == "bfloat16" || format == "bf16")
        return 2.0;
    if (format == "nvfp4" || format.starts_with("int4"))
        return 0.5625;
    if (format.starts_with("mxfp4"))
        return 0.53125;
    return 1.0;
}

double attentionWeights(const ServedShape& shape, const ServedAttention& a, double tp) {
    const double h = shape.hidden;
    if (a.kind == ServedAttention::Kind::Latent)
        return h * (a.queryRank + a.rank + a.rope) +
               (a.queryRank * a.heads * (a.nope + a.rope) + a.rank * a.heads * (a.nope + a.value) +
                h * a.heads * a.value) /
                   tp;
    if (a.kind == ServedAttention::Kind::Delta)
        for (const auto& other : shape.attention)
            if (other.kind == ServedAttention::Kind::Grouped)
                return attentionWeights(shape, other, tp);
    if (a.kind == ServedAttention::Kind::Delta)
        return h * (2 * a.keyHeads + 3 * a.valueHeads) * a.stateSize / tp;
    return h * (2 * a.heads + 2 * a.kvHeads) * a.headSize / tp;
}

} // namespace

double servedWeightBytes(const ServedShape& shape, const ServedFormats& formats, const ServedLayout& layout) {
    const double h = shape.hidden, tp = layout.tp;
    double attention = 0.0;
    for (const auto& a : shape.attention)
        attention += a.count * attentionWeights(shape, a, tp);
    const double dense = shape.denseLayers * 3 * h * shape.denseWidth / tp;
    const double shared = shape.mixtureLayers * 3 * h * shape.sharedWidth / (layout.dp > 1 ? 1.0 : tp);
    const double experts =
        shape.mixtureLayers * shape.experts * 3 * h * shape.expertWidth / (layout.expertTp * layout.expertEp);
    return attention * storedBytes(formats.attention) + (dense + shared) * storedBytes(formats.dense) +
           experts * storedBytes(formats.experts) + 2 * 2 * shape.vocabulary * h / tp;
}

double servedTokenBytes(const ServedShape& shape, const ServedFormats& formats, double tp) {
    double bytes = 0.0;
    for (const auto& a : shape.attention) {
        if (a.kind == ServedAttention::Kind::Grouped)
            bytes += a.count * (a.window > 0 ? kWindowedShare : 1.0) * 2 * std::max(a.kvHeads / tp, 1.0) *
                     a.headSize * formats.cacheBytes;
        else if (a.kind == ServedAttention::Kind::Latent)
            bytes += a.count * (a.rank + a.rope + (a.hasIndex() ? 132 : 0)) * formats.cacheBytes;
    }
    return bytes;
}

double servedKvTokens(const ServedShape& shape, const ServedFormats& formats, const ServedLayout& layout,
                      const MemoryRule& rule, double memory) {
    const double weights = servedWeightBytes(shape, formats, layout);
    const double left =
        rule.ofFree ? (memory - weights - rule.rest) * rule.share : memory * rule.share - weights - rule.rest;
    return std::max(0.0, left / servedTokenBytes(shape, formats, layout.tp));
}

} // namespace heteroscape::engine

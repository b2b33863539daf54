// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/operators/layer_messages.h"

#include "engine/operators/experts.h"

namespace heteroscape::engine {

namespace {

constexpr double kBf16 = 2.0;              // B
constexpr double kScaledFp8 = 33.0 / 32.0; // B: a scale of four bytes for 128 elements

} // namespace

double copiesOfToken(const Model& model, double ep, bool lowLatency) {
    const double chosen = model.expertsPerToken.value;
    return lowLatency ? chosen : distinctPlaces(chosen, ep);
}

double copiesAtRank(const Model& model, double ep, double tokens, bool lowLatency) {
    const double chosen = model.expertsPerToken.value;
    const double pairs = busiestRankPairs(model.experts.value, chosen, tokens, ep, 0.0);
    return lowLatency ? pairs : pairs * (copiesOfToken(model, ep, lowLatency) / chosen);
}

LayerMessages layerMessages(const Model& model, const Layout& attention, const Layout& ffn, double rows,
                            bool mixture, bool lowLatency) {
    const double d = model.hidden.value;
    const double tokens = rows * attention.dp;
    const double own = rows / attention.tp;
    if (!mixture) {
        const LayerMessage way{own * d * kBf16, tokens / ffn.stageDevices() * d * kBf16};
        return {way, way};
    }
    const double copies = copiesOfToken(model, ffn.ep, lowLatency);
    const double arriving = copiesAtRank(model, ffn.ep, tokens, lowLatency);
    const auto way = [&](double element) {
        return LayerMessage{own * copies * d * element, arriving / ffn.etp * d * element};
    };
    return {way(kScaledFp8), way(kBf16)};
}

} // namespace heteroscape::engine

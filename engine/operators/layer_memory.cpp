// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/operators/layer_memory.h"

#include "engine/operators/experts.h"

#include <algorithm>
#include <cmath>

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

namespace {

double stageShare(const Model& model, const Layout& layout) {
    const double layers = model.layers.value;
    return std::ceil(layers / layout.pp) / layers;
}

bool dispatches(const Model& model, const Layout& layout) {
    return model.isMixture() && layout.ep > 1.0 && layout.etp <= 1.0 &&
           (layout.dp > 1.0 || layout.cp > 1.0 || layout.traffic == ExpertTraffic::AllToAll);
}

} // namespace

double rankElements(const Model& model, const Layout& layout, ModelPart part) {
    const double share = stageShare(model, layout);
    const bool split = layout.side != LayerSide::Whole;
    const bool reduces = layout.dp <= 1.0 && layout.cp <= 1.0 && !split;
    const bool network = part == ModelPart::Dense || part == ModelPart::Experts;
    if (split && network != (layout.side == LayerSide::Ffn))
        return 0.0;
    switch (part) {
    case ModelPart::Attention: {
        double elements = 0.0;
        for (const auto& group : model.groups)
            elements += group.count * group.attention->weights(group.figures, model.hidden.value, layout.tp);
        return share * elements;
    }
    case ModelPart::Dense:
        return share * model.elements(part) / (split ? layout.stageDevices() : layout.tp);
    case ModelPart::Experts:
        return share * model.elements(part) / layout.ep / layout.etp;
    case ModelPart::Shared:
        return share * model.elements(part) / (reduces ? layout.tp : 1.0);
    case ModelPart::Router:
        return share * model.elements(part);
    case ModelPart::Embedding:
        return layout.pp > 1.0 ? 0.0 : model.elements(part) / layout.tp; // stages: the head is as large
    case ModelPart::Head:
        return model.elements(part) / layout.tp;
    }
    return 0.0;
}

double rankWeightBytes(const Model& model, const Layout& layout, double element) {
    double bytes = 0.0;
    for (std::size_t i = 0; i < kModelPartCount; ++i) {
        const auto part = static_cast<ModelPart>(i);
        bytes +=
            rankElements(model, layout, part) * (model.weights ? model.weights->of(part).bytes : element);
    }
    return bytes;
}

double rankCacheBytes(const Model& model, const Layout& layout, double requests, double tokens,
                      double element) {
    if (layout.side == LayerSide::Ffn)
        return 0.0;
    return std::ceil(requests / layout.dp) * stageShare(model, layout) *
           model.cacheBytes(tokens, element, layout.tp);
}

double workingBytes(const Model& model) {
    constexpr double kWorkingTokens = 8192.0;
    constexpr double kWorkingCopies = 8.0;
    constexpr double kActivation = 2.0; // B
    return kWorkingTokens * kWorkingCopies * model.hidden.value * kActivation;
}

double dispatchBytes(const Model& model, const Layout& layout, bool decodes) {
    constexpr double kLowLatencyTokens = 128.0;
    constexpr double kNormalBuffer = 1e9;
    if (!dispatches(model, layout))
        return 0.0;
    return decodes ? 4.0 * model.experts.value * kLowLatencyTokens * 2.0 * model.hidden.value : kNormalBuffer;
}

LayerMemory layerMemory(const Model& model, const Layout& layout, double requests, double tokens,
                        double weightElement, double kvElement, bool decodes) {
    LayerMemory memory;
    memory.weights = rankWeightBytes(model, layout, weightElement);
    memory.caches = rankCacheBytes(model, layout, requests, tokens, kvElement);
    memory.working = workingBytes(model);
    memory.buffers = dispatchBytes(model, layout, decodes);
    memory.reserve = kUsualReserve;
    return memory;
}

} // namespace heteroscape::engine

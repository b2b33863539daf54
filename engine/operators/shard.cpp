// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/operators/shard.h"

#include <algorithm>
#include <cmath>

namespace heteroscape::engine {

Shard::Shard(const Model& model, double count)
    : devices(count), heads(std::max(1.0, std::ceil(model.heads.value / count))),
      kvHeads(std::max(1.0, std::floor(model.kvHeads.value / count))), ffn(model.ffn.value / count),
      vocab(model.vocab.value / count) {}

double Shard::parameters(const Model& model) const {
    const double hidden = model.hidden.value;
    const double dim = model.headDim.value;
    const double experts = model.experts.valueOr(1.0);
    const double attention = 2.0 * hidden * (heads + kvHeads) * dim;
    const double router = model.isMixture() ? experts * hidden : 0.0;
    const double matrices = model.ffnMatrices.valueOr(3.0);
    const double layer = attention + matrices * hidden * ffn * experts + router + 2.0 * hidden;
    const double outside = model.embeddings.valueOr(2.0) * vocab + model.positions.valueOr(0.0);
    return model.layers.value * layer + hidden + hidden * outside;
}

double Shard::kvElementsPerToken(const Model& model) const {
    return 2.0 * model.layers.value * kvHeads * model.headDim.value;
}

} // namespace heteroscape::engine

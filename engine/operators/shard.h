// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/model.h"

namespace heteroscape::engine {

/// What one of `devices` devices holds of every layer under tensor parallelism (Megatron-LM: attention by
/// heads, feed-forward by its inner width, LM head by the vocabulary). Whole query heads, rounded up; whole
/// KV heads, rounded down but never below one, so that fewer KV heads than devices are replicated; fractions
/// of a column are allowed. Source: Shoeybi et al., arXiv:1909.08053, section 3; PRESERVE section 2.
struct Shard {
    Shard(const Model& model, double devices);

    double devices;
    double heads;
    double kvHeads;
    double ffn;   ///< columns of one expert
    double vocab; ///< columns of the LM head

    /// Weight elements of one device: layers with every expert and the router, norms, LM head, embedding.
    double parameters(const Model& model) const;
    /// K and V elements of one token on one device, all layers.
    double kvElementsPerToken(const Model& model) const;
};

} // namespace heteroscape::engine

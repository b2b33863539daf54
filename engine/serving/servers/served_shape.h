// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/model.h"

#include <vector>

namespace heteroscape::engine {

/// How prompt steps of a model are launched: what their floor depends on (silicon_serving.md, section 5).
enum class LayerClass { Dense, Mixture, Latent };

/// Attention of some layers as kernels see it. Figures of the whole model, elements.
struct ServedAttention {
    enum class Kind { Grouped, Latent, Delta };
    Kind kind = Kind::Grouped;
    double count = 1; ///< layers
    double heads = 1;
    // Grouped
    double kvHeads = 1, headSize = 128, window = 0;
    bool queryNorm = false; ///< query and key heads are normed
    bool gate = false;      ///< an output gate: queries twice as wide
    // Latent
    double queryRank = 0, rank = 512, nope = 128, rope = 64, value = 128;
    double indexKeys = 0; ///< tokens that an index keeps; 0: none
    double indexHeads = 0, indexSize = 0;
    // Delta
    double keyHeads = 1, valueHeads = 1, stateSize = 128;

    bool hasIndex() const { return indexKeys > 0; }
};

/// A decoder as servers run it (silicon_serving.md, section 4). Widths in elements, counts of layers.
struct ServedShape {
    double hidden = 1, vocabulary = 1, layers = 1;
    std::vector<ServedAttention> attention;
    double denseLayers = 0, denseWidth = 0;
    double mixtureLayers = 0, experts = 0, chosen = 0, expertWidth = 0, sharedWidth = 0;

    bool isMixture() const { return mixtureLayers > 0; }
    bool isLatent() const;
    LayerClass layerClass() const;
};

/// `queryNorm`: of a uniform model, whose file says nothing of it. Throws Error (InvalidInput) for attention
/// that no server here runs, and for a network without a gate.
ServedShape servedShape(const Model& model, bool queryNorm = false);

} // namespace heteroscape::engine

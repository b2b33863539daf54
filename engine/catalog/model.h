// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/field.h"

#include <string>

namespace heteroscape::engine {

/// A Llama-shaped transformer: RMSNorm, rotary embedding, grouped-query attention, gated FFN.
/// The names follow a Hugging Face config.json.
struct Model {
    std::string id;
    std::string name;
    std::string about;

    Figure layers;
    Figure hidden;  ///< hidden size d
    Figure heads;   ///< query heads
    Figure kvHeads; ///< key/value heads, divides heads
    Figure headDim; ///< elements of one head
    Figure ffn;     ///< intermediate size F
    Figure vocab;   ///< vocabulary V

    double queryWidth() const { return heads.value * headDim.value; } ///< elements of one token's Q
    double kvWidth() const { return kvHeads.value * headDim.value; }  ///< elements of one token's K
    double kvElementsPerToken() const { return 2.0 * layers.value * kvWidth(); } ///< K and V, all layers
    /// Weights of all layers, norms, lm_head and the embedding table (untied).
    double parameters() const;

    bool operator==(const Model&) const = default;
};

std::span<const Field<Model>> modelFields();

Model readModel(const Json& json, const std::string& where);
Json writeModel(const Model& model);

} // namespace heteroscape::engine

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/field.h"

#include <string>

namespace heteroscape::engine {

/// A transformer decoder: attention (grouped-query where there are fewer KV heads) and a feed-forward
/// network, gated (Llama: RMSNorm, rotary embedding) or plain (OPT). The names follow a Hugging Face
/// config.json.
struct Model {
    std::string id;
    std::string name;
    std::string about;

    Quantity layers;
    Quantity hidden;  ///< hidden size d
    Quantity heads;   ///< query heads
    Quantity kvHeads; ///< key/value heads, divides heads
    Quantity headDim; ///< elements of one head
    Quantity ffn;     ///< intermediate size F
    Quantity vocab;   ///< vocabulary V
    Quantity experts; ///< feed-forward networks of a layer of which a router picks some; unset: one, dense
    Quantity expertsPerToken; ///< how many of them each token goes through; unset: one
    Quantity ffnMatrices;     ///< 3: gate, up, down; 2: up, down without a gate; unset: 3
    Quantity embeddings;      ///< vocabulary matrices: 2, or 1 when the LM head is the embedding; unset: 2
    Quantity positions;       ///< rows of a learned position embedding (OPT, GPT-2); unset: none
    Quantity
        rotary; ///< share of a head that rotary position embedding turns; unset: 1, 0 with learned positions

    double queryWidth() const { return heads.value * headDim.value; } ///< elements of one token's Q
    double kvWidth() const { return kvHeads.value * headDim.value; }  ///< elements of one token's K
    bool isMixture() const { return experts.valueOr(1.0) > 1.0; }
    double rotaryShare() const { return rotary.valueOr(positions.isSet() ? 0.0 : 1.0); }
    bool isGated() const { return ffnMatrices.valueOr(3.0) > 2.0; }
    /// Weights outside the layers: LM head, embedding table and learned positions.
    double outerParameters() const;
    /// Weights of all layers (every expert and the router), norms, LM head, embedding table and learned
    /// positions. Biases are left out: at most 0.1 % in the published models that have them.
    double parameters() const;

    bool operator==(const Model&) const = default;
};

std::span<const Field<Model>> modelFields();

Model readModel(const Json& json, const std::string& where);
Json writeModel(const Model& model);

} // namespace heteroscape::engine

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/attention_kind.h"
#include "engine/catalog/field.h"
#include "engine/catalog/weight_format.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace heteroscape::engine {

/// Attention groups of one model, at most: far more than any published model has.
inline constexpr std::size_t kMostLayerGroups = 8;

/// A transformer decoder: attention (grouped-query where there are fewer KV heads) and a feed-forward
/// network, gated (Llama: RMSNorm, rotary embedding) or plain (OPT). The names follow a Hugging Face
/// config.json.
///
/// Uniform: every layer is alike, and heads, kvHeads, headDim and ffn are set. Or layered: `groups` say which
/// attention how many layers have (then those three are not set); denseLayers have a dense network of the
/// width `ffn`, the others experts of the width `expertWidth` with a shared one of `sharedWidth`. Groups,
/// dense layers and mixtures alternate in the network; only counts matter. Where attention and network are
/// layers of their own (Nemotron-H), a group has layers without a network, and one of the kind "none" has no
/// attention.
struct Model {
    std::string id;
    std::string name;
    std::string about;
    std::string repository; ///< of the checkpoint, as a server is started with; empty: not known

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
    std::vector<LayerGroup> groups; ///< empty: uniform
    Quantity denseLayers;           ///< of the layers: without experts; unset: none where there are experts
    Quantity expertWidth;           ///< inner width of one routed expert
    Quantity sharedWidth;           ///< inner width of all shared experts together; unset: none
    Quantity mtpLayers;             ///< layers that guess further tokens; unset: none
    Quantity kvBits; ///< bits of a cached element that the checkpoint asks for; unset: the runtime's
    const WeightRecipe* weights = nullptr; ///< formats of the checkpoint; null: the runtime's, every part

    double queryWidth() const { return heads.value * headDim.value; } ///< elements of one token's Q
    double kvWidth() const { return kvHeads.value * headDim.value; }  ///< elements of one token's K
    bool isMixture() const { return experts.valueOr(1.0) > 1.0; }
    bool isUniform() const { return groups.empty(); }
    /// Whether it can be cut by more than tensor parallelism: of layer groups, or with a layeredForm().
    bool hasLayers() const { return !isUniform() || (isGated() && !positions.isSet()); }
    double mixtureLayers() const; ///< with experts
    double plainLayers() const;   ///< with one dense network
    double queryHeads() const;    ///< the fewest of any group: more devices than these share no work of it
    double rotaryShare() const { return rotary.valueOr(positions.isSet() ? 0.0 : 1.0); }
    bool isGated() const { return ffnMatrices.valueOr(3.0) > 2.0; }
    /// Weights outside the layers: LM head, embedding table and learned positions.
    double outerParameters() const;
    /// Weights of all layers (every expert and the router), norms, LM head, embedding table and learned
    /// positions. Biases are left out: at most 0.1 % in the published models that have them.
    double parameters() const;
    /// Weights of one part in the whole model. Norms (uniform models count theirs above), biases and MTP
    /// layers are left out. Source: as published; layered models add up to the published totals within 1 %.
    double elements(ModelPart part) const;
    /// Weights that one token meets: of the experts those that it goes through; the LM head, not the
    /// embedding.
    double activeParameters() const;
    double mtpParameters() const; ///< of one MTP layer: a layer as the last, and 2 hidden^2
    /// B of all weights in the formats of `weights`; `runtime`: B an element where there are none.
    double weightBytes(double runtime) const;
    /// B that a request of `tokens` keeps on one of `tp` devices; `element`: B of a K or V element.
    double cacheBytes(double tokens, double element, double tp = 1.0) const;
    /// B of a K or V element as the checkpoint asks for, else 2.
    double releasedKvElement() const { return kvBits.valueOr(16.0) / 8.0; }

    bool operator==(const Model&) const = default;
};

/// What models are told apart by: "dense", "mixture", or "latent attention" whatever else its layers have.
std::string_view kindOf(const Model& model);

/// A uniform model that hasLayers() as one of layer groups: one group of grouped-query attention. Weights of
/// norms are not part of it, and a step reads the experts that its tokens meet.
Model layeredForm(const Model& uniform);

std::span<const Field<Model>> modelFields();               ///< of every model
std::vector<Field<Model>> modelFields(const Model& model); ///< those that mean something in this one

/// What is wrong with properties of a model together; each alone is in its range.
struct ModelMistake {
    std::string_view key; ///< "kv_heads"
    std::string what;     ///< "does not divide heads"
    std::string remedy;
};
std::vector<ModelMistake> mistakesOf(const Model& model);

/// A catalogue entry; throws Error for the first of its mistakes.
Model readModel(const Json& json, const std::string& where);
/// The model of a design: what edits can make can be opened again, and validate() tells its mistakes.
Model readServedModel(const Json& json, const std::string& where);
Json writeModel(const Model& model);

} // namespace heteroscape::engine

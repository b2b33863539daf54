// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/hugging_face_layers.h"
#include <span>
#include <string>
#include <string_view>

namespace heteroscape::engine {

/// Names under which the members of a config.json may stand, first match wins; separated by spaces, a dot
/// steps into an object ("attn_config.kv_n_heads").
struct HuggingFaceKeys {
    std::string_view layers;
    std::string_view hidden;
    std::string_view heads;
    std::string_view kvHeads; ///< empty: as many as heads
    std::string_view ffn;
    double expansion = 0.0; ///< FFN size / hidden size where the key is absent or null; 0: it must be stated
    std::string_view expansionKey{}; ///< key of that ratio
};

struct HuggingFaceLayers;

/// How the number of key/value heads follows from the config.
enum class KvHeadsRule {
    Stated,    ///< the key; null means as many as heads, absent means the class's default
    MultiQuery ///< one with multi_query (true when absent), whatever the key says; else as Stated. With
               ///< new_decoder_architecture (Falcon-40B) as Stated
};

/// What sets one architecture ("model_type") of Hugging Face transformers apart. Defaults are those of its
/// configuration class: they hold where the config.json omits the key.
struct HuggingFaceFamily {
    std::string_view name{};
    const HuggingFaceKeys* keys = nullptr; ///< never null in a family that was found
    double ffnMatrices = 3.0;              ///< 3 with a gate, 2 without
    bool tied = false;                     ///< by kTiedKeys, when they are absent
    double kvHeads = 0.0;                  ///< when the key is absent; 0: as many as heads
    double headDim = 0.0;                  ///< when head_dim is absent; 0: hidden / heads
    std::string_view expertsKey{};         ///< empty: dense
    std::string_view perTokenKey{};        ///< experts of a token
    double perToken = 0.0;                 ///< when that key is absent; 0: it must be stated
    std::string_view positions{};          ///< key of the learned positions' rows; empty: none
    bool alibi = false;         ///< attention biases by distance (ALiBi) in place of rotary positions
    double morePositions = 0.0; ///< rows beside those (OPT: 2)
    KvHeadsRule rule = KvHeadsRule::Stated;
    double heads = 0.0;                        ///< when the key is absent; 0: it must be stated
    double vocab = 0.0;                        ///< the same of vocab_size
    bool halfWidth = false;                    ///< a network's width is stated for gate and up together
    const HuggingFaceLayers* layers = nullptr; ///< what of its layers can differ; null: nothing
};

/// Whether the LM head is the embedding.
inline constexpr std::string_view kTiedKeys =
    "share_embedding tie_word_embeddings tie_embedding tie_embeddings weight_tying share_input_output_layers";

std::span<const HuggingFaceFamily> huggingFaceFamilies();        ///< sorted by name
std::span<const HuggingFaceFamily> layeredHuggingFaceFamilies(); ///< those of them with `layers`

/// "Qwen3MoeForCausalLM", "qwen3_moe" -> "qwen3moe"
std::string plainArchitecture(std::string_view architecture);

/// The family of a model_type ("qwen3_moe") or of a class name ("Qwen3MoeForCausalLM"); null when not known.
const HuggingFaceFamily* findHuggingFaceFamily(std::string_view architecture);

/// What an architecture needs that is missing here ("state-space layers (Mamba)");
/// empty when nothing is known of it.
std::string_view missingForHuggingFace(std::string_view architecture);

/// The text model of another's config.json with the sizes that its configuration class has where they are
/// left out: wrappers are written as what differs from it (LLaVA).
Json withClassSizes(const Json& text);

/// "llama, mistral, ...": the names of all families.
std::string huggingFaceFamilyNames();

/// An architecture that has no table of its own, as its keys say: a transformer by the usual names of what
/// it has, with what a few architectures have beyond their keys (a network without a gate, tied embeddings).
class OrdinaryArchitecture {
public:
    /// `name`: model_type, or the class. Throws Error naming a key.
    OrdinaryArchitecture(const ConfigReader& config, const std::string& name);
    OrdinaryArchitecture(const OrdinaryArchitecture&) = delete; // the family points to the layers
    OrdinaryArchitecture& operator=(const OrdinaryArchitecture&) = delete;

    const HuggingFaceFamily& family() const { return m_family; }
    /// What was taken for granted: "a network with a gate, embeddings that are not tied"; keys that nobody
    /// read are named by readHuggingFaceConfig().
    const std::string& assumed() const { return m_assumed; }

private:
    std::string m_name;
    std::string m_assumed;
    HuggingFaceKeys m_keys;
    HuggingFaceLayers m_layers;
    HuggingFaceFamily m_family;
};

} // namespace heteroscape::engine

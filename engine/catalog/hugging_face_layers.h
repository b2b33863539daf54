// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/model.h"

#include <string_view>
#include <vector>

namespace heteroscape::engine {

class ConfigReader;
struct HuggingFaceFamily;

/// Keys of the heads of some of a model's layers, where they differ from the others'; empty: they do not.
struct HuggingFaceHeads {
    std::string_view heads{};
    std::string_view kvHeads{};
    std::string_view dim{};
    std::string_view valueDim{};
    double classDim = 0.0; ///< of `dim`, where it is absent; 0: as the others'
};

/// A switch: its key, and what holds where the key is absent; without a key `initial` holds.
struct HuggingFaceFlag {
    std::string_view key{};
    bool initial = false;
};

bool isOn(const ConfigReader& config, const HuggingFaceFlag& flag);

/// Layers that mix their tokens twice.
enum class HuggingFaceTwice { No, StateBeside, Attention };

/// What sets the layers of one architecture apart, where they can differ: keys of a config.json, and what its
/// configuration class takes where a key is absent. Two sorts of layers: with a window (or linear) and full.
struct HuggingFaceLayers {
    bool always = true;      ///< a model of layer groups even where all layers are alike
    bool ordinary = false;   ///< no table names it: what its keys say, by any name that is usual
    bool latent = false;     ///< latent attention in place of heads
    bool linear = false;     ///< layers that are not full are gated delta rules
    double indexHeads = 0.0; ///< heads of an index over the latents where the key is absent; 0: no index

    std::string_view window{};    ///< key of the window; empty: there is none
    double classWindow = 0.0;     ///< where it is absent; 0: none
    bool windowSwitched = false;  ///< only where use_sliding_window is true
    std::string_view pattern{};   ///< key of a list of a number a layer: 0 full, 1 with the window
    std::string_view period{};    ///< key of a number: every such layer is full
    double classPeriod = 0.0;     ///< where that (or `fullFirst`) is absent; 0: every layer has the window
    std::string_view fullFirst{}; ///< key of how many first layers are full; the others have the window
    bool fullLast = false;        ///< the last layer is full whatever the list says
    HuggingFaceTwice twice{};     ///< whether each counts as two
    bool longer = false;          ///< lists may go on beyond the last layer (with the MTP layers, say)

    HuggingFaceHeads windowed{}; ///< of layers with the window
    HuggingFaceHeads full{};     ///< of the others
    std::string_view valueDim{}; ///< of all
    HuggingFaceFlag gate{};      ///< output gate
    HuggingFaceFlag qkNorm{};    ///< of queries and keys
    HuggingFaceFlag windowedSinks{};
    HuggingFaceFlag fullSinks{};
    HuggingFaceFlag keysAreValues{}; ///< of full layers; without it these have the KV heads of the others

    HuggingFaceFlag mixture{{}, true}; ///< whether there are experts
    std::string_view expertWidth{};    ///< empty: as the dense network
    std::string_view denseWidth{};     ///< empty: the family's
    std::string_view sharedCount{};    ///< key of how many shared experts there are, of an expert's width
    std::string_view sharedWidth{};    ///< or of their width together
    double classDense = 0.0;           ///< dense first layers where first_k_dense_replace is absent

    std::string_view mtp{}; ///< key of how many MTP layers there are
    double classMtp = 0.0;  ///< where it is absent: what the checkpoints hold
    HuggingFaceFlag mtpOn{{}, true};
};

/// One layer of a checkpoint.
struct HuggingFaceLayer {
    std::size_t number = 0;               ///< in the names of its modules
    std::size_t group = 0;                ///< of the model's
    ModelPart network = ModelPart::Dense; ///< or Experts; Attention: none
};

/// Turns `model`, whose layers, hidden size and (but for latent attention) heads, KV heads and head width are
/// read, into a model of layer groups with its networks, experts and MTP layers, and gives its layers in
/// order. Leaves it alone and gives none where all layers are alike and the family's models are uniform then.
std::vector<HuggingFaceLayer> readHuggingFaceLayers(const ConfigReader& config,
                                                    const HuggingFaceFamily& family, Model& model,
                                                    const Quantity& source);

/// Keys that say block by block what a search found.
inline constexpr std::string_view kBlockKeys = "block_configs num_key_value_heads_per_layer";

/// The same of a model whose blocks were found by a search (Nemotron-NAS, arXiv:2411.19146; DeciLM-7B, where
/// the KV heads alone differ): attention with other KV heads, replaced by a matrix or left out, dense
/// networks of their mean width.
std::vector<HuggingFaceLayer> readHuggingFaceBlocks(const ConfigReader& config,
                                                    const HuggingFaceFamily& family, Model& model,
                                                    const Quantity& source);

/// Tokens of the window that some layers have; 0 where none has, or it is as long as the model's longest
/// context.
double huggingFaceWindow(const ConfigReader& config, const HuggingFaceLayers& layers);

/// What a layer does to its tokens before its network.
enum class LayerSort {
    None,      ///< nothing
    Recurrent, ///< a state: gated delta rule, Kimi delta attention, Mamba, lightning attention, convolution
    Crossed,   ///< attends across to a picture: no cache of the text
    Windowed,  ///< full attention within a window
    Light,     ///< compressed attention, one entry for a few tokens
    Heavy,     ///< compressed attention, one entry for many
    Shared,    ///< full attention to what another layer's index has picked
    Full
};
inline constexpr LayerSort kLastSort =
    LayerSort::Full; ///< groups follow this order: MTP layers are as the last

/// The attention group of `count` layers of one sort, from the keys of a config.json: heads, latent ranks,
/// windows, states. `model` has layers, hidden size and (but for latent attention) heads, KV heads and head
/// width. Weights of the kinds in papers and configuration classes named in the body. Throws Error naming the
/// key.
LayerGroup huggingFaceGroup(const ConfigReader& config, const HuggingFaceFamily& family, const Model& model,
                            LayerSort sort, double count, double window, const Quantity& source);

/// The sort of a layer whose cache has an entry for `ratio` tokens (DeepSeek-V4); at most 1: a window alone.
LayerSort huggingFaceSort(double ratio);

/// True where the config has keys of layers that keep a state.
bool hasRecurrentLayers(const ConfigReader& config);

/// Which of the layers have experts, whichever keys say so: first_k_dense_replace, num_dense_layers,
/// moe_layer_freq and moe_layer_layout (a number, or a list), mlp_layer_types, mlp_only_layers,
/// decoder_sparse_step, interleave_moe_layer_step, expert_layer_period, moe_layer_start_index, moe_layers,
/// moe_layers_enum, as their configuration classes in transformers read them. `first`: dense first layers
/// where first_k_dense_replace is absent.
std::vector<bool> huggingFaceMixtures(const ConfigReader& config, double layers, double first);

/// Reads the networks of a model of layer groups, of which `dense` have one and `mixed` have experts: dense,
/// experts, shared experts.
void readHuggingFaceNetworks(const ConfigReader& config, const HuggingFaceFamily& family, double dense,
                             double mixed, Model& model, const Quantity& source);

/// Experts of a layer; at most one: it has a dense network.
double huggingFaceExperts(const ConfigReader& config, const HuggingFaceFamily& family);

} // namespace heteroscape::engine

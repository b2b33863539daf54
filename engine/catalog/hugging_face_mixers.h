// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/model.h"

namespace heteroscape::engine {

class ConfigReader;
struct HuggingFaceFamily;

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

} // namespace heteroscape::engine

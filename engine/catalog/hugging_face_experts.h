// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/model.h"

namespace heteroscape::engine {

class ConfigReader;
struct HuggingFaceFamily;

/// Layers without experts of a model with `layers` of them, whichever keys say so: first_k_dense_replace,
/// moe_layer_freq (a number, or a list), mlp_layer_types, mlp_only_layers, decoder_sparse_step,
/// interleave_moe_layer_step, moe_layers, moe_layers_enum, as their configuration classes in transformers
/// read them. `first`: dense first layers where first_k_dense_replace is absent.
double huggingFaceDenseLayers(const ConfigReader& config, double layers, double first);

/// Reads the networks of a model of layer groups: dense, experts, shared experts.
void readHuggingFaceNetworks(const ConfigReader& config, const HuggingFaceFamily& family, Model& model,
                             const Quantity& source);

} // namespace heteroscape::engine

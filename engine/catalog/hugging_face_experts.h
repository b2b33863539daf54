// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/model.h"

#include <vector>

namespace heteroscape::engine {

class ConfigReader;
struct HuggingFaceFamily;

/// Which of the layers have experts, whichever keys say so: first_k_dense_replace, num_dense_layers,
/// moe_layer_freq (a number, or a list), mlp_layer_types, mlp_only_layers, decoder_sparse_step,
/// interleave_moe_layer_step, expert_layer_period, moe_layer_start_index, moe_layers, moe_layers_enum, as
/// their configuration classes in transformers read them. `first`: dense first layers where
/// first_k_dense_replace is absent.
std::vector<bool> huggingFaceMixtures(const ConfigReader& config, double layers, double first);

/// Reads the networks of a model of layer groups, of which `dense` have one and `mixed` have experts: dense,
/// experts, shared experts.
void readHuggingFaceNetworks(const ConfigReader& config, const HuggingFaceFamily& family, double dense,
                             double mixed, Model& model, const Quantity& source);

/// Experts of a layer; at most one: it has a dense network.
double huggingFaceExperts(const ConfigReader& config, const HuggingFaceFamily& family);

} // namespace heteroscape::engine

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/model.h"

namespace heteroscape::engine {

class ConfigReader;

/// The recipe that `quantization_config` stands for, of `config` or else of `whole`, the file around it: its
/// format (fp8, mxfp4, compressed-tensors, modelopt, awq, gptq) for the parts that `model` has, but for those
/// that most of their layers keep unquantized. Null where there is none. Throws Error naming the key where no
/// recipe has that.
const WeightRecipe* readHuggingFaceWeights(const ConfigReader& config, const ConfigReader& whole,
                                           const Model& model);

} // namespace heteroscape::engine

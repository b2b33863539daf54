// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/hugging_face_layers.h"
#include "engine/catalog/model.h"
#include "engine/catalog/name_pattern.h"

#include <map>
#include <string>
#include <vector>

namespace heteroscape::engine {

class ConfigReader;

/// What `quantization_config` says of a checkpoint, of `config` or else of `whole`, the file around it: the
/// format of its linear layers (fp8, fbgemm_fp8, mxfp4, compressed-tensors, modelopt, awq, gptq, auto-round,
/// bitsandbytes, quark, hqq, eetq, quanto, torchao, fp_quant, qqq, and what MLX writes), which modules have
/// another or none, and the bits of the KV cache. A part of the model whose matrices differ has a mix of
/// formats by elements. Router, norms and what is no linear layer stay bf16, and LM head and embedding where
/// nothing names them. Throws Error naming the key where a format is not known.
class HuggingFaceQuantization {
public:
    HuggingFaceQuantization(const ConfigReader& config, const ConfigReader& whole);

    bool isNone() const { return m_format == nullptr; }
    /// Of a model of layer groups with these layers, in order; null without quantization.
    const WeightRecipe* recipe(const Model& model, const std::vector<HuggingFaceLayer>& layers) const;
    double cacheBits() const { return m_cacheBits; } ///< NaN: nothing is said

private:
    friend class QuantizationReader;

    struct Rule {
        NamePattern pattern;
        const WeightFormat* format; ///< null: as it was
    };
    class Finder;
    void add(NamePattern pattern, const WeightFormat* format);

    const WeightFormat* m_format = nullptr; ///< of linear layers; null: of none
    std::vector<Rule> m_rules;              ///< of modules, the first that matches counts
    std::map<std::string, const WeightFormat*, std::less<>> m_modules; ///< of modules with a layer's number
    bool m_named = false;       ///< only modules with a rule are quantized
    bool m_expertsOnly = false; ///< of a mixture
    double m_cacheBits;
};

} // namespace heteroscape::engine

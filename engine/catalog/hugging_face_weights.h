// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/hugging_face_layers.h"
#include "engine/catalog/model.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace heteroscape::engine {

/// What the lists of a quantization_config say of modules: a name, a pattern with * and ?, or a regular
/// expression. A match takes time in proportion to name times pattern, whatever the pattern.
class NamePattern {
public:
    /// "lm_head", "mlp.gate", "model.layers.3.", "model.layers.0*": also what lies within such a module.
    static NamePattern ofName(std::string_view text);
    /// The usual parts of Python's regular expressions: . [] * + ? | ( ) ^ $ \d \w \b \. {m}, and
    /// (?! ) at the beginning. Throws Error
    /// at `where` for others.
    static NamePattern ofExpression(std::string_view text, const std::string& where);

    /// Whether it says something of the module `name`, "layers.3.mlp.gate_proj", without what stands before
    /// the layers. An expression is looked for with some of the usual beginnings before it.
    bool matches(std::string_view name) const;
    /// Whether modules that differ in the number of their layer alone can differ in it.
    bool asksForLayer() const { return m_asksForLayer; }
    /// The name where the pattern is one that begins with the layers; empty: it is another.
    std::string_view layerModule() const;

private:
    struct State {
        enum Kind : std::uint8_t { One, Split, Start, End, Edge, Match } kind = Match;
        std::vector<bool> accepts{}; ///< of One: 256 of them
        std::size_t next = 0, other = 0;
    };
    friend class ExpressionReader;

    bool finds(std::string_view name) const;

    bool m_expression = false;
    bool m_asksForLayer = true;
    std::string m_text;
    std::string m_layer; ///< ".12." where an expression is of that layer alone
    std::vector<State> m_states;
    std::size_t m_first = 0;
    std::vector<NamePattern> m_but; ///< at most one: what must not follow the beginning
};

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

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/catalog/hugging_face_weights.h"

#include "engine/base/error.h"
#include "engine/base/json.h"
#include "engine/catalog/config_reader.h"
#include "engine/units/number_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

namespace heteroscape::engine {

namespace {

[[noreturn]] void refuseWeights(const ConfigReader& config, std::string_view key, const std::string& what) {
    throwInvalid(config.place(key), "the weights are " + what + ", which is not known here",
                 "Known are fp8, fbgemm_fp8, mxfp4, compressed-tensors, modelopt, awq, gptq, auto-round, "
                 "bitsandbytes, quark, hqq, eetq, quanto, torchao, fp_quant, higgs, exl2 and exl3; or leave "
                 "quantization_config out and set the formats of the parts as \"weights\" of the model entry "
                 "(\"int2.1\": 2.1 bits a weight, in the mean)");
}

std::string shortened(const std::string& text) {
    return "\"" + text.substr(0, 80) + "\"";
}

double numberOr(const ConfigReader& config, std::string_view keys, double fallback) {
    const double number = config.whole(keys, -1, 1 << 20);
    return std::isnan(number) || number < 0.0 ? fallback : number;
}

/// Integers of `bits`, with a scale for `group` of a row (0: one a row), and zero points or biases.
const WeightFormat* integers(const ConfigReader& config, std::string_view key, double bits, double group,
                             std::string_view beside) {
    if (!(bits >= 1.0))
        throwInvalid(config.place(key), "missing", "A config.json states it");
    if (bits > 8.0)
        return nullptr;
    auto id = "int" + plainText(bits);
    if (group > 0.0)
        id += "_g" + plainText(group) + std::string(beside);
    return &weightFormat(id, config.place(key));
}

/// Floats of 8 or 4 bits; 0: no groups. `block`: rows and columns of one scale.
const WeightFormat* floats(const ConfigReader& config, std::string_view key, double bits, double group,
                           const Json* block) {
    const auto at = config.place(key);
    if (block && block->is_array() && block->size() == 2) {
        if (*block == Json::array({128, 128}))
            return &weightFormat("fp8_block", at);
        const auto side = [&](std::size_t i) {
            return (*block)[i].is_number() ? plainText((*block)[i].get<double>()) : std::string("?");
        };
        return &weightFormat("fp8_b" + side(0) + "x" + side(1), at);
    }
    if (bits > 8.0)
        return nullptr;
    if (bits == 8.0)
        return &weightFormat(group == 32.0 ? "mxfp8"
                             : group > 0.0 ? "fp8_b1x" + plainText(group)
                                           : "fp8",
                             at);
    if (bits == 4.0 && (group == 16.0 || group == 32.0))
        return &weightFormat(group == 16.0 ? "nvfp4" : "mxfp4", at);
    refuseWeights(config, key, "floats of " + plainText(bits) + " bits in groups of " + plainText(group));
}

/// {"num_bits": 4, "type": "int", "group_size": 128, ...} of compressed-tensors and modelopt.
const WeightFormat* fromScheme(const ConfigReader& weights) {
    const double bits = weights.whole("num_bits", 1, 64);
    const double group = numberOr(weights, "group_size", 0.0);
    if (std::isnan(bits))
        throwInvalid(weights.place("num_bits"), "missing", "A config.json states it");
    if (weights.text("type") == "float")
        return floats(weights, "num_bits", bits, group, weights.find("block_structure"));
    return integers(weights, "num_bits", bits, group, weights.flag("symmetric", true) ? "" : "_z");
}

/// Names of modelopt's and TensorRT-LLM's algorithms.
const WeightFormat* fromAlgorithm(const ConfigReader& config, std::string_view key) {
    const auto algorithm = config.text(key);
    const double group = numberOr(config, "group_size", 128.0);
    const auto at = config.place(key);
    if (algorithm == "UNQUANTIZED")
        return nullptr;
    if (algorithm == "NVFP4" || algorithm == "NVFP4_AWQ" || algorithm == "W4A16_NVFP4" ||
        algorithm == "W4A8_NVFP4_FP8")
        return &weightFormat("nvfp4", at);
    if (algorithm == "MXFP8" || algorithm == "W4A8_MXFP4_FP8" || algorithm == "W4A16_MXFP4")
        return &weightFormat(algorithm == "MXFP8" ? "mxfp8" : "mxfp4", at);
    if (algorithm == "FP8" || algorithm == "FP8_PER_CHANNEL_PER_TOKEN")
        return &weightFormat("fp8", at);
    if (algorithm == "FP8_BLOCK_SCALES" || algorithm == "FP8_PB_WO" || algorithm == "FP8_PB_REAL_QUANT")
        return &weightFormat("fp8_block", at);
    if (algorithm.starts_with("W4A16") || algorithm.starts_with("W4A8") || algorithm == "INT4_AWQ")
        return integers(config, key, 4.0, group, "");
    if (algorithm.starts_with("W8A8") || algorithm.starts_with("W8A16") || algorithm == "INT8_SQ")
        return &weightFormat("int8", at);
    refuseWeights(config, key, "of the sort " + shortened(algorithm));
}

constexpr std::size_t kMostRules = 8192;
constexpr std::string_view kExpertModules = "*.experts.*";

} // namespace

/// Fills a HuggingFaceQuantization; one function for what writes such a config.
class QuantizationReader {
public:
    QuantizationReader(HuggingFaceQuantization& out, const ConfigReader& config)
        : m_out(out), m_config(config) {}

    void read() {
        auto name = m_config.text("quant_method");
        if (name.empty() && m_config.has("quant_algo quantized_layers"))
            name = "modelopt";
        if (name.empty() && m_config.has("config_groups"))
            name = "compressed-tensors";
        for (const std::string_view kernels : {"_marlin", "_marlin_24"}) // who multiplies, not what is stored
            if (name.ends_with(kernels))
                name.erase(name.size() - kernels.size());
        const auto* method = std::find_if(std::begin(kMethods), std::end(kMethods),
                                          [&](const Method& known) { return known.name == name; });
        if (method == std::end(kMethods))
            refuseWeights(m_config, "quant_method", "quantized by " + shortened(name));
        for (const auto* key : {"modules_to_not_convert", "ignored_layers", "ignore", "exclude_modules",
                                "exclude", "exclude_layers", "llm_int8_skip_modules", "skip_modules"})
            if (m_config.has(key))
                keep(key);
        if (method->read)
            (this->*method->read)();
        else
            m_out.m_format = &weightFormat(method->format, {});
        if (m_config.has("moe_quant_algo"))
            other(NamePattern::ofName(kExpertModules), fromAlgorithm(m_config, "moe_quant_algo"));
        readCache();
    }

private:
    HuggingFaceQuantization& m_out;
    const ConfigReader& m_config;

    struct Method {
        std::string_view name;
        void (QuantizationReader::*read)(); ///< null: of all linear layers `format`
        std::string_view format{};
    };
    static const std::array<Method, 29> kMethods;

    void keep(std::string_view key) {
        constexpr std::size_t kMostExpressions = 128;
        std::size_t expressions = 0;
        for (const auto& entry : *m_config.list(key)) {
            const auto text = entry.is_string() ? entry.get<std::string>() : std::string();
            const bool spelled = text.starts_with("re:");
            if (spelled && ++expressions > kMostExpressions)
                throwInvalid(m_config.place(key), "has more than 128 expressions", "Name modules instead");
            other(spelled ? NamePattern::ofExpression(text.substr(3), m_config.place(key))
                          : NamePattern::ofName(text),
                  nullptr);
        }
    }
    /// Only what is named is quantized.
    void named() {
        m_out.m_named = true;
        m_out.m_format = &weightFormat("bf16", {});
    }
    void other(NamePattern pattern, const WeightFormat* format) { m_out.add(std::move(pattern), format); }

    void readFp8() {
        m_out.m_format = floats(m_config, "weight_block_size", 8.0, 0.0, m_config.find("weight_block_size"));
    }
    void readMxfp4() {
        m_out.m_format = &weightFormat("mxfp4", {});
        m_out.m_expertsOnly = true;
    }

    void readModelOpt() {
        const auto algorithm = m_config.text("quant_algo");
        if (const auto* layers = m_config.find("quantized_layers"); layers && layers->is_object()) {
            named();
            for (const auto& [name, scheme] : layers->items())
                if (scheme.is_object())
                    other(NamePattern::ofName(name),
                          fromAlgorithm({scheme, m_config.place("quantized_layers")}, "quant_algo"));
            return;
        }
        if (!algorithm.empty() && algorithm != "MIXED_PRECISION") {
            m_out.m_format = fromAlgorithm(m_config, "quant_algo");
            return;
        }
        if (!m_config.has("config_groups"))
            refuseWeights(m_config, "quant_algo", "of the sort " + shortened(algorithm));
        readGroups();
    }

    /// One format for all linear layers, others for those that a group's targets name.
    void readGroups() {
        constexpr std::string_view key = "config_groups";
        const auto* groups = m_config.find(key);
        if (!groups || !groups->is_object() || groups->empty())
            refuseWeights(m_config, key, "in no groups");
        if (m_config.text("sparsity_config.format").starts_with("sparse"))
            refuseWeights(m_config, "sparsity_config", "sparse, which are stored in fewer elements");
        for (const auto& [name, group] : groups->items()) {
            const auto where = m_config.place(key) + "." + name.substr(0, 80);
            if (!group.is_object() || !group.contains("weights") || !group["weights"].is_object())
                throwInvalid(where + ".weights", "missing", "A config.json states it");
            const auto* format = fromScheme({group["weights"], where + ".weights"});
            const auto targets = group.find("targets");
            for (const auto& target :
                 targets != group.end() && targets->is_array() ? *targets : Json::array({"Linear"})) {
                const auto text = target.is_string() ? target.get<std::string>() : std::string();
                if (text.starts_with("re:"))
                    other(NamePattern::ofExpression(text.substr(3), where + ".targets"), format);
                else if (text == "FusedMoE")
                    other(NamePattern::ofName(kExpertModules), format);
                else if (text == "lm_head" || text == "Embedding")
                    other(NamePattern::ofName(text == "Embedding" ? "embed_tokens" : text), format);
                else if (text == "Linear" || text.find_first_of(".") == std::string::npos)
                    m_out.m_format = format;
                else
                    other(NamePattern::ofName(text), format);
            }
        }
        if (!m_out.m_format)
            return named();
        if (const auto* kept = m_config.find("ignore"); kept && kept->is_array() && kept->empty())
            other(NamePattern::ofName("lm_head"), m_out.m_format); // a linear layer like any other
    }

    void readAwq() { readBits(m_config.flag("zero_point", true) ? "_z" : ""); }
    /// Zero points are stored whether they are needed or not.
    void readGptq() {
        readBits("_z");
        if (const auto* head = m_config.find("lm_head"); head && *head == true)
            other(NamePattern::ofName("lm_head"), m_out.m_format);
        if (const auto* rules = m_config.find("dynamic"); rules && rules->is_object())
            for (const auto& [rule, change] : rules->items()) {
                const auto expression =
                    rule.starts_with("-:") || rule.starts_with("+:") ? rule.substr(2) : rule;
                other(NamePattern::ofExpression(expression, m_config.place("dynamic")),
                      rule.starts_with("-:") || !change.is_object() ? nullptr
                                                                    : changed(change, "dynamic", "_z"));
            }
    }
    void readAutoRound() {
        const auto packing = m_config.text("packing_format");
        const bool zeroPoints =
            packing.find("gptq") != std::string::npos || packing.find("awq") != std::string::npos;
        readBits(m_config.flag("sym", true) && !zeroPoints ? "" : "_z");
        if (const auto* extra = m_config.find("extra_config"); extra && extra->is_object())
            for (const auto& [name, change] : extra->items())
                if (change.is_object())
                    other(NamePattern::ofName(name), changed(change, "extra_config", ""));
    }
    void readHqq() {
        const auto* holder = m_config.find("quant_config.weight_quant_params");
        readBitsOf(holder && holder->is_object() ? ConfigReader(*holder, m_config.place("quant_config"))
                                                 : m_config,
                   "_b");
    }
    /// torchao names a class, or a function: Int4WeightOnlyConfig, int8_dynamic_activation_int8_weight. What
    /// activations are stands before what weights are, and 4 bits are always of weights.
    void readTorchAo() {
        const auto* type = m_config.find("quant_type.default._type quant_type._type quant_type");
        const auto name = type && type->is_string() ? type->get<std::string>() : std::string();
        const double group = numberOr(
            m_config, "quant_type.default._data.group_size quant_type_kwargs.group_size group_size", 0.0);
        const double usual = name.find("nt8") != std::string::npos ? 32.0 : 128.0; // its defaults
        if (name.find("NVFP4") != std::string::npos)
            m_out.m_format = &weightFormat("nvfp4", {});
        else if (name.find("nt4") != std::string::npos)
            m_out.m_format = integers(m_config, "quant_type", 4.0, group > 0.0 ? group : usual, "_b");
        else if (name.find("loat8") != std::string::npos)
            m_out.m_format = &weightFormat("fp8", {});
        else if (name.find("nt8") != std::string::npos)
            m_out.m_format = &weightFormat("int8", {});
        else
            refuseWeights(m_config, "quant_type", "of the sort " + shortened(name));
    }
    /// quanto names the type of the weights; below 8 bits a scale and a shift for 128 of a row.
    void readQuanto() {
        const auto type = m_config.text("weights");
        if (type.find("float8") != std::string::npos) {
            m_out.m_format = &weightFormat("fp8", {});
            return;
        }
        const double bits = type.ends_with("int8") ? 8.0 : type.ends_with("int4") ? 4.0 : 2.0;
        if (bits == 2.0 && !type.ends_with("int2"))
            refuseWeights(m_config, "weights", "of the sort " + shortened(type));
        m_out.m_format = integers(m_config, "weights", bits, bits < 8.0 ? 128.0 : 0.0, "_b");
    }
    /// FP-Quant names one of the two formats of 4 bits.
    void readFpQuant() {
        const auto type = m_config.text("forward_dtype");
        if (type != "mxfp4" && type != "nvfp4")
            refuseWeights(m_config, "forward_dtype", "of the sort " + shortened(type));
        m_out.m_format = &weightFormat(type, {});
    }
    /// What MLX writes: a scale and a bias a group, embedding and head too.
    void readMlx() {
        if (!m_config.has("bits"))
            refuseWeights(m_config, "quant_method", "quantized by \"\"");
        readBits("_b");
        for (const auto* module : {"lm_head", "embed_tokens"})
            other(NamePattern::ofName(module), m_out.m_format);
    }

    void readPlain() { readBits(""); }
    /// ExLlama's formats choose the bits of each layer; what is told is their mean, scales included.
    void readExl() {
        const auto mean = [&](const char* key) {
            const auto* bits = m_config.find(key);
            if (!bits || !bits->is_number())
                throwInvalid(m_config.place(key), "missing", "A config.json states it");
            return &weightFormat("int" + plainText(bits->get<double>()), m_config.place(key));
        };
        m_out.m_format = mean("bits");
        if (m_config.has("head_bits"))
            other(NamePattern::ofName("lm_head"), mean("head_bits"));
    }
    void readBits(std::string_view beside) { readBitsOf(m_config, beside); }
    void readBitsOf(const ConfigReader& config, std::string_view beside) {
        const double bits = config.whole("bits w_bit nbits wbits", 1, 64);
        m_out.m_format =
            integers(config, "bits", bits, numberOr(config, "group_size q_group_size", 0.0), beside);
        if (!m_out.m_format)
            m_out.m_format = &weightFormat("bf16", {});
    }
    /// Of modules with bits of their own; null: as they were.
    const WeightFormat* changed(const Json& change, std::string_view key, std::string_view beside) const {
        const ConfigReader own(change, m_config.place(key));
        const double bits = own.whole("bits", 1, 64);
        if (std::isnan(bits))
            return m_out.m_format;
        return integers(own, "bits", bits, numberOr(own, "group_size", numberOr(m_config, "group_size", 0.0)),
                        beside);
    }

    void readBitsAndBytes() {
        if (m_config.flag("load_in_8bit _load_in_8bit", false)) {
            m_out.m_format = &weightFormat("int8", {});
            return;
        }
        if (!m_config.flag("load_in_4bit _load_in_4bit", false))
            refuseWeights(m_config, "quant_method", "quantized by \"bitsandbytes\" to neither 8 nor 4 bits");
        m_out.m_format =
            &weightFormat(m_config.flag("bnb_4bit_use_double_quant", false) ? "nf4_dq" : "nf4", {});
    }

    void readQuark() {
        const auto* global = m_config.find("global_quant_config");
        if (!global || !global->is_object())
            refuseWeights(m_config, "global_quant_config", "in no format");
        m_out.m_format = fromQuark(*global, "global_quant_config");
        if (!m_out.m_format)
            named();
        if (const auto* layers = m_config.find("layer_quant_config"); layers && layers->is_object())
            for (const auto& [name, scheme] : layers->items())
                if (scheme.is_object())
                    other(NamePattern::ofName(name), fromQuark(scheme, "layer_quant_config"));
    }
    const WeightFormat* fromQuark(const Json& scheme, std::string_view key) const {
        auto weight = scheme.find("weight");
        if (weight == scheme.end() || weight->is_null())
            return nullptr;
        const Json& first = weight->is_array() && !weight->empty() ? weight->front() : *weight;
        if (!first.is_object())
            refuseWeights(m_config, key, "in no format");
        const ConfigReader of(first, m_config.place(key) + ".weight");
        const auto type = of.text("dtype");
        const double group = numberOr(of, "group_size", 0.0);
        if (type.starts_with("fp8"))
            return floats(of, "dtype", 8.0, group, of.find("block_size"));
        if (type == "fp4" || type == "mx" || type == "fp4_e2m1")
            return floats(of, "dtype", 4.0, group > 0.0 ? group : 32.0, nullptr);
        if (type.starts_with("int") || type.starts_with("uint"))
            return integers(of, "dtype", type.ends_with("8") ? 8.0 : 4.0, group,
                            of.flag("symmetric", true) && !type.starts_with("u") ? "" : "_z");
        refuseWeights(of, "dtype", "of the sort " + shortened(type));
    }

    void readCache() {
        if (const auto* scheme = m_config.find("kv_cache_scheme"); scheme && scheme->is_object())
            m_out.m_cacheBits =
                ConfigReader(*scheme, m_config.place("kv_cache_scheme")).whole("num_bits", 1, 16);
        const auto algorithm = m_config.text("kv_cache_quant_algo");
        if (algorithm == "FP8" || algorithm == "INT8")
            m_out.m_cacheBits = 8.0;
        else if (algorithm == "NVFP4")
            m_out.m_cacheBits = 4.5; // a scale of one byte for 16
        if (const auto* quark = m_config.find("kv_cache_quant_config");
            quark && quark->is_object() && !quark->empty())
            m_out.m_cacheBits = 8.0;
    }
};

const std::array<QuantizationReader::Method, 29> QuantizationReader::kMethods{{
    {"fp8", &QuantizationReader::readFp8},
    {"fbgemm_fp8", &QuantizationReader::readFp8},
    {"finegrained_fp8", &QuantizationReader::readFp8},
    {"mxfp4", &QuantizationReader::readMxfp4},
    {"mxfp8", nullptr, "mxfp8"},
    {"compressed-tensors", &QuantizationReader::readGroups},
    {"modelopt", &QuantizationReader::readModelOpt},
    {"modelopt_fp4", &QuantizationReader::readModelOpt},
    {"modelopt_mixed", &QuantizationReader::readModelOpt},
    {"awq", &QuantizationReader::readAwq},
    {"gptq", &QuantizationReader::readGptq},
    {"auto-round", &QuantizationReader::readAutoRound},
    {"intel/auto-round", &QuantizationReader::readAutoRound},
    {"bitsandbytes", &QuantizationReader::readBitsAndBytes},
    {"quark", &QuantizationReader::readQuark},
    {"hqq", &QuantizationReader::readHqq},
    {"eetq", nullptr, "int8"},
    {"w8a8_int8", nullptr, "int8"},
    {"w8a8_fp8", nullptr, "fp8"},
    {"ptpc_fp8", nullptr, "fp8"},
    {"quanto", &QuantizationReader::readQuanto},
    {"fp_quant", &QuantizationReader::readFpQuant},
    {"qqq", &QuantizationReader::readPlain},
    {"higgs", &QuantizationReader::readPlain},
    {"exl2", &QuantizationReader::readExl},
    {"exl3", &QuantizationReader::readExl},
    {"bitnet", nullptr, "int2"},
    {"torchao", &QuantizationReader::readTorchAo},
    {"", &QuantizationReader::readMlx},
}};

HuggingFaceQuantization::HuggingFaceQuantization(const ConfigReader& config, const ConfigReader& whole)
    : m_cacheBits(NAN) {
    constexpr std::string_view keys = "quantization_config compression_config";
    const auto& holder = config.has(keys) ? config : whole;
    const auto* json = holder.find(keys);
    if (!json)
        return;
    const auto place = holder.place(holder.nameOf(keys));
    if (!json->is_object())
        throwInvalid(place, "expected an object, found " + std::string(jsonTypeName(*json)));
    const ConfigReader quantization(*json, place);
    QuantizationReader(*this, quantization).read();
    // DeepSeek-V4: experts narrower than the linear layers.
    if (config.text("expert_dtype") == "fp4")
        add(NamePattern::ofName(kExpertModules), &weightFormat("mxfp4", place));
    if (m_rules.size() > kMostRules)
        throwInvalid(place, "has more than 8192 patterns of modules", "Name modules, or use fewer patterns");
}

void HuggingFaceQuantization::add(NamePattern pattern, const WeightFormat* format) {
    if (const auto module = pattern.layerModule(); !module.empty())
        m_modules.try_emplace(std::string(module), format);
    else
        m_rules.push_back({std::move(pattern), format});
}

} // namespace heteroscape::engine

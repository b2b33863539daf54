// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/catalog/hugging_face_family.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace heteroscape::engine {

namespace {

constexpr HuggingFaceKeys kUsual{"num_hidden_layers", "hidden_size", "num_attention_heads",
                                 "num_key_value_heads", "intermediate_size"};
constexpr HuggingFaceKeys kExpertFfn{"num_hidden_layers", "hidden_size", "num_attention_heads",
                                     "num_key_value_heads", "moe_intermediate_size"};
constexpr HuggingFaceKeys kPhi3Small{"num_hidden_layers", "hidden_size", "num_attention_heads",
                                     "num_key_value_heads", "ff_intermediate_size"};
constexpr HuggingFaceKeys kOpt{"num_hidden_layers", "hidden_size", "num_attention_heads", "", "ffn_dim"};
constexpr HuggingFaceKeys kNeoX{"num_hidden_layers", "hidden_size", "num_attention_heads", "",
                                "intermediate_size"};
constexpr HuggingFaceKeys kGpt{
    "n_layer num_hidden_layers", "n_embd hidden_size", "n_head num_attention_heads", "", "n_inner", 4};
constexpr HuggingFaceKeys kFalcon{
    "num_hidden_layers n_layer", "hidden_size n_embed", "num_attention_heads n_head",
    "num_kv_heads n_head_kv",    "ffn_hidden_size",     4};
constexpr HuggingFaceKeys kBloom{
    "n_layer num_hidden_layers", "hidden_size n_embed", "n_head num_attention_heads", "", "", 4};
constexpr HuggingFaceKeys kDbrx{"n_layers", "d_model", "n_heads", "attn_config.kv_n_heads",
                                "ffn_config.ffn_hidden_size"};
constexpr HuggingFaceKeys kMpt{"n_layers", "d_model", "n_heads",        "attn_config.kv_n_heads",
                               "",         4,         "expansion_ratio"};

using Rule = KvHeadsRule;
using Family = HuggingFaceFamily;

// Defaults of the configuration classes; the base class ties the embeddings unless a class says no.
constexpr std::array kFamilies{
    Family{.name = "bloom", .keys = &kBloom, .ffnMatrices = 2, .tied = true, .alibi = true},
    Family{.name = "cohere", .keys = &kUsual, .ffnMatrices = 3, .tied = true},
    Family{.name = "cohere2", .keys = &kUsual, .ffnMatrices = 3, .tied = true},
    Family{.name = "dbrx",
           .keys = &kDbrx,
           .ffnMatrices = 3,
           .tied = false,
           .kvHeads = 1,
           .expertsKey = "ffn_config.moe_num_experts",
           .perTokenKey = "ffn_config.moe_top_k"},
    Family{.name = "falcon", .keys = &kFalcon, .ffnMatrices = 2, .tied = true, .rule = Rule::MultiQuery},
    Family{.name = "gemma", .keys = &kUsual, .ffnMatrices = 3, .tied = true, .kvHeads = 16, .headDim = 256},
    Family{.name = "gemma2", .keys = &kUsual, .ffnMatrices = 3, .tied = true, .kvHeads = 4, .headDim = 256},
    Family{.name = "gemma3_text",
           .keys = &kUsual,
           .ffnMatrices = 3,
           .tied = true,
           .kvHeads = 4,
           .headDim = 256,
           .heads = 8,
           .vocab = 262208},
    Family{.name = "gpt2",
           .keys = &kGpt,
           .ffnMatrices = 2,
           .tied = true,
           .positions = "n_positions max_position_embeddings"},
    Family{.name = "gpt_bigcode",
           .keys = &kGpt,
           .ffnMatrices = 2,
           .tied = true,
           .positions = "n_positions max_position_embeddings",
           .rule = Rule::MultiQuery},
    Family{.name = "gpt_neox", .keys = &kNeoX, .ffnMatrices = 2, .tied = false},
    Family{.name = "gpt_oss",
           .keys = &kUsual,
           .ffnMatrices = 3,
           .tied = false,
           .kvHeads = 8,
           .headDim = 64,
           .expertsKey = "num_local_experts num_experts",
           .perTokenKey = "num_experts_per_tok experts_per_token"},
    Family{.name = "gptj", .keys = &kGpt, .ffnMatrices = 2, .tied = false},
    Family{.name = "granite", .keys = &kUsual, .ffnMatrices = 3, .tied = false},
    Family{.name = "granitemoe",
           .keys = &kUsual,
           .ffnMatrices = 3,
           .tied = false,
           .expertsKey = "num_local_experts",
           .perTokenKey = "num_experts_per_tok"},
    Family{.name = "llama", .keys = &kUsual, .ffnMatrices = 3, .tied = false},
    Family{.name = "mistral", .keys = &kUsual, .ffnMatrices = 3, .tied = false, .kvHeads = 8},
    Family{.name = "mixtral",
           .keys = &kUsual,
           .ffnMatrices = 3,
           .tied = false,
           .kvHeads = 8,
           .expertsKey = "num_local_experts",
           .perTokenKey = "num_experts_per_tok"},
    Family{.name = "mpt", .keys = &kMpt, .ffnMatrices = 2, .tied = true, .alibi = true},
    Family{.name = "olmo", .keys = &kUsual, .ffnMatrices = 3, .tied = false},
    Family{.name = "olmo2", .keys = &kUsual, .ffnMatrices = 3, .tied = false},
    Family{.name = "olmoe",
           .keys = &kUsual,
           .ffnMatrices = 3,
           .tied = false,
           .expertsKey = "num_experts",
           .perTokenKey = "num_experts_per_tok"},
    Family{.name = "opt",
           .keys = &kOpt,
           .ffnMatrices = 2,
           .tied = true,
           .positions = "max_position_embeddings",
           .morePositions = 2},
    Family{.name = "phi", .keys = &kUsual, .ffnMatrices = 2, .tied = false},
    Family{.name = "phi3", .keys = &kUsual, .ffnMatrices = 3, .tied = false},
    Family{.name = "phi3small", .keys = &kPhi3Small, .ffnMatrices = 3, .tied = true, .kvHeads = 8},
    Family{.name = "phimoe",
           .keys = &kUsual,
           .ffnMatrices = 3,
           .tied = false,
           .kvHeads = 8,
           .expertsKey = "num_local_experts",
           .perTokenKey = "num_experts_per_tok"},
    Family{.name = "qwen2", .keys = &kUsual, .ffnMatrices = 3, .tied = false, .kvHeads = 32},
    Family{.name = "qwen3", .keys = &kUsual, .ffnMatrices = 3, .tied = false, .kvHeads = 32, .headDim = 128},
    Family{.name = "qwen3_moe",
           .keys = &kExpertFfn,
           .ffnMatrices = 3,
           .tied = false,
           .kvHeads = 4,
           .expertsKey = "num_experts num_local_experts",
           .perTokenKey = "num_experts_per_tok"},
    Family{.name = "stablelm", .keys = &kUsual, .ffnMatrices = 3, .tied = false, .kvHeads = 32},
    Family{.name = "starcoder2", .keys = &kUsual, .ffnMatrices = 2, .tied = true, .kvHeads = 2},
};

struct OtherName {
    std::string_view name;
    std::string_view meaning;
};

constexpr std::array kAliases{OtherName{"refinedweb", "falcon"}, OtherName{"refinedwebmodel", "falcon"},
                              OtherName{"rw", "falcon"}};

constexpr std::string_view kEncoder = "an encoder, which generates no tokens";
constexpr std::string_view kEncoderDecoder = "an encoder beside the decoder, and attention across to it";
constexpr std::string_view kRecurrent = "recurrent layers in place of attention";
constexpr std::string_view kShared = "a shared expert that every token goes through";
constexpr std::string_view kStates = "state-space layers (Mamba)";

constexpr std::array kMissing{
    OtherName{"albert", kEncoder},
    OtherName{"bamba", kStates},
    OtherName{"bart", kEncoderDecoder},
    OtherName{"bert", kEncoder},
    OtherName{"camembert", kEncoder},
    OtherName{"clip", kEncoder},
    OtherName{"deberta", kEncoder},
    OtherName{"debertav2", kEncoder},
    OtherName{"deepseek", "a shared expert that every token goes through, and a dense first layer"},
    OtherName{"deepseekv2", "multi-head latent attention, and a shared expert"},
    OtherName{"deepseekv3", "multi-head latent attention, and a shared expert"},
    OtherName{"distilbert", kEncoder},
    OtherName{"electra", kEncoder},
    OtherName{"falconh1", kStates},
    OtherName{"falconmamba", kStates},
    OtherName{"gemma3n", "layers that share a KV cache, and embeddings of every layer"},
    OtherName{"gemma3ntext", "layers that share a KV cache, and embeddings of every layer"},
    OtherName{"glm4moe", "a shared expert that every token goes through, and dense first layers"},
    OtherName{"granitemoehybrid", "state-space layers (Mamba), and a shared expert"},
    OtherName{"granitemoeshared", kShared},
    OtherName{"jamba", kStates},
    OtherName{"kimik2", "multi-head latent attention, and a shared expert"},
    OtherName{"llama4", kShared},
    OtherName{"llama4text", kShared},
    OtherName{"mamba", kStates},
    OtherName{"mamba2", kStates},
    OtherName{"marian", kEncoderDecoder},
    OtherName{"mbart", kEncoderDecoder},
    OtherName{"minicpm3", "multi-head latent attention"},
    OtherName{"minimax", "linear attention layers"},
    OtherName{"mllama", "layers that attend across to a picture"},
    OtherName{"mllamatext", "layers that attend across to a picture"},
    OtherName{"modernbert", kEncoder},
    OtherName{"mt5", kEncoderDecoder},
    OtherName{"nemotronh", kStates},
    OtherName{"openelm", "layers of different widths"},
    OtherName{"pegasus", kEncoderDecoder},
    OtherName{"qwen2moe", kShared},
    OtherName{"qwen3next", "linear attention layers, and a shared expert"},
    OtherName{"recurrentgemma", kRecurrent},
    OtherName{"roberta", kEncoder},
    OtherName{"rwkv", kRecurrent},
    OtherName{"rwkv5", kRecurrent},
    OtherName{"rwkv6", kRecurrent},
    OtherName{"t5", kEncoderDecoder},
    OtherName{"umt5", kEncoderDecoder},
    OtherName{"vit", kEncoder},
    OtherName{"whisper", kEncoderDecoder},
    OtherName{"xlmroberta", kEncoder},
    OtherName{"zamba", kStates},
    OtherName{"zamba2", kStates},
};

/// "Qwen3MoeForCausalLM", "qwen3_moe" -> "qwen3moe"
std::string plainName(std::string_view architecture) {
    for (const std::string_view ending : {"ForConditionalGeneration", "ForCausalLM", "LMHeadModel", "Model"})
        if (architecture.size() > ending.size() && architecture.ends_with(ending)) {
            architecture.remove_suffix(ending.size());
            break;
        }
    std::string plain;
    for (const char c : architecture)
        if (std::isalnum(static_cast<unsigned char>(c)))
            plain += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return plain;
}

} // namespace

std::span<const HuggingFaceFamily> huggingFaceFamilies() {
    return kFamilies;
}

const HuggingFaceFamily* findHuggingFaceFamily(std::string_view architecture) {
    auto plain = plainName(architecture);
    for (const auto& alias : kAliases)
        if (alias.name == plain)
            plain = alias.meaning;
    const auto found = std::find_if(kFamilies.begin(), kFamilies.end(), [&](const HuggingFaceFamily& family) {
        return plainName(family.name) == plain;
    });
    return found == kFamilies.end() ? nullptr : &*found;
}

std::string_view missingForHuggingFace(std::string_view architecture) {
    const auto plain = plainName(architecture);
    for (const auto& other : kMissing)
        if (other.name == plain || (plain.ends_with("textmodel") && plain.starts_with(other.name)))
            return other.meaning;
    return {};
}

std::string huggingFaceFamilyNames() {
    std::string names;
    for (const auto& family : kFamilies)
        names.append(names.empty() ? "" : ", ").append(family.name);
    return names;
}

} // namespace heteroscape::engine

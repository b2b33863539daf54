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

// Configuration classes of transformers 4.57; the base class ties the embeddings unless a class says no.
constexpr std::array kFamilies{
    HuggingFaceFamily{"bloom", &kBloom, 2, true},
    HuggingFaceFamily{"cohere", &kUsual, 3, true},
    HuggingFaceFamily{"cohere2", &kUsual, 3, true},
    HuggingFaceFamily{"dbrx", &kDbrx, 3, false, 1, 0, "ffn_config.moe_num_experts", "ffn_config.moe_top_k"},
    HuggingFaceFamily{"falcon", &kFalcon, 2, true, 0, 0, {}, {}, {}, 0, Rule::MultiQuery},
    HuggingFaceFamily{"gemma", &kUsual, 3, true, 16, 256},
    HuggingFaceFamily{"gemma2", &kUsual, 3, true, 4, 256},
    HuggingFaceFamily{"gemma3_text", &kUsual, 3, true, 4, 256, {}, {}, {}, 0, Rule::Stated, 8, 262208},
    HuggingFaceFamily{"gpt2", &kGpt, 2, true, 0, 0, {}, {}, "n_positions max_position_embeddings"},
    HuggingFaceFamily{"gpt_bigcode",
                      &kGpt,
                      2,
                      true,
                      0,
                      0,
                      {},
                      {},
                      "n_positions max_position_embeddings",
                      0,
                      Rule::MultiQuery},
    HuggingFaceFamily{"gpt_neox", &kNeoX, 2, false},
    HuggingFaceFamily{"gpt_oss", &kUsual, 3, false, 8, 64, "num_local_experts num_experts",
                      "num_experts_per_tok experts_per_token"},
    HuggingFaceFamily{"gptj", &kGpt, 2, false},
    HuggingFaceFamily{"granite", &kUsual, 3, false},
    HuggingFaceFamily{"granitemoe", &kUsual, 3, false, 0, 0, "num_local_experts", "num_experts_per_tok"},
    HuggingFaceFamily{"llama", &kUsual, 3, false},
    HuggingFaceFamily{"mistral", &kUsual, 3, false, 8},
    HuggingFaceFamily{"mixtral", &kUsual, 3, false, 8, 0, "num_local_experts", "num_experts_per_tok"},
    HuggingFaceFamily{"mpt", &kMpt, 2, true},
    HuggingFaceFamily{"olmo", &kUsual, 3, false},
    HuggingFaceFamily{"olmo2", &kUsual, 3, false},
    HuggingFaceFamily{"olmoe", &kUsual, 3, false, 0, 0, "num_experts", "num_experts_per_tok"},
    HuggingFaceFamily{"opt", &kOpt, 2, true, 0, 0, {}, {}, "max_position_embeddings", 2},
    HuggingFaceFamily{"phi", &kUsual, 2, false},
    HuggingFaceFamily{"phi3", &kUsual, 3, false},
    HuggingFaceFamily{"phi3small", &kPhi3Small, 3, true, 8},
    HuggingFaceFamily{"phimoe", &kUsual, 3, false, 8, 0, "num_local_experts", "num_experts_per_tok"},
    HuggingFaceFamily{"qwen2", &kUsual, 3, false, 32},
    HuggingFaceFamily{"qwen3", &kUsual, 3, false, 32, 128},
    HuggingFaceFamily{"qwen3_moe", &kExpertFfn, 3, false, 4, 0, "num_experts num_local_experts",
                      "num_experts_per_tok"},
    HuggingFaceFamily{"stablelm", &kUsual, 3, false, 32},
    HuggingFaceFamily{"starcoder2", &kUsual, 2, true, 2},
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

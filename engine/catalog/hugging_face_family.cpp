// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/catalog/hugging_face_family.h"

#include "engine/base/json.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <nlohmann/json.hpp>
#include <vector>

namespace heteroscape::engine {

namespace {

constexpr HuggingFaceKeys kUsual{"num_hidden_layers", "hidden_size", "num_attention_heads",
                                 "num_key_value_heads", "intermediate_size"};
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
constexpr std::array kUniformFamilies{
    Family{.name = "bloom", .keys = &kBloom, .ffnMatrices = 2, .tied = true, .alibi = true},
    Family{.name = "cohere", .keys = &kUsual, .ffnMatrices = 3, .tied = true},
    Family{.name = "dbrx",
           .keys = &kDbrx,
           .ffnMatrices = 3,
           .tied = false,
           .kvHeads = 1,
           .expertsKey = "ffn_config.moe_num_experts",
           .perTokenKey = "ffn_config.moe_top_k"},
    Family{.name = "falcon", .keys = &kFalcon, .ffnMatrices = 2, .tied = true, .rule = Rule::MultiQuery},
    Family{.name = "gemma", .keys = &kUsual, .ffnMatrices = 3, .tied = true, .kvHeads = 16, .headDim = 256},
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
    Family{.name = "gptj", .keys = &kGpt, .ffnMatrices = 2, .tied = false},
    Family{.name = "granite", .keys = &kUsual, .ffnMatrices = 3, .tied = false},
    Family{.name = "granitemoe",
           .keys = &kUsual,
           .ffnMatrices = 3,
           .tied = false,
           .expertsKey = "num_local_experts",
           .perTokenKey = "num_experts_per_tok"},
    Family{.name = "llama", .keys = &kUsual, .ffnMatrices = 3, .tied = false},
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
    Family{.name = "phi3small", .keys = &kPhi3Small, .ffnMatrices = 3, .tied = true, .kvHeads = 8},
    Family{.name = "stablelm", .keys = &kUsual, .ffnMatrices = 3, .tied = false, .kvHeads = 32},
    Family{.name = "starcoder2", .keys = &kUsual, .ffnMatrices = 2, .tied = true, .kvHeads = 2},
};

struct OtherName {
    std::string_view name;
    std::string_view meaning;
};

// Multi-modal models, classes and later releases of the same layers.
constexpr std::array kAliases{OtherName{"gemma3", "gemma3text"},
                              OtherName{"gemma4", "gemma4text"},
                              OtherName{"kimik25", "kimik2"},
                              OtherName{"llama4", "llama4text"},
                              OtherName{"mimov2", "mimov2flash"},
                              OtherName{"qwen25omnitext", "qwen2"},
                              OtherName{"qwen25vl", "qwen2"},
                              OtherName{"qwen25vltext", "qwen2"},
                              OtherName{"qwen2vl", "qwen2"},
                              OtherName{"qwen2vltext", "qwen2"},
                              OtherName{"qwen35", "qwen35text"},
                              OtherName{"qwen35moe", "qwen35moetext"},
                              OtherName{"qwen3omnimoetext", "qwen3moe"},
                              OtherName{"qwen3vl", "qwen3"},
                              OtherName{"qwen3vlmoe", "qwen3moe"},
                              OtherName{"qwen3vlmoetext", "qwen3moe"},
                              OtherName{"qwen3vltext", "qwen3"},
                              OtherName{"refinedweb", "falcon"},
                              OtherName{"refinedwebmodel", "falcon"},
                              OtherName{"rw", "falcon"}};

constexpr std::string_view kEncoder = "an encoder, which generates no tokens";
constexpr std::string_view kEncoderDecoder = "an encoder beside the decoder, and attention across to it";
constexpr std::string_view kRecurrent = "recurrent layers in place of attention";
constexpr std::string_view kStates = "state-space layers alone, without any attention";

constexpr std::array kMissing{
    OtherName{"albert", kEncoder},
    OtherName{"bart", kEncoderDecoder},
    OtherName{"bert", kEncoder},
    OtherName{"camembert", kEncoder},
    OtherName{"clip", kEncoder},
    OtherName{"deberta", kEncoder},
    OtherName{"debertav2", kEncoder},
    OtherName{"distilbert", kEncoder},
    OtherName{"electra", kEncoder},
    OtherName{"falconmamba", kStates},
    OtherName{"gemma3n", "layers that share a KV cache, and embeddings of every layer"},
    OtherName{"gemma3ntext", "layers that share a KV cache, and embeddings of every layer"},
    OtherName{"hymba", "layers that share a KV cache"},
    OtherName{"jetmoe", "experts within the attention"},
    OtherName{"mamba", kStates},
    OtherName{"mamba2", kStates},
    OtherName{"marian", kEncoderDecoder},
    OtherName{"mbart", kEncoderDecoder},
    OtherName{"modernbert", kEncoder},
    OtherName{"mt5", kEncoderDecoder},
    OtherName{"openelm", "layers of different widths"},
    OtherName{"pegasus", kEncoderDecoder},
    OtherName{"phi4flash", "layers that share a KV cache"},
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
    OtherName{"zamba", "layers that share their weights"},
    OtherName{"zamba2", "layers that share their weights"},
};

std::vector<HuggingFaceFamily> allFamilies() {
    std::vector<HuggingFaceFamily> families(kUniformFamilies.begin(), kUniformFamilies.end());
    const auto layered = layeredHuggingFaceFamilies();
    families.insert(families.end(), layered.begin(), layered.end());
    std::sort(families.begin(), families.end(),
              [](const HuggingFaceFamily& a, const HuggingFaceFamily& b) { return a.name < b.name; });
    return families;
}

} // namespace

std::string plainArchitecture(std::string_view architecture) {
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

std::span<const HuggingFaceFamily> huggingFaceFamilies() {
    static const auto families = allFamilies();
    return families;
}

const HuggingFaceFamily* findHuggingFaceFamily(std::string_view architecture) {
    auto plain = plainArchitecture(architecture);
    for (const auto& alias : kAliases)
        if (alias.name == plain)
            plain = alias.meaning;
    const auto families = huggingFaceFamilies();
    const auto found = std::find_if(families.begin(), families.end(), [&](const HuggingFaceFamily& family) {
        return plainArchitecture(family.name) == plain;
    });
    return found == families.end() ? nullptr : &*found;
}

std::string_view missingForHuggingFace(std::string_view architecture) {
    const auto plain = plainArchitecture(architecture);
    for (const auto& other : kMissing)
        if (other.name == plain || (plain.ends_with("textmodel") && plain.starts_with(other.name)))
            return other.meaning;
    return {};
}

Json withClassSizes(const Json& text) {
    struct Sizes {
        std::string_view name;
        int layers, hidden, heads, ffn, vocab;
    };
    static constexpr std::array kSizes{
        Sizes{"cohere", 40, 8192, 64, 22528, 256000}, Sizes{"gemma", 28, 3072, 16, 24576, 256000},
        Sizes{"gemma2", 26, 2304, 8, 9216, 256000},   Sizes{"gemma3_text", 26, 2304, 8, 9216, 262208},
        Sizes{"llama", 32, 4096, 32, 11008, 32000},   Sizes{"mistral", 32, 4096, 32, 14336, 32000},
        Sizes{"mixtral", 32, 4096, 32, 14336, 32000}, Sizes{"phi3", 32, 3072, 32, 8192, 32064},
        Sizes{"qwen2", 32, 4096, 32, 22016, 151936},  Sizes{"qwen3", 32, 4096, 32, 22016, 151936},
    };
    auto whole = text;
    const auto type = text.find("model_type");
    for (const auto& sizes : kSizes)
        if (type != text.end() && *type == sizes.name)
            for (const auto& [key, value] :
                 {std::pair{"num_hidden_layers", sizes.layers}, std::pair{"hidden_size", sizes.hidden},
                  std::pair{"num_attention_heads", sizes.heads}, std::pair{"intermediate_size", sizes.ffn},
                  std::pair{"vocab_size", sizes.vocab}})
                whole.emplace(key, value); // unless it is there
    return whole;
}

std::string huggingFaceFamilyNames() {
    std::string names;
    for (const auto& family : huggingFaceFamilies())
        names.append(names.empty() ? "" : ", ").append(family.name);
    return names;
}

} // namespace heteroscape::engine

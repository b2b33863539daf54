// SPDX-License-Identifier: GPL-3.0-or-later
// Families whose layers can differ. Keys and defaults are those of the configuration classes in transformers,
// or of the class that a checkpoint brings along.
#include "engine/catalog/hugging_face_family.h"
#include "engine/catalog/hugging_face_layers.h"

#include <array>

namespace heteroscape::engine {

namespace {

constexpr HuggingFaceKeys kDecoder{"num_hidden_layers", "hidden_size", "num_attention_heads",
                                   "num_key_value_heads", "intermediate_size"};
constexpr HuggingFaceKeys kStepDecoder{"num_hidden_layers", "hidden_size", "num_attention_heads",
                                       "num_attention_groups", "intermediate_size"};

constexpr HuggingFaceFlag kOn{{}, true};
constexpr std::string_view kWindowKey = "sliding_window";
constexpr std::string_view kExpertKey = "moe_intermediate_size";
constexpr std::string_view kSharedCount = "n_shared_experts";
constexpr std::string_view kSharedKey = "shared_expert_intermediate_size";
constexpr std::string_view kMtpKey = "num_nextn_predict_layers";
constexpr std::string_view kPerToken = "num_experts_per_tok";

// Uniform where no window is set.
constexpr HuggingFaceLayers kEveryWindow{.always = false, .window = kWindowKey};
constexpr HuggingFaceLayers kMistral{.always = false, .window = kWindowKey, .classWindow = 4096};
constexpr HuggingFaceLayers kQwen2{.always = false,
                                   .window = kWindowKey,
                                   .classWindow = 4096,
                                   .windowSwitched = true,
                                   .classPeriod = 28,
                                   .fullFirst = "max_window_layers"};
constexpr HuggingFaceLayers kQwen3{.always = false,
                                   .window = kWindowKey,
                                   .classWindow = 4096,
                                   .windowSwitched = true,
                                   .classPeriod = 28,
                                   .fullFirst = "max_window_layers",
                                   .qkNorm = kOn};
constexpr HuggingFaceLayers kGemma2{
    .always = false, .window = kWindowKey, .classWindow = 4096, .classPeriod = 2};
constexpr HuggingFaceLayers kCohere2{.always = false,
                                     .window = kWindowKey,
                                     .classWindow = 4096,
                                     .period = "sliding_window_pattern",
                                     .classPeriod = 4};

constexpr HuggingFaceLayers kGemma3{.window = kWindowKey,
                                    .classWindow = 4096,
                                    .period = "sliding_window_pattern",
                                    .classPeriod = 6,
                                    .qkNorm = kOn};
// Where attention_k_eq_v is off its full layers have the KV heads of the others. The dense network runs
// beside the experts, for every token.
constexpr HuggingFaceLayers kGemma4{
    .window = kWindowKey,
    .classWindow = 512,
    .classPeriod = 6,
    .fullLast = true,
    .full = {.kvHeads = "num_global_key_value_heads", .dim = "global_head_dim", .classDim = 512},
    .qkNorm = kOn,
    .keysAreValues = {"attention_k_eq_v", false},
    .mixture = {"enable_moe_block", false},
    .expertWidth = kExpertKey,
    .sharedWidth = "intermediate_size"};
constexpr HuggingFaceLayers kGptOss{
    .window = kWindowKey, .classWindow = 128, .classPeriod = 2, .windowedSinks = kOn, .fullSinks = kOn};
// Attention within chunks counts as a window of their size; norms of queries and keys, without weights and in
// some releases only, are left out as in the presets.
constexpr HuggingFaceLayers kLlama4{.window = "attention_chunk_size",
                                    .classWindow = 8192,
                                    .pattern = "no_rope_layers",
                                    .period = "no_rope_layer_interval",
                                    .classPeriod = 4,
                                    .longer = true,
                                    .denseWidth = "intermediate_size_mlp",
                                    .sharedWidth = "intermediate_size"};
// Its three MTP layers are in the checkpoint only.
constexpr HuggingFaceLayers kMimo{.window = kWindowKey,
                                  .pattern = "hybrid_layer_pattern",
                                  .windowed = {.heads = "swa_num_attention_heads",
                                               .kvHeads = "swa_num_key_value_heads",
                                               .dim = "swa_head_dim",
                                               .valueDim = "swa_v_head_dim"},
                                  .valueDim = "v_head_dim",
                                  .windowedSinks = {"add_swa_attention_sink_bias", false},
                                  .fullSinks = {"add_full_attention_sink_bias", false},
                                  .expertWidth = kExpertKey,
                                  .sharedCount = kSharedCount,
                                  .classMtp = 3};
// moe_layers_enum says which layers have experts; without it all but the first. Norms of queries and keys and
// a gate of one number a head are left out as in the preset: below a thousandth of a layer.
constexpr HuggingFaceLayers kStep{.window = kWindowKey,
                                  .classPeriod = 2,
                                  .longer = true,
                                  .windowed = {.heads = "attention_other_setting.num_attention_heads",
                                               .kvHeads = "attention_other_setting.num_attention_groups",
                                               .dim = "attention_other_setting.head_dim"},
                                  .expertWidth = kExpertKey,
                                  .sharedWidth = "share_expert_dim",
                                  .classDense = 1,
                                  .mtp = kMtpKey};

constexpr HuggingFaceLayers kQwen2Moe{.window = kWindowKey,
                                      .classWindow = 4096,
                                      .windowSwitched = true,
                                      .classPeriod = 28,
                                      .fullFirst = "max_window_layers",
                                      .expertWidth = kExpertKey,
                                      .sharedWidth = kSharedKey};
constexpr HuggingFaceLayers kQwen3Moe{.window = kWindowKey,
                                      .classWindow = 4096,
                                      .windowSwitched = true,
                                      .qkNorm = kOn,
                                      .expertWidth = kExpertKey};
// Its one MTP layer is in the checkpoint only.
constexpr HuggingFaceLayers kQwen3Next{.linear = true,
                                       .period = "full_attention_interval",
                                       .classPeriod = 4,
                                       .gate = kOn,
                                       .qkNorm = kOn,
                                       .expertWidth = kExpertKey,
                                       .sharedWidth = kSharedKey,
                                       .classMtp = 1};
constexpr HuggingFaceLayers kQwen35{.linear = true,
                                    .period = "full_attention_interval",
                                    .classPeriod = 4,
                                    .gate = {"attn_output_gate", true},
                                    .qkNorm = kOn,
                                    .expertWidth = kExpertKey,
                                    .sharedWidth = kSharedKey,
                                    .mtp = "mtp_num_hidden_layers"};
constexpr HuggingFaceLayers kGlm4Moe{
    .qkNorm = {"use_qk_norm", false}, .expertWidth = kExpertKey, .sharedCount = kSharedCount, .mtp = kMtpKey};
constexpr HuggingFaceLayers kMinimaxM2{
    .qkNorm = {"use_qk_norm", true}, .mtp = "num_mtp_modules", .mtpOn = {"use_mtp", true}};

constexpr HuggingFaceLayers kDeepseekV2{
    .latent = true, .expertWidth = kExpertKey, .sharedCount = kSharedCount, .mtp = kMtpKey};
constexpr HuggingFaceLayers kDeepseekV3{
    .latent = true, .expertWidth = kExpertKey, .sharedCount = kSharedCount, .classDense = 3, .mtp = kMtpKey};
constexpr HuggingFaceLayers kDeepseekV32{.latent = true,
                                         .indexHeads = 64,
                                         .expertWidth = kExpertKey,
                                         .sharedCount = kSharedCount,
                                         .classDense = 3,
                                         .mtp = kMtpKey};
constexpr HuggingFaceLayers kGlmDsa{.latent = true,
                                    .indexHeads = 32,
                                    .expertWidth = kExpertKey,
                                    .sharedCount = kSharedCount,
                                    .classDense = 3,
                                    .mtp = kMtpKey};

/// Gated, not tied; what differs is set by the caller.
constexpr HuggingFaceFamily decoder(std::string_view name, const HuggingFaceLayers& layers) {
    return {.name = name, .keys = &kDecoder, .ffnMatrices = 3, .tied = false, .layers = &layers};
}

constexpr HuggingFaceFamily withExperts(HuggingFaceFamily family, std::string_view experts,
                                        std::string_view perToken = kPerToken) {
    family.expertsKey = experts;
    family.perTokenKey = perToken;
    return family;
}

constexpr HuggingFaceFamily withHeads(HuggingFaceFamily family, double kvHeads, double headDim = 0.0) {
    family.kvHeads = kvHeads;
    family.headDim = headDim;
    return family;
}

constexpr HuggingFaceFamily tied(HuggingFaceFamily family) {
    family.tied = true;
    return family;
}

constexpr HuggingFaceFamily withKeys(HuggingFaceFamily family, const HuggingFaceKeys& keys) {
    family.keys = &keys;
    return family;
}

constexpr HuggingFaceFamily gemma3() {
    auto family = withHeads(tied(decoder("gemma3_text", kGemma3)), 4, 256);
    family.heads = 8;
    family.vocab = 262208;
    return family;
}

constexpr std::string_view kRouted = "n_routed_experts";
constexpr std::string_view kLocal = "num_local_experts";
constexpr std::string_view kEither = "num_experts num_local_experts";

constexpr std::array kLayeredFamilies{
    tied(decoder("cohere2", kCohere2)),
    withExperts(decoder("deepseek_v2", kDeepseekV2), kRouted),
    withExperts(decoder("deepseek_v3", kDeepseekV3), kRouted),
    withExperts(decoder("deepseek_v32", kDeepseekV32), kRouted),
    withHeads(tied(decoder("gemma2", kGemma2)), 4, 256),
    gemma3(),
    withExperts(withHeads(tied(decoder("gemma4_text", kGemma4)), 4, 256), "num_experts", "top_k_experts"),
    withExperts(withHeads(decoder("glm4_moe", kGlm4Moe), 8), "n_routed_experts num_experts"),
    withExperts(decoder("glm4_moe_lite", kDeepseekV3), kRouted),
    withExperts(decoder("glm_moe_dsa", kGlmDsa), kRouted),
    withExperts(withHeads(decoder("gpt_oss", kGptOss), 8, 64), "num_local_experts num_experts",
                "num_experts_per_tok experts_per_token"),
    withExperts(decoder("kimi_k2", kDeepseekV2), kRouted),
    withExperts(withHeads(decoder("llama4_text", kLlama4), 8, 128), kLocal),
    withExperts(decoder("mimo_v2_flash", kMimo), kRouted),
    withExperts(withHeads(decoder("minimax_m2", kMinimaxM2), 8, 128), kLocal),
    withHeads(decoder("mistral", kMistral), 8),
    withExperts(withHeads(decoder("mixtral", kEveryWindow), 8), kLocal),
    decoder("phi3", kEveryWindow),
    withExperts(withHeads(decoder("phimoe", kEveryWindow), 8), kLocal),
    withHeads(decoder("qwen2", kQwen2), 32),
    withExperts(withHeads(decoder("qwen2_moe", kQwen2Moe), 16), "num_experts"),
    withHeads(decoder("qwen3", kQwen3), 32, 128),
    withExperts(withHeads(decoder("qwen3_5_moe_text", kQwen35), 2, 256), "num_experts"),
    withHeads(decoder("qwen3_5_text", kQwen35), 4, 256),
    withExperts(withHeads(decoder("qwen3_moe", kQwen3Moe), 4), kEither),
    withExperts(withHeads(decoder("qwen3_next", kQwen3Next), 2, 256), "num_experts"),
    withExperts(withKeys(decoder("step3p5", kStep), kStepDecoder), "moe_num_experts", "moe_top_k"),
};

} // namespace

std::span<const HuggingFaceFamily> layeredHuggingFaceFamilies() {
    return kLayeredFamilies;
}

} // namespace heteroscape::engine

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/catalog/hugging_face_family.h"

#include "engine/catalog/config_reader.h"
#include "engine/catalog/hugging_face_layers.h"

#include "engine/base/error.h"
#include "engine/base/json.h"
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

namespace heteroscape::engine {

namespace {

constexpr HuggingFaceKeys kAnyKeys{
    "num_hidden_layers n_layer n_layers num_layers", "hidden_size n_embd n_embed d_model model_dim",
    "num_attention_heads n_head n_heads num_heads attention_heads",
    "num_key_value_heads num_kv_heads n_kv_heads n_head_kv multi_query_group_num num_attention_groups "
    "num_query_groups attn_config.kv_n_heads",
    "block_ff_dim intermediate_size ffn_hidden_size ffn_dim n_inner ff_intermediate_size "
    "ffn_intermediate_size intermediate_dim mlp_hidden_size inner_hidden_size"};
constexpr std::string_view kAnyDense =
    "dense_intermediate_size intermediate_size_mlp block_ff_dim intermediate_size ffn_hidden_size ffn_dim "
    "n_inner ff_intermediate_size ffn_intermediate_size intermediate_dim mlp_hidden_size inner_hidden_size";
constexpr std::string_view kAnyExperts =
    "num_experts num_local_experts n_routed_experts moe_num_experts num_routed_experts num_moe_experts "
    "moe_num_primary_experts ffn_config.moe_num_experts";
constexpr std::string_view kAnyPerToken =
    "num_experts_per_tok num_experts_per_token moe_top_k moe_topk moe_k top_k_experts experts_per_token "
    "num_selected_experts num_activated_experts moe_router_topk moe_num_active_primary_experts "
    "ffn_config.moe_top_k";
constexpr std::string_view kAnyExpertWidth =
    "moe_intermediate_size moe_ffn_hidden_size expert_ffn_hidden_size expert_intermediate_size "
    "expert_hidden_size moe_expert_hidden_size intermediate_size ffn_hidden_size ffn_dim "
    "ffn_config.ffn_hidden_size";
constexpr std::string_view kAnySharedCount =
    "n_shared_experts num_shared_experts moe_num_shared_experts num_shared_expert n_shared_expert";
constexpr std::string_view kAnySharedWidth =
    "moe_shared_expert_intermediate_size shared_expert_intermediate_size shared_intermediate_size "
    "share_expert_dim";
constexpr std::string_view kAnyMtp =
    "num_nextn_predict_layers mtp_num_hidden_layers num_mtp_modules num_mtp_layers mtp_num_layers";
constexpr std::string_view kAnyWindow = "sliding_window sliding_window_size attention_chunk_size";
constexpr std::string_view kWindowLayout = "sliding_window_layout"; // SmallThinker
constexpr std::string_view kActivations =
    "hidden_act mlp_hidden_act hidden_activation activation_function activation_type";

/// What an architecture has that no key says.
struct Beyond {
    std::string_view name; ///< as plainArchitecture() has it
    double matrices = 0.0; ///< 0: as the activation says
    bool tied = false;     ///< where no key says it
    bool qkNorm = false;
    bool gate = false;
    bool half = false; ///< the width of the network is stated for gate and up together
    HuggingFaceTwice twice{};
    double perToken = 0.0;    ///< experts of a token where no key says it
    std::string_view where{}; ///< only of configs with that key: releases of one name that differ
};

constexpr std::array kBeyond{
    Beyond{.name = "afmoe", .qkNorm = true, .gate = true},
    Beyond{.name = "apertus", .matrices = 2, .qkNorm = true},
    Beyond{.name = "arcee", .matrices = 2},
    Beyond{.name = "bailingmoe", .qkNorm = true},
    Beyond{.name = "bailingmoev2", .qkNorm = true},
    Beyond{.name = "bitnet", .matrices = 3},
    Beyond{.name = "btlm", .tied = true},
    Beyond{.name = "chatglm", .matrices = 2, .tied = true, .where = "inner_hidden_size"}, // the first
    Beyond{.name = "chatglm", .matrices = 3},
    Beyond{.name = "codegen", .matrices = 2},
    Beyond{.name = "dots1", .qkNorm = true},
    Beyond{.name = "ernie45", .tied = true},
    Beyond{.name = "ernie45moe", .tied = true},
    Beyond{.name = "exaone4", .qkNorm = true},
    Beyond{.name = "exaonemoe", .qkNorm = true},
    Beyond{.name = "falconh1", .twice = HuggingFaceTwice::StateBeside},
    Beyond{.name = "flexolmo", .qkNorm = true},
    Beyond{.name = "git", .matrices = 3}, // Grok-2
    Beyond{.name = "gptneo", .matrices = 2, .tied = true},
    Beyond{.name = "grok1", .matrices = 3, .tied = true},
    Beyond{.name = "hfolmo", .half = true},
    Beyond{.name = "hunyuanv1dense", .qkNorm = true},
    Beyond{.name = "hunyuanv1moe", .qkNorm = true},
    Beyond{.name = "jais", .tied = true},
    Beyond{.name = "lfm2", .tied = true, .qkNorm = true},
    Beyond{.name = "lfm2moe", .tied = true, .qkNorm = true},
    Beyond{.name = "longcatflash", .twice = HuggingFaceTwice::Attention},
    Beyond{.name = "minicpm", .tied = true},
    Beyond{.name = "molmo", .half = true},
    Beyond{.name = "nemotron", .matrices = 2},
    Beyond{.name = "nemotronh", .matrices = 2},
    Beyond{.name = "olmo3", .qkNorm = true},
    Beyond{.name = "persimmon", .matrices = 2},
    Beyond{.name = "qwen", .half = true},
    Beyond{.name = "skywork", .perToken = 2}, // Skywork-MoE
    Beyond{.name = "skyworkmoe", .perToken = 2},
    Beyond{.name = "smollm3", .tied = true},
    Beyond{.name = "vaultgemma", .tied = true},
    Beyond{.name = "xglm", .matrices = 2, .tied = true},
};

/// Activations of networks without a gate, in every architecture that has them.
constexpr std::array<std::string_view, 8> kWithoutGate{
    "relu", "relu2", "relu_squared", "squared_relu", "gelu_new", "gelu_fast", "xielu", "gelu"};

} // namespace

OrdinaryArchitecture::OrdinaryArchitecture(const ConfigReader& config, const std::string& name)
    : m_name(name.substr(0, 80)) {
    std::erase_if(m_name, [](char c) { return c < '-' || c > 'z'; }); // letters, digits, and _ . - between
    if (m_name.empty())
        m_name = "unknown";
    const auto plain = plainArchitecture(name);
    const auto* found = std::find_if(kBeyond.begin(), kBeyond.end(), [&](const Beyond& beyond) {
        return beyond.name == plain && (beyond.where.empty() || config.has(beyond.where));
    });
    const Beyond none{};
    const auto& beyond = found == kBeyond.end() ? none : *found;
    const auto activation = config.text(kActivations);
    const bool gpt = config.has("n_embd");
    const auto named = [&](std::string_view part) { return activation.find(part) != std::string::npos; };
    const bool gateless =
        std::find(kWithoutGate.begin(), kWithoutGate.end(), activation) != kWithoutGate.end() ||
        (gpt && !named("glu") && !named("silu") && !named("swi"));

    m_keys = kAnyKeys;
    if (gpt || (gateless && !config.isAbsent(kAnyKeys.ffn))) { // in the manner of GPT-2
        m_keys.expansion = 4.0;
        m_keys.expansionKey = "expansion_ratio";
    }
    m_family.name = m_name;
    m_family.keys = &m_keys;
    m_family.ffnMatrices = beyond.matrices > 0.0 ? beyond.matrices : gateless ? 2.0 : 3.0;
    m_family.tied = beyond.tied || (gpt && found == kBeyond.end()); // as GPT-2's are
    m_family.halfWidth = beyond.half;
    m_family.expertsKey = kAnyExperts;
    m_family.perTokenKey = kAnyPerToken;
    m_family.perToken = beyond.perToken;
    m_family.layers = &m_layers;

    auto& layers = m_layers;
    layers.ordinary = true;
    layers.latent = config.exceeds("kv_lora_rank", 0.0);
    const auto* types = config.find("layer_types");
    const bool linear = types && types->is_array() &&
                        std::find(types->begin(), types->end(), "linear_attention") != types->end();
    layers.linear = beyond.twice == HuggingFaceTwice::No && (linear || hasRecurrentLayers(config));
    layers.twice = beyond.twice;
    layers.longer = true;
    const double indexHeads = config.has("index_topk") ? config.whole("index_n_heads", 1, 4096) : 0.0;
    layers.indexHeads = layers.latent && indexHeads > 0.0 ? indexHeads : 0.0;
    if (!layers.latent && config.flag("use_sliding_window", true)) {
        layers.window = kAnyWindow;
        layers.fullFirst = config.has("max_window_layers") && config.has("use_sliding_window")
                               ? std::string_view("max_window_layers")
                               : std::string_view();
    }
    if (config.has(kWindowLayout))
        layers.pattern = kWindowLayout;
    layers.period =
        layers.linear ? "full_attention_interval" : "sliding_window_pattern global_attn_every_n_layers";
    layers.windowed = {.heads = "attention_other_setting.num_attention_heads swa_num_attention_heads",
                       .kvHeads = "attention_other_setting.num_attention_groups swa_num_key_value_heads",
                       .dim = "attention_other_setting.head_dim swa_head_dim",
                       .valueDim = "swa_v_head_dim"};
    layers.valueDim = layers.latent ? std::string_view() : std::string_view("v_head_dim");
    layers.gate = {"attn_output_gate attention_output_gate", beyond.gate};
    layers.qkNorm = {"use_qk_norm qk_norm qk_layernorm use_qk_layernorm", beyond.qkNorm};
    layers.expertWidth = kAnyExpertWidth;
    layers.denseWidth = kAnyDense;
    layers.sharedCount = kAnySharedCount;
    layers.sharedWidth = kAnySharedWidth;
    layers.mtp = kAnyMtp;
    // What is alike in every layer, and has no experts, is a uniform model.
    const double mtp = config.whole(kAnyMtp, 0, 64);
    layers.always = layers.latent || layers.linear || mtp > 0.0 || layers.twice != HuggingFaceTwice::No ||
                    config.has("share_q_dim layers_block_type hybrid_override_pattern") ||
                    huggingFaceExperts(config, m_family) > 1.0;

    m_assumed = std::string(m_family.ffnMatrices > 2.0 ? "networks with a gate" : "networks without a gate");
    if (!config.has(kTiedKeys))
        m_assumed += m_family.tied ? ", tied embeddings" : ", embeddings that are not tied";
}

namespace {

constexpr double kMostOfBlock = 1 << 22;

/// Inner width of a network; 0: none. Source: configuration_decilm.py.
double blockWidth(const ConfigReader& ffn, double hidden) {
    if (ffn.flag("no_op", false))
        return 0.0;
    if (ffn.flag("replace_with_linear", false))
        return hidden / 3.0; // one matrix of hidden x hidden in place of three
    if (const double stated = ffn.whole("intermediate_size", 1, kMostOfBlock); !std::isnan(stated))
        return stated;
    const auto* factor = ffn.find("ffn_mult");
    if (!factor || !factor->is_number() || !(factor->get<double>() > 0.0) || factor->get<double>() > 1e3)
        throwInvalid(ffn.place("ffn_mult"), "missing, or no factor of the hidden size",
                     "A config.json states it");
    constexpr double kMultiple = 256.0;
    return std::ceil(std::floor(2.0 * factor->get<double>() * hidden / 3.0) / kMultiple) * kMultiple;
}

/// KV heads of a block; 0: it has no attention, -1: one matrix in its place.
double blockKvHeads(const ConfigReader& attention, double heads) {
    if (attention.flag("no_op", false))
        return 0.0;
    if (attention.flag("replace_with_linear", false))
        return -1.0;
    if (const double stated = attention.whole("num_key_value_heads", 1, heads); !std::isnan(stated))
        return stated;
    const double group = attention.whole("n_heads_in_group", 1, heads);
    if (std::isnan(group) || std::fmod(heads, group) != 0.0)
        throwInvalid(attention.place("n_heads_in_group"), "missing, or does not divide the heads",
                     "A config.json states it");
    return heads / group;
}

} // namespace

std::vector<HuggingFaceLayer> readHuggingFaceBlocks(const ConfigReader& config,
                                                    const HuggingFaceFamily& family, Model& model,
                                                    const Quantity& source) {
    const auto key = config.nameOf(kBlockKeys);
    const auto* listed = config.list(key);
    auto blocks = listed ? *listed : Json::array();
    if (key != "block_configs") {
        const Json network = {{"intermediate_size", config.need(family.keys->ffn, &Model::ffn)}};
        for (auto& block : blocks) {
            const Json heads = block;
            block = {{"attention", {{"num_key_value_heads", heads}}}, {"ffn", network}};
        }
    }
    if (static_cast<double>(blocks.size()) != model.layers.value)
        throwInvalid(config.place(key), "is no list of a block for each layer", "Give one for each layer");
    const auto shape = model;
    std::map<std::pair<double, bool>, std::vector<std::size_t>> kinds;
    double widths = 0.0, networks = 0.0;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        const auto place = config.place(key) + "[" + std::to_string(i) + "]";
        const auto& block = blocks[i];
        if (!block.is_object() || !block.contains("attention") || !block["attention"].is_object() ||
            !block.contains("ffn") || !block["ffn"].is_object())
            throwInvalid(place, "has no attention and ffn", "Blocks of other sorts are not known here");
        const double width = blockWidth(ConfigReader(block["ffn"], place + ".ffn"), model.hidden.value);
        const double heads =
            blockKvHeads(ConfigReader(block["attention"], place + ".attention"), model.heads.value);
        widths += width;
        networks += width > 0.0 ? 1.0 : 0.0;
        kinds[{heads, width > 0.0}].push_back(i);
    }
    if (kinds.size() > kMostLayerGroups || networks == 0.0)
        throwInvalid(config.place(key), "has more sorts of blocks than a model here", "Choose another model");
    std::vector<HuggingFaceLayer> layers(blocks.size());
    for (const auto& [kind, numbers] : kinds) {
        auto one = shape;
        one.kvHeads.value = std::max(kind.first, 1.0);
        const auto sort = kind.first > 0.0   ? LayerSort::Full
                          : kind.first < 0.0 ? LayerSort::Crossed
                                             : LayerSort::None;
        auto group =
            huggingFaceGroup(config, family, one, sort, static_cast<double>(numbers.size()), 0.0, source);
        group.network = kind.second;
        if (kind.first < 0.0) // one matrix: half of it in, half out
            for (const auto* figure : {"projected", "inner"})
                group.figures.quantity(static_cast<std::size_t>(group.attention->indexOf(figure))).value =
                    model.hidden.value / 2.0;
        for (const auto i : numbers)
            layers[i] = {i, model.groups.size(), kind.second ? ModelPart::Dense : ModelPart::Attention};
        model.groups.push_back(std::move(group));
    }
    model.heads = model.kvHeads = model.headDim = Quantity{};
    model.ffn = source;
    model.ffn.value = std::round(widths / networks);
    return layers;
}

} // namespace heteroscape::engine

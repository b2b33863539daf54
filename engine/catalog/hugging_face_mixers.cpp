// SPDX-License-Identifier: GPL-3.0-or-later

#include "engine/base/error.h"
#include "engine/base/json.h"
#include "engine/catalog/config_reader.h"
#include "engine/catalog/hugging_face_family.h"
#include "engine/catalog/hugging_face_layers.h"
#include "engine/units/number_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

namespace heteroscape::engine {

namespace {

constexpr double kMostFigure = 1 << 20; // of an attention kind

/// Writes the figures of one group by their keys.
class GroupWriter {
public:
    GroupWriter(std::string_view kind, double count, const Quantity& source) : m_source(source) {
        m_group.count = count;
        m_group.attention = &attentionKinds().at(kind, "attention");
        m_group.figures = Settings(*m_group.attention);
    }
    /// NaN leaves it unset.
    void set(std::string_view key, double value) {
        auto& quantity = m_group.figures.quantity(static_cast<std::size_t>(m_group.attention->indexOf(key)));
        quantity = m_source;
        quantity.value = value;
        if (std::isnan(value))
            quantity = Quantity{};
    }
    void turn(std::string_view key, bool on) {
        const auto options = m_group.attention->options();
        for (std::size_t i = 0; i < options.size(); ++i)
            if (options[i].key == key)
                m_group.figures.switchOn(i, on);
    }
    const LayerGroup& group() const { return m_group; }

private:
    LayerGroup m_group;
    const Quantity& m_source;
};

double required(const ConfigReader& config, std::string_view key) {
    const double value = config.whole(key, 1, kMostFigure);
    if (std::isnan(value))
        throwInvalid(config.place(config.nameOf(key)), "missing", "A config.json states it");
    return value;
}

/// What `key` says, or `common` where it is empty or absent.
double ownOr(const ConfigReader& config, std::string_view key, double common) {
    const double own = key.empty() ? NAN : config.whole(key, 1, kMostFigure);
    return std::isnan(own) ? common : own;
}

LayerGroup groupedQuery(const ConfigReader& config, const HuggingFaceFamily& family, const Model& model,
                        double count, double window, const Quantity& source) {
    const auto& layers = *family.layers;
    auto own = window > 0.0 ? layers.windowed : layers.full;
    const bool keysAreValues = window == 0.0 && isOn(config, layers.keysAreValues);
    if (window == 0.0 && !layers.keysAreValues.key.empty() && !keysAreValues)
        own.kvHeads = {};
    const double heads = ownOr(config, own.heads, model.heads.value);
    const double kvHeads = ownOr(config, own.kvHeads, model.kvHeads.value);
    const double dim = ownOr(config, own.dim, own.classDim > 0.0 ? own.classDim : model.headDim.value);
    const double valueDim = ownOr(
        config, own.valueDim, layers.valueDim.empty() ? NAN : config.whole(layers.valueDim, 1, kMostFigure));
    if (std::fmod(heads, kvHeads) != 0.0)
        throwInvalid(config.place(own.kvHeads.empty() ? family.keys->kvHeads : own.kvHeads),
                     plainText(kvHeads) + " does not divide heads, " + plainText(heads),
                     "Grouped-query attention needs heads to be a multiple of the KV heads");
    GroupWriter writer("gqa", count, source);
    writer.set("heads", heads);
    writer.set("kv_heads", kvHeads);
    writer.set("head_dim", dim);
    writer.set("v_dim", valueDim == dim ? NAN : valueDim);
    writer.set("window", window > 0.0 ? window : NAN);
    writer.turn("gate", isOn(config, layers.gate));
    writer.turn("qk_norm", isOn(config, layers.qkNorm));
    writer.turn("sinks", isOn(config, window > 0.0 ? layers.windowedSinks : layers.fullSinks));
    writer.turn("k_is_v", keysAreValues);
    return writer.group();
}

LayerGroup latent(const ConfigReader& config, const HuggingFaceLayers& layers, const Model& model,
                  LayerSort sort, double count, const Quantity& source) {
    GroupWriter writer("mla", count, source);
    writer.set("heads", model.heads.value);
    if (!layers.ordinary && config.isAbsent("q_lora_rank")) // null: queries are projected directly
        throwInvalid(config.place("q_lora_rank"), "missing", "A config.json states it, or null");
    const double queryRank = config.whole("q_lora_rank", layers.ordinary ? 0.0 : 1.0, kMostFigure);
    writer.set("q_rank", queryRank > 0.0 ? queryRank : NAN);
    writer.set("kv_rank", required(config, "kv_lora_rank"));
    writer.set("nope_dim", required(config, "qk_nope_head_dim"));
    writer.set("rope_dim", required(config, "qk_rope_head_dim"));
    const double valueDim = config.whole("v_head_dim", 1, kMostFigure);
    writer.set("v_dim", std::isnan(valueDim) && layers.ordinary
                            ? ownOr(config, "head_dim", model.hidden.value / model.heads.value)
                            : required(config, "v_head_dim"));
    if (sort == LayerSort::Shared) {
        writer.set("index_keys", ownOr(config, "index_topk", 2048.0));
    } else if (layers.indexHeads > 0.0) {
        writer.set("index_heads", ownOr(config, "index_n_heads", layers.indexHeads));
        writer.set("index_dim", ownOr(config, "index_head_dim", 128.0));
        writer.set("index_keys", ownOr(config, "index_topk", 2048.0));
    }
    return writer.group();
}

LayerGroup deltaRule(const ConfigReader& config, double count, const Quantity& source) {
    GroupWriter writer("gdn", count, source);
    writer.set("k_heads", required(config, "linear_num_key_heads"));
    writer.set("v_heads", required(config, "linear_num_value_heads"));
    writer.set("k_dim", required(config, "linear_key_head_dim"));
    writer.set("v_dim", required(config, "linear_value_head_dim"));
    writer.set("convolution", required(config, "linear_conv_kernel_dim"));
    return writer.group();
}

/// A figure that may be the text "auto".
double automatic(const ConfigReader& config, std::string_view key, double byRule) {
    return config.text(key) == "auto" ? byRule : ownOr(config, key, byRule);
}

/// What a state-space layer or its like has: columns in, rows out, further elements, state and tail.
struct Recurrence {
    double heads, projected, inner, further, state, tail;
};

LayerGroup recurrent(double count, const Recurrence& of, const Quantity& source) {
    GroupWriter writer("recurrent", count, source);
    writer.set("heads", of.heads);
    writer.set("projected", of.projected);
    writer.set("inner", of.inner);
    writer.set("further", of.further > 0.0 ? of.further : NAN);
    writer.set("state", of.state > 0.0 ? of.state : NAN);
    writer.set("tail", of.tail > 0.0 ? of.tail : NAN);
    return writer.group();
}

constexpr std::string_view kMambaHeads = "mamba_num_heads mamba_n_heads";
constexpr std::string_view kMambaState = "ssm_state_size mamba_d_state";
constexpr std::string_view kMambaKernel = "conv_kernel mamba_d_conv";

/// Mamba-2 (arXiv:2405.21060): z, x, B and C of all groups, dt of all heads; a convolution over x, B and C.
/// Defaults of BambaConfig, but for NemotronHConfig's groups.
Recurrence mamba2(const ConfigReader& config, double hidden) {
    const double heads = ownOr(config, kMambaHeads, 128.0);
    const double wide = ownOr(config, "mamba_expand expand", 2.0) * hidden;
    const bool nemotron = config.has("mamba_num_heads");
    const double dim = automatic(config, "mamba_head_dim mamba_d_head",
                                 nemotron ? 64.0 : std::max(1.0, std::floor(wide / heads)));
    const double inner = ownOr(config, "mamba_d_ssm", heads * dim);
    const double groups = ownOr(config, "mamba_n_groups n_groups", nemotron ? 8.0 : 1.0);
    const double state = ownOr(config, kMambaState, nemotron ? 128.0 : 256.0);
    const double kernel = ownOr(config, kMambaKernel, 4.0);
    const double channels = inner + 2.0 * groups * state;
    return {heads,         inner + channels + heads, inner, channels * (kernel + 1.0) + inner + 3.0 * heads,
            inner * state, channels * (kernel - 1.0)};
}

/// Mamba (arXiv:2312.00752): x and z; dt of low rank, B and C from x; a matrix A.
Recurrence mamba1(const ConfigReader& config, double hidden) {
    const double inner = ownOr(config, "mamba_expand", 2.0) * hidden;
    const double rank = automatic(config, "mamba_dt_rank", std::ceil(hidden / 16.0));
    const double state = ownOr(config, kMambaState, 16.0);
    const double kernel = ownOr(config, kMambaKernel, 4.0);
    return {inner,         2.0 * inner,           inner, inner * (kernel + 2.0 * rank + 3.0 * state + 3.0),
            inner * state, inner * (kernel - 1.0)};
}

/// Kimi delta attention (arXiv:2510.26692): queries, keys and values with a convolution each, a strength a
/// head, decay and output gate through one head's width; the gate of full rank where a switch says so.
Recurrence kimiDelta(const ConfigReader& config) {
    const double heads = required(config, "linear_attn_config.num_heads");
    const double dim = required(config, "linear_attn_config.head_dim");
    const double kernel = ownOr(config, "linear_attn_config.short_conv_kernel_size", 4.0);
    const double width = heads * dim;
    const bool full = config.flag("linear_attn_config.use_full_rank_gate", false);
    return {heads,       3.0 * width + heads + dim + (full ? width : dim),
            width,       3.0 * width * kernel + dim * width * (full ? 1.0 : 2.0),
            width * dim, 3.0 * width * (kernel - 1.0)};
}

/// Lightning attention (MiniMax-01, arXiv:2501.08313): queries, keys, values and an output gate.
Recurrence lightning(const Model& model) {
    const double width = model.heads.value * model.headDim.valueOr(model.hidden.value / model.heads.value);
    return {model.heads.value, 4.0 * width, width, 0.0, width * width / model.heads.value, 0.0};
}

/// Short convolution (LFM2): two gates beside the input of the convolution.
Recurrence shortConvolution(const ConfigReader& config, double hidden) {
    const double kernel = ownOr(config, "conv_L_cache", 3.0);
    return {hidden, 3.0 * hidden, hidden, hidden * kernel, 0.0, hidden * (kernel - 1.0)};
}

constexpr std::string_view kDeltaKeys = "linear_num_key_heads";
constexpr std::string_view kOtherKeys = "attn_type_list layer_group_size";

LayerGroup recurrentGroup(const ConfigReader& config, const HuggingFaceFamily& family, const Model& model,
                          double count, const Quantity& source) {
    const double hidden = model.hidden.value;
    if (config.has("linear_attn_config"))
        return recurrent(count, kimiDelta(config), source);
    if (config.has("conv_L_cache"))
        return recurrent(count, shortConvolution(config, hidden), source);
    if (config.has("mamba_dt_rank"))
        return recurrent(count, mamba1(config, hidden), source);
    if (config.has(kMambaHeads) || config.has(kMambaState))
        return recurrent(count, mamba2(config, hidden), source);
    if (config.has(kDeltaKeys) || !family.layers->ordinary)
        return deltaRule(config, count, source);
    return recurrent(count, lightning(model), source);
}

/// Attention of text to the keys of a picture, which are none where there is only text.
LayerGroup crossed(const Model& model, double count, const Quantity& source) {
    const double query = model.queryWidth();
    return recurrent(count, {model.heads.value, query + 2.0 * model.kvWidth(), query, 0.0, 0.0, 0.0}, source);
}

/// Figures of attention whose cache is sparse or compressed.
struct Sparse {
    double heads, kvHeads, entry, score, projected, inner, further;
    double ratio = NAN, kept = NAN, window = NAN, indexDim = NAN, indexHeads = NAN;
};

LayerGroup sparse(double count, const Sparse& of, const Quantity& source) {
    GroupWriter writer("sparse", count, source);
    writer.set("heads", of.heads);
    writer.set("kv_heads", of.kvHeads);
    writer.set("entry", of.entry);
    writer.set("score", of.score);
    writer.set("projected", of.projected);
    writer.set("inner", of.inner);
    writer.set("further", of.further > 0.0 ? of.further : NAN);
    writer.set("ratio", of.ratio);
    writer.set("kept", of.kept);
    writer.set("window", of.window);
    writer.set("index_dim", of.indexDim);
    writer.set("index_heads", of.indexHeads);
    return writer.group();
}

constexpr double kMostOfLight = 16.0;

/// Tokens of an entry of the layers of that sort.
double ratioOf(const ConfigReader& config, LayerSort sort) {
    const auto* ratios = config.list("compress_ratios");
    for (const auto& ratio : ratios ? *ratios : Json::array())
        if (ratio.is_number() && huggingFaceSort(ratio.get<double>()) == sort)
            return ratio.get<double>();
    return sort == LayerSort::Light ? 4.0 : 128.0;
}

/// DeepSeek-V4: queries of low rank; one key, which is the value, for all heads; an output of low rank in
/// groups. A light layer has overlapping entries (twice the columns) and an index with entries of its own, a
/// heavy one reads all.
LayerGroup compressed(const ConfigReader& config, const Model& model, LayerSort sort, double count,
                      double ratio, const Quantity& source) {
    const double heads = model.heads.value;
    const double dim = required(config, "head_dim");
    const double rank = required(config, "q_lora_rank");
    const double groups = required(config, "o_groups");
    const double outRank = required(config, "o_lora_rank");
    const double indexHeads = ownOr(config, "index_n_heads", 64.0);
    const double indexDim = ownOr(config, "index_head_dim", 128.0);
    const double columns = sort == LayerSort::Light ? 4.0 : sort == LayerSort::Heavy ? 2.0 : 0.0;
    Sparse of{heads, 1.0, dim, 2.0 * dim, rank + dim + columns * dim, groups * outRank, 0.0};
    of.further = rank * heads * dim + heads * dim * outRank;
    of.ratio = ratio;
    of.window = ownOr(config, "sliding_window", 128.0);
    if (sort == LayerSort::Light) {
        of.kept = ownOr(config, "index_topk", 512.0);
        of.indexDim = indexDim;
        of.indexHeads = indexHeads;
        of.projected += indexHeads + columns * indexDim;
        of.further += rank * indexHeads * indexDim;
    }
    return sparse(count, of, source);
}

/// MiniMax-M3: grouped queries that read some blocks, which heads of an index pick from one key a token.
LayerGroup blockSparse(const ConfigReader& config, const Model& model, double count, const Quantity& source) {
    const double dim = model.headDim.value;
    const double kv = model.kvHeads.value;
    const double indexHeads = ownOr(config, "sparse_attention_config.sparse_num_index_heads", 4.0);
    const double indexDim = ownOr(config, "sparse_attention_config.sparse_index_dim", dim);
    Sparse of{model.heads.value,  kv, 2.0 * dim, 2.0 * dim, model.queryWidth() + 2.0 * kv * dim,
              model.queryWidth(), 0.0};
    of.projected += (indexHeads + 1.0) * indexDim;
    of.kept = ownOr(config, "sparse_attention_config.sparse_topk_blocks", 16.0) *
              ownOr(config, "sparse_attention_config.sparse_block_size", 128.0);
    of.indexDim = indexDim;
    of.indexHeads = indexHeads;
    return sparse(count, of, source);
}

/// Step-3 (arXiv:2507.19427): queries of low rank, one key and value for all heads.
LayerGroup factorized(const ConfigReader& config, const Model& model, double count, const Quantity& source) {
    const double rank = required(config, "share_q_dim");
    const double kv = model.kvHeads.value;
    const double dim = model.headDim.value;
    return sparse(count,
                  {model.heads.value, kv, 2.0 * dim, 2.0 * dim, rank + 2.0 * kv * dim, model.queryWidth(),
                   rank * model.queryWidth()},
                  source);
}

} // namespace

LayerSort huggingFaceSort(double ratio) {
    return ratio <= 1.0 ? LayerSort::Windowed : ratio <= kMostOfLight ? LayerSort::Light : LayerSort::Heavy;
}

bool hasRecurrentLayers(const ConfigReader& config) {
    for (const auto keys : {kDeltaKeys, kMambaHeads, kMambaState, kOtherKeys,
                            std::string_view("linear_attn_config conv_L_cache")})
        if (config.has(keys))
            return true;
    return false;
}

LayerGroup huggingFaceGroup(const ConfigReader& config, const HuggingFaceFamily& family, const Model& model,
                            LayerSort sort, double count, double window, const Quantity& source) {
    const auto& layers = *family.layers;
    switch (sort) {
    case LayerSort::None:
        return GroupWriter("none", count, source).group();
    case LayerSort::Recurrent:
        return recurrentGroup(config, family, model, count, source);
    case LayerSort::Crossed:
        return crossed(model, count, source);
    case LayerSort::Light:
    case LayerSort::Heavy:
        if (config.has("sparse_attention_config"))
            return blockSparse(config, model, count, source);
        return compressed(config, model, sort, count, ratioOf(config, sort), source);
    case LayerSort::Windowed:
        if (config.has("o_lora_rank"))
            return compressed(config, model, sort, count, 0.0, source);
        return groupedQuery(config, family, model, count, window, source);
    case LayerSort::Shared:
    case LayerSort::Full:
        break;
    }
    if (layers.latent)
        return latent(config, layers, model, sort, count, source);
    if (config.has("share_q_dim"))
        return factorized(config, model, count, source);
    return groupedQuery(config, family, model, count, 0.0, source);
}

} // namespace heteroscape::engine

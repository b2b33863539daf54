// SPDX-License-Identifier: GPL-3.0-or-later
// Which matrices a model's layers have, and what a quantization_config says of each.
#include "engine/catalog/hugging_face_weights.h"

#include <algorithm>
#include <array>
#include <map>
#include <span>

namespace heteroscape::engine {

namespace {

/// The matrices of a layer by their usual names behind "layers.N.", separated by spaces; the first of a part
/// stands for those that are fused with it.
struct Matrix {
    ModelPart part;
    std::string_view names;
    double elements;
};

constexpr std::array<std::string_view, 4> kAttentionBlocks{"self_attn.", "attention.", "attn.", "mixer."};
constexpr std::array<std::string_view, 3> kStateBlocks{"linear_attn.", "mamba.", "mixer."};
constexpr std::array<std::string_view, 5> kNetworkBlocks{"mlp.", "feed_forward.", "block_sparse_moe.", "ffn.",
                                                         "mixer."};

double figure(const LayerGroup& group, std::string_view key) {
    const int i = group.attention->indexOf(key);
    return i < 0 ? 0.0 : group.figures.quantity(static_cast<std::size_t>(i)).valueOr(0.0);
}

/// Of the attention of one layer. What is left of a kind's elements (norms, convolutions) is no linear layer.
std::vector<Matrix> attentionMatrices(const LayerGroup& group, double d) {
    constexpr auto part = ModelPart::Attention;
    const auto kind = group.attention->id();
    const auto of = [&](std::string_view key) { return figure(group, key); };
    if (kind == "gqa") {
        const double value = of("v_dim") > 0.0 ? of("v_dim") : of("head_dim");
        const bool gate = group.figures.isOn(0), keysAreValues = group.figures.isOn(3);
        return {{part, "q_proj qkv_proj query_key_value qkv wq",
                 d * of("heads") * of("head_dim") * (gate ? 2.0 : 1.0)},
                {part, "k_proj qkv_proj query_key_value qkv wk", d * of("kv_heads") * of("head_dim")},
                {part, "v_proj qkv_proj query_key_value qkv wv",
                 keysAreValues ? 0.0 : d * of("kv_heads") * value},
                {part, "o_proj out_proj dense wo", d * of("heads") * value}};
    }
    if (kind == "mla") {
        const double query = of("heads") * (of("nope_dim") + of("rope_dim"));
        const double rank = of("q_rank");
        std::vector<Matrix> all{
            {part, "kv_a_proj_with_mqa fused_qkv_a_proj", d * (of("kv_rank") + of("rope_dim"))},
            {part, "kv_b_proj", of("kv_rank") * of("heads") * (of("nope_dim") + of("v_dim"))},
            {part, "o_proj", of("heads") * of("v_dim") * d}};
        if (rank > 0.0) {
            all.push_back({part, "q_a_proj fused_qkv_a_proj", d * rank});
            all.push_back({part, "q_b_proj", rank * query});
        } else {
            all.push_back({part, "q_proj", d * query});
        }
        const double index = of("index_heads");
        if (index > 0.0) {
            all.push_back({part, "indexer.wq_b", (rank > 0.0 ? rank : d) * index * of("index_dim")});
            all.push_back({part, "indexer.wk", d * of("index_dim")});
            all.push_back({part, "indexer.weights_proj", d * index});
        }
        return all;
    }
    if (kind == "gdn") {
        const double keys = of("k_heads") * of("k_dim"), values = of("v_heads") * of("v_dim");
        return {{part, "in_proj_qkvz in_proj_qkv", d * (2.0 * keys + values)},
                {part, "in_proj_qkvz in_proj_z", d * values},
                {part, "in_proj_ba in_proj_a", 2.0 * d * of("v_heads")},
                {part, "out_proj", values * d}};
    }
    if (kind == "recurrent" || kind == "sparse") {
        std::vector<Matrix> all{{part, "in_proj q_proj qkv_proj query_key_value", d * of("projected")},
                                {part, "out_proj o_proj wo_b dense", d * of("inner")}};
        if (kind == "sparse")
            all.push_back({part, "q_b_proj wq_b", of("further")});
        return all;
    }
    return {};
}

std::vector<Matrix> networkMatrices(const Model& model, ModelPart network) {
    const double d = model.hidden.value;
    const bool gated = model.isGated();
    std::vector<Matrix> all;
    const auto add = [&](ModelPart part, std::string_view up, std::string_view gate, std::string_view down,
                         double elements) {
        if (elements <= 0.0)
            return;
        all.push_back({part, up, elements});
        if (gated)
            all.push_back({part, gate, elements});
        all.push_back({part, down, elements});
    };
    if (network == ModelPart::Dense)
        add(network, "up_proj gate_up_proj w3 fc1 dense_h_to_4h", "gate_proj gate_up_proj w1",
            "down_proj w2 fc2 dense_4h_to_h", d * model.ffn.valueOr(0.0));
    if (network != ModelPart::Experts)
        return all;
    add(ModelPart::Experts, "experts.0.up_proj experts.0.w3 experts.gate_up_proj",
        "experts.0.gate_proj experts.0.w1 experts.gate_up_proj",
        "experts.0.down_proj experts.0.w2 experts.down_proj",
        model.experts.value * d * model.expertWidth.value);
    add(ModelPart::Shared, "shared_experts.up_proj shared_expert.up_proj share_expert.up_proj",
        "shared_experts.gate_proj shared_expert.gate_proj share_expert.gate_proj",
        "shared_experts.down_proj shared_expert.down_proj share_expert.down_proj",
        d * model.sharedWidth.valueOr(0.0));
    return all;
}

} // namespace

/// Looks up formats of modules; keeps what patterns say that are the same for every layer.
class HuggingFaceQuantization::Finder {
public:
    explicit Finder(const HuggingFaceQuantization& of) : m_of(of) {}

    /// What is said of a module: the format may be null, as it was.
    struct Answer {
        bool said = false;
        const WeightFormat* format = nullptr;
    };
    /// `layer`: "layers.3.", or nothing; `rest`: "mlp.gate_proj".
    Answer answer(const std::string& layer, const std::string& rest) {
        const auto name = layer + rest;
        for (auto end = name.size(); end != std::string::npos && end > 0;
             end = name.find_last_of(".", end - 1))
            if (const auto found = m_of.m_modules.find(std::string_view(name).substr(0, end));
                found != m_of.m_modules.end())
                return {true, found->second};
        for (const auto& rule : m_of.m_rules)
            if (matches(rule, name, rest))
                return {true, rule.format};
        return {};
    }

private:
    bool matches(const Rule& rule, const std::string& name, const std::string& rest) {
        if (rule.pattern.asksForLayer())
            return rule.pattern.matches(name);
        const auto [known, isNew] = m_known.try_emplace({&rule, rest}, false);
        if (isNew)
            known->second = rule.pattern.matches(name);
        return known->second;
    }

    const HuggingFaceQuantization& m_of;
    std::map<std::pair<const Rule*, std::string>, bool> m_known;
};

const WeightRecipe* HuggingFaceQuantization::recipe(const Model& model,
                                                    const std::vector<HuggingFaceLayer>& layers) const {
    if (isNone())
        return nullptr;
    const auto* bf16 = &weightFormat("bf16", {});
    std::array<std::map<const WeightFormat*, double>, kModelPartCount> elements;
    const auto add = [&](ModelPart part, const WeightFormat* format, double count) {
        elements[static_cast<std::size_t>(part)][format ? format : bf16] += count;
    };
    Finder finder(*this);
    /// By any of its names: a list keeps a matrix, or gives it a format, under the one that its model uses.
    const auto formatUnder = [&](const std::string& layer, std::span<const std::string_view> blocks,
                                 std::string_view names) {
        for (const auto block : blocks)
            for (auto rest = names; !rest.empty();) {
                const auto space = std::min(rest.find(' '), rest.size());
                const auto answer = finder.answer(layer, std::string(block).append(rest.substr(0, space)));
                if (answer.said)
                    return answer.format;
                rest.remove_prefix(std::min(space + 1, rest.size()));
            }
        return m_named ? nullptr : m_format;
    };
    const bool experts = m_expertsOnly && model.isMixture();
    for (const auto& layer : layers) {
        const auto start = "layers." + std::to_string(layer.number) + ".";
        const auto& group = model.groups[layer.group];
        const auto kind = group.attention->id();
        const bool state = kind == "gdn" || kind == "recurrent";
        double counted = 0.0;
        for (const auto& matrix : attentionMatrices(group, model.hidden.value)) {
            counted += matrix.elements;
            const auto* format = experts ? nullptr
                                 : state ? formatUnder(start, kStateBlocks, matrix.names)
                                         : formatUnder(start, kAttentionBlocks, matrix.names);
            add(matrix.part, format, matrix.elements);
        }
        add(ModelPart::Attention, nullptr,
            std::max(0.0, group.attention->weights(group.figures, model.hidden.value, 1.0) - counted));
        for (const auto& matrix : networkMatrices(model, layer.network))
            add(matrix.part,
                experts && matrix.part != ModelPart::Experts
                    ? nullptr
                    : formatUnder(start, kNetworkBlocks, matrix.names),
                matrix.elements);
    }
    const bool tied = model.embeddings.valueOr(2.0) <= 1.0; // one matrix, counted as the head
    for (const auto& [part, module] : {std::pair{ModelPart::Head, tied ? "embed_tokens" : "lm_head"},
                                       std::pair{ModelPart::Embedding, "embed_tokens"}})
        if (part == ModelPart::Head || !tied)
            add(part, finder.answer({}, module).format, 1.0);
    std::array<const WeightFormat*, kModelPartCount> formats{};
    for (std::size_t i = 0; i < formats.size(); ++i) {
        double all = 0.0;
        for (const auto& [format, count] : elements[i])
            all += count;
        std::vector<WeightShare> shares;
        for (const auto& [format, count] : elements[i])
            if (count > 0.0)
                shares.push_back({format, count / all});
        formats[i] = shares.empty() ? nullptr : &mixedFormat(std::move(shares));
    }
    // A part that the model does not have is as in a recipe with a name, where one fits.
    for (const auto& recipe : weightRecipes())
        if (std::equal(
                formats.begin(), formats.end(), recipe.formats.begin(),
                [&](const WeightFormat* mine, const WeightFormat* its) { return mine == its || !mine; }))
            return &recipe;
    std::replace(formats.begin(), formats.end(), static_cast<const WeightFormat*>(nullptr), bf16);
    return &weightRecipe(formats);
}

} // namespace heteroscape::engine

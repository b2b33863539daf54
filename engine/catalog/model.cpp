// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/catalog/model.h"

#include "engine/base/error.h"
#include "engine/catalog/attention_kind.h"
#include "engine/catalog/named.h"
#include "engine/units/number_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

namespace heteroscape::engine {

namespace {

const std::array<Field<Model>, 17> kModelFields{{
    {{"layers", "Layers", "", 1, 1, 1024, true, true,
      "Transformer blocks, each attention and a feed-forward network."},
     &Model::layers},
    {{"hidden", "Hidden size", "", 1, 1, 1 << 20, true, true, "Width of the residual stream."},
     &Model::hidden},
    {{"heads", "Attention heads", "", 1, 1, 4096, true, true, "Query heads of one layer."}, &Model::heads},
    {{"kv_heads", "KV heads", "", 1, 1, 4096, true, true,
      "Key and value heads of one layer (grouped-query attention when fewer than the query heads)."},
     &Model::kvHeads},
    {{"head_dim", "Head dimension", "", 1, 1, 4096, true, true, "Elements of one head."}, &Model::headDim},
    {{"ffn", "FFN size", "", 1, 1, 1 << 22, true, true, "Inner width of the feed-forward network."},
     &Model::ffn},
    {{"vocab", "Vocabulary", "", 1, 1, 1 << 24, true, true,
      "How many different tokens there are: rows of the output projection."},
     &Model::vocab},
    {{"experts", "Experts", "", 1, 1, 4096, true, false,
      "Feed-forward networks of a layer (mixture of experts); not set: one, dense."},
     &Model::experts},
    {{"experts_per_token", "Experts per token", "", 1, 1, 4096, true, false,
      "Experts that each token goes through."},
     &Model::expertsPerToken},
    {{"ffn_matrices", "FFN matrices", "", 1, 2, 3, true, false,
      "Matrices of one feed-forward network: 3 with a gate, 2 without; not set: 3."},
     &Model::ffnMatrices},
    {{"embeddings", "Embedding matrices", "", 1, 1, 2, true, false,
      "Matrices of the vocabulary's size: 2, or 1 when the LM head is the embedding; not set: 2."},
     &Model::embeddings},
    {{"positions", "Learned positions", "", 1, 1, 1 << 24, true, false,
      "Rows of a learned position embedding; not set: none, as with rotary positions."},
     &Model::positions},
    {{"rotary_share", "Rotary share of a head", "", 1, 0, 1, false, false,
      "Share of each head of Q and K that rotary position embedding turns: 0 with learned positions or "
      "ALiBi; "
      "not set: 1, or 0 where there are learned positions."},
     &Model::rotary},
    {{"dense_layers", "Dense layers", "", 1, 0, 1024, true, false,
      "Layers whose feed-forward network is one, of the FFN size; the others have experts. Not set: none "
      "where "
      "there are experts."},
     &Model::denseLayers},
    {{"expert_width", "Width of an expert", "", 1, 1, 1 << 22, true, false,
      "Inner width of one routed expert."},
     &Model::expertWidth},
    {{"shared_width", "Width of shared experts", "", 1, 0, 1 << 22, true, false,
      "Inner width of all experts together that every token goes through; not set: none."},
     &Model::sharedWidth},
    {{"mtp_layers", "MTP layers", "", 1, 0, 64, true, false,
      "Layers that guess tokens after the next (multi-token prediction; DeepSeek-V3, arXiv:2412.19437). They "
      "are part of a checkpoint; a step uses one where speculation is on. Not set: none."},
     &Model::mtpLayers},
}};

/// What a checkpoint asks for and a design need not follow: no parameter of one.
const std::array<Field<Model>, 1> kOfCheckpoint{{
    {{"kv_bits", "KV bits of the checkpoint", "bit", 1, 1, 16, false, false,
      "Bits of a stored K or V element that the checkpoint asks for; a design that takes the model over "
      "serves "
      "it so. Not set: the runtime's."},
     &Model::kvBits},
}};

/// What only one of the two sorts of models has.
bool ofUniform(Quantity Model::*member) {
    return member == &Model::heads || member == &Model::kvHeads || member == &Model::headDim ||
           member == &Model::rotary || member == &Model::positions;
}
bool ofLayered(Quantity Model::*member) {
    return member == &Model::denseLayers || member == &Model::expertWidth || member == &Model::sharedWidth ||
           member == &Model::mtpLayers;
}

constexpr double kGated = 3.0; // matrices: gate, up, down

double bytesOf(const Model& model, ModelPart part, double runtime) {
    return model.weights ? model.weights->of(part).bytes : runtime;
}

template <class Of>
double overGroups(const Model& model, Of of) {
    double sum = 0.0;
    for (const auto& group : model.groups)
        sum += group.count * of(group);
    return sum;
}

/// Layers with a feed-forward network.
double networks(const Model& model) {
    return model.layers.value -
           overGroups(model, [](const LayerGroup& group) { return group.network ? 0.0 : 1.0; });
}

void checkSize(const Json& groups, const std::string& where) {
    if (groups.empty() || groups.size() > kMostLayerGroups)
        throwInvalid(where, "has " + std::to_string(groups.size()) + " groups",
                     "Give 1 to " + std::to_string(kMostLayerGroups));
}

} // namespace

double Model::outerParameters() const {
    return hidden.value * (embeddings.valueOr(2.0) * vocab.value + positions.valueOr(0.0));
}

double Model::mixtureLayers() const {
    return isMixture() ? networks(*this) - denseLayers.valueOr(0.0) : 0.0;
}

double Model::plainLayers() const {
    return networks(*this) - mixtureLayers();
}

double Model::queryHeads() const {
    double least = isUniform() ? heads.value : std::numeric_limits<double>::infinity();
    for (const auto& group : groups)
        least = std::min(least, group.attention->heads(group.figures));
    return least;
}

double Model::elements(ModelPart part) const {
    const double d = hidden.value;
    const double mixed = mixtureLayers();
    switch (part) {
    case ModelPart::Attention:
        return isUniform() ? layers.value * 2.0 * d * (queryWidth() + kvWidth())
                           : overGroups(*this, [&](const LayerGroup& group) {
                                 return group.attention->weights(group.figures, d, 1.0);
                             });
    case ModelPart::Dense:
        return plainLayers() * ffnMatrices.valueOr(kGated) * d * ffn.valueOr(0.0);
    case ModelPart::Experts:
        return mixed * experts.valueOr(0.0) * ffnMatrices.valueOr(kGated) * d *
               (isUniform() ? ffn : expertWidth).valueOr(0.0);
    case ModelPart::Shared:
        return mixed * ffnMatrices.valueOr(kGated) * d * sharedWidth.valueOr(0.0);
    case ModelPart::Router:
        return mixed * experts.valueOr(0.0) * d;
    case ModelPart::Embedding:
        return embeddings.valueOr(2.0) > 1.0 ? vocab.value * d : 0.0; // one that is tied counts as the head
    case ModelPart::Head:
        return vocab.value * d;
    }
    return 0.0;
}

double Model::activeParameters() const {
    double active = 0.0;
    for (std::size_t i = 0; i < kModelPartCount; ++i) {
        const auto part = static_cast<ModelPart>(i);
        const double share =
            part == ModelPart::Experts && isMixture() ? expertsPerToken.valueOr(1.0) / experts.value : 1.0;
        if (part != ModelPart::Embedding)
            active += share * elements(part);
    }
    return active;
}

double Model::mtpParameters() const {
    if (isUniform())
        return 0.0;
    const double d = hidden.value;
    const double matrices = ffnMatrices.valueOr(kGated);
    const auto& last = groups.back();
    const double network =
        isMixture() ? matrices * d * (experts.value * expertWidth.value + sharedWidth.valueOr(0.0)) +
                          experts.value * d
                    : matrices * d * ffn.value;
    return last.attention->weights(last.figures, d, 1.0) + network + 2.0 * d * d;
}

double Model::weightBytes(double runtime) const {
    if (isUniform())
        return parameters() * runtime;
    double bytes = 0.0;
    for (std::size_t i = 0; i < kModelPartCount; ++i)
        bytes += elements(static_cast<ModelPart>(i)) * bytesOf(*this, static_cast<ModelPart>(i), runtime);
    return bytes;
}

double Model::cacheBytes(double tokens, double element, double tp) const {
    if (isUniform())
        return 2.0 * layers.value * std::max(1.0, std::floor(kvHeads.value / tp)) * headDim.value * tokens *
               element;
    return overGroups(*this, [&](const LayerGroup& group) {
        return group.attention->cacheBytes(group.figures, tokens, element, tp);
    });
}

double Model::parameters() const {
    if (!isUniform()) {
        double all = 0.0;
        for (std::size_t i = 0; i < kModelPartCount; ++i)
            all += elements(static_cast<ModelPart>(i));
        return all;
    }
    const double d = hidden.value;
    const double copies = experts.valueOr(1.0);
    const double router = isMixture() ? copies * d : 0.0;
    const double layer = 2.0 * d * queryWidth() + 2.0 * d * kvWidth() +
                         ffnMatrices.valueOr(3.0) * d * ffn.value * copies + router + 2.0 * d;
    return layers.value * layer + d + outerParameters();
}

std::string_view kindOf(const Model& model) {
    const bool latent = std::any_of(model.groups.begin(), model.groups.end(),
                                    [](const LayerGroup& group) { return group.attention->isLatent(); });
    return latent ? "latent attention" : model.isMixture() ? "mixture" : "dense";
}

Model layeredForm(const Model& uniform) {
    auto model = uniform;
    const auto& kind = attentionKinds().at("gqa", uniform.id);
    LayerGroup group{uniform.layers.value, &kind, Settings(kind), {}, true};
    const auto set = [&](std::string_view key, const Quantity& value) {
        group.figures.quantity(static_cast<std::size_t>(kind.indexOf(key))) = value;
    };
    set("heads", uniform.heads);
    set("kv_heads", uniform.kvHeads);
    set("head_dim", uniform.headDim);
    model.groups = {std::move(group)};
    model.heads = model.kvHeads = model.headDim = Quantity{};
    if (uniform.isMixture()) {
        model.expertWidth = uniform.ffn;
        model.ffn = Quantity{};
        model.denseLayers = Quantity{};
        if (!uniform.expertsPerToken.isSet())
            model.expertsPerToken.value = 1.0;
    }
    return model;
}

std::span<const Field<Model>> modelFields() {
    return kModelFields;
}

std::vector<Field<Model>> modelFields(const Model& model) {
    std::vector<Field<Model>> fields;
    for (auto field : kModelFields) {
        if (model.isUniform() ? ofLayered(field.member) : ofUniform(field.member))
            continue;
        if (field.member == &Model::ffn)
            field.spec.required = model.isUniform() || !(model.plainLayers() <= 0.0);
        fields.push_back(field);
    }
    return fields;
}

std::vector<ModelMistake> mistakesOf(const Model& model) {
    std::vector<ModelMistake> mistakes;
    const auto add = [&](bool wrong, std::string_view key, std::string what, std::string remedy) {
        if (wrong)
            mistakes.push_back({key, std::move(what), std::move(remedy)});
    };
    add(model.expertsPerToken.valueOr(1.0) > model.experts.valueOr(1.0), "experts_per_token",
        "is more than there are experts", "Give at most the number of experts");
    if (model.isUniform()) {
        add(std::fmod(model.heads.value, model.kvHeads.value) != 0.0, "kv_heads", "does not divide heads",
            "Grouped-query attention needs heads to be a multiple of kv_heads");
        return mistakes;
    }
    const double layers = overGroups(model, [](const LayerGroup&) { return 1.0; });
    add(layers != model.layers.value, "layer_groups",
        "has " + plainText(layers) + " layers where the model has " + plainText(model.layers.value),
        "Let the counts add up to layers");
    const double mixed = model.mixtureLayers();
    add(mixed < 0.0, "dense_layers", "is more than the model has layers", "Give at most layers");
    add(model.plainLayers() > 0.0 && !model.ffn.isSet(), "ffn", "is missing, where there are dense layers",
        "Give the inner width of a dense layer");
    add(model.isMixture() && !model.expertWidth.isSet(), "expert_width",
        "is missing, where there are experts", "Give the inner width of an expert");
    add(model.isMixture() && !model.expertsPerToken.isSet(), "experts_per_token",
        "is missing, where there are experts", "Give how many experts each token goes through");
    return mistakes;
}

Model readServedModel(const Json& json, const std::string& where) {
    JsonObject object(json, where);
    Model model;
    model.id = readId(object, "id");
    model.name = object.text("name");
    model.about = object.text("about", "");
    model.repository = object.text("repository", "");
    const auto defaults = readDefaultSource(object);
    if (object.has("layer_groups")) {
        const auto& groups = object.array("layer_groups");
        checkSize(groups, object.place("layer_groups"));
        for (const auto& group : groups)
            model.groups.push_back(readLayerGroup(
                group, object.place("layer_groups[" + std::to_string(model.groups.size()) + "]"), defaults));
    }
    if (const auto* recipe = model.isUniform() ? nullptr : object.find("weights"))
        model.weights = &readRecipe(*recipe, object.place("weights"));
    auto fields = modelFields(model);
    for (auto& field : fields)
        if (field.member == &Model::ffn && !model.isUniform())
            field.spec.required = false; // mistakesOf() asks for it where it counts
    readFields<Model>(model, fields, object, defaults);
    readFields<Model>(model, kOfCheckpoint, object, defaults);
    object.finish();
    return model;
}

Model readModel(const Json& json, const std::string& where) {
    auto model = readServedModel(json, where);
    for (const auto& mistake : mistakesOf(model))
        throwInvalid(where + "." + std::string(mistake.key), mistake.what, mistake.remedy);
    return model;
}

Json writeModel(const Model& model) {
    Json json = {{"id", model.id}, {"name", model.name}};
    writeText(json, "about", model.about);
    writeText(json, "repository", model.repository);
    writeFields(model, modelFields(), json);
    writeFields<Model>(model, kOfCheckpoint, json);
    for (const auto& group : model.groups)
        json["layer_groups"].push_back(writeLayerGroup(group));
    if (model.weights)
        json["weights"] = writeRecipe(*model.weights);
    return json;
}

namespace {
constexpr long long kMostGroupLayers = 1024;
}

LayerGroup readLayerGroup(const Json& json, const std::string& where, const Quantity& defaults) {
    JsonObject object(json, where);
    LayerGroup group;
    group.count = static_cast<double>(object.integer("count", 1, kMostGroupLayers));
    group.network = object.boolean("network", true);
    auto attention = object.object("attention");
    group.attention = &attentionKinds().at(attention.text("kind"), attention.place("kind"));
    group.figures = Settings(*group.attention);
    readSettings(*group.attention, group.figures, attention, defaults);
    attention.finish();
    object.finish();
    if (const auto mistake = group.attention->mistake(group.figures); !mistake.what.empty())
        throwInvalid(attention.place(mistake.key), mistake.what, mistake.remedy);
    group.mark = group.attention->mark(group.figures);
    return group;
}

Json writeLayerGroup(const LayerGroup& group) {
    Json attention = {{"kind", group.attention->id()}};
    writeSettings(*group.attention, group.figures, attention);
    Json json = {{"count", static_cast<long long>(group.count)}, {"attention", std::move(attention)}};
    if (!group.network)
        json["network"] = false;
    return json;
}

} // namespace heteroscape::engine

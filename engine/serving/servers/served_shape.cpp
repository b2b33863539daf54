// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/serving/servers/served_shape.h"

#include "engine/base/error.h"
#include "engine/catalog/named.h"
#include "engine/timing/kernels/constants_table.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace heteroscape::engine {

namespace {

struct ServerNumber {
    std::string_view key;
    double ServerConstants::*member;
    double scale; ///< SI for one unit of the key
    double most;
};

constexpr std::array<ServerNumber, 15> kServerNumbers{
    {{"k", &ServerConstants::kernels, 1, 10},
     {"moe", &ServerConstants::experts, 1, 10},
     {"tau_us", &ServerConstants::layer, 1e-6, 1e4},
     {"step_ms", &ServerConstants::step, 1e-3, 1e4},
     {"seq_us", &ServerConstants::sequence, 1e-6, 1e6},
     {"dpp", &ServerConstants::parallelPrompts, 1, 100},
     {"req_ms", &ServerConstants::request, 1e-3, 1e6},
     {"req_disaggregated_ms", &ServerConstants::requestApart, 1e-3, 1e6},
     {"tok_us", &ServerConstants::token, 1e-6, 1e6},
     {"front_ms", &ServerConstants::frontRequest, 1e-3, 1e6},
     {"front_us_token", &ServerConstants::frontToken, 1e-6, 1e6},
     {"link_gbs", &ServerConstants::linkRate, 1e9, 1e6},
     {"link_latency_ms", &ServerConstants::linkLatency, 1e-3, 1e6},
     {"draft_tokens", &ServerConstants::drafts, 1, 100},
     {"tokens_a_step", &ServerConstants::tokensAStep, 1, 100}}};

constexpr std::array<std::string_view, 3> kLayerClasses{"dense", "moe", "mla"};
constexpr std::array<std::string_view, 3> kSchedulers{"mixed", "whole", "first"};

} // namespace

ServerConstants readServer(const std::string& presetsFolder, const std::string& id) {
    const auto path = presetsFolder + "/servers/" + id + ".json";
    const auto json = readJsonFile(path);
    JsonObject object(json, path);
    ServerConstants server;
    server.id = readId(object, "id");
    if (server.id != id)
        throwInvalid(object.place("id"), "\"" + server.id + "\" is not the file's name",
                     "Write \"" + id + "\"");
    server.name = object.text("name");
    object.text("about");
    object.text("kind");
    object.text("source");
    server.fittedOn = readTexts(object, "fitted_on");
    server.framework = object.text("kernels");
    server.latentFramework = object.text("latent_kernels");
    server.scheduler = kSchedulers[readName(object, "scheduler", kSchedulers)];
    auto constants = object.object("constants");
    for (const auto& number : kServerNumbers)
        server.*number.member = number.scale * readConstant(constants, number.key, 0, number.most);
    auto eager = constants.object("eager_us_layer");
    for (std::size_t i = 0; i < kLayerClasses.size(); ++i)
        server.eager[i] = 1e-6 * readConstant(eager, kLayerClasses[i], 0, 1e6);
    eager.finish();
    constants.finish();
    object.allow({"where_from"});
    object.finish();
    return server;
}

namespace {

/// A figure of a group by its key; `unset` where it is not given.
double figure(const LayerGroup& group, std::string_view key, double unset = 0.0) {
    const int at = group.attention->indexOf(key);
    if (at < 0)
        throwInvalid("model.layer_groups",
                     std::string(group.attention->id()) + " has no figure " + std::string(key));
    return group.figures.quantity(static_cast<std::size_t>(at)).valueOr(unset);
}

bool isOn(const LayerGroup& group, std::string_view key) {
    const auto options = group.attention->options();
    for (std::size_t i = 0; i < options.size(); ++i)
        if (options[i].key == key)
            return group.figures.isOn(i);
    return false;
}

ServedAttention groupAttention(const LayerGroup& group) {
    ServedAttention a;
    a.count = group.count;
    const auto id = group.attention->id();
    if (id == "gqa") {
        a.heads = figure(group, "heads");
        a.kvHeads = figure(group, "kv_heads");
        a.headSize = figure(group, "head_dim");
        a.window = figure(group, "window");
        a.queryNorm = isOn(group, "qk_norm");
        a.gate = isOn(group, "gate");
    } else if (id == "mla") {
        a.kind = ServedAttention::Kind::Latent;
        a.heads = figure(group, "heads");
        a.queryRank = figure(group, "q_rank");
        a.rank = figure(group, "kv_rank");
        a.nope = figure(group, "nope_dim");
        a.rope = figure(group, "rope_dim");
        a.value = figure(group, "v_dim");
        a.indexKeys = figure(group, "index_keys");
        a.indexHeads = figure(group, "index_heads");
        a.indexSize = figure(group, "index_dim");
    } else if (id == "gdn") {
        a.kind = ServedAttention::Kind::Delta;
        a.keyHeads = figure(group, "k_heads");
        a.valueHeads = figure(group, "v_heads");
        a.heads = a.valueHeads;
        a.stateSize = figure(group, "k_dim");
    } else {
        throwInvalid("model.layer_groups", "no server here runs attention of the kind " + std::string(id),
                     "Choose gqa, mla or gdn");
    }
    return a;
}

} // namespace

bool ServedShape::isLatent() const {
    return std::any_of(attention.begin(), attention.end(),
                       [](const auto& a) { return a.kind == ServedAttention::Kind::Latent; });
}

LayerClass ServedShape::layerClass() const {
    if (!isMixture())
        return LayerClass::Dense;
    return isLatent() ? LayerClass::Latent : LayerClass::Mixture;
}

ServedShape servedShape(const Model& model, bool queryNorm) {
    if (!model.isGated())
        throwInvalid("model.ffn_matrices", "no server was measured with a network without a gate",
                     "Choose a model with gate, up and down projections");
    ServedShape shape;
    shape.hidden = model.hidden.value;
    shape.vocabulary = model.vocab.value;
    shape.layers = model.layers.value;
    if (model.isUniform()) {
        ServedAttention a;
        a.count = shape.layers;
        a.heads = model.heads.value;
        a.kvHeads = model.kvHeads.value;
        a.headSize = model.headDim.value;
        a.queryNorm = queryNorm;
        shape.attention.push_back(a);
    }
    for (const auto& group : model.groups)
        shape.attention.push_back(groupAttention(group));
    if (model.isMixture()) {
        shape.mixtureLayers = model.mixtureLayers();
        shape.experts = model.experts.value;
        shape.chosen = model.expertsPerToken.valueOr(1.0);
        shape.expertWidth = model.expertWidth.valueOr(model.ffn.valueOr(0.0));
        shape.sharedWidth = model.sharedWidth.valueOr(0.0);
    }
    shape.denseLayers = shape.layers - shape.mixtureLayers;
    shape.denseWidth = shape.denseLayers > 0 ? model.ffn.value : 0.0;
    return shape;
}

} // namespace heteroscape::engine

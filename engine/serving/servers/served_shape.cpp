// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/serving/servers/served_shape.h"

#include "engine/base/error.h"
#include "engine/catalog/named.h"

#include <algorithm>

namespace heteroscape::engine {

ServerConstants constantsOf(const Server& server, const Runtime& runtime) {
    const std::string_view timing = runtime.prefill.kind->id();
    ServerConstants constants;
    constants.id = server.id;
    constants.name = server.name;
    constants.framework = timing.substr(timing.rfind('_') + 1);
    constants.latentFramework = server.latentKernels;
    constants.scheduler = server.batching;
    constants.fittedOn = server.fittedOn;
    constants.kernels = server.kernels.value;
    constants.experts = server.experts.value;
    constants.layer = server.layer.value;
    constants.step = server.step.value;
    constants.sequence = server.sequence.value;
    constants.eager = {server.eagerDense.value, server.eagerMixture.value, server.eagerLatent.value};
    constants.parallelPrompts = server.parallelPrompts.value;
    constants.request = server.request.value;
    constants.requestApart = server.requestApart.value;
    constants.token = server.token.value;
    constants.frontRequest = server.frontRequest.value;
    constants.frontToken = server.frontToken.value;
    constants.linkRate = server.transferRate.value;
    constants.linkLatency = server.transferLatency.value;
    constants.drafts = server.drafts.value;
    constants.tokensAStep = server.tokensAStep.value;
    return constants;
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

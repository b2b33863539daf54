// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/catalog/model.h"

#include "engine/base/error.h"
#include "engine/catalog/named.h"

#include <array>
#include <nlohmann/json.hpp>

namespace heteroscape::engine {

namespace {

const std::array<Field<Model>, 13> kModelFields{{
    {{"layers", "Layers", "", 1, 1, 1024, true, true, "Transformer blocks."}, &Model::layers},
    {{"hidden", "Hidden size", "", 1, 1, 1 << 20, true, true, "Width of the residual stream."},
     &Model::hidden},
    {{"heads", "Attention heads", "", 1, 1, 4096, true, true, "Query heads of one layer."}, &Model::heads},
    {{"kv_heads", "KV heads", "", 1, 1, 4096, true, true,
      "Key and value heads of one layer (grouped-query attention when fewer than the query heads)."},
     &Model::kvHeads},
    {{"head_dim", "Head dimension", "", 1, 1, 4096, true, true, "Elements of one head."}, &Model::headDim},
    {{"ffn", "FFN size", "", 1, 1, 1 << 22, true, true, "Inner width of the feed-forward network."},
     &Model::ffn},
    {{"vocab", "Vocabulary", "", 1, 1, 1 << 24, true, true, "Rows of the output projection."}, &Model::vocab},
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
}};

} // namespace

double Model::outerParameters() const {
    return hidden.value * (embeddings.valueOr(2.0) * vocab.value + positions.valueOr(0.0));
}

double Model::parameters() const {
    const double d = hidden.value;
    const double copies = experts.valueOr(1.0);
    const double router = isMixture() ? copies * d : 0.0;
    const double layer = 2.0 * d * queryWidth() + 2.0 * d * kvWidth() +
                         ffnMatrices.valueOr(3.0) * d * ffn.value * copies + router + 2.0 * d;
    return layers.value * layer + d + outerParameters();
}

std::span<const Field<Model>> modelFields() {
    return kModelFields;
}

Model readModel(const Json& json, const std::string& where) {
    JsonObject object(json, where);
    Model model;
    model.id = readId(object, "id");
    model.name = object.text("name");
    model.about = object.text("about", "");
    readFields(model, modelFields(), object, readDefaultSource(object));
    object.finish();
    if (std::fmod(model.heads.value, model.kvHeads.value) != 0.0)
        throwInvalid(object.place("kv_heads"), "does not divide heads",
                     "Grouped-query attention needs heads to be a multiple of kv_heads");
    if (model.expertsPerToken.valueOr(1.0) > model.experts.valueOr(1.0))
        throwInvalid(object.place("experts_per_token"), "more than there are experts",
                     "Give at most the number of experts");
    return model;
}

Json writeModel(const Model& model) {
    Json json = {{"id", model.id}, {"name", model.name}};
    writeText(json, "about", model.about);
    writeFields(model, modelFields(), json);
    return json;
}

} // namespace heteroscape::engine

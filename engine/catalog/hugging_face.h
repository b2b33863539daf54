// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/model.h"

namespace heteroscape::engine {

/// True when the JSON looks like a Hugging Face config.json (it says model_type or architectures).
bool isHuggingFaceConfig(const Json& json);

/// A model from a Hugging Face config.json of one of the families of hugging_face_family.h; of a multi-modal
/// model its text model (text_config). What the file omits is what its configuration class in transformers
/// takes, where that decides the size. Layers that differ (windows, latent attention, gated delta rules,
/// dense layers between mixtures, shared experts, MTP layers) make a model of layer groups, whose weights
/// have the formats of quantization_config; where all layers of a family without these are alike the model is
/// uniform, and its weights have the runtime's. A window of a network without a gate is not modelled, and
/// `about` says so. `id` and `name` empty: made from the file's own name for itself, or from `where`. Throws
/// Error naming `where` and the key; an architecture that is not known is named, with what of it is missing
/// here and what is known.
Model readHuggingFaceConfig(const Json& json, const std::string& where, const std::string& id = {},
                            const std::string& name = {});

/// A model from text (a file, the clipboard, a drop): a Hugging Face config.json, or a model of this
/// program's own catalogue format. `where` names it in errors; `id` and `name` replace its own unless empty.
/// Throws Error for anything else, at once: at most 8 MiB are read.
Model readModelText(const std::string& text, const std::string& where, const std::string& id = {},
                    const std::string& name = {});

/// The same from a file.
Model loadModelFile(const std::string& path);

} // namespace heteroscape::engine

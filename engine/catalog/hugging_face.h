// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/model.h"

namespace heteroscape::engine {

/// True when the JSON looks like a Hugging Face config.json (it says model_type or architectures).
bool isHuggingFaceConfig(const Json& json);

/// A model from a Hugging Face config.json, of one of the families of hugging_face_family.h or by what its
/// keys say (hugging_face_ordinary.h); of a multi-modal model its text model (text_config and its like). What
/// the file omits is what its configuration class in transformers takes, where that decides the size. Layers
/// that differ (windows, latent attention, states, dense layers between mixtures, shared experts, MTP layers)
/// and formats of quantization_config make a model of layer groups; else it is uniform, and its weights have
/// the runtime's format. `about` says what was taken for granted, left out or not read. `id` and `name`
/// empty: made from the file's own name for itself, or from `where`. Throws Error naming `where` and the key;
/// an architecture that cannot be read is named, with what of it is missing here and what is known.
Model readHuggingFaceConfig(const Json& json, const std::string& where, const std::string& id = {},
                            const std::string& name = {});

/// A model from text (a file, the clipboard, a drop): a Hugging Face config.json, or a model of this
/// program's own catalogue format. `where` names it in errors; `id` and `name` replace its own unless empty.
/// Throws Error for anything else, at once: at most 8 MiB are read.
Model readModelText(const std::string& text, const std::string& where, const std::string& id = {},
                    const std::string& name = {});

/// The same from a file, or from the config.json of a folder; an hf_quant_config.json beside it says the
/// formats of the weights and the cache where the config.json does not.
Model loadModelFile(const std::string& path, const std::string& id = {}, const std::string& name = {});

} // namespace heteroscape::engine

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/model.h"

namespace heteroscape::engine {

/// True when the JSON looks like a Hugging Face config.json (it says model_type or architectures).
bool isHuggingFaceConfig(const Json& json);

/// A model from a Hugging Face config.json of a Llama-shaped family: llama, mistral, mixtral, qwen2, qwen3,
/// qwen3_moe, phi3, phi3small, phimoe, gemma. Missing num_key_value_heads means as many as heads, missing
/// head_dim hidden_size / heads. `id` and `name` empty: made from the file's own name for itself, or from
/// `where`. Throws Error naming `where`, the key and what is missing; other architectures are named with what
/// this program knows.
Model readHuggingFaceConfig(const Json& json, const std::string& where, const std::string& id = {},
                            const std::string& name = {});

/// A model from a file: a Hugging Face config.json, or a model of this program's own catalogue format.
Model loadModelFile(const std::string& path);

} // namespace heteroscape::engine

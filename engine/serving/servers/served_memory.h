// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/serving/servers/kernel_steps.h"

namespace heteroscape::engine {

/// What a server may use of a device's memory for KV cache (silicon_serving.md, section 3), bytes and shares.
struct MemoryRule {
    double share = 0.9;  ///< u
    bool ofFree = false; ///< of what weights and the rest leave (TensorRT-LLM), else of the whole memory
    double rest = 4e9;   ///< for activations and the runtime
};

/// W: B of weights on one device. Latent compressions are whole on each, a delta-rule layer counts as a full
/// one, shared experts are whole under data-parallel attention; no router.
double servedWeightBytes(const ServedShape& shape, const ServedFormats& formats, const ServedLayout& layout);

/// b: B of KV cache that a token takes on one rank; a windowed layer 0.04 of a full one, a delta-rule layer
/// none.
double servedTokenBytes(const ServedShape& shape, const ServedFormats& formats, double tp);

/// Tokens of KV cache of a rank with `memory` B: (M u - W - rest) / b or (M - W - rest) u / b; not below 0.
double servedKvTokens(const ServedShape& shape, const ServedFormats& formats, const ServedLayout& layout,
                      const MemoryRule& rule, double memory);

} // namespace heteroscape::engine

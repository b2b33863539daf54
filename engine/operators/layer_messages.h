// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/model.h"
#include "engine/scenario/layout.h"

namespace heteroscape::engine {

/// c, copies of a token on their way to the experts of `ep` ranks: one for each chosen expert by low-latency
/// kernels (decode), one for each rank that has some of them by normal ones (prefill). Source: moe_parallel,
/// section 5.
double copiesOfToken(const Model& model, double ep, bool lowLatency);
/// A', copies of `tokens` that come to the busiest rank. Source: moe_parallel, section 13.
double copiesAtRank(const Model& model, double ep, double tokens, bool lowLatency);

/// B of one microbatch and layer that cross between the devices of attention and those of the networks, one
/// way; all leave the device.
struct LayerMessage {
    double attention = 0.0; ///< of an attention device
    double ffn = 0.0;       ///< of the busiest device of the networks
};
/// To the networks and back.
struct LayerMessages {
    LayerMessage there; ///< to experts in fp8 with a scale for 32 elements, else bf16
    LayerMessage back;  ///< bf16
};

/// `rows`: t, of an attention rank of the layout `attention`; those of all its ranks are the tokens of the
/// layout `ffn`. Source: moe_parallel, section 13.
LayerMessages layerMessages(const Model& model, const Layout& attention, const Layout& ffn, double rows,
                            bool mixture, bool lowLatency);

} // namespace heteroscape::engine

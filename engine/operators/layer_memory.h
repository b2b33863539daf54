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

/// B that a server keeps for context, graphs and the rest: 3.5 GiB. Source: moe_parallel, section 6.
inline constexpr double kUsualReserve = 3'758'096'384.0;

/// B that a layered model takes on one device of its fullest stage. Source: moe_parallel, section 6.
struct LayerMemory {
    double weights = 0.0; ///< in the formats of the model's recipe
    double caches = 0.0;  ///< of all requests at their final length
    double working = 0.0; ///< activations of 8,192 tokens, eight times over
    double buffers = 0.0; ///< of the dispatch to experts
    double reserve = 0.0; ///< context, graphs and the rest of a server: 3.5 GiB

    double total() const { return weights + caches + working + buffers + reserve; }
};

/// Elements of one part on a device, of the fullest stage: ceil(L/pp)/L of the layers; embedding and head on
/// one device only where there are no stages, else the larger of them. Of devices that attention-FFN
/// disaggregation (section 13) what their side has; its caches are those of the attention devices.
double rankElements(const Model& model, const Layout& layout, ModelPart part);

/// `element`: B of a weight where the model has no recipe.
double rankWeightBytes(const Model& model, const Layout& layout, double element);

/// B of the caches of `requests` of `tokens` each; `element`: B of a K or V element.
double rankCacheBytes(const Model& model, const Layout& layout, double requests, double tokens,
                      double element);

double workingBytes(const Model& model); ///< B of activations of 8,192 tokens, eight times over
/// B of the buffers of the dispatch to experts; 0 where tokens stay on their rank.
double dispatchBytes(const Model& model, const Layout& layout, bool decodes);

/// All of it. `decodes`: a device that dispatches with low-latency kernels has larger buffers.
LayerMemory layerMemory(const Model& model, const Layout& layout, double requests, double tokens,
                        double weightElement, double kvElement, bool decodes);

} // namespace heteroscape::engine

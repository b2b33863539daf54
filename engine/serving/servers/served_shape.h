// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/model.h"
#include "engine/catalog/runtime.h"
#include "engine/catalog/server.h"

#include <array>
#include <string>
#include <vector>

namespace heteroscape::engine {

/// How prompt steps of a model are launched: what their floor depends on (silicon_serving.md, section 5).
enum class LayerClass { Dense, Mixture, Latent };

/// Attention of some layers as kernels see it. Figures of the whole model, elements.
struct ServedAttention {
    enum class Kind { Grouped, Latent, Delta };
    Kind kind = Kind::Grouped;
    double count = 1; ///< layers
    double heads = 1;
    // Grouped
    double kvHeads = 1, headSize = 128, window = 0;
    bool queryNorm = false; ///< query and key heads are normed
    bool gate = false;      ///< an output gate: queries twice as wide
    // Latent
    double queryRank = 0, rank = 512, nope = 128, rope = 64, value = 128;
    double indexKeys = 0; ///< tokens that an index keeps; 0: none
    double indexHeads = 0, indexSize = 0;
    // Delta
    double keyHeads = 1, valueHeads = 1, stateSize = 128;

    bool hasIndex() const { return indexKeys > 0; }
};

/// A decoder as servers run it (silicon_serving.md, section 4). Widths in elements, counts of layers.
struct ServedShape {
    double hidden = 1, vocabulary = 1, layers = 1;
    std::vector<ServedAttention> attention;
    double denseLayers = 0, denseWidth = 0;
    double mixtureLayers = 0, experts = 0, chosen = 0, expertWidth = 0, sharedWidth = 0;

    bool isMixture() const { return mixtureLayers > 0; }
    bool isLatent() const;
    LayerClass layerClass() const;
};

/// `queryNorm`: of a uniform model, whose file says nothing of it. Throws Error (InvalidInput) for attention
/// that no server here runs, and for a network without a gate.
ServedShape servedShape(const Model& model, bool queryNorm = false);

/// What a server adds to its kernels (silicon_serving.md, sections 4 to 7 and 14). Times in seconds.
struct ServerConstants {
    std::string id;              ///< the file's name: "vllm"
    std::string name;            ///< "vLLM"
    std::string framework;       ///< whose kernel constants: "vllm"
    std::string latentFramework; ///< whose kernels of latent attention
    std::string scheduler;       ///< how steps are made: "mixed", "whole", "first"
    std::vector<std::string> fittedOn;

    double kernels = 1.05;                       ///< k: of the sum of kernel times
    double experts = 1.0;                        ///< moe: of routed experts besides
    double layer = 0.0;                          ///< tau: s a layer and step
    double step = 0.0;                           ///< s a step
    double sequence = 0.0;                       ///< s a sequence and step
    std::array<double, 3> eager{};               ///< s a layer of a prompt step, at least; by LayerClass
    double parallelPrompts = 1.0;                ///< dpp: of prompt steps under data-parallel attention
    double request = 0.0, requestApart = 0.0;    ///< req: s a request; disaggregated
    double token = 0.0;                          ///< tok: s a prompt token
    double frontRequest = 0.0, frontToken = 0.0; ///< of the first wave: s a request, s a prompt token
    double linkRate = 40e9, linkLatency = 10e-3; ///< KV transfer: B/s a GPU, s
    double drafts = 3, tokensAStep = 2.3;        ///< speculation: guesses, tokens that a step gives

    double think() const { return request / 2; } ///< s between an answer and the next request
    double eagerOf(LayerClass layers) const { return eager[static_cast<std::size_t>(layers)]; }
};

/// Of a server that runs the kernels of `runtime`.
ServerConstants constantsOf(const Server& server, const Runtime& runtime);

} // namespace heteroscape::engine

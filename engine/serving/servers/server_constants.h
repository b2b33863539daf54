// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/serving/servers/served_shape.h"

#include <array>
#include <string>
#include <vector>

namespace heteroscape::engine {

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

/// Reads <presets>/servers/<id>.json, each constant with its range. Throws Error naming file and key.
ServerConstants readServer(const std::string& presetsFolder, const std::string& id);

} // namespace heteroscape::engine

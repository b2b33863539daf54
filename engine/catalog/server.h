// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/model.h"

#include <string>
#include <vector>

namespace heteroscape::engine {

/// What the software that serves a model adds to its kernels: factors on their times, the host's times, the
/// way of a request in and out, KV transfers, and how it speculates (silicon_serving.md, sections 4 to 7 and
/// 14). A step of n sequences takes
///   factor x kernels + layers x layer + parallel mixtures x expert parallel + step + n x sequence,
/// and one with prompts at least layers x eager. Times in seconds. Of a device's memory M, of which weights
/// take W, M share - W - rest are for KV caches, or (M - W - rest) share where the share is of what is free.
struct Server {
    std::string id;       ///< "vllm"
    std::string name;     ///< "vLLM V1"
    std::string software; ///< its version: "vLLM 0.10 to 0.12"
    std::string date;     ///< of what it was fitted on: "2025-12"
    InternedText about;
    std::string runtime;       ///< of the catalogue, whose kernels it runs: "vllm"
    std::string latentKernels; ///< framework whose kernels of latent attention it runs
    std::string batching;      ///< how it fills steps: "mixed", "whole", "first"
    std::vector<std::string> fittedOn;

    Quantity kernels;         ///< factor on all kernels but those of the head
    Quantity experts;         ///< factor on routed experts besides
    Quantity parallelPrompts; ///< factor on steps with prompts where attention is data parallel
    Quantity layer;           ///< s a layer and step
    Quantity expertParallel;  ///< the same besides of layers whose experts are parallel; may be unset: none
    Quantity step;            ///< s a step
    Quantity sequence;        ///< s a sequence, or piece of a prompt, and step
    Quantity eagerDense;      ///< s a layer of a step with prompts, at least: of dense models
    Quantity eagerMixture;    ///< of mixtures of experts
    Quantity eagerLatent;     ///< of mixtures with latent attention
    Quantity request;         ///< s a request, on its way in and out
    Quantity requestApart;    ///< where prompts are prefilled apart
    Quantity token;           ///< s a prompt token
    Quantity frontRequest;    ///< s a request of the first wave
    Quantity frontToken;      ///< s a prompt token of the first wave
    Quantity transferRate;    ///< B/s a GPU of a KV transfer
    Quantity transferLatency; ///< s a KV transfer
    Quantity memoryShare;     ///< of a device's memory that it takes, or of what weights leave
    Quantity memoryOfFree;    ///< 1: the share is of what weights and the rest leave; 0: of the whole memory
    Quantity memoryRest;      ///< B of a device for activations, graphs and the rest
    Quantity drafts;          ///< guesses a step
    Quantity tokensAStep;     ///< that a step with guesses yields

    bool operator==(const Server&) const = default;
};

std::span<const Field<Server>> serverFields();

/// B of a device with `memory` that KV caches get beside `weights`; may be below 0. `memory` is what the
/// driver reports (Node::deviceMemory()); of less than 80 GB the rest is less in proportion.
double kvRoom(const Server& server, double memory, double weights);

/// The same server, whose host takes no time for a step.
Server withoutHost(Server server);

/// s a layer of a step with prompts, at least, by what the model's layers are.
double eagerOf(const Server& server, const Model& model);

/// Throws Error naming `where` and key. `batching` is one of the batching kinds that fill steps.
Server readServer(const Json& json, const std::string& where);
Json writeServer(const Server& server);

} // namespace heteroscape::engine

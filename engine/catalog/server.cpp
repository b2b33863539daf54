// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/catalog/server.h"

#include "engine/catalog/named.h"
#include "engine/units/units.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

namespace heteroscape::engine {

namespace {

constexpr std::array<std::string_view, 3> kBatchings{"mixed", "whole", "first"};

constexpr FieldSpec factor(std::string_view key, std::string_view label, std::string_view about) {
    return {key, label, "", 1, 1, 100, false, true, about}; // nothing is faster in a server than it is alone
}
constexpr FieldSpec micro(std::string_view key, std::string_view label, std::string_view about) {
    return {key, label, "\u00b5s", units::micro, 0, 1e6, false, true, about};
}
constexpr FieldSpec milli(std::string_view key, std::string_view label, std::string_view about) {
    return {key, label, "ms", units::milli, 0, 1e6, false, true, about};
}

const std::array<Field<Server>, 22> kFields{{
    {factor(
         "kernel_factor", "Kernels",
         "Factor on the times of all kernels but the head's: what they take in a server over what they take "
         "alone."),
     &Server::kernels},
    {factor("expert_factor", "Routed experts", "Factor on the kernels of routed experts besides."),
     &Server::experts},
    {factor("parallel_prompt_factor", "Prompts of parallel ranks",
            "Factor on steps with prompts where attention is data parallel: the ranks wait for each other."),
     &Server::parallelPrompts},
    {micro("layer_us", "Host time, layer", "Time that small kernels and gaps add to each layer of a step."),
     &Server::layer},
    {{"expert_parallel_us", "Host time, parallel experts", "\u00b5s", units::micro, 0, 1e6, false, false,
      "The same besides for each layer whose experts are shared out to devices whole (expert parallelism)."},
     &Server::expertParallel},
    {milli("step_ms", "Host time, step", "Time that the host adds to each step."), &Server::step},
    {micro("sequence_us", "Host time, sequence",
           "Time that the host adds to each step for each sequence and piece of a prompt in it."),
     &Server::sequence},
    {micro("eager_dense_us", "Eager prompt step, dense",
           "Least time of a layer in a step with prompts, which is launched kernel by kernel: of dense "
           "models."),
     &Server::eagerDense},
    {micro("eager_mixture_us", "Eager prompt step, mixture",
           "Least time of a layer in a step with prompts, of mixtures of experts."),
     &Server::eagerMixture},
    {micro("eager_latent_us", "Eager prompt step, latent",
           "Least time of a layer in a step with prompts, of mixtures with latent attention."),
     &Server::eagerLatent},
    {milli("request_ms", "Request overhead",
           "Time of a request on its way in and out (HTTP, tokenizer, first detokenisation), added to its "
           "first "
           "token."),
     &Server::request},
    {milli("split_request_ms", "Request overhead, split",
           "The same where prompts are prefilled apart: with the router and two servers."),
     &Server::requestApart},
    {micro("prompt_token_us", "Tokenizer", "Time for each prompt token besides."), &Server::token},
    {milli("front_request_ms", "Front end, request",
           "Time for which a request of the first wave holds up those behind it."),
     &Server::frontRequest},
    {micro("front_token_us", "Front end, token", "The same for each of its prompt tokens."),
     &Server::frontToken},
    {{"transfer_gbps", "Transfer of KV caches", "GB/s", units::giga, 1e-3, 1e6, false, true,
      "Bandwidth of a KV transfer between servers, of each device of the rank that sends."},
     &Server::transferRate},
    {milli("transfer_ms", "Transfer of KV caches, start", "Time before a KV transfer moves its first byte."),
     &Server::transferLatency},
    {{"memory_share", "Memory share", "", 1, 0.01, 1, false, true,
      "Share of a device's memory that the server takes (gpu_memory_utilization)."},
     &Server::memoryShare},
    {{"memory_of_free", "Share of what is free", "", 1, 0, 1, true, true,
      "1: the share is of what weights leave (free_gpu_memory_fraction), for KV caches; 0: of the whole "
      "memory."},
     &Server::memoryOfFree},
    {{"rest_gb", "Activations and graphs", "GB", units::GB, 0, 1e4, false, true,
      "Memory of a device for activations, graphs and the rest of the server; of one with less than 80 GB in "
      "proportion to its memory, as servers take smaller steps there."},
     &Server::memoryRest},
    {{"draft_tokens", "Guesses", "", 1, 0, 100, false, true,
      "Tokens that it guesses in a step, where it does."},
     &Server::drafts},
    {{"tokens_a_step", "Tokens a step", "", 1, 1, 100, false, true,
      "Tokens that a step with guesses yields, on average."},
     &Server::tokensAStep},
}};

} // namespace

std::span<const Field<Server>> serverFields() {
    return kFields;
}

double kvRoom(const Server& server, double memory, double weights) {
    // vLLM's default steps have 8,192 tokens on cards from 70 GiB on and 2,048 below, SGLang's pieces of
    // prompts 2,048 to 8,192 by the card's memory: activations and graphs follow. Assumed in proportion.
    constexpr double kWholeRest = 80 * units::GB;
    const double share = server.memoryShare.value;
    const double rest = server.memoryRest.value * std::min(1.0, memory / kWholeRest);
    return server.memoryOfFree.value > 0.0 ? (memory - weights - rest) * share
                                           : memory * share - weights - rest;
}

Server withoutHost(Server server) {
    for (const auto time : {&Server::layer, &Server::expertParallel, &Server::step, &Server::sequence,
                            &Server::eagerDense, &Server::eagerMixture, &Server::eagerLatent})
        (server.*time).value = 0.0;
    return server;
}

double eagerOf(const Server& server, const Model& model) {
    const auto kind = kindOf(model);
    return (kind == "dense"     ? server.eagerDense
            : kind == "mixture" ? server.eagerMixture
                                : server.eagerLatent)
        .value;
}

Server readServer(const Json& json, const std::string& where) {
    JsonObject object(json, where);
    Server server;
    server.id = readId(object, "id");
    server.name = object.text("name");
    server.software = object.text("software");
    server.date = object.text("date");
    server.about = object.text("about");
    server.runtime = readId(object, "runtime");
    server.latentKernels = readId(object, "latent_kernels");
    server.batching = kBatchings[readName(object, "batching", kBatchings)];
    if (object.has("fitted_on"))
        server.fittedOn = readTexts(object, "fitted_on");
    readFields(server, serverFields(), object, readDefaultSource(object));
    object.finish();
    return server;
}

Json writeServer(const Server& server) {
    Json json = {{"id", server.id},
                 {"name", server.name},
                 {"software", server.software},
                 {"date", server.date},
                 {"about", server.about.str()},
                 {"runtime", server.runtime},
                 {"latent_kernels", server.latentKernels},
                 {"batching", server.batching}};
    if (!server.fittedOn.empty())
        json["fitted_on"] = server.fittedOn;
    writeFields(server, serverFields(), json);
    return json;
}

} // namespace heteroscape::engine

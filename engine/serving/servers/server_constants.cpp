// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/serving/servers/server_constants.h"

#include "engine/catalog/named.h"
#include "engine/timing/kernels/constants_reader.h"

namespace heteroscape::engine {

namespace {

struct ServerNumber {
    std::string_view key;
    double ServerConstants::*member;
    double scale; ///< SI for one unit of the key
    double most;
};

constexpr std::array<ServerNumber, 15> kServerNumbers{
    {{"k", &ServerConstants::kernels, 1, 10},
     {"moe", &ServerConstants::experts, 1, 10},
     {"tau_us", &ServerConstants::layer, 1e-6, 1e4},
     {"step_ms", &ServerConstants::step, 1e-3, 1e4},
     {"seq_us", &ServerConstants::sequence, 1e-6, 1e6},
     {"dpp", &ServerConstants::parallelPrompts, 1, 100},
     {"req_ms", &ServerConstants::request, 1e-3, 1e6},
     {"req_disaggregated_ms", &ServerConstants::requestApart, 1e-3, 1e6},
     {"tok_us", &ServerConstants::token, 1e-6, 1e6},
     {"front_ms", &ServerConstants::frontRequest, 1e-3, 1e6},
     {"front_us_token", &ServerConstants::frontToken, 1e-6, 1e6},
     {"link_gbs", &ServerConstants::linkRate, 1e9, 1e6},
     {"link_latency_ms", &ServerConstants::linkLatency, 1e-3, 1e6},
     {"draft_tokens", &ServerConstants::drafts, 1, 100},
     {"tokens_a_step", &ServerConstants::tokensAStep, 1, 100}}};

constexpr std::array<std::string_view, 3> kLayerClasses{"dense", "moe", "mla"};
constexpr std::array<std::string_view, 3> kSchedulers{"mixed", "whole", "first"};

} // namespace

ServerConstants readServer(const std::string& presetsFolder, const std::string& id) {
    const auto path = presetsFolder + "/servers/" + id + ".json";
    const auto json = readJsonFile(path);
    JsonObject object(json, path);
    ServerConstants server;
    server.id = readId(object, "id");
    if (server.id != id)
        throwInvalid(object.place("id"), "\"" + server.id + "\" is not the file's name",
                     "Write \"" + id + "\"");
    server.name = object.text("name");
    object.text("about");
    object.text("kind");
    object.text("source");
    server.fittedOn = readTexts(object, "fitted_on");
    server.framework = object.text("kernels");
    server.latentFramework = object.text("latent_kernels");
    server.scheduler = kSchedulers[readName(object, "scheduler", kSchedulers)];
    auto constants = object.object("constants");
    for (const auto& number : kServerNumbers)
        server.*number.member = number.scale * readConstant(constants, number.key, 0, number.most);
    auto eager = constants.object("eager_us_layer");
    for (std::size_t i = 0; i < kLayerClasses.size(); ++i)
        server.eager[i] = 1e-6 * readConstant(eager, kLayerClasses[i], 0, 1e6);
    eager.finish();
    constants.finish();
    object.allow({"where_from"});
    object.finish();
    return server;
}

} // namespace heteroscape::engine

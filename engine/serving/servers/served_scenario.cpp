// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/serving/servers/served_scenario.h"

#include "engine/base/error.h"
#include "engine/units/number_text.h"

#include <algorithm>
#include <cmath>
#include <string_view>

namespace heteroscape::engine {

namespace {

constexpr const char* kScriptSource = "launch script of the public benchmark";
constexpr const char* kServerSource = "fitted on published rows: presets/servers/";
constexpr const char* kNodeSwitch = "nvswitch";
constexpr const char* kNetworkSwitch = "network-switch"; ///< between nodes of 8 GPUs
constexpr double kPublicWaves = 10;                      ///< requests of each user

const Device& gpuOf(const Catalog& catalog, const std::string& system) {
    for (const auto& device : catalog.devices)
        if (device.kernels == system)
            return device;
    throw Error(ErrorCode::NotFound, "system", "no device of the catalogue has the kernels of " + system,
                "Add a device with \"kernels\": \"" + system + "\"");
}

/// Sets a parameter of arrivals or batching where some kind has it.
void setServing(Serving& serving, std::string_view key, double value, Provenance provenance,
                const char* source) {
    const auto parameters = servingParameters();
    for (std::size_t i = 0; i < parameters.size(); ++i)
        if (parameters[i].spec.key == key)
            serving.quantities[i] = {value, provenance, source};
}

template <class Kind>
const Kind* kindNamed(const Registry<Kind>& registry, std::string_view id) {
    for (const auto* kind : registry.all())
        if (kind->id() == id)
            return kind;
    return nullptr;
}

/// The checkpoint's recipe that has these formats; null: none has.
const WeightRecipe* recipeOf(const ServedFormats& formats) {
    const auto same = [](const std::string& format, ModelPart part, const WeightRecipe& recipe) {
        const auto id = recipe.of(part).id;
        return id == format || (format == "bfloat16" && id == "bf16") ||
               (format == "mxfp4a8" && id == "mxfp4") || (format == "int4_g128" && id == "int4_g32");
    };
    for (const auto& recipe : weightRecipes())
        if (same(formats.attention, ModelPart::Attention, recipe) &&
            same(formats.dense, ModelPart::Dense, recipe) &&
            same(formats.experts, ModelPart::Experts, recipe))
            return &recipe;
    return nullptr;
}

double bitsOf(const std::string& format) {
    return format == "bfloat16" ? 16 : format == "nvfp4" ? 4 : 8;
}

Node workersNode(const Catalog& catalog, const ServedPlan& plan, const ServedWorkers& workers, const char* id,
                 Role role) {
    Node node;
    node.id = {id};
    node.device = gpuOf(catalog, plan.labels.system);
    node.role = role;
    node.runtime = catalog.runtime(plan.labels.backend, "runtime").base;
    const auto& formats = plan.recipe.formats;
    const auto script = [](double value) { return Quantity{value, Provenance::Datasheet, kScriptSource}; };
    node.runtime->weightBits = script(bitsOf(formats.dense));
    node.runtime->activationBits = script(bitsOf(formats.dense));
    node.runtime->kvBits = script(8 * formats.cacheBytes);
    node.count = script(workers.count * workers.layout.ranks());
    node.replicas = script(workers.count);
    const auto& layout = workers.layout;
    if (layout.dp > 1)
        node.dp = script(layout.dp);
    if (layout.expertEp > 1)
        node.ep = script(layout.expertEp);
    return node;
}

/// What KV caches take between workers: of the types that both ends can use the fastest network.
const LinkType* networkOf(const Catalog& catalog, const Device& device) {
    for (const auto* type : catalog.linkOffers(device, device))
        if (type->id.starts_with("network") || type->id.starts_with("infiniband"))
            return type;
    return catalog.defaultLink(device, device);
}

/// A switch that joins the GPUs of a node, which designs ask for where some share a model.
void addSwitch(Scenario& scenario, const Catalog& catalog, const NodeId& gpus, const std::string& id,
               std::string_view device, double y) {
    Node node;
    node.id = {id};
    node.device = catalog.device(std::string(device), "device");
    node.role = Role::Fabric;
    node.position = {scenario.findNode(gpus)->position.x, y};
    const auto* type = device == kNetworkSwitch
                           ? networkOf(catalog, scenario.findNode(gpus)->device)
                           : catalog.defaultLink(scenario.findNode(gpus)->device, node.device);
    scenario.nodes.push_back(std::move(node));
    if (type)
        scenario.links.push_back({{gpus.value + "-" + id}, gpus, {id}, *type});
}

void setLoop(Serving& serving, const ServedPlan& plan, const ServerConstants& server) {
    const auto users = plan.labels.users;
    const auto script = [&](std::string_view key, double value) {
        setServing(serving, key, value, Provenance::Datasheet, kScriptSource);
    };
    if (const auto* loop = kindNamed(arrivalKinds(), "closed_loop"))
        serving.arrivals = loop;
    else if (const auto* backlog = kindNamed(arrivalKinds(), "backlog"))
        serving.arrivals = backlog;
    script("users", users);
    script("waves", kPublicWaves);
    script("length_ratio", plan.ratio);
    script("requests", kPublicWaves * users);
    if (plan.prefill)
        return;
    setServing(serving, "front_request_ms", server.frontRequest, Provenance::Calibrated, kServerSource);
    setServing(serving, "front_token_us", server.frontToken, Provenance::Calibrated, kServerSource);
}

void setScheduler(Serving& serving, const ServedPlan& plan, const ServerConstants& server,
                  const ServedShape& shape) {
    const auto& recipe = plan.recipe;
    if (const auto* scheduler = kindNamed(batchingKinds(), server.scheduler))
        serving.batching = scheduler;
    else if (const auto* continuous = kindNamed(batchingKinds(), "continuous"))
        serving.batching = continuous;
    const auto script = [&](std::string_view key, double value) {
        setServing(serving, key, value, Provenance::Datasheet, kScriptSource);
    };
    script("budget_tokens", recipe.budget);
    if (!serving.batching->stepRule())
        script("chunk_tokens", recipe.budget);
    script("max_sequences", recipe.sequences);
    script("kv_reserve", recipe.reserve);
    if (recipe.look > 1)
        script("look_steps", recipe.look);
    if (recipe.waitSteps > 0) {
        script("wait_share", recipe.waitShare);
        script("wait_steps", recipe.waitSteps);
    }
    if (recipe.balance > 0 && plan.workers.layout.dp > 1)
        script("balance_steps", recipe.balance);
    const auto fitted = [&](std::string_view key, double value) {
        setServing(serving, key, value, Provenance::Calibrated, kServerSource);
    };
    fitted("request_ms", plan.prefill ? server.requestApart : server.request);
    fitted("prompt_token_us", plan.prefill ? 0.0 : server.token);
    fitted("host_step_ms", server.step);
    fitted("host_sequence_us", server.sequence);
    fitted("host_layer_us", server.layer);
    fitted("eager_layer_us", server.eagerOf(shape.layerClass()));
}

} // namespace

Scenario servedScenario(const GpuServers& servers, const Catalog& catalog, const ServedPlan& plan) {
    const auto& server = servers.server(plan.labels.backend);
    Scenario scenario;
    scenario.model = catalog.model(plan.labels.model, "model");
    scenario.name = scenario.model.name + ", " + server.name + ", " + plan.words();
    scenario.about =
        "As a launch script of the public benchmark serves it: " + exactText(plan.labels.users) + " users.";
    if (const auto* recipe = recipeOf(plan.recipe.formats); recipe && !scenario.model.isUniform())
        scenario.model.weights = recipe;
    const auto script = [](double value) { return Quantity{value, Provenance::Datasheet, kScriptSource}; };
    scenario.workload.id = "published";
    scenario.workload.name = exactText(plan.labels.isl) + " in, " + exactText(plan.labels.osl) + " out";
    scenario.workload.batch = script(plan.labels.users);
    scenario.workload.promptTokens = script(plan.labels.isl);
    scenario.workload.outputTokens = script(plan.labels.osl);
    if (plan.prefill) {
        scenario.nodes.push_back(workersNode(catalog, plan, *plan.prefill, "prefill", Role::Prefill));
        scenario.nodes.push_back(workersNode(catalog, plan, plan.workers, "decode", Role::Decode));
        scenario.nodes.back().position = {360, 40};
        if (const auto* type = networkOf(catalog, scenario.nodes.back().device))
            scenario.links.push_back({{"kv"}, {"prefill"}, {"decode"}, *type});
    } else {
        scenario.nodes.push_back(workersNode(catalog, plan, plan.workers, "gpu", Role::Both));
    }
    scenario.nodes.front().position = {40, 40};
    const auto workers = scenario.nodes;
    for (const auto& node : workers)
        if (const double ranks = node.count.value / node.replicas.value; ranks > 1) {
            addSwitch(scenario, catalog, node.id, node.id.value + "-switch", kNodeSwitch, 240);
            if (ranks > 8 && !plan.workers.layout.bigDomain)
                addSwitch(scenario, catalog, node.id, node.id.value + "-network", kNetworkSwitch, 360);
        }
    setLoop(scenario.serving, plan, server);
    setScheduler(scenario.serving, plan, server, servers.shape(plan.labels.model));
    return scenario;
}

} // namespace heteroscape::engine

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/servers/served_scenario.h"

#include "engine/base/error.h"
#include "engine/servers/recipes.h"
#include "engine/techniques/speculation.h"
#include "engine/units/number_text.h"

#include <algorithm>
#include <cmath>
#include <string_view>

namespace heteroscape::engine {

namespace {

constexpr const char* kScriptSource = "launch script of the public benchmark";
constexpr const char* kNodeSwitch = "nvswitch";
constexpr const char* kNetworkSwitch = "network-switch"; ///< between nodes of 8 GPUs

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

void switchScales(Timing& timing, std::string_view key, bool on) {
    const auto options = timing.kind->options();
    for (std::size_t i = 0; i < options.size(); ++i)
        if (options[i].key == key)
            timing.settings.switchOn(i, on);
}

Node workersNode(const GpuServers& servers, const ServedPlan& plan, const ServedWorkers& workers,
                 const char* id, Role role) {
    const auto& catalog = servers.catalog();
    Node node;
    node.id = {id};
    node.device = gpuOf(catalog, plan.labels.system);
    node.device.memoryCapacity = {servers.recipes().device(plan.labels.system).memory, Provenance::Datasheet,
                                  "what the driver reports of the card"};
    node.role = role;
    node.server = catalog.server(plan.labels.backend, "server");
    node.runtime = catalog.runtime(node.server->runtime, "runtime").on(node.device);
    const auto& formats = plan.recipe.formats;
    const auto script = [](double value) { return Quantity{value, Provenance::Datasheet, kScriptSource}; };
    const auto& memory = plan.recipe.memory;
    node.server->memoryShare = script(memory.share);
    node.server->memoryOfFree = script(memory.ofFree ? 1 : 0);
    node.server->memoryRest = script(memory.rest);
    node.runtime->weightBits = script(bitsOf(formats.dense));
    node.runtime->activationBits = script(bitsOf(formats.dense));
    node.runtime->kvBits = script(8 * formats.cacheBytes);
    for (auto* timing : {&node.runtime->prefill, &node.runtime->decode}) {
        switchScales(*timing, "static_scales", formats.staticScales);
        switchScales(*timing, "block_scales", formats.dense == "fp8_block");
    }
    node.count = script(workers.count * workers.layout.ranks());
    node.replicas = script(workers.count);
    const auto& layout = workers.layout;
    if (layout.dp > 1)
        node.dp = script(layout.dp);
    if (layout.expertEp > 1 || layout.dp > 1)
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

void setLoop(Serving& serving, const ServedPlan& plan) {
    const auto users = plan.labels.users;
    const auto script = [&](std::string_view key, double value) {
        setServing(serving, key, value, Provenance::Datasheet, kScriptSource);
    };
    if (const auto* loop = kindNamed(arrivalKinds(), "closed_loop"))
        serving.arrivals = loop;
    else if (const auto* backlog = kindNamed(arrivalKinds(), "backlog"))
        serving.arrivals = backlog;
    script("users", users);
    const double waves = publicWaves(users, plan.prefill.has_value());
    script("waves", waves);
    script("length_ratio", plan.ratio);
    script("requests", waves * users);
    if (!plan.firstWaveCounts)
        script("warm_up", 1);
}

void setScheduler(Serving& serving, const ServedPlan& plan, const Server& server) {
    const auto& recipe = plan.recipe;
    if (const auto* scheduler = kindNamed(batchingKinds(), server.batching))
        serving.batching = scheduler;
    else if (const auto* continuous = kindNamed(batchingKinds(), "continuous"))
        serving.batching = continuous;
    const auto script = [&](std::string_view key, double value) {
        setServing(serving, key, value, Provenance::Datasheet, kScriptSource);
    };
    script("budget_tokens", recipe.budget);
    if (!serving.batching->stepRule())
        script("chunk_tokens", recipe.budget);
    script("max_sequences", std::min(recipe.sequences, plan.decodeSlots));
    script("kv_reserve", recipe.reserve);
    if (recipe.look > 1)
        script("look_steps", recipe.look);
    if (recipe.waitSteps > 0) {
        script("wait_share", recipe.waitShare);
        script("wait_steps", recipe.waitSteps);
    }
    if (recipe.balance > 0 && plan.workers.layout.dp > 1)
        script("balance_steps", recipe.balance);
}

/// Guesses and the acceptance with which a step gives as many tokens as the server's.
void setSpeculation(Scenario& scenario, const Server& server) {
    double least = 0.0, most = 1.0;
    for (int i = 0; i < 60; ++i) {
        const double middle = (least + most) / 2;
        (speculatedTokens(server.drafts.value, middle) < server.tokensAStep.value ? least : most) = middle;
    }
    auto& settings = scenario.techniques[speculation()];
    settings.enabled = true;
    const auto source = "speculation of " + server.name;
    settings.quantity(kGuesses) = {server.drafts.value, Provenance::Calibrated, source};
    settings.quantity(kAcceptance) = {most, Provenance::Calibrated, source};
}

} // namespace

double publicWaves(double users, bool apart) {
    constexpr double kWaves = 10, kFewestWaves = 3, kMostRequests = 5000, kMostRequestsApart = 4000;
    return std::clamp(std::floor((apart ? kMostRequestsApart : kMostRequests) / users), kFewestWaves, kWaves);
}

Scenario servedScenario(const GpuServers& servers, const ServedPlan& plan) {
    const auto& catalog = servers.catalog();
    const auto& server = catalog.server(plan.labels.backend, "backend");
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
        scenario.nodes.push_back(workersNode(servers, plan, *plan.prefill, "prefill", Role::Prefill));
        scenario.nodes.push_back(workersNode(servers, plan, plan.workers, "decode", Role::Decode));
        scenario.nodes.back().position = {360, 40};
        scenario.techniques[disaggregation()].enabled = true; // else both do both
        if (const auto* type = networkOf(catalog, scenario.nodes.back().device))
            scenario.links.push_back({{"kv"}, {"prefill"}, {"decode"}, *type});
    } else {
        scenario.nodes.push_back(workersNode(servers, plan, plan.workers, "gpu", Role::Both));
    }
    scenario.nodes.front().position = {40, 40};
    const auto workers = scenario.nodes;
    for (const auto& node : workers)
        if (const double ranks = node.count.value / node.replicas.value; ranks > 1) {
            addSwitch(scenario, catalog, node.id, node.id.value + "-switch", kNodeSwitch, 240);
            if (ranks > 8 && !plan.workers.layout.bigDomain)
                addSwitch(scenario, catalog, node.id, node.id.value + "-network", kNetworkSwitch, 360);
        }
    setLoop(scenario.serving, plan);
    setScheduler(scenario.serving, plan, server);
    if (plan.drafts)
        setSpeculation(scenario, server);
    return scenario;
}

} // namespace heteroscape::engine

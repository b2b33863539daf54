// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/servers/served_plan.h"

#include "engine/base/error.h"
#include "engine/catalog/named.h"
#include "engine/evaluation/evaluate.h"
#include "engine/evaluation/simulate.h"
#include "engine/scenario/diagnostics.h"
#include "engine/servers/recipes.h"
#include "engine/techniques/speculation.h"
#include "engine/units/number_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

namespace heteroscape::engine {

namespace {

std::string layoutWords(const ServedLayout& layout) {
    std::string text = layout.dp > 1 ? "dp " + exactText(layout.dp) : "tp " + exactText(layout.tp);
    if (layout.dp > 1 && layout.tp > 1)
        text += ", tp " + exactText(layout.tp);
    if (layout.pp > 1)
        text += ", pp " + exactText(layout.pp);
    if (layout.expertEp > 1)
        text += ", ep " + exactText(layout.expertEp);
    return text;
}

std::string workersWords(const ServedWorkers& workers) {
    return exactText(workers.count) + " x (" + layoutWords(workers.layout) + ")";
}

} // namespace

double ServedPlan::gpus() const {
    const double own = workers.count * workers.layout.ranks();
    return prefill ? own + prefill->count * prefill->layout.ranks() : own;
}

std::string ServedPlan::words() const {
    if (prefill)
        return workersWords(*prefill) + " prefill, " + workersWords(workers) + " decode";
    return workers.count > 1 ? workersWords(workers) : layoutWords(workers.layout);
}

GpuServers::GpuServers(const Catalog& catalog, const KernelCatalog& kernels)
    : m_catalog(catalog), m_kernels(kernels), m_recipes(catalog.folder), m_ready(loadGroups(catalog)) {}

const ReadyGroup& GpuServers::ready(const std::string& id) const {
    const auto at =
        std::find_if(m_ready.begin(), m_ready.end(), [&](const auto& one) { return one.id == id; });
    if (at == m_ready.end())
        throw Error(ErrorCode::NotFound, "ready", "no ready server \"" + id.substr(0, 80) + "\"",
                    "There are: " + joined(m_catalog.groups));
    return *at;
}

ServedPlan GpuServers::plan(RecipeLabels labels, const ServedLayout& layout) const {
    if (labels.backend == kClassSoftware) {
        m_catalog.device(labels.device, "device");
        labels.gpus = layout.ranks();
        ServedPlan plan;
        plan.recipe = m_recipes.of(labels);
        plan.labels = std::move(labels);
        plan.workers.layout = layout;
        return plan;
    }
    if (!labels.device.empty())
        labels.system = m_catalog.device(labels.device, "device").kernels;
    const auto* device = labels.device.empty() ? &m_recipes.device(labels.system)
                                               : m_recipes.findDevice(labels.system, labels.device);
    if (device && labels.device.empty())
        labels.device = device->device;
    labels.arch = m_kernels.gpu(labels.system).arch;
    labels.gpus = layout.ranks();
    m_catalog.server(labels.backend, "backend");
    ServedPlan plan;
    plan.recipe = m_recipes.of(labels);
    plan.labels = std::move(labels);
    plan.workers.layout = layout;
    plan.workers.layout.bigDomain = device && device->bigDomain;
    return plan;
}

ServedResult GpuServers::serve(const ServedPlan& plan, std::stop_token stop) const {
    return servedResult(servedScenario(*this, plan), std::move(stop));
}

ServedResult servedResult(const Scenario& scenario, std::stop_token stop) {
    for (const auto& finding : validate(scenario))
        if (finding.severity == Severity::Error)
            throwInvalid(finding.subject.empty() ? "design" : finding.subject, finding.message,
                         finding.remedy);
    SimulationOptions options;
    options.stop = std::move(stop);
    options.whole = false;
    Evaluation steady;
    evaluateInto(scenario, steady, Detail::Steps);
    const auto serving = simulate(scenario, steady, options);
    const auto& run = serving.result;
    if (!serving.ran() || run.done == 0)
        throwInvalid("design", serving.ran() ? "no request is answered" : serving.reason);
    ServedResult result;
    result.ttft = run.ttft.mean();
    result.ttftMedian = run.ttft.quantile(0.5);
    result.tpot = run.tpot.mean();
    result.tpotMedian = run.tpot.quantile(0.5);
    result.end = run.end;
    result.outputTokens = run.outputTokens;
    for (const auto& pool : run.pools)
        result.promptTokens += pool.promptTokens;
    for (std::size_t i = 0; i < run.pools.size(); ++i) {
        const double replicas = std::max(1u, serving.nodes[serving.poolNodes[i]].replicas);
        result.promptSeconds += run.pools[i].prefillSeconds / replicas;
        result.decodeSeconds += run.pools[i].decodeSeconds / replicas;
        result.decodedTokens += run.pools[i].outputTokens;
    }
    result.gpus = 0.0;
    for (const auto& node : scenario.nodes)
        result.gpus += isAccelerator(node.device.kind) ? node.count.value : 0.0;
    result.watts = serving.power;
    return result;
}

namespace {

constexpr const char* kNetworkSwitch = "network-switch"; ///< between nodes of 8 GPUs

const Device& gpuOf(const Catalog& catalog, const RecipeLabels& labels) {
    if (!labels.device.empty())
        return catalog.device(labels.device, "device");
    const auto& system = labels.system;
    for (const auto& device : catalog.devices)
        if (device.kernels == system)
            return device;
    throw Error(ErrorCode::NotFound, "system", "no device of the catalogue has the kernels of " + system,
                "Add a device with \"kernels\": \"" + system + "\"");
}

/// Sets a parameter of arrivals or batching where some kind has it.
void setServing(Serving& serving, const ServedPlan& plan, std::string_view key, double value) {
    const auto parameters = servingParameters();
    for (std::size_t i = 0; i < parameters.size(); ++i)
        if (parameters[i].spec.key == key)
            serving.quantities[i] = {value, Provenance::Datasheet, plan.source};
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

/// A format that no recipe keeps is the runtime's, in every part.
void setWeights(Model& model, const ServedFormats& formats) {
    if (const auto* recipe = recipeOf(formats))
        model.weights = recipe;
    else if (formats.attention == formats.experts && formats.dense == formats.experts)
        model.weights = nullptr;
}

double weightBits(const std::string& format) {
    return format == "bfloat16" ? 16 : format == "nvfp4" || format == "int4_g128" ? 4 : 8;
}
/// Weights that tensor cores do not multiply as they are kept meet activations of 16 bits.
double activationBits(const std::string& format, bool multipliesFp8) {
    const bool unpacked = format == "int4_g128" || (!multipliesFp8 && format.starts_with("fp8"));
    return unpacked ? 16 : weightBits(format);
}

void switchScales(Timing& timing, std::string_view key, bool on) {
    const auto options = timing.kind->options();
    for (std::size_t i = 0; i < options.size(); ++i)
        if (options[i].key == key)
            timing.settings.switchOn(i, on);
}

/// Whether what computes on a plan's devices multiplies 8 bits.
bool multipliesEightBits(const GpuServers& servers, const ServedPlan& plan, const Device& device) {
    return plan.isByClass() ? device.peakFp8.isSet() || device.peakInt8.isSet()
                            : servers.kernels().architecture(plan.labels.arch).multiplies(Rate::Fp8);
}

/// The software of workers, with what its script sets of memory.
void setSoftware(Node& node, const Catalog& catalog, const ServedPlan& plan) {
    if (plan.isByClass()) {
        constexpr double kKeptFree = 0.1;
        node.runtime = catalog.runtime(std::string(kClassSoftware), "runtime").on(node.device);
        node.reserve = {kKeptFree * node.device.memoryCapacity.value, Provenance::Assumed,
                        "a tenth of the memory, as servers leave by default"};
        return;
    }
    const auto script = [&](double value) { return Quantity{value, Provenance::Datasheet, plan.source}; };
    const auto& memory = plan.recipe.memory;
    node.server = catalog.server(plan.labels.backend, "server");
    node.runtime = catalog.runtime(node.server->runtime, "runtime").on(node.device);
    node.server->memoryShare = script(memory.share);
    node.server->memoryOfFree = script(memory.ofFree ? 1 : 0);
    node.server->memoryRest = script(memory.rest);
}

Node workersNode(const GpuServers& servers, const ServedPlan& plan, const ServedWorkers& workers,
                 const char* id, Role role) {
    const auto& catalog = servers.catalog();
    Node node;
    node.id = {id};
    node.device = gpuOf(catalog, plan.labels);
    node.role = role;
    setSoftware(node, catalog, plan);
    const auto& formats = plan.recipe.formats;
    const auto script = [&](double value) { return Quantity{value, Provenance::Datasheet, plan.source}; };
    const bool fp8 = multipliesEightBits(servers, plan, node.device);
    node.runtime->weightBits = script(weightBits(formats.dense));
    node.runtime->activationBits = script(activationBits(formats.dense, fp8));
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
    if (layout.pp > 1)
        node.pp = script(layout.pp);
    return node;
}

/// What KV caches take between workers: of the types that both ends can use the fastest network.
const LinkType* networkOf(const Catalog& catalog, const Device& device) {
    for (const auto* type : catalog.linkOffers(device, device))
        if (type->id.starts_with("network") || type->id.starts_with("infiniband"))
            return type;
    return catalog.defaultLink(device, device);
}

/// What joins GPUs of a kind within a node.
std::string_view switchOf(const Catalog& catalog, const Device& gpu) {
    constexpr std::array<std::string_view, 3> kSwitches{"nvswitch", "pcie-gen5-switch", "pcie-switch"};
    for (const auto id : kSwitches)
        if (!catalog.linkOffers(gpu, catalog.device(std::string(id), "device")).empty())
            return id;
    return kSwitches.front();
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
    const auto script = [&](std::string_view key, double value) { setServing(serving, plan, key, value); };
    serving.arrivals = &arrivalKinds().at(plan.atOnce ? "backlog" : "closed_loop", "arrivals");
    if (plan.atOnce) {
        script("requests", users);
        return;
    }
    script("users", users);
    const double waves = publicWaves(users, plan.prefill.has_value());
    script("waves", waves);
    script("length_ratio", plan.ratio);
    script("requests", waves * users);
    if (!plan.firstWaveCounts)
        script("warm_up", 1);
}

void setScheduler(Serving& serving, const ServedPlan& plan, const std::string& batching) {
    const auto& recipe = plan.recipe;
    serving.batching = &batchingKinds().at(batching, "batching");
    const auto script = [&](std::string_view key, double value) { setServing(serving, plan, key, value); };
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
    const auto* server = plan.isByClass() ? nullptr : &catalog.server(plan.labels.backend, "backend");
    Scenario scenario;
    scenario.model = catalog.model(plan.labels.model, "model");
    scenario.name =
        scenario.model.name + ", " + (server ? server->name : "rule of its class") + ", " + plan.words();
    scenario.about = "By the " + plan.source + ": " + exactText(plan.labels.users) +
                     (plan.atOnce ? " requests at once." : " users.");
    if (!scenario.model.isUniform())
        setWeights(scenario.model, plan.recipe.formats);
    const auto script = [&](double value) { return Quantity{value, Provenance::Datasheet, plan.source}; };
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
            addSwitch(scenario, catalog, node.id, node.id.value + "-switch", switchOf(catalog, node.device),
                      240);
            if (ranks > 8 && !plan.workers.layout.bigDomain)
                addSwitch(scenario, catalog, node.id, node.id.value + "-network", kNetworkSwitch, 360);
        }
    setLoop(scenario.serving, plan);
    setScheduler(scenario.serving, plan, server ? server->batching : std::string("mixed"));
    if (plan.drafts && server)
        setSpeculation(scenario, *server);
    return scenario;
}

} // namespace heteroscape::engine

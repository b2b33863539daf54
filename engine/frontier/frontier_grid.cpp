// SPDX-License-Identifier: GPL-3.0-or-later
// Which points a frontier has, and the designs that they are of.
#include "engine/base/error.h"
#include "engine/claims/claims.h"
#include "engine/evaluation/system_equations.h"
#include "engine/frontier/frontier.h"
#include "engine/scenario/diagnostics.h"
#include "engine/scenario/edit.h"
#include "engine/schedule/compiled_pool.h"
#include "engine/servers/served_plan.h"
#include "engine/units/number_text.h"

#include <algorithm>
#include <cmath>
#include <string_view>

namespace heteroscape::engine {

namespace {

constexpr std::string_view kSpanningServer = "trtllm"; ///< its experts span a worker that is apart

/// Layouts of 1 to `devices` GPUs: attention by heads or, with experts, by requests; experts by width or by
/// expert.
std::vector<ServedLayout> layoutsOf(bool mixture, double devices, bool bigDomain) {
    std::vector<ServedLayout> layouts;
    for (double ranks = 1; ranks <= devices; ranks *= 2) {
        layouts.push_back({ranks, 1, ranks, 1, bigDomain});
        if (!mixture || ranks < 2)
            continue;
        layouts.push_back({ranks, 1, 1, ranks, bigDomain});
        layouts.push_back({1, ranks, 1, ranks, bigDomain});
    }
    return layouts;
}

/// A choice of workers, and of those that prefill apart from them.
struct FrontierWorkers {
    ServedWorkers own;
    std::optional<ServedWorkers> prefill;
};

/// Layouts of workers of one of these sizes. TensorRT-LLM's experts span a worker that is apart, others' do
/// where attention is data parallel (silicon_serving.md, section 6).
std::vector<ServedLayout> layoutsApart(const FrontierSystem& system, const std::vector<double>& sizes,
                                       bool mixture, const std::string& server, bool bigDomain) {
    std::vector<ServedLayout> layouts;
    const double most = sizes.empty() ? system.devices : *std::max_element(sizes.begin(), sizes.end());
    for (const auto& layout : layoutsOf(mixture, most, bigDomain)) {
        const bool tried =
            sizes.empty() || std::find(sizes.begin(), sizes.end(), layout.ranks()) != sizes.end();
        const bool spans = layout.expertEp == layout.ranks();
        if (tried && (!mixture || spans || server != kSpanningServer))
            layouts.push_back(layout);
    }
    return layouts;
}

std::vector<FrontierWorkers> workersOf(const FrontierSystem& system, bool mixture, const std::string& server,
                                       bool bigDomain) {
    std::vector<FrontierWorkers> all;
    if (!system.apart) {
        for (const auto& layout : layoutsOf(mixture, system.devices, bigDomain))
            all.push_back({{1, layout}, {}});
        return all;
    }
    const auto& apart = *system.apart;
    const auto decode = layoutsApart(system, apart.decodeDevices, mixture, server, bigDomain);
    for (const auto& prefill : layoutsApart(system, apart.prefillDevices, mixture, server, bigDomain))
        for (const double prefillCount : apart.prefillWorkers)
            for (const auto& own : decode)
                for (const double count : apart.decodeWorkers)
                    if (prefillCount * prefill.ranks() + count * own.ranks() <= system.devices)
                        all.push_back({{count, own}, ServedWorkers{prefillCount, prefill}});
    return all;
}

/// Whether what the workers' weights leave holds one request.
bool hasRoom(const Scenario& scenario, const FrontierDefinition& definition) {
    for (std::size_t i = 0; i < scenario.nodes.size(); ++i) {
        const auto& node = scenario.nodes[i];
        const double tokens = definition.prompt + (node.role == Role::Prefill ? 0.0 : definition.output);
        if (node.runtime && CompiledPool(scenario, i).kvTokens() / node.dp.valueOr(1.0) < tokens)
            return false;
    }
    return true;
}

/// The catalogue's device whose kernels a GPU's are; null: none.
const Device* deviceOf(const Catalog& catalog, const std::string& gpu) {
    for (const auto& device : catalog.devices)
        if (device.kernels == gpu)
            return &device;
    return nullptr;
}

/// What a recipe lacks, told by the key of the definition that asked for it.
template <class Ask>
decltype(auto) askFor(const FrontierDefinition& definition, std::size_t ordinal, const Ask& ask) {
    try {
        return ask();
    } catch (const Error& error) {
        const auto* key = error.where() == "backend"              ? ".servers"
                          : error.where() == "precision"          ? ".precisions"
                          : definition.systems[ordinal].isReady() ? ".ready"
                                                                  : ".gpu";
        throw Error(error.code(), definition.where + ".systems[" + std::to_string(ordinal) + "]" + key,
                    error.message(), error.remedy());
    }
}

/// Points of GPUs, without their answers.
void addServers(std::vector<FrontierPoint>& points, const FrontierDefinition& definition, std::size_t ordinal,
                const Catalog& catalog, const GpuServers& servers) {
    const auto& system = definition.systems[ordinal];
    const auto ask = [&](const auto& what) -> decltype(auto) { return askFor(definition, ordinal, what); };
    const auto& found = ask([&]() -> const RecipeDevice& { return servers.recipes().device(system.gpu); });
    const bool mixture = catalog.model(definition.model, definition.where + ".model").isMixture();
    for (const auto& server : system.servers)
        for (const auto& precision : system.precisions)
            for (const auto& workers : workersOf(system, mixture, server, found.bigDomain))
                for (const double users : definition.users) {
                    RecipeLabels labels;
                    labels.model = definition.model;
                    labels.system = system.gpu;
                    labels.backend = server;
                    labels.precision = labels.denseFormat = labels.expertFormat = precision;
                    labels.isl = definition.prompt;
                    labels.osl = definition.output;
                    labels.users = users;
                    labels.mode = workers.prefill ? "disagg" : "agg";
                    FrontierPoint point;
                    point.why = FrontierPoint::kPending;
                    point.system = ordinal;
                    point.server = server;
                    point.precision = precision;
                    point.plan = ask([&] { return servers.plan(std::move(labels), workers.own.layout); });
                    point.plan.workers.count = workers.own.count;
                    point.plan.prefill = workers.prefill;
                    if (users == definition.users.front() &&
                        !hasRoom(servedScenario(servers, point.plan), definition))
                        break;
                    point.plan.ratio = definition.ratio;
                    point.layout = point.plan.words();
                    point.users = users;
                    point.devices = point.plan.gpus();
                    setServedPrice(point, catalog);
                    points.push_back(std::move(point));
                }
}

/// The nodes of so many ready servers: devices and what else has a price that often, switches once.
std::vector<Node> nodesOf(const ReadyGroup& ready, double count) {
    auto nodes = ready.clip.nodes;
    for (auto& node : nodes)
        if (isAccelerator(node.device.kind) || node.device.price.isSet())
            node.count.value *= count;
    return nodes;
}

/// One replica on each `ranks` devices of so many ready servers, and of a recipe as for its share of users.
ServedPlan readyPlan(const FrontierDefinition& definition, const FrontierPoint& point,
                     const ServedLayout& layout, const Device& device, double replicas,
                     const GpuServers& servers) {
    RecipeLabels labels;
    labels.model = definition.model;
    labels.device = device.id;
    labels.backend = point.server;
    labels.precision = labels.denseFormat = labels.expertFormat = point.precision;
    labels.isl = definition.prompt;
    labels.osl = definition.output;
    labels.users = std::ceil(point.users / replicas);
    auto plan = servers.plan(std::move(labels), layout);
    plan.labels.users = point.users;
    plan.workers.count = replicas;
    plan.ratio = definition.ratio;
    plan.firstWaveCounts = false; // a buyer asks for what holds from then on
    return plan;
}

/// Software, layout and load of a plan on the nodes and links of ready servers as they are sold.
Scenario readyScenario(const FrontierDefinition& definition, const FrontierPoint& point,
                       const GpuServers& servers) {
    const auto& system = definition.systems[point.system];
    const auto& ready = servers.ready(system.ready);
    auto scenario = servedScenario(servers, point.plan);
    const auto served = scenario.nodes.front();
    scenario.nodes = nodesOf(ready, point.count);
    scenario.links = ready.clip.links;
    for (auto& node : scenario.nodes)
        if (isAccelerator(node.device.kind)) {
            node.runtime = served.runtime;
            node.server = served.server;
            node.role = served.role;
            for (const auto member :
                 {&Node::count, &Node::replicas, &Node::dp, &Node::ep, &Node::pp, &Node::reserve})
                node.*member = served.*member;
        }
    scenario.name = exactText(point.count) + " x " + ready.name + ", " + point.server + " " +
                    point.precision + ", " + point.layout;
    scenario.workload.batch.value = usersOfReplica(point);
    if (point.plan.isByClass()) // servers say how many they take at once
        for (std::size_t i = 0; i < scenario.nodes.size(); ++i)
            if (const auto& node = scenario.nodes[i]; node.runtime) {
                const double ranks = node.dp.valueOr(1.0);
                const double each =
                    CompiledPool(scenario, i).kvTokens() / ranks / (definition.prompt + definition.output);
                scenario.workload.batch.value =
                    std::clamp(ranks * std::floor(each), 1.0, usersOfReplica(point));
            }
    if (definition.rented)
        scenario.cost.rented = {1.0, Provenance::User, {}};
    return scenario;
}

/// Points of ready servers, without their answers.
void addReady(std::vector<FrontierPoint>& points, const FrontierDefinition& definition, std::size_t ordinal,
              const Catalog& catalog, const GpuServers& servers) {
    const auto& system = definition.systems[ordinal];
    const auto ask = [&](const auto& what) -> decltype(auto) { return askFor(definition, ordinal, what); };
    const auto& ready = ask([&]() -> const ReadyGroup& { return servers.ready(system.ready); });
    const auto& node = ask([&]() -> const Node& { return acceleratorsOf(ready); });
    const auto* known = servers.recipes().findDevice(node.device.kernels, node.device.id);
    const double devices = node.count.value;
    const bool mixture = catalog.model(definition.model, definition.where + ".model").isMixture();
    std::vector<double> prices;
    for (const double count : system.counts)
        prices.push_back(priceOf(ready, count));
    FrontierPoint point;
    point.why = FrontierPoint::kPending;
    point.system = ordinal;
    const auto isRoomy = [&] {
        const auto design = ask([&] { return readyScenario(definition, point, servers); });
        return !hasErrors(validate(design)) && hasRoom(design, definition);
    };
    for (const auto& server : system.servers)
        for (const auto& precision : system.precisions)
            for (const auto& layout : layoutsOf(mixture, devices, known && known->bigDomain)) {
                bool fits = std::fmod(devices, layout.ranks()) == 0.0;
                bool first = true;
                for (std::size_t i = 0; i < system.counts.size() && fits; ++i)
                    for (const double users : definition.users) {
                        point.server = server;
                        point.precision = precision;
                        point.count = system.counts[i];
                        point.users = users;
                        point.devices = point.count * devices;
                        point.price = prices[i];
                        point.plan = ask([&] {
                            return readyPlan(definition, point, layout, node.device,
                                             point.devices / layout.ranks(), servers);
                        });
                        point.layout = point.plan.words();
                        if (first)
                            fits = isRoomy();
                        first = false;
                        if (!fits)
                            break;
                        points.push_back(point);
                    }
            }
}

/// The design with the definition's model and lengths and a batch of `users`, or so many in a closed loop.
Scenario designOf(const FrontierDefinition& definition, const FrontierSystem& system, const Catalog& catalog,
                  double users) {
    auto scenario = system.open ? *system.open : loadPreset(catalog, system.design, "design");
    const auto set = [&](const std::string& path, const std::string& value) {
        applyEdit(scenario, setEdit(scenario, catalog, path, value));
    };
    set("model", definition.model);
    set("workload.prompt_tokens", exactText(definition.prompt));
    set("workload.output_tokens", exactText(definition.output));
    for (const auto& [path, value] : system.settings)
        set(path, value);
    set("workload.batch", exactText(users));
    if (definition.load == FrontierLoad::Users) {
        if (!scenario.serving.batching->stepRule())
            set("serving.batching", "mixed");
        set("serving.arrivals", "closed_loop");
        set("serving.users", exactText(users));
        set("serving.waves", exactText(publicWaves(users, false)));
        set("serving.length_ratio", exactText(definition.ratio));
    }
    return scenario;
}

void addDesign(std::vector<FrontierPoint>& points, const FrontierDefinition& definition,
               std::size_t ordinal) {
    for (const double users : definition.users) {
        FrontierPoint point;
        point.why = FrontierPoint::kPending;
        point.system = ordinal;
        point.users = users;
        points.push_back(std::move(point));
    }
}

} // namespace

std::string whyNoPoint(const FrontierDefinition& definition, std::size_t ordinal, const GpuServers& servers) {
    const auto& system = definition.systems[ordinal];
    const auto& node = acceleratorsOf(servers.ready(system.ready));
    const auto& model = servers.catalog().model(definition.model, definition.where + ".model");
    std::string refused;
    FrontierPoint point;
    point.system = ordinal;
    point.count = 1;
    for (const auto& server : system.servers)
        for (const auto& precision : system.precisions) {
            double ranks = 1;
            while (std::fmod(node.count.value, 2 * ranks) == 0.0)
                ranks *= 2;
            point.server = server;
            point.precision = precision;
            point.plan = readyPlan(definition, point, {ranks, 1, ranks, 1, false}, node.device,
                                   node.count.value / ranks, servers);
            const auto findings = validate(readyScenario(definition, point, servers));
            const auto error = std::find_if(findings.begin(), findings.end(),
                                            [](const auto& one) { return one.severity == Severity::Error; });
            if (error == findings.end())
                return model.name + " does not fit: its weights and a request need more than the " +
                       shortText(ranks * node.deviceMemory() / units::GB) + " GB that share a replica";
            refused = error->message;
        }
    return refused.empty() ? "no software here runs it" : refused;
}

const Node& acceleratorsOf(const ReadyGroup& ready) {
    const Node* found = nullptr;
    for (const auto& node : ready.clip.nodes)
        if (isAccelerator(node.device.kind)) {
            if (found)
                throwInvalid(ready.id, ready.name + " has accelerators in several places",
                             "Take so many of a ready server that has them in one");
            found = &node;
        }
    if (!found)
        throwInvalid(ready.id, ready.name + " has no accelerator", "Take a server of GPUs or NPUs");
    return *found;
}

double priceOf(const ReadyGroup& ready, double count) {
    Scenario scenario;
    scenario.nodes = nodesOf(ready, count);
    for (const auto& node : scenario.nodes)
        if (isAccelerator(node.device.kind) && !node.device.price.isSet())
            return FrontierPoint::kUnknownAmount;
    return systemParts<double>(scenario).price;
}

double usersOfReplica(const FrontierPoint& point) {
    return std::ceil(point.users / point.plan.workers.count);
}

void setServedPrice(FrontierPoint& point, const Catalog& catalog) {
    if (const auto* device = deviceOf(catalog, point.plan.labels.system))
        point.price = point.devices * device->price.valueOr(FrontierPoint::kUnknownAmount);
}

std::vector<FrontierPoint> frontierGrid(const FrontierDefinition& definition, const Catalog& catalog,
                                        const GpuServers& servers) {
    catalog.model(definition.model, definition.where + ".model");
    std::vector<FrontierPoint> points;
    for (std::size_t i = 0; i < definition.systems.size(); ++i) {
        if (definition.systems[i].isDesign())
            addDesign(points, definition, i);
        else if (definition.systems[i].isReady())
            addReady(points, definition, i, catalog, servers);
        else
            addServers(points, definition, i, catalog, servers);
        if (points.size() > kMostFrontierPoints)
            throw Error(ErrorCode::InvalidInput, definition.systems[i].name,
                        "more than " + exactText(kMostFrontierPoints) + " points",
                        "Take fewer users, counts of workers or devices");
    }
    return points;
}

Scenario frontierScenario(const FrontierDefinition& definition, const FrontierPoint& point,
                          const Catalog& catalog, const GpuServers& servers) {
    const auto& system = definition.systems[point.system];
    return system.isDesign()  ? designOf(definition, system, catalog, point.users)
           : system.isReady() ? readyScenario(definition, point, servers)
                              : servedScenario(servers, point.plan);
}

} // namespace heteroscape::engine

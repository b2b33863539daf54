// SPDX-License-Identifier: GPL-3.0-or-later
// Which points a frontier has, and the designs that they are of.
#include "engine/base/error.h"
#include "engine/claims/claims.h"
#include "engine/frontier/frontier.h"
#include "engine/scenario/edit.h"
#include "engine/schedule/compiled_pool.h"
#include "engine/servers/served_plan.h"
#include "engine/units/number_text.h"

#include <algorithm>
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
bool hasRoom(const ServedPlan& plan, const FrontierDefinition& definition, const GpuServers& servers) {
    const auto scenario = servedScenario(servers, plan);
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
        const auto* key = error.where() == "backend"     ? ".servers"
                          : error.where() == "precision" ? ".precisions"
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
                    if (users == definition.users.front() && !hasRoom(point.plan, definition, servers))
                        break;
                    point.plan.ratio = definition.ratio;
                    point.layout = point.plan.words();
                    point.users = users;
                    point.devices = point.plan.gpus();
                    setServedPrice(point, catalog);
                    points.push_back(std::move(point));
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
    return system.isDesign() ? designOf(definition, system, catalog, point.users)
                             : servedScenario(servers, point.plan);
}

} // namespace heteroscape::engine

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/frontier/frontier.h"

#include "engine/base/error.h"
#include "engine/base/parallel.h"
#include "engine/claims/claims.h"
#include "engine/evaluation/evaluate.h"
#include "engine/plotting/pareto.h"
#include "engine/scenario/diagnostics.h"
#include "engine/scenario/edit.h"
#include "engine/units/number_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace heteroscape::engine {

namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
constexpr std::array<std::string_view, 5> kFrontierAxes{"device", "usd", "watt", "total", "budget"};

/// Layouts of 1 to `devices` GPUs: attention by heads or, with experts, by requests; experts by width or by
/// expert.
std::vector<ServedLayout> layoutsOf(const ServedShape& shape, double devices, bool bigDomain) {
    std::vector<ServedLayout> layouts;
    for (double ranks = 1; ranks <= devices; ranks *= 2) {
        layouts.push_back({ranks, 1, ranks, 1, bigDomain});
        if (!shape.isMixture() || ranks < 2)
            continue;
        layouts.push_back({ranks, 1, 1, ranks, bigDomain});
        layouts.push_back({1, ranks, 1, ranks, bigDomain});
    }
    return layouts;
}

/// The catalogue's device whose kernels a GPU's are; null: none.
const Device* deviceOf(const Catalog& catalog, const std::string& gpu) {
    for (const auto& device : catalog.devices)
        if (device.kernels == gpu)
            return &device;
    return nullptr;
}

/// Points of GPUs, without their answers.
void addServers(std::vector<FrontierPoint>& points, const FrontierDefinition& definition, std::size_t ordinal,
                const Catalog& catalog, const GpuServers& servers) {
    const auto& system = definition.systems[ordinal];
    const auto& found = servers.recipes().device(system.gpu);
    const auto shape = servers.shape(definition.model);
    const auto* device = deviceOf(catalog, found.system);
    for (const auto& server : system.servers)
        for (const auto& precision : system.precisions)
            for (const auto& layout : layoutsOf(shape, system.devices, found.bigDomain))
                for (const double users : definition.users) {
                    RecipeLabels labels;
                    labels.model = definition.model;
                    labels.system = system.gpu;
                    labels.backend = server;
                    labels.precision = labels.denseFormat = labels.expertFormat = precision;
                    labels.isl = definition.prompt;
                    labels.osl = definition.output;
                    labels.users = users;
                    FrontierPoint point;
                    point.system = ordinal;
                    point.server = server;
                    point.precision = precision;
                    point.plan = servers.plan(std::move(labels), layout);
                    if (servers.kvTokens(point.plan) < definition.prompt + definition.output)
                        continue;
                    point.plan.ratio = definition.ratio;
                    point.layout = point.plan.words();
                    point.users = users;
                    point.devices = point.plan.gpus();
                    point.price = device ? point.devices * device->price.valueOr(kUnknown) : kUnknown;
                    point.watts = device ? point.devices * device->powerLimit.valueOr(kUnknown) : kUnknown;
                    points.push_back(std::move(point));
                }
}

double acceleratorsOf(const Scenario& scenario) {
    double count = 0.0;
    for (const auto& node : scenario.nodes)
        count += isAccelerator(node.device.kind) ? node.count.value : 0.0;
    return count;
}

std::string designWords(const Scenario& scenario) {
    std::string text;
    for (const auto& node : scenario.nodes)
        if (isAccelerator(node.device.kind) || node.device.kind == DeviceKind::Csd)
            text += (text.empty() ? "" : " + ") + exactText(node.count.value) + " x " + node.device.name;
    return text;
}

/// The design with the definition's model and lengths and a batch of `users`.
Scenario designOf(const FrontierDefinition& definition, const FrontierSystem& system, const Catalog& catalog,
                  double users) {
    auto scenario = loadPreset(catalog, system.design, "design");
    const auto set = [&](const std::string& path, const std::string& value) {
        applyEdit(scenario, setEdit(scenario, catalog, path, value));
    };
    set("model", definition.model);
    set("workload.prompt_tokens", exactText(definition.prompt));
    set("workload.output_tokens", exactText(definition.output));
    for (const auto& [path, value] : system.settings)
        set(path, value);
    set("workload.batch", exactText(users));
    return scenario;
}

void addDesign(std::vector<FrontierPoint>& points, const FrontierDefinition& definition,
               std::size_t ordinal) {
    for (const double users : definition.users) {
        FrontierPoint point;
        point.system = ordinal;
        point.users = users;
        points.push_back(std::move(point));
    }
}

void answerDesign(FrontierPoint& point, const FrontierDefinition& definition, const Catalog& catalog) {
    const auto scenario = designOf(definition, definition.systems[point.system], catalog, point.users);
    point.layout = designWords(scenario);
    point.devices = std::max(1.0, acceleratorsOf(scenario));
    for (const auto& diagnostic : validate(scenario))
        if (diagnostic.severity == Severity::Error)
            throwInvalid(diagnostic.subject.empty() ? "design" : diagnostic.subject, diagnostic.message,
                         diagnostic.remedy);
    const auto answer = evaluate(scenario);
    if (!answer.feasible) {
        point.why = answer.reason;
        return;
    }
    const double output = answer.metric(Metric::Throughput);
    point.rates.outputPerDevice = output / point.devices;
    point.rates.totalPerDevice = answer.metric(Metric::ProcessedThroughput) / point.devices;
    point.rates.perUser = point.rates.perUserMedian = 1 / answer.metric(Metric::TimePerToken);
    point.ttft = point.ttftMedian = answer.metric(Metric::TimeToFirstToken);
    point.price = answer.metric(Metric::Price);
    point.watts = answer.metric(Metric::Power);
}

void answerServer(FrontierPoint& point, const GpuServers& servers, std::stop_token stop) {
    const auto run = servers.run(point.plan, stop);
    point.rates = frontierRates(run, point.devices);
    const auto ttft = run.ttft();
    point.ttft = ttft.mean;
    point.ttftMedian = ttft.p50;
}

} // namespace

FrontierRates frontierRates(const ServedRun& run, double devices) {
    std::vector<double> tpot;
    double sum = 0.0;
    for (const auto& answer : run.answers)
        if (answer.output > 1) {
            tpot.push_back(answer.tpot());
            sum += tpot.back();
        }
    FrontierRates rates;
    rates.outputPerDevice = run.outputTokens() / run.end / devices;
    rates.totalPerDevice = (run.promptTokens() + run.outputTokens()) / run.end / devices;
    if (tpot.empty())
        return rates;
    rates.perUser = static_cast<double>(tpot.size()) / sum;
    const auto middle = tpot.begin() + static_cast<std::ptrdiff_t>(tpot.size() / 2);
    std::nth_element(tpot.begin(), middle, tpot.end());
    double median = *middle;
    if (tpot.size() % 2 == 0)
        median = (median + *std::max_element(tpot.begin(), middle)) / 2;
    rates.perUserMedian = 1 / median;
    return rates;
}

std::span<const std::string_view> frontierAxisNames() {
    return kFrontierAxes;
}

double frontierValue(const FrontierPoint& point, FrontierAxis axis) {
    const double output = point.rates.outputPerDevice * point.devices;
    switch (axis) {
    case FrontierAxis::Device:
        return point.rates.outputPerDevice;
    case FrontierAxis::Dollar:
        return output / point.price;
    case FrontierAxis::Watt:
        return output / point.watts;
    case FrontierAxis::Total:
        return point.rates.totalPerDevice;
    case FrontierAxis::Budget:
        return point.copies >= 1 ? output * point.copies : kUnknown;
    }
    return kUnknown;
}

std::vector<FrontierPoint> frontierPoints(const FrontierDefinition& definition, const Catalog& catalog,
                                          const GpuServers& servers, int threads, std::stop_token stop,
                                          std::atomic<std::size_t>* done) {
    catalog.model(definition.model, definition.id + ".model");
    std::vector<FrontierPoint> points;
    for (std::size_t i = 0; i < definition.systems.size(); ++i)
        if (definition.systems[i].design.empty())
            addServers(points, definition, i, catalog, servers);
        else
            addDesign(points, definition, i);
    inParallel(
        points.size(), 1,
        [&](std::size_t begin, std::size_t end) {
            for (auto i = begin; i < end; ++i) {
                auto& point = points[i];
                try {
                    if (stop.stop_requested())
                        point.why = "cancelled";
                    else if (point.server.empty())
                        answerDesign(point, definition, catalog);
                    else
                        answerServer(point, servers, stop);
                } catch (const Error& error) {
                    point.why = error.what();
                }
                point.copies = definition.budget > 0 ? std::floor(definition.budget / point.price) : kUnknown;
                if (done)
                    ++*done;
            }
        },
        threads);
    return points;
}

std::vector<std::size_t> frontierFront(std::span<const FrontierPoint> points, std::size_t system,
                                       FrontierAxis axis, double ttftLimit) {
    std::vector<double> up, along;
    for (const auto& point : points) {
        const bool counts =
            point.answered() && point.system == system && (ttftLimit <= 0 || point.ttftMedian <= ttftLimit);
        up.push_back(counts ? frontierValue(point, axis) : kUnknown);
        along.push_back(counts ? point.rates.perUser : kUnknown);
    }
    return paretoFront({{up}, {along}});
}

} // namespace heteroscape::engine

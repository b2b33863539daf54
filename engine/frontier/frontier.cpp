// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/frontier/frontier.h"

#include "engine/base/error.h"
#include "engine/base/parallel.h"
#include "engine/evaluation/evaluate.h"
#include "engine/plotting/pareto.h"
#include "engine/scenario/diagnostics.h"
#include "engine/servers/served_plan.h"
#include "engine/units/number_text.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace heteroscape::engine {

namespace {

constexpr double kUnknown = FrontierPoint::kUnknownAmount;

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

/// What users in a closed loop get; ramp and drain are inside, as the public benchmark measures.
void answerUsers(FrontierPoint& point, const FrontierDefinition& definition, const Scenario& scenario,
                 std::stop_token stop) {
    const auto run = servedResult(scenario, std::move(stop));
    point.rates.outputPerDevice = run.outputTokens / run.end / point.devices;
    point.rates.totalPerDevice = (1 + definition.prompt / definition.output) * point.rates.outputPerDevice;
    point.rates.perUser = 1 / run.tpot;
    point.rates.perUserMedian = 1 / run.tpotMedian;
    point.ttft = run.ttft;
    point.ttftMedian = run.ttftMedian;
    point.watts = run.watts;
}

void answerDesign(FrontierPoint& point, const FrontierDefinition& definition, const Catalog& catalog,
                  const GpuServers& servers, std::stop_token stop) {
    const auto scenario = frontierScenario(definition, point, catalog, servers);
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
    if (definition.load == FrontierLoad::Users)
        answerUsers(point, definition, scenario, stop);
}

} // namespace

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
        return point.replicas >= 1 ? output * point.replicas : kUnknown;
    }
    return kUnknown;
}

double frontierAlong(const FrontierPoint& point, FrontierAlong along) {
    switch (along) {
    case FrontierAlong::Speed:
        return point.rates.perUser;
    case FrontierAlong::FirstToken:
        return point.ttftMedian;
    case FrontierAlong::Price:
        return point.price;
    }
    return kUnknown;
}

void answerFrontier(std::span<FrontierPoint> points, std::span<const std::size_t> places,
                    const FrontierDefinition& definition, const Catalog& catalog, const GpuServers& servers,
                    int threads, std::stop_token stop, std::atomic<std::size_t>* done) {
    inParallel(
        places.size(), 1,
        [&](std::size_t begin, std::size_t end) {
            for (auto i = begin; i < end && !stop.stop_requested(); ++i) {
                auto& point = points[places[i]];
                try {
                    point.why.clear();
                    if (point.server.empty())
                        answerDesign(point, definition, catalog, servers, stop);
                    else
                        answerUsers(point, definition, servedScenario(servers, point.plan), stop);
                } catch (const Error& error) {
                    point.why = error.what();
                }
                if (stop.stop_requested())
                    point.why = FrontierPoint::kPending;
                buyCopies(point, definition.budget);
                if (done)
                    ++*done;
            }
        },
        threads);
}

std::vector<FrontierPoint> frontierPoints(const FrontierDefinition& definition, const Catalog& catalog,
                                          const GpuServers& servers, int threads, std::stop_token stop,
                                          std::atomic<std::size_t>* done) {
    auto points = frontierGrid(definition, catalog, servers);
    std::vector<std::size_t> places(points.size());
    std::iota(places.begin(), places.end(), std::size_t{0});
    answerFrontier(points, places, definition, catalog, servers, threads, stop, done);
    return points;
}

bool FrontierLimits::hold(const FrontierPoint& point) const {
    return (ttft <= 0 || point.ttftMedian <= ttft) &&
           (timePerToken <= 0 || point.rates.perUser * timePerToken >= 1) &&
           (price <= 0 || point.price <= price);
}

std::vector<std::size_t> frontierFront(std::span<const FrontierPoint> points, std::size_t system,
                                       FrontierAxis axis, const FrontierLimits& limits, FrontierAlong along) {
    std::vector<double> up, across;
    for (const auto& point : points) {
        const bool counts = point.answered() && point.system == system && limits.hold(point);
        up.push_back(counts ? frontierValue(point, axis) : kUnknown);
        across.push_back(counts ? frontierAlong(point, along) : kUnknown);
    }
    return paretoFront({{up}, {across, frontierBetter(along)}});
}

} // namespace heteroscape::engine

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/frontier/frontier.h"

#include "engine/base/error.h"
#include "engine/base/parallel.h"
#include "engine/evaluation/evaluate.h"
#include "engine/plotting/pareto.h"
#include "engine/scenario/diagnostics.h"
#include "engine/study_run/evaluate_study.h"
#include "engine/timing/kernels/kernel_catalog.h"
#include "engine/units/number_text.h"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <unordered_map>

namespace heteroscape::engine {

namespace {

constexpr double kUnknown = FrontierPoint::kUnknownAmount;

std::string designWords(const Scenario& scenario) {
    std::string text;
    for (const auto& node : scenario.nodes)
        if (isAccelerator(node.device.kind) || node.device.kind == DeviceKind::Csd)
            text += (text.empty() ? "" : " + ") + exactText(node.count.value) + " x " + node.device.name;
    return text;
}

/// What a point is called: no two of a frontier alike.
std::string pointName(const FrontierDefinition& definition, const FrontierPoint& point) {
    std::string name = definition.systems[point.system].name + ", ";
    if (point.count > 0)
        name += exactText(point.count) + " of it, ";
    if (!point.server.empty())
        name += point.server + " " + point.precision + ", ";
    return name + point.layout + ", " + exactText(point.users) + " users";
}

/// The grid with words for designs too.
std::vector<FrontierPoint> namedGrid(const FrontierDefinition& definition, const Catalog& catalog,
                                     const GpuServers& servers) {
    auto points = frontierGrid(definition, catalog, servers);
    for (auto& point : points) // of designs the layout is what they consist of
        if (point.server.empty()) {
            const auto design = frontierScenario(definition, point, catalog, servers);
            point.layout = designWords(design);
            point.devices = acceleratorsOf(design);
        }
    return points;
}

/// The designs of a frontier's points, by their names. The points are listed when the first is asked for.
class FrontierDesigns final : public DesignSource {
public:
    FrontierDesigns(FrontierDefinition definition, const Catalog& catalog)
        : m_definition(std::move(definition)), m_catalog(catalog), m_servers(m_catalog, shippedKernels()) {}

    Scenario design(const std::string& name) const override {
        std::call_once(m_listed, [this] {
            m_points = namedGrid(m_definition, m_catalog, m_servers);
            for (std::size_t i = 0; i < m_points.size(); ++i)
                m_places.emplace(pointName(m_definition, m_points[i]), i);
        });
        const auto found = m_places.find(name);
        if (found == m_places.end())
            throw Error(ErrorCode::NotFound, "frontier \"" + m_definition.name + "\"",
                        "it has no point \"" + name.substr(0, 200) + "\"",
                        "The parts that it was made of are others now: run it again");
        return frontierScenario(m_definition, m_points[found->second], m_catalog, m_servers);
    }

private:
    const FrontierDefinition m_definition;
    const Catalog m_catalog;
    const GpuServers m_servers;
    mutable std::once_flag m_listed;
    mutable std::vector<FrontierPoint> m_points;
    mutable std::unordered_map<std::string, std::size_t> m_places;
};

/// An axis of names: each once, in the order in which they come.
class PointAxis {
public:
    explicit PointAxis(std::string path) { m_axis.path = std::move(path); }
    void add(const std::string& name) {
        const auto [place, isNew] = m_places.emplace(name, m_axis.names.size());
        if (isNew)
            m_axis.names.push_back(name);
        m_axis.values.push_back(static_cast<double>(place->second));
    }
    Axis take() { return std::move(m_axis); }

private:
    Axis m_axis;
    std::unordered_map<std::string, std::size_t> m_places;
};

Study studyOf(const FrontierDefinition& definition, const std::vector<FrontierPoint>& points,
              const Catalog& catalog, const GpuServers& servers) {
    if (points.empty())
        throw Error(ErrorCode::InvalidInput, definition.where + ".systems", "a frontier without a point",
                    "Take layouts whose weights fit");
    PointAxis system("points.system"), server("points.server"), weights("points.weights"),
        layout(kPointLayout), design(kPointDesign);
    Axis users{"serving.users", {}};
    for (const auto& point : points) {
        system.add(definition.systems[point.system].name);
        server.add(point.server.empty() ? "none" : point.server);
        weights.add(point.precision.empty() ? "as designed" : point.precision);
        layout.add(point.layout);
        users.values.push_back(point.users);
        design.add(pointName(definition, point));
    }
    Study study;
    study.name = definition.name;
    study.isList = points.size() > 1; // else a grid of one
    auto base = frontierScenario(definition, points.front(), catalog, servers);
    base.name = definition.name;
    base.frontier = keepFrontier(definition);
    study.base = std::move(base);
    study.axes = {system.take(), server.take(),    weights.take(),
                  layout.take(), std::move(users), design.take()};
    for (auto& axis : study.axes)
        resolveChoices(axis, study.base, catalog);
    study.limits = frontierLimits(definition.shown.limits);
    study.nodeMetrics = ratePaths();
    if (definition.budget > 0) {
        study.nodeMetrics.push_back(rates::throughputFor(definition.budget));
        study.nodeMetrics.push_back(rates::replicasFor(definition.budget));
    }
    return study;
}

/// Why a design has no answer.
std::string reasonOf(const Scenario& scenario, bool isServer) {
    try {
        for (const auto& diagnostic : validate(scenario))
            if (diagnostic.severity == Severity::Error)
                throwInvalid(diagnostic.subject.empty() ? "design" : diagnostic.subject, diagnostic.message,
                             diagnostic.remedy);
        if (!isServer)
            if (const auto answer = evaluate(scenario); !answer.feasible)
                return answer.reason;
        if (scenario.serving.isSimulated())
            servedResult(scenario);
    } catch (const Error& error) {
        return error.what();
    }
    return "no request is answered";
}

void takeAnswer(FrontierPoint& point, const StudyTable& table, std::size_t row) {
    const auto at = [&](const char* path) {
        const auto* column = table.find(path);
        return column ? column->at(row) : kUnknown;
    };
    point.rates = {at(rates::kPerDevice), at(rates::kTotalPerDevice), at(rates::kPerUser),
                   at(rates::kPerUserMedian)};
    point.ttft = at(rates::kFirstToken);
    point.ttftMedian = at(rates::kFirstTokenMedian);
    point.price = at(rates::kPrice);
    point.watts = at(rates::kPower);
    point.devices = at(rates::kDevices);
    point.why.clear();
}

} // namespace

std::vector<GraphEdit> pointEdits(const Scenario& base, const Catalog& catalog, const std::string& path,
                                  const std::vector<std::string>& names) {
    if (path != kPointDesign) { // it says what the point is
        findParameter(base, catalog, path);
        return std::vector<GraphEdit>(names.size());
    }
    auto definition = keptFrontier(base, catalog);
    if (!definition)
        throwInvalid(path, "the design keeps no frontier whose points these were", "Run the frontier again");
    const auto source = std::make_shared<const FrontierDesigns>(*std::move(definition), catalog);
    std::vector<GraphEdit> edits;
    for (const auto& name : names)
        edits.emplace_back(SetDesign{source, name});
    return edits;
}

bool isFrontier(const Study& study) {
    return study.base->frontier && !study.axes.empty() && isPointPath(study.axes.front().path);
}

std::vector<Limit> frontierLimits(const FrontierLimits& limits) {
    constexpr double kNone = std::numeric_limits<double>::infinity();
    std::vector<Limit> out;
    if (limits.ttft > 0)
        out.push_back({rates::kFirstTokenMedian, -kNone, limits.ttft});
    if (limits.timePerToken > 0)
        out.push_back({rates::kPerUser, 1 / limits.timePerToken, kNone});
    if (limits.price > 0)
        out.push_back({rates::kPrice, -kNone, limits.price});
    return out;
}

std::string frontierColumn(FrontierAxis axis, double budget) {
    switch (axis) {
    case FrontierAxis::Device:
        return rates::kPerDevice;
    case FrontierAxis::Dollar:
        return rates::kPerDollar;
    case FrontierAxis::Watt:
        return rates::kPerWatt;
    case FrontierAxis::Total:
        return rates::kTotalPerDevice;
    case FrontierAxis::Budget:
        return budget > 0 ? rates::throughputFor(budget) : rates::kPerDollar;
    }
    return {};
}

std::string frontierColumn(FrontierAlong along) {
    switch (along) {
    case FrontierAlong::Speed:
        return rates::kPerUser;
    case FrontierAlong::FirstToken:
        return rates::kFirstTokenMedian;
    case FrontierAlong::Price:
        return rates::kPrice;
    }
    return {};
}

Study frontierStudy(const FrontierDefinition& definition, const Catalog& catalog, const GpuServers& servers) {
    auto shown = definition;
    std::erase_if(shown.systems,
                  [&](const auto& system) { return definition.shown.off.contains(system.name); });
    if (shown.systems.empty())
        throw Error(ErrorCode::InvalidInput, definition.where + ".systems", "every system is put away",
                    "Show at least one");
    shown.shown.off.clear();
    return studyOf(shown, namedGrid(shown, catalog, servers), catalog, servers);
}

Study frontierStudy(const FrontierDefinition& definition, const std::vector<FrontierPoint>& points,
                    const Catalog& catalog, const GpuServers& servers) {
    return studyOf(definition, points, catalog, servers);
}

double frontierValue(const FrontierPoint& point, FrontierAxis axis) {
    const auto per = [&](double of) { return ratePer(point.rates.outputPerDevice, point.devices, of); };
    switch (axis) {
    case FrontierAxis::Device:
        return point.rates.outputPerDevice;
    case FrontierAxis::Dollar:
        return per(point.price);
    case FrontierAxis::Watt:
        return per(point.watts);
    case FrontierAxis::Total:
        return point.rates.totalPerDevice;
    case FrontierAxis::Budget:
        return point.replicas >= 1 ? per(1.0) * point.replicas : kUnknown;
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

std::vector<FrontierPoint> frontierPoints(const FrontierDefinition& definition, const Catalog& catalog,
                                          const GpuServers& servers, int threads, std::stop_token stop) {
    auto points = namedGrid(definition, catalog, servers);
    const auto study = studyOf(definition, points, catalog, servers);
    const auto table = evaluateStudy(study, stop, {"throughput_tok_s"}, threads);
    const auto* answers = table.find(rates::kPerDevice);
    inParallel(
        points.size(), 1,
        [&](std::size_t begin, std::size_t end) {
            for (auto i = begin; i < end; ++i) {
                auto& point = points[i];
                if (answers && std::isfinite(answers->at(i)))
                    takeAnswer(point, table, i);
                else
                    point.why = reasonOf(frontierScenario(definition, point, catalog, servers),
                                         !point.server.empty());
                buyCopies(point, definition.budget);
            }
        },
        threads);
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

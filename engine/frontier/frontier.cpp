// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/frontier/frontier.h"

#include "engine/base/csv.h"
#include "engine/base/error.h"
#include "engine/base/parallel.h"
#include "engine/evaluation/evaluate.h"
#include "engine/evaluation/expected_error.h"
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

namespace {

std::string amount(double value) {
    return std::isfinite(value) ? exactText(value) : std::string();
}

/// The columns of a point up to `why`.
std::string pointCells(const FrontierDefinition& definition, const FrontierPoint& point,
                       const std::string& front, const FrontierDetail& detail) {
    std::string text;
    for (const auto& words : {definition.systems[point.system].name, point.server, point.precision,
                              point.layout, exactText(point.users), exactText(point.devices)})
        text += csvField(words) + ',';
    const auto& prefill = point.plan.prefill;
    text += (prefill ? exactText(prefill->count) + ',' + exactText(point.plan.workers.count) : ",") + ',';
    text += front;
    for (const double value :
         {point.rates.outputPerDevice, point.rates.totalPerDevice, frontierValue(point, FrontierAxis::Dollar),
          frontierValue(point, FrontierAxis::Watt), point.rates.perUser, point.rates.perUserMedian,
          point.ttft, point.ttftMedian, point.price, point.watts, point.replicas,
          frontierValue(point, FrontierAxis::Budget), detail.rate.percent, detail.speed.percent})
        text += ',' + (point.answered() ? amount(value) : std::string());
    return text + ',' + csvField(detail.bottleneck) + ',' + csvField(point.why);
}

} // namespace

Truths truthsOf(const std::map<std::size_t, FrontierDetail>& details) {
    Truths truths;
    for (const auto& [ordinal, detail] : details)
        if (!detail.bottleneck.empty())
            truths.add(detail.truth);
    return truths;
}

std::string frontierCsv(const FrontierDefinition& definition, const std::vector<FrontierPoint>& points,
                        const std::vector<bool>& front, const std::map<std::size_t, FrontierDetail>& details,
                        std::span<const FrontierMeasured> measured) {
    std::string text =
        "system,server,weights,layout,users,devices,prefill_workers,decode_workers,front,output_tok_s_per_"
        "device,"
        "total_tok_s_per_device,output_tok_s_per_usd,output_tok_s_per_watt,tok_s_per_user,"
        "tok_s_per_user_p50,ttft_s,ttft_p50_s,price_usd,power_w,copies,budget_output_tok_s,"
        "rate_expected_error_pct,speed_expected_error_pct,bottleneck,why,measured";
    const auto truths = truthsOf(details);
    const bool tells = truths.areMixed() || truths.has(Truth::Ideal);
    text += tells ? ",truth\n" : "\n";
    for (std::size_t i = 0; i < points.size(); ++i) {
        const auto detail = details.find(i);
        text += pointCells(definition, points[i], front[i] ? "1" : "0",
                           detail == details.end() ? FrontierDetail() : detail->second) +
                ',';
        if (tells)
            text += ',';
        if (tells && detail != details.end() && !detail->second.bottleneck.empty())
            text += truthName(detail->second.truth);
        text += '\n';
    }
    for (const auto& row : measured)
        text += pointCells(definition, row.point, {}, {}) + ',' + csvField(row.id) + (tells ? ",\n" : "\n");
    return csvFile(text);
}

namespace {

bool isClose(double length, double wanted) {
    constexpr double kClose = 0.1;
    return std::fabs(length - wanted) <= kClose * wanted;
}

bool isOf(const ServingRow& row, const FrontierSystem& system, const FrontierDefinition& definition) {
    const auto has = [](const std::vector<std::string>& names, const std::string& name) {
        return std::find(names.begin(), names.end(), name) != names.end();
    };
    return !row.fault && !row.speculates && !row.contradicts && !row.impossible && row.ttftMs > 0 &&
           row.tpotMs > 0 && row.users >= 1 && row.system == system.gpu &&
           row.isApart() == system.apart.has_value() && has(system.servers, row.backend) &&
           has(system.precisions, row.precision) && isClose(row.isl, definition.prompt) &&
           isClose(row.osl, definition.output);
}

/// The mean of lengths that are uniform from a share of the longest.
double meanLength(double longest, double ratio) {
    return longest * (1 + ratio) / 2;
}

FrontierMeasured measuredOf(const ServingRow& row, const ServedPlan& plan) {
    FrontierMeasured measured;
    measured.id = row.id;
    measured.prompt = row.isl;
    measured.output = row.osl;
    auto& point = measured.point;
    point.plan = plan;
    point.layout = plan.words();
    point.server = row.backend;
    point.precision = row.precision;
    point.users = row.users;
    point.devices = plan.gpus();
    point.ttft = point.ttftMedian = row.ttftMs / 1e3;
    const double tpot = row.tpotMs / 1e3, output = meanLength(row.osl, plan.ratio);
    point.rates.perUser = point.rates.perUserMedian = 1 / tpot;
    point.rates.outputPerDevice =
        row.users * output / (point.ttft + std::max(0.0, output - 1) * tpot) / point.devices;
    point.rates.totalPerDevice = point.rates.outputPerDevice * (1 + meanLength(row.isl, plan.ratio) / output);
    return measured;
}

} // namespace

std::vector<FrontierMeasured> frontierMeasured(const FrontierDefinition& definition, const Catalog& catalog,
                                               const GpuServers& servers) {
    std::vector<ServingTable> tables;
    for (const auto& path : shippedServing(catalog.folder))
        tables.push_back(readServing(path));
    std::vector<FrontierMeasured> found;
    for (std::size_t i = 0; i < definition.systems.size(); ++i) {
        const auto& system = definition.systems[i];
        for (const auto& table : tables)
            for (const auto& row : table.rows) {
                if (system.isDesign() || !isOf(row, system, definition))
                    continue;
                try {
                    const auto plan = servedPlan(servers, row);
                    if (plan.labels.model != definition.model || plan.gpus() > system.devices)
                        continue;
                    found.push_back(measuredOf(row, plan));
                    found.back().point.system = i;
                    setServedPrice(found.back().point, catalog);
                    buyCopies(found.back().point, definition.budget);
                } catch (const Error&) { // a row that no server here is of
                }
            }
    }
    return found;
}

namespace {

FrontierDetail detailOf(const Scenario& scenario) {
    const auto evaluation = evaluate(scenario);
    if (!evaluation.feasible)
        return {};
    const ExpectedErrors errors(scenario, evaluation);
    return {errors.of(Metric::Throughput), errors.of(Metric::TimePerToken), boundLabel(scenario, evaluation),
            truthOf(scenario)};
}

} // namespace

std::vector<FrontierDetail> frontierDetails(std::span<const FrontierPoint> points,
                                            std::span<const std::size_t> places,
                                            const FrontierDefinition& definition, const Catalog& catalog,
                                            const GpuServers& servers, int threads, std::stop_token stop) {
    std::vector<FrontierDetail> details(places.size());
    inParallel(
        places.size(), 1,
        [&](std::size_t begin, std::size_t end) {
            for (auto i = begin; i < end && !stop.stop_requested(); ++i)
                try {
                    details[i] = detailOf(frontierScenario(definition, points[places[i]], catalog, servers));
                } catch (const Error&) { // of what no design can be made nothing is told
                }
        },
        threads);
    return details;
}

} // namespace heteroscape::engine

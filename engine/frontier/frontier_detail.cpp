// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/frontier/frontier.h"

#include "engine/base/error.h"
#include "engine/base/parallel.h"
#include "engine/evaluation/evaluate.h"
#include "engine/evaluation/expected_error.h"
#include "engine/exporters/csv.h"
#include "engine/units/number_text.h"

#include <algorithm>
#include <cmath>

namespace heteroscape::engine {

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

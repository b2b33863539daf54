// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/validation/metric_validation.h"

#include "engine/base/parallel.h"
#include "engine/catalog/named.h"
#include "engine/servers/served_plan.h"

#include <array>
#include <cmath>
#include <map>
#include <utility>

namespace heteroscape::engine {

namespace {

struct MetricKey {
    std::string_view key;
    std::string MetricRow::*member;
};
constexpr std::array<MetricKey, 9> kOfRow{{{"source", &MetricRow::source},
                                           {"framework", &MetricRow::framework},
                                           {"device", &MetricRow::device},
                                           {"metric", &MetricRow::metric},
                                           {"date", &MetricRow::date},
                                           {"model", &MetricRow::model},
                                           {"format", &MetricRow::weightFormat},
                                           {"layout", &MetricRow::layout},
                                           {"load", &MetricRow::load}}};
constexpr std::array<std::string_view, 16> kMetricKeys{
    "source", "framework", "device", "metric", "date", "model", "format",       "layout",
    "load",   "kind",      "server", "regime", "age",  "crowd", "step_prompts", "quantity"};
constexpr std::size_t kKind = 9, kServer = 10, kRegime = 11, kAge = 12, kCrowd = 13, kStepPrompts = 14;

/// Rows of one server under one load, which one simulation answers.
using Design = std::vector<ValidatedMetric*>;

void answer(const GpuServers& servers, const Design& design, const std::stop_token& stop) {
    const auto fail = [&](const std::string& why) {
        for (auto* one : design)
            if (one->answered())
                one->why = why;
    };
    try {
        const auto plan = servedPlan(servers, *design.front()->row);
        const auto scenario = servedScenario(servers, plan);
        for (auto* one : design)
            one->served = servedCaseOf(scenario, one->row->date);
        const auto result = servedResult(scenario, stop);
        for (auto* one : design) {
            if (!one->answered())
                continue;
            one->predicted = one->metric->of(result, plan.labels.users);
            if (!std::isfinite(one->predicted) || one->predicted <= 0)
                one->why = "the simulation has no " + std::string(one->metric->key) + " for it";
        }
    } catch (const Error& error) {
        fail(error.what());
    }
}

} // namespace

std::span<const std::string_view> metricKeys() {
    return kMetricKeys;
}

std::string metricLabel(const ValidatedMetric& validated, std::string_view key) {
    const auto index = indexOfName(key, kMetricKeys, "--by");
    std::string label;
    if (index < kOfRow.size())
        label = validated.row->*kOfRow[index].member;
    else if (index == kKind)
        label = validated.served.kind;
    else if (index == kServer)
        label = validated.served.server;
    else if (index == kRegime)
        label = validated.served.regime;
    else if (index == kAge)
        label = ageName(validated.served.older);
    else if (index == kCrowd)
        label = validated.served.crowd;
    else if (index == kStepPrompts)
        label = validated.served.stepPrompts;
    else if (validated.metric)
        label = validated.metric->quantity;
    return label.empty() ? "-" : label;
}

std::vector<ValidatedMetric> validateMetrics(const GpuServers& servers, std::span<const MetricTable> tables,
                                             int threads, std::stop_token stop) {
    std::vector<ValidatedMetric> rows;
    for (std::size_t i = 0; i < tables.size(); ++i)
        for (const auto& row : tables[i].rows) {
            rows.emplace_back();
            rows.back().table = i;
            rows.back().row = &row;
        }
    std::map<std::string, Design> designs;
    for (auto& validated : rows)
        try {
            if (validated.row->fault)
                throw Error(*validated.row->fault);
            designs[validated.row->served()].push_back(&validated);
            validated.metric = &servedMetric(*validated.row);
        } catch (const Error& error) {
            validated.why = error.what();
        }
    std::vector<const Design*> each;
    for (const auto& [served, design] : designs)
        each.push_back(&design);
    inParallel(
        each.size(), 1,
        [&](std::size_t begin, std::size_t end) {
            for (auto i = begin; i < end; ++i)
                if (stop.stop_requested())
                    for (auto* one : *each[i])
                        one->why = "cancelled";
                else
                    answer(servers, *each[i], stop);
        },
        threads);
    return rows;
}

std::vector<ValidationGroup> groupMetrics(std::span<const ValidatedMetric> rows,
                                          std::span<const std::string> keys, bool apart) {
    for (const auto& key : keys)
        indexOfName(key, kMetricKeys, "--by");
    const auto& known = SystemErrors::shipped();
    struct Errors {
        std::vector<double> percent;
        BandCount bands;
    };
    std::map<std::vector<std::string>, Errors> errors;
    for (const auto& row : rows) {
        if (!row.answered() || row.metric->isApart() != apart)
            continue;
        std::vector<std::string> labels;
        for (const auto& key : keys)
            labels.push_back(metricLabel(row, key));
        auto& of = errors[std::move(labels)];
        of.percent.push_back(row.errorPercent());
        of.bands.add(known.of(row.served, systemQuantityNamed(row.metric->quantity)), row.predicted,
                     row.row->measured);
    }
    std::vector<ValidationGroup> groups;
    for (auto& [labels, of] : errors) {
        groups.push_back(of.bands.into(errorsOf(std::move(of.percent))));
        groups.back().labels = labels;
    }
    return groups;
}

} // namespace heteroscape::engine

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/validation/metric_validation.h"

#include "engine/base/parallel.h"
#include "engine/catalog/named.h"

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
constexpr std::array<std::string_view, 11> kMetricKeys{"source", "framework", "device",  "metric",
                                                       "date",   "model",     "format",  "layout",
                                                       "load",   "kind",      "quantity"};
constexpr std::size_t kKind = 9;

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
        for (auto* one : design)
            one->kind = kindOf(servers.catalog().model(plan.labels.model, "model"));
        const auto result = servers.serve(plan, stop);
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
        label = validated.kind;
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
    std::map<std::vector<std::string>, std::vector<double>> errors;
    for (const auto& row : rows) {
        if (!row.answered() || row.metric->isApart() != apart)
            continue;
        std::vector<std::string> labels;
        for (const auto& key : keys)
            labels.push_back(metricLabel(row, key));
        errors[std::move(labels)].push_back(row.errorPercent());
    }
    std::vector<ValidationGroup> groups;
    for (auto& [labels, of] : errors) {
        groups.push_back(errorsOf(std::move(of)));
        groups.back().labels = labels;
    }
    return groups;
}

} // namespace heteroscape::engine

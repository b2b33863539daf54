// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/validate_metrics.h"

#include "app/cli/input.h"
#include "app/cli/validate_serving.h"
#include "app/text_table.h"

#include "engine/base/parallel.h"
#include "engine/scenario/scenario_json.h"
#include "engine/servers/served_plan.h"
#include "engine/validation/metric_validation.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <iostream>

namespace heteroscape::cli {

using namespace heteroscape::engine;

namespace {

/// What errors are told by where nothing is asked for.
const std::vector<std::vector<std::string>> kMetricsTold{{"kind", "quantity"}, {"source"}, {"framework"},
                                                         {"device"},           {"metric"}, {"date"}};

struct Metrics {
    std::vector<MetricTable> tables;
    std::vector<ValidatedMetric> rows;

    std::string place(const ValidatedMetric& row) const {
        return tables[row.table].name + ':' + std::to_string(row.row->line);
    }
};

Metrics validated(const std::vector<std::string>& files) {
    Metrics all;
    for (const auto& file : files)
        all.tables.push_back(readMetrics(file));
    const GpuServers servers(catalog(), shippedKernels());
    all.rows = validateMetrics(servers, all.tables, coreCount());
    return all;
}

/// Groups of times and rates, then those of power and energy, which are judged apart.
std::vector<ValidationGroup> groupsOf(const Metrics& all, const std::vector<std::string>& keys) {
    auto groups = groupMetrics(all.rows, keys);
    for (auto& group : groupMetrics(all.rows, keys, true)) {
        if (!keys.empty())
            group.labels.back() += " (power and energy)";
        groups.push_back(std::move(group));
    }
    return groups;
}

Json groupsJson(const Metrics& all, const std::vector<std::string>& keys) {
    Json groups = Json::array();
    for (const bool apart : {false, true})
        for (const auto& group : groupMetrics(all.rows, keys, apart)) {
            auto json = errorsJson(group, true);
            json["power_and_energy"] = apart;
            for (std::size_t i = 0; i < keys.size(); ++i)
                json[keys[i]] = group.labels[i];
            groups.push_back(std::move(json));
        }
    return groups;
}

void printMetricGroups(const Metrics& all, const std::vector<std::string>& keys) {
    auto header = keys;
    for (const auto* column : {"rows", "median %", "p90 %", "bias %", "in 50 %", "in 80 %"})
        header.emplace_back(column);
    TextTable table(header);
    for (const auto& group : groupsOf(all, keys)) {
        auto cells = group.labels;
        cells.push_back(std::to_string(group.rows));
        addErrors(cells, group, true);
        table.add(std::move(cells));
    }
    table.print(std::cout);
    std::cout << '\n';
}

} // namespace

Json metricsJson(const std::vector<std::string>& files, const std::vector<std::string>& keys) {
    groupMetrics({}, keys); // an unknown key, before any work
    const auto all = validated(files);
    const auto by = keys.empty() ? kMetricsTold.front() : keys;
    Json list = Json::array(), rows = Json::array(), unanswered = Json::array();
    for (const auto& table : all.tables)
        list.push_back({{"file", table.name}, {"rows", table.rows.size()}});
    for (const auto& row : all.rows) {
        Json json = {{"file", all.tables[row.table].name},
                     {"line", row.row->line},
                     {"measured", number(row.row->measured)},
                     {"predicted", row.answered() ? number(row.predicted) : Json(nullptr)},
                     {"unit", row.metric ? Json(std::string(row.metric->unit)) : Json(nullptr)}};
        for (const auto key : metricKeys())
            json[std::string(key)] = metricLabel(row, key);
        if (row.answered())
            json["error"] = number(row.errorPercent() / 100);
        if (row.answered())
            addBand(json, "",
                    SystemErrors::shipped().of(row.served, systemQuantityNamed(row.metric->quantity)),
                    row.predicted);
        else
            json["why"] = row.why;
        if (!row.answered())
            unanswered.push_back(json);
        rows.push_back(std::move(json));
    }
    Json json = {{"files", std::move(list)},
                 {"by", by},
                 {"groups", groupsJson(all, by)},
                 {"rows", std::move(rows)},
                 {"unanswered", std::move(unanswered)}};
    for (const bool apart : {false, true})
        for (const auto& group : groupMetrics(all.rows, {}, apart))
            json[apart ? "all_power_and_energy" : "all"] = errorsJson(group, true);
    return json;
}

void printMetrics(const std::vector<std::string>& files, const std::vector<std::string>& keys) {
    groupMetrics({}, keys);
    const auto all = validated(files);
    for (const auto& by : keys.empty() ? kMetricsTold : std::vector<std::vector<std::string>>{keys})
        printMetricGroups(all, by);
    for (const auto& group : groupMetrics(all.rows, {}))
        std::cout << "of all times and rates " << percentOf(group.medianPercent) << " % (median), "
                  << percentOf(group.p90Percent) << " % (90th percentile)\n";
    printAnswered(all.rows,
                  "measured metrics have an answer; errors are predicted / measured - 1, of rates too.",
                  [&](const ValidatedMetric& row) { return all.place(row); });
}

bool writeMetricDesign(const std::vector<std::string>& files, const std::string& id, const std::string& out) {
    for (const auto& file : files) {
        const auto table = readMetrics(file);
        for (const auto& row : table.rows) {
            const auto line = std::to_string(row.line);
            if (id != line && id != table.name + ':' + line)
                continue;
            const GpuServers servers(catalog(), shippedKernels());
            saveScenario(servedScenario(servers, servedPlan(servers, row)), out);
            return true;
        }
    }
    return false;
}

} // namespace heteroscape::cli

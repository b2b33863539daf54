// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/validate_metrics.h"

#include "app/cli/input.h"
#include "app/cli/validate_serving.h"
#include "app/text_table.h"

#include "engine/scenario/scenario_json.h"
#include "engine/servers/served_plan.h"
#include "engine/timing/kernels/kernel_catalog.h"

#include <iostream>

namespace heteroscape::cli {

using namespace heteroscape::engine;

namespace {

/// Groups of times and rates, then those of power and energy, which are judged apart.
std::vector<ValidationGroup> groupsOf(const MetricValidation& all, const std::vector<std::string>& keys) {
    auto groups = groupMetrics(all.rows, keys);
    for (auto& group : groupMetrics(all.rows, keys, true)) {
        if (!keys.empty())
            group.labels.back() += " (power and energy)";
        groups.push_back(std::move(group));
    }
    return groups;
}

void printMetricGroups(const MetricValidation& all, const std::vector<std::string>& keys) {
    auto header = keys;
    for (const auto* column : {"rows", "median %", "p90 %", "bias %", "in 50 %", "in 80 %"})
        header.emplace_back(column);
    TextTable table(header);
    for (const auto& group : groupsOf(all, keys)) {
        auto cells = group.labels;
        cells.push_back(std::to_string(group.rows));
        addErrors(cells, group);
        table.add(std::move(cells));
    }
    table.print(std::cout);
    std::cout << '\n';
}

} // namespace

void printMetrics(const MetricValidation& all, const std::vector<std::string>& keys) {
    for (const auto& by : keys.empty() ? metricsTold() : std::vector<std::vector<std::string>>{keys})
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

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/validate_serving.h"

#include "app/cli/input.h"
#include "app/text_table.h"

#include "engine/scenario/scenario_json.h"
#include "engine/servers/served_plan.h"
#include "engine/timing/kernels/kernel_catalog.h"

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <utility>

namespace heteroscape::cli {

using namespace heteroscape::engine;

namespace {

void printGroups(const ServingValidation& all, const std::vector<std::string>& keys) {
    auto header = keys;
    for (const auto* column : {"rows", "TPOT median %", "p90 %", "bias %", "in 50 %", "in 80 %",
                               "TTFT median %", "p90 %", "bias %", "in 50 %", "in 80 %"})
        header.emplace_back(column);
    TextTable table(header);
    for (const auto& group : groupServing(all.rows, keys)) {
        auto cells = group.labels;
        cells.push_back(std::to_string(std::max(group.tpot.rows, group.ttft.rows)));
        addErrors(cells, group.tpot);
        addErrors(cells, group.ttft);
        table.add(std::move(cells));
    }
    table.print(std::cout);
    std::cout << '\n';
}

/// The groups of whatever kind that are furthest off.
void printOffenders(const ServingValidation& all) {
    const auto worst = worstServing(all.rows, 3);
    const auto print = [](const char* what, const std::vector<WorstServing::Group>& groups) {
        if (groups.empty())
            return;
        std::cout << "furthest off in " << what << ':';
        const char* between = " ";
        for (const auto& group : groups) {
            std::cout << between << group.labels.front() << ' ' << percentOf(group.errors.medianPercent)
                      << " % (bias " << percentOf(group.errors.biasPercent) << ", " << group.errors.rows
                      << " rows)";
            between = "; ";
        }
        std::cout << '\n';
    };
    print("TPOT", worst.tpot);
    print("TTFT", worst.ttft);
    std::cout << '\n';
}

} // namespace

std::string percentOf(double value) {
    char buffer[32];
    std::snprintf(buffer, sizeof buffer, "%.1f", value);
    return buffer;
}

void addErrors(std::vector<std::string>& cells, const ValidationGroup& errors) {
    if (errors.rows == 0) {
        cells.insert(cells.end(), 5, "-");
        return;
    }
    cells.push_back(percentOf(errors.medianPercent));
    cells.push_back(percentOf(errors.p90Percent));
    cells.push_back(percentOf(errors.biasPercent));
    cells.push_back(percentOf(errors.inHalfPercent));
    cells.push_back(percentOf(errors.inMostPercent));
}

void printServing(const ServingValidation& all, const std::vector<std::string>& keys) {
    if (keys.empty())
        for (const auto& told : servingTold())
            printGroups(all, told);
    else
        printGroups(all, keys);
    printOffenders(all);
    printAnswered(all.rows,
                  "measured servers have an answer; rows that contradict themselves are in no error.",
                  [&](const ValidatedServing& row) { return all.place(row); });
}

void printNear(const NearValidation& near) {
    if (near.apart.empty())
        std::cout << "No published run is near: none of this model on these GPUs with users and lengths "
                     "within eight "
                     "times, or the design has no server.\n";
    for (std::size_t i = 0; i < near.apart.size(); ++i) {
        std::cout << near.words[i] << "\n  row " << near.apart[i].row->id << " (" << near.apart[i].row->date
                  << "); ";
        const auto& differs = near.apart[i].differs;
        for (std::size_t d = 0; d < differs.size(); ++d)
            std::cout << (d > 0 ? "; " : "") << differs[d];
        std::cout << (differs.empty() ? "as here" : "") << '\n';
    }
}

bool writeServedDesign(const std::vector<std::string>& files, const std::string& id, const std::string& out) {
    const GpuServers servers(catalog(), shippedKernels());
    for (const auto& file : files)
        for (const auto& row : readServing(file).rows)
            if (row.id == id) {
                saveScenario(servedScenario(servers, servedPlan(servers, row)), out);
                return true;
            }
    return false;
}

} // namespace heteroscape::cli

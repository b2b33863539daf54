// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/frontier/frontier_measured.h"

#include "engine/base/error.h"

#include <algorithm>
#include <cmath>

namespace heteroscape::engine {

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

} // namespace heteroscape::engine

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plotting/series.h"

#include "engine/base/error.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

namespace heteroscape::engine {

namespace {

const StudyColumn* findColumn(const StudyTable& table, const std::string& name) {
    for (const auto& column : table.columns)
        if (column.name == name)
            return &column;
    return nullptr;
}

const StudyColumn& columnOf(const StudyTable& table, const std::string& name) {
    if (const auto* column = findColumn(table, name))
        return *column;
    std::string allowed;
    for (const auto& column : table.columns)
        allowed += (allowed.empty() ? "" : ", ") + column.name;
    throw Error(ErrorCode::NotFound, "study \"" + table.info.name + "\"", "it has no column \"" + name + "\"",
                "Columns: " + allowed);
}

} // namespace

double feasibleValue(const StudyTable& table, const StudyColumn& column, std::size_t row) {
    const auto* feasible = findColumn(table, "feasible");
    if (feasible && !column.isAxis && &column != feasible && feasible->values[row] != 1.0)
        return std::numeric_limits<double>::quiet_NaN();
    return column.values[row];
}

std::vector<Series> studySeries(const StudyTable& table, const SeriesQuery& query) {
    const auto& x = columnOf(table, query.x);
    const auto& y = columnOf(table, query.metric);
    const auto* curve = query.curve.empty() ? nullptr : &columnOf(table, query.curve);
    std::vector<std::pair<const StudyColumn*, double>> held;
    for (const auto& [name, value] : query.fixed)
        held.emplace_back(&columnOf(table, name), value);

    std::vector<Series> series;
    std::map<double, std::size_t> indexOf;
    const double none = std::numeric_limits<double>::quiet_NaN();
    for (std::size_t row = 0; row < table.rows(); ++row) {
        if (!std::all_of(held.begin(), held.end(),
                         [row](const auto& h) { return h.first->values[row] == h.second; }))
            continue;
        const double value = curve ? curve->values[row] : 0.0;
        const auto [at, isNew] = indexOf.try_emplace(value, series.size());
        if (isNew)
            series.push_back({curve ? value : none, {}, {}, {}});
        series[at->second].rows.push_back(row);
    }
    for (auto& s : series) {
        std::stable_sort(s.rows.begin(), s.rows.end(),
                         [&x](std::size_t a, std::size_t b) { return x.values[a] < x.values[b]; });
        for (const auto row : s.rows) {
            s.x.push_back(x.values[row]);
            s.y.push_back(feasibleValue(table, y, row));
        }
    }
    return series;
}

std::optional<std::size_t> bestRow(const StudyTable& table, const std::string& metric, int better) {
    const auto& column = columnOf(table, metric);
    const double sign = better < 0 ? -1.0 : 1.0;
    std::optional<std::size_t> best;
    double bestValue = 0.0;
    for (std::size_t row = 0; row < table.rows(); ++row) {
        const double value = sign * feasibleValue(table, column, row);
        if (!std::isnan(value) && (!best || value > bestValue)) {
            best = row;
            bestValue = value;
        }
    }
    return best;
}

std::vector<std::size_t> rowsBestFirst(const StudyTable& table, const std::string& metric, int better) {
    const auto& column = columnOf(table, metric);
    const double sign = better < 0 ? -1.0 : 1.0;
    std::vector<double> keys(table.rows());
    for (std::size_t row = 0; row < keys.size(); ++row) {
        const double value = sign * feasibleValue(table, column, row);
        keys[row] = std::isnan(value) ? -std::numeric_limits<double>::infinity() : value;
    }
    std::vector<std::size_t> rows(keys.size());
    std::iota(rows.begin(), rows.end(), std::size_t{0});
    std::stable_sort(rows.begin(), rows.end(), [&keys](auto a, auto b) { return keys[a] > keys[b]; });
    return rows;
}

std::optional<std::size_t> nearestIndex(const std::vector<double>& values, double x, bool log) {
    std::optional<std::size_t> nearest;
    double smallest = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double distance = log ? std::fabs(std::log(values[i] / x)) : std::fabs(values[i] - x);
        if (distance < smallest) {
            smallest = distance;
            nearest = i;
        }
    }
    return nearest;
}

} // namespace heteroscape::engine

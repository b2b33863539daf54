// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/exporters/expected_error_columns.h"

#include "engine/base/parallel.h"
#include "engine/evaluation/evaluate.h"
#include "engine/evaluation/expected_error.h"

#include <algorithm>
#include <cmath>

namespace heteroscape::engine {

std::string_view metricOfColumn(std::string_view column) {
    if (column.ends_with(kExpectedErrorColumn))
        column.remove_suffix(kExpectedErrorColumn.size());
    return column;
}

void addExpectedErrors(StudyTable& table, const Study& study, const std::vector<std::string>& metrics) {
    std::vector<StudyColumn> columns;
    std::vector<Metric> wanted;
    for (const auto& spec : metricSpecs())
        if (metrics.empty() || std::find(metrics.begin(), metrics.end(), spec.key) != metrics.end()) {
            wanted.push_back(spec.metric);
            columns.push_back({std::string(spec.key).append(kExpectedErrorColumn),
                               std::string(spec.label) + ", expected error",
                               "%",
                               false,
                               std::vector<double>(table.rows(), kUnset),
                               {}});
        }
    const PointSetter prototype(study);
    inParallel(table.rows(), 4, [&](std::size_t begin, std::size_t end) {
        auto setter = prototype;
        for (auto row = begin; row != end; ++row) {
            const auto& scenario = setter.at(table.ordinal(row));
            if (!hasExpectedErrors(scenario))
                continue;
            const ExpectedErrors errors(scenario, evaluate(scenario));
            for (std::size_t i = 0; i < wanted.size(); ++i)
                columns[i].values[row] = errors.of(wanted[i]).percent;
        }
    });
    for (auto& column : columns) {
        const auto known = [](double value) { return !std::isnan(value); };
        if (std::none_of(column.values.begin(), column.values.end(), known))
            continue;
        const auto metric = std::find_if(table.columns.begin(), table.columns.end(), [&](const auto& other) {
            return other.name == metricOfColumn(column.name);
        });
        if (metric != table.columns.end())
            table.columns.insert(metric + 1, std::move(column));
    }
}

} // namespace heteroscape::engine

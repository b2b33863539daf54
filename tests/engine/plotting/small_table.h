// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/store/store.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace heteroscape::engine::test {

/// The points of a study by hand: columns of axes, whether each row is feasible, columns of metrics; all of
/// one length. An axis takes what stands in its column, in that order.
inline StudyTable smallTable(std::vector<StudyColumn> axes, std::vector<double> feasible,
                             std::vector<StudyColumn> metrics) {
    StudyTable table;
    const auto rows = feasible.size();
    for (auto& axis : axes) {
        axis.isAxis = true;
        Axis taken{axis.name, {}, axis.names};
        for (const double value : axis.values)
            if (std::find(taken.values.begin(), taken.values.end(), value) == taken.values.end())
                taken.values.push_back(value);
        table.info.axes.push_back(std::move(taken));
        table.columns.push_back(std::move(axis));
    }
    table.columns.push_back({"feasible", "Feasible", "", false, std::move(feasible)});
    for (auto& metric : metrics)
        table.columns.push_back(std::move(metric));
    table.boundNames = {"none"};
    table.bounds.assign(rows, 0);
    return table;
}

inline StudyColumn axisColumn(std::string path, std::string label, std::vector<double> values,
                              std::vector<std::string> names = {}) {
    return {std::move(path), std::move(label), "", true, std::move(values), std::move(names)};
}

inline StudyColumn metricColumn(std::string key, std::string label, std::string unit,
                                std::vector<double> values) {
    return {std::move(key), std::move(label), std::move(unit), false, std::move(values)};
}

} // namespace heteroscape::engine::test

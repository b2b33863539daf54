// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plotting/grid_rows.h"

#include "engine/base/error.h"

#include <algorithm>

namespace heteroscape::engine {

std::size_t GridAxis::position(double value) const {
    const auto& values = axis->values;
    return static_cast<std::size_t>(std::find(values.begin(), values.end(), value) - values.begin());
}

std::optional<std::vector<GridAxis>> wholeGrid(const StudyTable& table) {
    const auto& axes = table.info.axes;
    std::vector<GridAxis> grid;
    std::size_t stride = 1;
    for (std::size_t i = axes.size(); i-- > 0;) {
        const auto* column = table.find(axes[i].path);
        const auto& values = axes[i].values;
        for (std::size_t k = 0; k < values.size(); ++k)
            if (!column || k * stride >= table.rows() || column->at(k * stride) != values[k])
                return {}; // another order
        grid.push_back({&axes[i], stride});
        stride *= values.size();
    }
    if (axes.empty() || stride != table.rows())
        return {};
    std::reverse(grid.begin(), grid.end());
    return grid;
}

std::vector<std::size_t> rowsAt(const StudyTable& table,
                                std::span<const std::pair<std::string, double>> held) {
    std::vector<const StudyColumn*> columns;
    for (const auto& [name, value] : held)
        columns.push_back(&columnOf(table, name));
    const auto grid = wholeGrid(table);
    std::vector<std::size_t> rows;
    if (!grid || !std::all_of(columns.begin(), columns.end(), [](const auto* one) { return one->isAxis; })) {
        for (std::size_t row = 0; row < table.rows(); ++row) {
            std::size_t k = 0;
            while (k < held.size() && columns[k]->values[row] == held[k].second)
                ++k;
            if (k == held.size())
                rows.push_back(row);
        }
        return rows;
    }
    rows.push_back(0);
    for (const auto& axis : *grid) {
        // What an axis is held at, of all values only those; twice at different ones is nowhere.
        std::vector<std::size_t> positions(axis.length());
        for (std::size_t k = 0; k < positions.size(); ++k)
            positions[k] = k;
        for (const auto& [name, value] : held)
            if (name == axis.axis->path)
                std::erase_if(positions, [at = axis.position(value)](auto k) { return k != at; });
        std::vector<std::size_t> further;
        further.reserve(rows.size() * positions.size());
        for (const auto row : rows)
            for (const auto position : positions)
                further.push_back(row + position * axis.stride);
        rows = std::move(further);
    }
    return rows;
}

const StudyColumn& columnOf(const StudyTable& table, const std::string& name) {
    if (const auto* column = table.find(name))
        return *column;
    std::string allowed;
    for (const auto& column : table.columns)
        allowed += (allowed.empty() ? "" : ", ") + column.name;
    throw Error(ErrorCode::NotFound, "study \"" + table.info.name + "\"", "it has no column \"" + name + "\"",
                "Columns: " + allowed);
}

} // namespace heteroscape::engine

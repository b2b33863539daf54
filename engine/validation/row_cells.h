// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/csv_reader.h"
#include "engine/units/number_text.h"

#include <algorithm>
#include <cmath>
#include <string_view>

namespace heteroscape::engine {

/// Cells of one row by their column.
class RowCells {
public:
    explicit RowCells(const CsvReader& csv) : m_csv(csv) {}

    /// The cell's place; the number of columns where there is none.
    std::size_t place(std::string_view column) const {
        const auto& header = m_csv.header();
        return static_cast<std::size_t>(std::find(header.begin(), header.end(), column) - header.begin());
    }
    std::string_view text(std::string_view column) const {
        const auto at = place(column);
        return at < m_csv.cells().size() ? std::string_view(m_csv.cells()[at]) : std::string_view();
    }
    void read(std::string_view column, double& into, bool whole, double most) const {
        const auto cell = text(column);
        if (cell.empty())
            return;
        const auto value = parseNumber(cell);
        if (!value)
            m_csv.failAt(place(column), quotedPiece(cell) + " is not a number", "Write it like 8 or 12.5");
        if (*value < 0 || *value > most || (whole && *value != std::floor(*value)))
            m_csv.failAt(place(column), quotedPiece(cell) + " is out of range",
                         "Allowed: from 0 to " + exactText(most) + (whole ? ", a whole number" : ""));
        into = *value;
    }
    bool flag(std::string_view column) const {
        const auto cell = text(column);
        if (cell == "True" || cell == "true" || cell == "1")
            return true;
        if (!cell.empty() && cell != "False" && cell != "false" && cell != "0")
            m_csv.failAt(place(column), quotedPiece(cell) + " is neither True nor False",
                         "Write True or False");
        return false;
    }

private:
    const CsvReader& m_csv;
};

} // namespace heteroscape::engine

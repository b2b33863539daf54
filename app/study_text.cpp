// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/study_text.h"

#include "app/text_table.h"
#include "engine/exporters/study_csv.h"
#include "engine/units/number_text.h"

#include <algorithm>
#include <cmath>
#include <ostream>

namespace heteroscape::cli {

using namespace heteroscape::engine;

namespace {

constexpr std::size_t kPrintedRows = 200;

std::string cellText(const StudyColumn& column, std::size_t row) {
    const double value = column.at(row);
    if (column.name == "feasible")
        return value != 0.0 ? "yes" : "no";
    return column.isAxis || column.isChoice() ? column.text(value) : shortText(value, 5);
}

} // namespace

std::vector<const StudyColumn*> shownColumns(const StudyTable& table,
                                             const std::vector<std::string>& metrics) {
    std::vector<const StudyColumn*> columns;
    for (const auto& column : table.columns)
        if (column.isAxis || column.isChoice() || metrics.empty() ||
            std::find(metrics.begin(), metrics.end(), metricOfColumn(column.name)) != metrics.end())
            columns.push_back(&column);
    return columns;
}

void printStudy(std::ostream& out, const StudyTable& table, const std::vector<std::string>& metrics,
                Truths truths) {
    auto columns = shownColumns(table, metrics);
    if (metrics.empty()) // what nothing is known of anywhere does not apply: not offloaded, not simulated
        std::erase_if(columns, [](const StudyColumn* column) {
            return std::all_of(column->values.begin(), column->values.end(),
                               [](double value) { return std::isnan(value); });
        });
    std::vector<std::string> header;
    for (const auto* column : columns)
        header.push_back(column->name);
    header.emplace_back("bound");
    TextTable text(std::move(header));
    for (std::size_t row = 0; row < std::min(table.rows(), kPrintedRows); ++row) {
        std::vector<std::string> cells;
        for (const auto* column : columns)
            cells.push_back(cellText(*column, row));
        cells.push_back(table.bound(row));
        text.add(std::move(cells));
    }
    text.print(out);
    if (table.rows() > kPrintedRows)
        out << "and " << table.rows() - kPrintedRows << " more rows; the CSV holds them all\n";
    if (truths.has(Truth::Ideal))
        out << (truths.areMixed() ? "ideal: " : "") << kAtBest << '\n';
}

} // namespace heteroscape::cli

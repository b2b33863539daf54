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

std::string cellText(const StudyColumn& column, std::size_t row) {
    const double value = column.at(row);
    if (column.name == "feasible")
        return value != 0.0 ? "yes" : "no";
    return column.isAxis || column.isChoice() ? column.text(value) : shortText(value, 5);
}

std::vector<const StudyColumn*> shownColumns(const StudyTable& table,
                                             const std::vector<std::string>& metrics) {
    std::vector<const StudyColumn*> columns;
    for (const auto& column : table.columns)
        if (column.isAxis || column.isChoice() || metrics.empty() ||
            std::find(metrics.begin(), metrics.end(), metricOfColumn(column.name)) != metrics.end())
            columns.push_back(&column);
    return columns;
}

namespace {

/// The first rows of a table that has so many.
void printRows(std::ostream& out, const StudyTable& table, const std::vector<const StudyColumn*>& columns,
               std::size_t rows, Truths truths) {
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
    if (rows > kPrintedRows)
        out << "and " << rows - kPrintedRows << " more rows; the CSV holds them all\n";
    out << truths.remarks();
}

} // namespace

void printStudy(std::ostream& out, const StudyTable& table, const std::vector<std::string>& metrics,
                Truths truths) {
    auto columns = shownColumns(table, metrics);
    if (metrics.empty()) // what nothing is known of anywhere does not apply: not offloaded, not simulated
        std::erase_if(columns, [](const StudyColumn* column) {
            return std::all_of(column->values.begin(), column->values.end(),
                               [](double value) { return std::isnan(value); });
        });
    printRows(out, table, columns, table.rows(), truths);
}

void printStudy(std::ostream& out, Store& store, std::int64_t study, const std::vector<std::string>& metrics,
                const Study& definition) {
    const auto info = store.study(study);
    StudyTable table;
    for (std::size_t end = kPrintedRows; table.rows() < std::min(kPrintedRows, info.done); end *= 16) {
        table = store.read(study, metrics, PointRange{0, std::min(end, info.points)});
        if (end >= info.points)
            break;
    }
    const auto truths = addTruths(table, definition);
    auto columns = shownColumns(table, metrics);
    if (metrics.empty()) {
        const auto filled = store.filledColumns(info);
        std::erase_if(columns, [&](const StudyColumn* column) {
            return !column->isAxis && !column->isChoice() &&
                   std::find(filled.begin(), filled.end(), column->name) == filled.end();
        });
    }
    printRows(out, table, columns, info.done, truths);
}

} // namespace heteroscape::cli

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/study/point_list.h"

#include "engine/base/csv_reader.h"
#include "engine/base/error.h"
#include "engine/scenario/layout_choices.h"
#include "engine/units/number_text.h"

#include <map>
#include <vector>

namespace heteroscape::engine {

namespace {

/// One column on its way to an axis.
struct PointColumnReader {
    Axis axis;
    Parameter parameter;
    std::map<std::string, std::size_t> places{}; ///< of names

    /// `once`: no value may come again.
    void add(const CsvReader& csv, std::size_t column, bool once) {
        const auto& cell = csv.cells()[column];
        if (cell.empty())
            csv.failAt(column, "it is empty", "Give a value for each path in each row");
        if (parameter.kind != ParameterKind::Number) {
            const auto name = isLayoutPath(axis.path) ? layoutWords(parseLayout(cell, axis.path)) : cell;
            const auto [place, isNew] = places.emplace(name, axis.names.size());
            if (isNew)
                axis.names.push_back(name);
            else if (once)
                csv.failAt(column, quotedPiece(cell) + " is given twice", "Give each value once");
            axis.values.push_back(static_cast<double>(place->second));
            return;
        }
        const auto value = parseNumber(cell);
        if (!value)
            csv.failAt(column, quotedPiece(cell) + " is not a number", "Give " + rangeText(parameter.spec));
        try {
            checkRange(parameter.spec, *value, axis.path);
        } catch (const Error&) {
            csv.failAt(column, quotedPiece(cell) + " is outside of its range",
                       "Give " + rangeText(parameter.spec));
        }
        axis.values.push_back(*value + 0.0);
    }
};

} // namespace

void readPoints(Study& study, const Catalog& catalog, std::istream& in, const std::string& name) {
    CsvReader csv(in, name);
    if (csv.header().size() > kMaxAxes)
        csv.fail(std::to_string(csv.header().size()) + " columns",
                 "Name at most " + std::to_string(kMaxAxes) + " parameters: set the others in the design");
    std::vector<PointColumnReader> columns;
    const auto inFile = [&](const auto& take) { // names the file
        try {
            take();
        } catch (const Error& error) {
            throw Error(error.code(), name + ":1: " + error.where(), error.message(), error.remedy());
        }
    };
    for (const auto& path : csv.header())
        inFile([&] { columns.push_back({Axis{path, {}}, findParameter(study.base, catalog, path)}); });
    csv.eachRow(kMaxAxisValues, "Write a row for each point below the names of the paths", [&] {
        for (std::size_t i = 0; i < columns.size(); ++i)
            columns[i].add(csv, i, columns.size() == 1);
    });
    study.axes.clear();
    for (auto& column : columns) {
        inFile([&] { resolveChoices(column.axis, study.base, catalog); });
        study.axes.push_back(std::move(column.axis));
    }
    study.isList = study.axes.size() > 1 && study.axes.front().values.size() > 1;
    inFile([&] { checkStudy(study); });
}

} // namespace heteroscape::engine

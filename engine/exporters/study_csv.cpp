// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/exporters/study_csv.h"

#include "engine/base/error.h"
#include "engine/catalog/named.h"
#include "engine/exporters/csv.h"
#include "engine/exporters/expected_error_columns.h"
#include "engine/scenario/key_text.h"
#include "engine/study_run/evaluate_study.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace heteroscape::engine {

namespace {

/// exactText() without a string for each number; nothing for NaN.
void appendNumber(std::string& out, double value) {
    if (std::isnan(value))
        return;
    char buffer[40];
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
    out.append(buffer, end);
}

class StudyCsv {
public:
    StudyCsv(const StudyTable& table, std::vector<const StudyColumn*> columns, const PointMarks& marks)
        : m_table(table), m_columns(std::move(columns)), m_keys(marks.keys),
          m_limits(marks.limits ? *marks.limits : table.info.limits) {}

    std::string write() {
        for (const auto* column : m_columns)
            m_out.append(csvField(column->name)) += ',';
        m_out += "bound,status,key\n";
        std::size_t next = 0;
        for (std::size_t row = 0; row < m_table.rows(); ++row) {
            for (; next < m_table.ordinal(row); ++next)
                addMissing(next);
            addRow(row);
            ++next;
        }
        for (; next < m_table.info.points; ++next)
            addMissing(next);
        return std::move(m_out);
    }

private:
    void addValue(const StudyColumn& column, double value) {
        if (column.isChoice())
            m_out += csvField(column.text(value));
        else
            appendNumber(m_out, value);
        m_out += ',';
    }

    void addRow(std::size_t row) {
        for (const auto* column : m_columns)
            addValue(*column, column->at(row));
        m_out.append(csvField(m_table.bound(row))) += ',';
        m_out.append(pointStatusName(pointStatus(m_table, row, m_limits))) += ',';
        if (row < m_keys.size() && m_keys[row] != ScenarioKey{})
            m_out += keyText(m_keys[row]);
        m_out += '\n';
    }

    void addMissing(std::size_t ordinal) {
        PointSetter::coordinates(m_table.info.axes, ordinal, m_place, m_table.info.isList);
        std::size_t axis = 0;
        for (const auto* column : m_columns)
            if (column->isAxis)
                addValue(*column, m_place.at(axis++));
            else
                m_out += ',';
        m_out.append(",").append(pointStatusName(PointStatus::NotComputed)) += ",\n";
    }

    const StudyTable& m_table;
    std::vector<const StudyColumn*> m_columns;
    const std::vector<ScenarioKey>& m_keys;
    const std::vector<Limit>& m_limits;
    std::vector<double> m_place;
    std::string m_out;
};

} // namespace

std::string_view pointStatusName(PointStatus status) {
    switch (status) {
    case PointStatus::Ok:
        return "ok";
    case PointStatus::Filtered:
        return "filtered";
    case PointStatus::Infeasible:
        return "infeasible";
    case PointStatus::NotComputed:
        break;
    }
    return "not computed";
}

PointStatus pointStatus(const StudyTable& table, std::size_t row, const std::vector<Limit>& limits) {
    if (const auto* feasible = table.find("feasible"); feasible && feasible->at(row) != 1.0)
        return PointStatus::Infeasible;
    for (const auto& limit : limits)
        if (const auto* column = table.find(limit.column); column && !limit.holds(column->at(row)))
            return PointStatus::Filtered;
    return PointStatus::Ok;
}

std::string studyCsv(const StudyTable& table, const std::vector<std::string>& metrics,
                     const PointMarks& marks) {
    std::vector<std::string> keys;
    for (const auto& spec : metricSpecs())
        keys.emplace_back(spec.key);
    for (const auto& wanted : metrics)
        if (std::find(keys.begin(), keys.end(), wanted) == keys.end())
            throw Error(ErrorCode::NotFound, "metrics",
                        "no metric is called \"" + wanted.substr(0, 80) + "\"", "There are: " + joined(keys));
    std::vector<const StudyColumn*> columns;
    for (const auto& column : table.columns) {
        const bool isMetric = !column.isAxis && column.name != "feasible";
        if (!isMetric || metrics.empty() ||
            std::find(metrics.begin(), metrics.end(), metricOfColumn(column.name)) != metrics.end())
            columns.push_back(&column);
    }
    return StudyCsv(table, std::move(columns), marks).write();
}

std::string studyCsv(Store& store, std::int64_t study, const Catalog& catalog,
                     const std::vector<std::string>& metrics) {
    const auto table = store.read(study); // limits may be on metrics that are not wanted
    return studyCsv(table, metrics, {studyKeys(table, store.definition(study, catalog))});
}

} // namespace heteroscape::engine

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/exporters/study_csv.h"

#include "engine/base/csv.h"
#include "engine/base/error.h"
#include "engine/base/parallel.h"
#include "engine/catalog/named.h"
#include "engine/evaluation/evaluate.h"
#include "engine/evaluation/expected_error.h"
#include "engine/scenario/scenario_key.h"
#include "engine/store/column_block.h"
#include "engine/study/truths.h"
#include "engine/study_run/evaluate_study.h"
#include "engine/units/number_text.h"

#include <algorithm>
#include <charconv>
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

namespace {

std::string numberField(double value) {
    return std::isfinite(value) ? exactText(value) : std::string();
}

class ClaimsCsv {
public:
    std::string text =
        "paper,claim,part,variant,quantity,condition,unit,relation,paper_value,model_value,error,"
        "kind,misfit,where,scenario,note,truth\n";

    void add(const std::string& paper, const ClaimResult& result) {
        const auto& claim = result.claim;
        addValue(paper, result, {}, {result.model, result.error, result.parts});
        for (std::size_t i = 0; i < claim.variants.size(); ++i)
            addValue(paper, result, claim.variants[i], result.variants[i]);
    }

private:
    void addValue(const std::string& paper, const ClaimResult& result, const std::string& variant,
                  const ClaimValue& value) {
        const auto& claim = result.claim;
        addRow({paper, claim.id, "", variant, claim.quantity, claim.condition, claim.unit,
                std::string(claimRelationName(claim.relation)), numberField(claim.paper),
                numberField(value.model), numberField(value.error), std::string(claimKindName(claim.kind)),
                variant.empty() ? (result.misfit ? "yes" : "no") : "", claim.where, claim.scenario,
                result.problem.empty() ? claim.note : "not computed: " + result.problem,
                std::string(truthName(result.truth))});
        for (std::size_t i = 0; i < claim.parts.size(); ++i)
            addRow({paper, claim.id, claim.parts[i].label, variant, claim.quantity, claim.condition,
                    claim.parts[i].unit, "", "", numberField(value.parts[i]), "", "", "", claim.where,
                    claim.scenario, "", std::string(truthName(result.truth))});
    }

    void addRow(const std::vector<std::string>& fields) {
        for (std::size_t i = 0; i < fields.size(); ++i)
            text.append(i == 0 ? "" : ",").append(csvField(fields[i]));
        text += '\n';
    }
};

} // namespace

std::string claimsCsv(std::span<const PaperComparison> comparisons) {
    ClaimsCsv csv;
    for (const auto& comparison : comparisons)
        for (const auto& result : comparison.results)
            csv.add(comparison.paper.id, result);
    return std::move(csv.text);
}

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

    /// The rows of these points, behind the header where they are the first.
    std::string write(PointRange range) {
        for (const auto* column : m_columns)
            if (range.begin == 0)
                m_out.append(csvField(column->name)) += ',';
        if (range.begin == 0)
            m_out += "bound,status,key\n";
        auto next = range.begin;
        for (std::size_t row = 0; row < m_table.rows(); ++row) {
            for (; next < m_table.ordinal(row); ++next)
                addMissing(next);
            addRow(row);
            ++next;
        }
        for (; next < range.end; ++next)
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

namespace {

std::vector<const StudyColumn*> wantedColumns(const StudyTable& table,
                                              const std::vector<std::string>& metrics) {
    std::vector<const StudyColumn*> columns;
    for (const auto& column : table.columns) {
        const bool isMetric = !column.isAxis && !column.isChoice() && column.name != "feasible";
        if (!isMetric || metrics.empty() ||
            std::find(metrics.begin(), metrics.end(), metricOfColumn(column.name)) != metrics.end())
            columns.push_back(&column);
    }
    return columns;
}

void checkMetrics(const std::vector<std::string>& metrics, const StudyInfo& study) {
    auto keys = study.nodeMetrics;
    for (const auto& spec : metricSpecs())
        keys.emplace_back(spec.key);
    for (const auto& wanted : metrics)
        if (std::find(keys.begin(), keys.end(), wanted) == keys.end())
            throw Error(ErrorCode::NotFound, "metrics",
                        "no metric is called \"" + wanted.substr(0, 80) + "\"", "There are: " + joined(keys));
}

} // namespace

std::string studyCsv(const StudyTable& table, const std::vector<std::string>& metrics,
                     const PointMarks& marks) {
    checkMetrics(metrics, table.info);
    return StudyCsv(table, wantedColumns(table, metrics), marks).write({0, table.info.points});
}

std::vector<std::string> metricsToRead(const StudyInfo& study, const std::vector<std::string>& metrics) {
    if (metrics.empty())
        return {};
    auto wanted = metrics;
    for (const auto& limit : study.limits) {
        if (limit.column == kTruthColumn)
            continue;
        if (!findMetric(limit.column) && limit.column != kFeasibleColumn)
            return {}; // of a node: all of them
        wanted.push_back(limit.column);
    }
    return wanted;
}

void studyCsv(Store& store, std::int64_t study, const Study& definition,
              const std::vector<std::string>& metrics, const std::function<void(std::string_view)>& take) {
    constexpr std::size_t pointsAtOnce = 4 * kMostBlockPoints;
    const auto info = store.study(study);
    checkMetrics(metrics, info);
    const auto read = metricsToRead(info, metrics); // limits may be on metrics that are not wanted
    for (std::size_t at = 0; at < info.points; at += pointsAtOnce) {
        const PointRange range{at, std::min(at + pointsAtOnce, info.points)};
        auto table = store.read(study, read, range);
        addTruths(table, definition, true);
        take(StudyCsv(table, wantedColumns(table, metrics), {studyKeys(table, definition)}).write(range));
    }
}

void writeStudyCsv(Store& store, std::int64_t study, const Catalog& catalog,
                   const std::vector<std::string>& metrics, const std::string& path) {
    const auto definition = store.definition(study, catalog);
    writeCsvFile(path, [&](const auto& take) { studyCsv(store, study, definition, metrics, take); });
}

} // namespace heteroscape::engine

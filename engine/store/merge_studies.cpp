// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/merge_studies.h"

#include "engine/base/error.h"
#include "engine/evaluation/evaluation.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace heteroscape::engine {

namespace {

constexpr std::size_t kRowsAtOnce = 8192;

/// One study of one store into another.
class StudyCopy {
public:
    StudyCopy(Store& from, Store& into, const StudyInfo& source, const StudyInfo& target,
              const std::stop_token& stop)
        : m_into(into), m_target(target), m_stop(stop), m_table(from.read(source.id)),
          m_keys(from.keys(m_table)), m_feasible(m_table.find("feasible")) {
        for (const auto& spec : metricSpecs())
            m_metrics.push_back(m_table.find(std::string(spec.key)));
    }

    void run() {
        std::vector<PointRow> rows;
        for (std::size_t row = 0; row < m_table.rows(); ++row) {
            rows.push_back(pointAt(row));
            if (rows.size() == kRowsAtOnce || row + 1 == m_table.rows()) {
                m_into.addRows(m_target, rows, m_table.boundNames, m_stop);
                rows.clear();
            }
        }
        for (const auto& metric : m_target.nodeMetrics)
            copyNodeMetric(metric);
    }

private:
    Store& m_into;
    const StudyInfo& m_target;
    const std::stop_token& m_stop;
    StudyTable m_table;
    std::vector<ScenarioKey> m_keys;
    const StudyColumn* m_feasible;
    std::vector<const StudyColumn*> m_metrics;

    PointRow pointAt(std::size_t row) const {
        PointRow point;
        point.ordinal = m_table.ordinal(row);
        point.key = m_keys[row];
        point.computed = true;
        point.feasible = m_feasible->at(row) != 0.0;
        point.bound = m_table.bounds[row];
        for (std::size_t i = 0; i < m_metrics.size(); ++i)
            point.metrics[i] = m_metrics[i] ? m_metrics[i]->at(row) : kUnset;
        return point;
    }

    void copyNodeMetric(const std::string& metric) {
        const auto* column = m_table.find(metric);
        if (!column)
            return;
        std::vector<std::pair<std::size_t, double>> values;
        for (std::size_t row = 0; row < m_table.rows(); ++row)
            values.emplace_back(m_table.ordinal(row), column->at(row));
        m_into.addNodeMetricValues(m_target, metric, {column->label, column->unit}, values);
    }
};

} // namespace

std::vector<StudyInfo> mergeStudies(const std::vector<std::string>& parts, Store& into,
                                    const Catalog& catalog, const std::stop_token& stop) {
    std::vector<std::int64_t> ids;
    for (const auto& path : parts) {
        if (!std::filesystem::exists(path)) // opening would make it
            throw Error(ErrorCode::Io, path, "there is no such file", "Run that shard again");
        Store part(path);
        for (const auto& source : part.studies()) {
            const auto study = part.definition(source.id, catalog);
            const auto target = into.ensureStudy(study, stop);
            if (std::find(ids.begin(), ids.end(), target.id) == ids.end())
                ids.push_back(target.id);
            StudyCopy(part, into, source, target, stop).run();
        }
    }
    if (ids.empty())
        throwInvalid(parts.empty() ? std::string("parts") : parts.front(), "holds no study",
                     "Name the stores that sweep --shard wrote");
    std::vector<StudyInfo> merged;
    for (const auto id : ids)
        merged.push_back(into.study(id));
    return merged;
}

} // namespace heteroscape::engine

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/study_reader.h"

#include "engine/base/error.h"
#include "engine/evaluation/metric.h"
#include "engine/store/schema.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <limits>

namespace heteroscape::engine {

namespace fs = std::filesystem;

namespace {

constexpr std::int64_t kMostBounds = 1'000'000;  // there are some dozens
constexpr std::size_t kMostReserved = 1'000'000; // rows that a damaged store can promise without having them

/// A column that takes room only from its first value on.
class ColumnFiller {
public:
    ColumnFiller(StudyColumn& column, std::size_t rows) : m_column(column), m_rows(rows) {}
    void add(double value) {
        if (m_column.values.empty() && std::isnan(value)) {
            ++m_skipped;
            return;
        }
        if (m_column.values.empty()) {
            m_column.values.reserve(m_rows);
            m_column.values.assign(m_skipped, std::numeric_limits<double>::quiet_NaN());
        }
        m_column.values.push_back(value);
    }

private:
    StudyColumn& m_column;
    std::size_t m_rows;
    std::size_t m_skipped = 0;
};

bool wanted(const std::vector<std::string>& metrics, std::string_view key) {
    return metrics.empty() || std::find(metrics.begin(), metrics.end(), key) != metrics.end();
}

void addAxes(Database& database, StudyTable& table) {
    Statement axes(database, "SELECT path, label, unit FROM study_axes WHERE study = ? ORDER BY axis");
    axes.bind(1, table.info.id);
    for (std::size_t i = 0; axes.step(); ++i) {
        table.columns.push_back(
            {std::string(axes.text(0)), std::string(axes.text(1)), std::string(axes.text(2)), true, {}});
        table.columns.back().names = table.info.axes.at(i).names;
    }
}

std::vector<std::string> boundTexts(Database& database) {
    std::vector<std::string> names; // by id
    Statement bounds(database, "SELECT id, text FROM bounds");
    while (bounds.step()) {
        const auto id = bounds.integer(0);
        if (id < 0 || id > kMostBounds)
            database.damaged("a bound has the number " + std::to_string(id));
        names.resize(std::max(names.size(), static_cast<std::size_t>(id) + 1));
        names[static_cast<std::size_t>(id)] = bounds.text(1);
    }
    return names;
}

void addNodeMetrics(Database& database, StudyTable& table, const std::vector<std::size_t>& ordinals) {
    Statement label(database, "SELECT label, unit FROM study_figures WHERE study = ? AND path = ?");
    for (const auto& metric : table.info.nodeMetrics) {
        StudyColumn column{metric, metric, {}, false, {}};
        if (label.bind(1, table.info.id).bind(2, std::string_view(metric)).step()) {
            if (!label.text(0).empty())
                column.label = label.text(0);
            column.unit = label.text(1);
            label.reset();
        }
        std::vector<double> byOrdinal(table.info.points, std::numeric_limits<double>::quiet_NaN());
        Statement values(database, "SELECT ordinal, value FROM study_values WHERE study = ? AND path = ?");
        values.bind(1, table.info.id).bind(2, std::string_view(metric));
        while (values.step())
            if (const auto at = static_cast<std::size_t>(values.integer(0)); at < byOrdinal.size())
                byOrdinal[at] = values.real(1);
        column.values.reserve(ordinals.size());
        for (const auto ordinal : ordinals)
            column.values.push_back(byOrdinal.at(ordinal));
        table.columns.push_back(std::move(column));
    }
}

} // namespace

StudyTable readStudyTable(Database& database, const StudyInfo& info,
                          const std::vector<std::string>& metrics) {
    StudyTable table;
    table.info = info;
    table.partial = !metrics.empty();
    addAxes(database, table);
    const auto axisCount = table.columns.size();
    table.columns.push_back({"feasible", "Feasible", "", false, {}});
    std::string sql = "SELECT r.ordinal, p.bound, p.feasible";
    std::vector<std::size_t> read; // columns of the statement beyond these
    for (const auto& spec : metricSpecs()) {
        if (wanted(metrics, spec.key)) {
            read.push_back(table.columns.size());
            sql += ", p." + quotedName(spec.key);
        }
        table.columns.push_back(
            {std::string(spec.key), std::string(spec.label), std::string(spec.unit), false, {}});
    }
    sql += " FROM study_rows r CROSS JOIN points p ON p.id = r.point WHERE r.study = ? ORDER BY r.ordinal";

    const auto expected = std::min(info.done, kMostReserved);
    for (std::size_t i = 0; i <= axisCount; ++i)
        table.columns[i].values.reserve(expected);
    table.bounds.reserve(expected);
    std::vector<ColumnFiller> fillers;
    for (const auto column : read)
        fillers.emplace_back(table.columns[column], expected);
    std::vector<std::size_t> ordinals;
    ordinals.reserve(expected);
    std::vector<double> place;
    Statement rows(database, sql);
    rows.bind(1, info.id);
    while (rows.step()) {
        const auto bound = static_cast<std::size_t>(rows.integer(1));
        if (bound >= table.boundNames.size())
            table.boundNames = boundTexts(database); // inside the same snapshot as the rows
        if (bound >= table.boundNames.size())
            database.damaged("a point refers to a bound that is not there");
        const auto ordinal = static_cast<std::size_t>(rows.integer(0));
        if (ordinal >= info.points)
            database.damaged("study " + std::to_string(info.id) + " holds a point beyond its grid");
        PointSetter::coordinates(info.axes, ordinal, place);
        for (std::size_t i = 0; i < axisCount; ++i)
            table.columns[i].values.push_back(place[i]);
        table.columns[axisCount].values.push_back(rows.real(2));
        for (std::size_t i = 0; i < fillers.size(); ++i)
            fillers[i].add(rows.real(static_cast<int>(i) + 3));
        table.bounds.push_back(static_cast<std::uint32_t>(bound));
        ordinals.push_back(ordinal);
    }
    if (!table.partial)
        addNodeMetrics(database, table, ordinals);
    if (ordinals.size() < info.points)
        table.ordinals = std::move(ordinals);
    return table;
}

std::vector<ScenarioKey> readStudyKeys(Database& database, const StudyTable& table) {
    std::vector<std::pair<std::int64_t, std::size_t>> rowsOfPoints; // sorted by point
    rowsOfPoints.reserve(table.rows());
    Statement rows(database, "SELECT ordinal, point FROM study_rows WHERE study = ? ORDER BY ordinal");
    rows.bind(1, table.info.id);
    for (std::size_t row = 0; rows.step() && row < table.rows();) {
        const auto ordinal = static_cast<std::size_t>(rows.integer(0));
        while (row < table.rows() && table.ordinal(row) < ordinal) // removed since the table was read
            ++row;
        if (row < table.rows() && table.ordinal(row) == ordinal)
            rowsOfPoints.emplace_back(rows.integer(1), row++);
    }
    std::sort(rowsOfPoints.begin(), rowsOfPoints.end());
    std::vector<ScenarioKey> keys(table.rows());
    Statement all(database, "SELECT point, key FROM point_keys");
    while (all.step()) {
        const auto point = all.integer(0);
        const auto key = all.text(1);
        for (auto at =
                 std::lower_bound(rowsOfPoints.begin(), rowsOfPoints.end(), std::pair(point, std::size_t{0}));
             at != rowsOfPoints.end() && at->first == point; ++at)
            std::copy_n(key.begin(), std::min(key.size(), sizeof(ScenarioKey)), keys[at->second].begin());
    }
    return keys;
}

void copyStudy(Database& source, const StudyInfo& info, const std::string& path) {
    std::error_code failure;
    if (fs::exists(path, failure))
        throw Error(ErrorCode::InvalidInput, path, "the file is there already",
                    "It was left as it is: give another name, or remove it first");
    auto folder = path + ".part-XXXXXX"; // made beside it in a place of its own, then moved
    if (!::mkdtemp(folder.data()))
        throw Error(ErrorCode::Io, path, std::string("cannot be written: ") + std::strerror(errno),
                    "Check that the folder is there and that you may write to it");
    const auto part = folder + "/study.sqlite";
    const auto removePart = [&folder] {
        std::error_code ignored;
        fs::remove_all(folder, ignored);
    };
    try {
        Database target(part);
        prepareStore(target);
        Statement attach(target, "ATTACH DATABASE ? AS source");
        attach.bind(1, std::string_view(source.file())).run();
        const auto id = std::to_string(info.id);
        // No write lock on what is read: it belongs to the transaction, and a sweep may be writing there.
        target.execute("BEGIN");
        for (const auto* table : {"studies", "study_axes", "axis_values", "study_rows", "study_limits",
                                  "study_figures", "study_values"})
            target.execute("INSERT INTO main." + std::string(table) + " SELECT * FROM source." + table +
                           " WHERE " + (std::string_view(table) == "studies" ? "id" : "study") + " = " + id);
        target.execute("INSERT INTO main.bounds SELECT * FROM source.bounds");
        std::string columns = "id, feasible, bound";
        for (const auto& spec : metricSpecs())
            columns += ", " + quotedName(spec.key);
        target.execute("INSERT INTO main.points(" + columns + ") SELECT " + columns +
                       " FROM source.points WHERE id IN (SELECT point FROM main.study_rows)");
        target.execute("UPDATE main.metric_columns SET since ="
                       " (SELECT s.since FROM source.metric_columns s WHERE s.key = metric_columns.key)");
        target.execute("INSERT INTO main.point_keys SELECT * FROM source.point_keys WHERE point IN"
                       " (SELECT point FROM main.study_rows)");
        target.execute(studyViewSql(info.id, info.view, info.axes, info.nodeMetrics));
        target.execute("COMMIT");
        target.execute("DETACH DATABASE source");
        target.execute("PRAGMA journal_mode = DELETE"); // one file, without a log beside it
    } catch (...) {
        removePart();
        throw;
    }
    fs::rename(part, path, failure);
    removePart();
    if (failure)
        throw Error(ErrorCode::Io, path, "cannot be written: " + failure.message(),
                    "Check that you may write there");
}

} // namespace heteroscape::engine

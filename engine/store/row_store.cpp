// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/row_store.h"

#include "engine/base/error.h"
#include "engine/base/json.h"
#include "engine/catalog/catalog.h"
#include "engine/scenario/scenario_json.h"
#include "engine/store/column_block.h"
#include "engine/store/schema.h"
#include "engine/store/study_prints.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace heteroscape::engine {

namespace {

constexpr const char* kOldTables[] = {"studies",       "study_axes",   "axis_values",   "study_rows",
                                      "points",        "bounds",       "point_keys",    "study_limits",
                                      "study_figures", "study_values", "metric_columns"};

/// The study without its choices resolved, where its base can be read.
std::optional<Study> plainStudy(const StoredStudy& stored) {
    try {
        Study study;
        study.base = readScenario(parseJson(stored.base, "base"), Catalog{}, "base");
        for (const auto& axis : stored.axes)
            study.axes.push_back(axis.axis);
        return study;
    } catch (const Error&) {
        return std::nullopt;
    }
}

/// Rows of points gathered until they make a block.
class RowGatherer {
public:
    RowGatherer(std::int64_t study, std::vector<std::string> columns, PointWriter& writer, ColumnNames& names)
        : m_study(study), m_columns(std::move(columns)), m_writer(writer), m_names(names),
          m_values(m_columns.size()) {}

    /// The values of the columns at a point; what is known of it.
    void add(std::size_t ordinal, const std::vector<std::string>& known, const std::vector<double>& values) {
        if (m_count > 0 && (ordinal != m_first + m_count || known != m_known || m_count == kMostBlockPoints))
            flush();
        if (m_count == 0) {
            m_first = ordinal;
            m_known = known;
        }
        for (std::size_t i = 0; i < m_columns.size(); ++i)
            m_values[i].push_back(values[i]);
        ++m_count;
    }

    void flush() {
        if (m_count == 0)
            return;
        PointWriter::Blocks blocks;
        for (std::size_t i = 0; i < m_columns.size(); ++i) {
            blocks[m_columns[i]] = packBlock(m_values[i]);
            m_values[i].clear();
        }
        auto known = m_known;
        std::sort(known.begin(), known.end());
        m_writer.writeBlocks(m_study, {m_first, m_first + m_count}, m_names.addKnown(known),
                             std::move(blocks));
        m_count = 0;
    }

private:
    std::int64_t m_study;
    std::vector<std::string> m_columns;
    PointWriter& m_writer;
    ColumnNames& m_names;
    std::vector<std::vector<double>> m_values;
    std::vector<std::string> m_known;
    std::size_t m_first = 0;
    std::size_t m_count = 0;
};

/// Metrics of nodes of one study, by ordinal, as they were kept: NULL is known to be none.
class OldNodeMetrics {
public:
    OldNodeMetrics(Database& database, std::int64_t study, std::size_t points) {
        Statement kept(database, "SELECT path FROM old_study_figures WHERE study = ? ORDER BY place");
        kept.bind(1, study);
        while (kept.step())
            m_paths.emplace_back(kept.text(0));
        Statement rows(database, "SELECT ordinal, value FROM old_study_values WHERE study = ? AND path = ?");
        for (const auto& path : m_paths) {
            auto& values = m_values.emplace_back(points, std::numeric_limits<double>::quiet_NaN());
            auto& there = m_there.emplace_back(points, false);
            rows.bind(1, study).bind(2, std::string_view(path));
            while (rows.step())
                if (const auto at = static_cast<std::size_t>(rows.integer(0)); at < points) {
                    values[at] = rows.real(1);
                    there[at] = true;
                }
        }
    }
    const std::vector<std::string>& paths() const { return m_paths; }
    void appendAt(std::size_t ordinal, std::vector<double>& values, std::vector<std::string>& known) const {
        for (std::size_t i = 0; i < m_paths.size(); ++i) {
            values.push_back(m_values[i][ordinal]);
            if (m_there[i][ordinal])
                known.push_back(m_paths[i]);
        }
    }

private:
    std::vector<std::string> m_paths;
    std::vector<std::vector<double>> m_values;
    std::vector<std::vector<bool>> m_there;
};

} // namespace

void RowStore::setAside() {
    std::vector<std::string> views;
    Statement all(m_database, "SELECT name FROM sqlite_master WHERE type = 'view'");
    while (all.step())
        views.emplace_back(all.text(0));
    for (const auto& view : views)
        m_database.execute("DROP VIEW " + quotedName(view));
    for (const auto* table : kOldTables) {
        Statement find(m_database, "SELECT type FROM sqlite_master WHERE name = ?");
        if (find.bind(1, std::string_view(table)).step()) {
            if (find.text(0) != "table")
                m_database.damaged("it has no table \"" + std::string(table) + "\"");
            find.reset();
            m_database.execute("ALTER TABLE " + std::string(table) + " RENAME TO old_" + table);
        }
    }
    if (m_version < 2)
        m_database.execute("ALTER TABLE old_axis_values ADD COLUMN name TEXT");
    if (m_version < 5)
        m_database.execute("CREATE TABLE old_study_limits(study, place, \"column\", least, most);"
                           "CREATE TABLE old_study_figures(study, place, path, label, unit);"
                           "CREATE TABLE old_study_values(study, path, ordinal, value)");
    if (m_version < 6)
        m_database.execute("CREATE TABLE old_metric_columns(key, since)");
}

void RowStore::readMetrics() {
    Statement columns(m_database, "SELECT name FROM pragma_table_info('old_points')");
    while (columns.step())
        if (const auto name = columns.text(0); name != "id" && name != "feasible" && name != "bound")
            m_metrics.emplace_back(name);
    Statement since(m_database, "SELECT since FROM old_metric_columns WHERE key = ?");
    for (const auto& metric : m_metrics) {
        m_since.emplace_back(since.bind(1, std::string_view(metric)).step() ? since.integer(0) : 0, metric);
        since.reset();
    }
}

std::vector<std::string> RowStore::knownAt(std::int64_t point) const {
    std::vector<std::string> known{kFeasibleColumn, kBoundColumn};
    for (const auto& [first, metric] : m_since)
        if (point >= first)
            known.push_back(metric);
    return known;
}

std::vector<StoredAxis> RowStore::axesOf(std::int64_t study) {
    std::vector<StoredAxis> found;
    Statement axes(m_database,
                   "SELECT axis, path, label, unit FROM old_study_axes WHERE study = ? ORDER BY axis");
    axes.bind(1, study);
    while (axes.step()) {
        StoredAxis stored{
            {std::string(axes.text(1)), {}}, std::string(axes.text(2)), std::string(axes.text(3)), {}};
        Statement values(m_database, "SELECT value, name FROM old_axis_values WHERE study = ? AND axis = ?"
                                     " ORDER BY position");
        values.bind(1, study).bind(2, axes.integer(0));
        while (values.step()) {
            stored.axis.values.push_back(values.real(0));
            if (const auto name = values.text(1); !name.empty())
                stored.axis.names.emplace_back(name);
        }
        found.push_back(std::move(stored));
    }
    return found;
}

void RowStore::takePoints(std::int64_t study, std::size_t points, PointWriter& writer, ColumnNames& names) {
    const OldNodeMetrics nodes(m_database, study, points);
    std::string sql = "SELECT r.ordinal, p.id, p.feasible, p.bound";
    std::vector<std::string> columns{kFeasibleColumn, kBoundColumn};
    for (const auto& metric : m_metrics) {
        sql += ", p." + quotedName(metric);
        columns.push_back(metric);
    }
    columns.insert(columns.end(), nodes.paths().begin(), nodes.paths().end());
    RowGatherer gatherer(study, columns, writer, names);
    Statement rows(m_database, sql + " FROM old_study_rows r CROSS JOIN old_points p ON p.id = r.point"
                                     " WHERE r.study = ? ORDER BY r.ordinal");
    rows.bind(1, study);
    std::vector<double> values;
    while (rows.step()) {
        const auto ordinal = static_cast<std::size_t>(rows.integer(0));
        const auto bound = m_bounds.find(rows.integer(3));
        if (ordinal >= points || bound == m_bounds.end())
            m_database.damaged("study " + std::to_string(study) +
                               ": a point is beyond its grid, or of no bound");
        values.assign({rows.integer(2) != 0 ? 1.0 : 0.0, static_cast<double>(bound->second)});
        for (std::size_t i = 0; i < m_metrics.size(); ++i)
            values.push_back(rows.real(static_cast<int>(i) + 4));
        auto known = knownAt(rows.integer(1));
        nodes.appendAt(ordinal, values, known);
        gatherer.add(ordinal, known, values);
    }
    gatherer.flush();
}

void RowStore::takeKeys(std::int64_t study) {
    Statement(m_database, "INSERT OR IGNORE INTO simulated_points(key, study, ordinal)"
                          " SELECT k.key, r.study, r.ordinal FROM old_study_rows r"
                          " JOIN old_point_keys k ON k.point = r.point WHERE r.study = ?")
        .bind(1, study)
        .run();
}

void RowStore::takeStudy(std::int64_t study, PointWriter& writer, ColumnNames& names) {
    StoredStudy stored;
    std::int64_t points = 0;
    {
        Statement row(m_database,
                      "SELECT fingerprint, name, created, equations, base, points FROM old_studies"
                      " WHERE id = ?");
        if (!row.bind(1, study).step())
            return;
        stored.fingerprint = row.text(0);
        stored.name = row.text(1);
        stored.created = row.text(2);
        stored.equations = row.text(3);
        stored.base = row.text(4);
        points = row.integer(5);
    }
    stored.axes = axesOf(study);
    const auto plain = plainStudy(stored);
    const bool hasChoices = std::any_of(stored.axes.begin(), stored.axes.end(),
                                        [](const StoredAxis& one) { return one.axis.isChoice(); });
    if (plain && !hasChoices) // what choices stand for is not known without a catalogue
        try {
            stored.family = familyOf(*plain);
        } catch (const Error&) {
        }
    if (points < 1 || static_cast<std::uint64_t>(points) > kMaxStudyPoints)
        m_database.damaged("study " + std::to_string(study) + ": its number of points is " +
                           std::to_string(points));
    writeStudy(m_database, stored, study);
    readAxes(m_database, study, static_cast<std::size_t>(points)); // checks them
    takePoints(study, static_cast<std::size_t>(points), writer, names);
    if (plain && isSimulatedStudy(*plain))
        takeKeys(study);
}

void RowStore::takeOver() {
    readMetrics();
    m_database.execute(
        "INSERT INTO study_limits SELECT study, place, \"column\", least, most FROM old_study_limits;"
        "INSERT INTO node_metrics(study, place, path, label, unit)"
        " SELECT study, place, path, coalesce(label, ''), coalesce(unit, '') FROM old_study_figures");
    ColumnNames names(m_database);
    PointWriter writer(m_database, names);
    {
        Statement bounds(m_database, "SELECT id, text FROM old_bounds");
        while (bounds.step())
            m_bounds[bounds.integer(0)] = writer.boundId(std::string(bounds.text(1)));
    }
    std::vector<std::int64_t> studies;
    {
        Statement all(m_database, "SELECT id FROM old_studies ORDER BY id");
        while (all.step())
            studies.push_back(all.integer(0));
    }
    for (const auto study : studies)
        takeStudy(study, writer, names);
    m_database.execute("UPDATE studies SET done ="
                       " (SELECT coalesce(sum(count), 0) FROM chunks WHERE study = studies.id)");
    // Numbers are never given again.
    const auto last = m_database.number("SELECT seq FROM sqlite_sequence WHERE name = 'old_studies'");
    m_database.execute("INSERT INTO sqlite_sequence(name, seq) SELECT 'studies', 0 WHERE NOT EXISTS"
                       " (SELECT 1 FROM sqlite_sequence WHERE name = 'studies');"
                       "UPDATE sqlite_sequence SET seq = max(seq, " +
                       std::to_string(last) + ") WHERE name = 'studies'");
    for (const auto* table : kOldTables)
        m_database.execute("DROP TABLE IF EXISTS old_" + std::string(table));
}

} // namespace heteroscape::engine

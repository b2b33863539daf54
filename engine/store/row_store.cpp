// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/row_store.h"

#include "engine/base/error.h"
#include "engine/base/json.h"
#include "engine/catalog/catalog.h"
#include "engine/scenario/scenario_json.h"
#include "engine/store/column_block.h"
#include "engine/store/schema.h"
#include "engine/store/study_shape.h"
#include "engine/version.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace heteroscape::engine {

namespace {

/// A table of the old, the columns that are read of it, and the schema that brought it.
struct OldTable {
    const char* name;
    const char* columns;
    int since;
};

constexpr OldTable kOldTables[] = {{"studies", "id, fingerprint, name, created, equations, base, points", 1},
                                   {"study_axes", "study, axis, path, label, unit", 1},
                                   {"axis_values", "study, axis, position, value, name", 1},
                                   {"study_rows", "study, ordinal, point", 1},
                                   {"points", "id, feasible, bound", 1},
                                   {"bounds", "id, text", 1},
                                   {"point_keys", "key, point", 1},
                                   {"study_limits", "study, place, \"column\", least, most", 5},
                                   {"study_figures", "study, place, path, label, unit", 5},
                                   {"study_values", "study, path, ordinal, value", 5},
                                   {"metric_columns", "key, since", 6}};

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
        m_writer.writeBlocks(m_study, {m_first, m_first + m_count}, m_names.addKnown(known), blocks);
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
    OldNodeMetrics() = default;
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

bool RowStore::attempt(const std::string& what, const std::function<void()>& work) {
    try {
        work();
        return true;
    } catch (const Error& error) {
        if (error.code() != ErrorCode::InvalidInput)
            throw;
        const auto& message = error.message(); // from within a study it names the study
        const auto told = message.starts_with("study ") ? message : what + ": " + message;
        if (!m_lost)
            throwInvalid(m_from.path(), told, error.remedy());
        m_lost->push_back(told);
        return false;
    }
}

void RowStore::setAside() {
    std::vector<std::string> views;
    Statement all(m_from, "SELECT name FROM sqlite_master WHERE type = 'view'");
    while (all.step())
        views.emplace_back(all.text(0));
    for (const auto& view : views)
        m_from.execute("DROP VIEW " + quotedName(view));
    const auto version = m_from.number("PRAGMA user_version");
    for (const auto& [name, columns, since] : kOldTables) {
        const auto old = "old_" + std::string(name);
        const bool isThere = attempt("the table \"" + std::string(name) + "\"", [&] {
            Statement find(m_from, "SELECT type FROM sqlite_master WHERE name = ?");
            const bool found = find.bind(1, std::string_view(name)).step() && find.text(0) == "table";
            if (!found && version >= since)
                m_from.damaged("it has no table \"" + std::string(name) + "\"");
        });
        if (isThere && version >= since)
            m_from.execute("ALTER TABLE " + std::string(name) + " RENAME TO " + old);
        else
            m_from.execute("CREATE TABLE " + old + "(" + columns + ")");
    }
    if (version < 2)
        m_from.execute("ALTER TABLE old_axis_values ADD COLUMN name TEXT");
}

void RowStore::readMetrics() {
    Statement columns(m_from, "SELECT name FROM pragma_table_info('old_points')");
    while (columns.step())
        if (const auto name = columns.text(0); name != "id" && name != "feasible" && name != "bound")
            m_metrics.emplace_back(name);
    Statement since(m_from, "SELECT since FROM old_metric_columns WHERE key = ?");
    for (const auto& metric : m_metrics) {
        std::int64_t first = 0;
        attempt("since when there is " + metric, [&] {
            if (since.bind(1, std::string_view(metric)).step())
                first = since.integer(0);
        });
        since.reset();
        m_since.emplace_back(first, metric);
    }
}

void RowStore::takeBounds(PointWriter& writer) {
    Statement bounds(m_from, "SELECT id, text FROM old_bounds");
    while (bounds.step())
        m_bounds[bounds.integer(0)] = writer.boundId(std::string(bounds.text(1)));
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
    Statement axes(m_from,
                   "SELECT axis, path, label, unit FROM old_study_axes WHERE study = ? ORDER BY axis");
    axes.bind(1, study);
    while (axes.step()) {
        StoredAxis stored{
            {std::string(axes.text(1)), {}}, std::string(axes.text(2)), std::string(axes.text(3)), {}};
        Statement values(m_from, "SELECT value, name FROM old_axis_values WHERE study = ? AND axis = ?"
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

void RowStore::takeLimits(std::int64_t study) {
    Statement limits(m_from, "SELECT place, \"column\", least, most FROM old_study_limits WHERE study = ?");
    Statement limit(m_into, "INSERT INTO study_limits VALUES(?, ?, ?, ?, ?)");
    for (limits.bind(1, study); limits.step();)
        limit.bind(1, study)
            .bind(2, limits.integer(0))
            .bind(3, limits.text(1))
            .bind(4, limits.real(2))
            .bind(5, limits.real(3))
            .run();
    Statement figures(m_from, "SELECT place, path, label, unit FROM old_study_figures WHERE study = ?");
    Statement figure(m_into,
                     "INSERT INTO node_metrics(study, place, path, label, unit) VALUES(?, ?, ?, ?, ?)");
    for (figures.bind(1, study); figures.step();)
        figure.bind(1, study)
            .bind(2, figures.integer(0))
            .bind(3, figures.text(1))
            .bind(4, figures.text(2))
            .bind(5, figures.text(3))
            .run();
}

void RowStore::takePoints(std::int64_t study, std::size_t points, PointWriter& writer, ColumnNames& names) {
    const auto name = "study " + std::to_string(study);
    OldNodeMetrics nodes;
    attempt(name + ", metrics of its nodes", [&] { nodes = OldNodeMetrics(m_from, study, points); });
    std::string sql = "SELECT feasible, bound";
    std::vector<std::string> columns{kFeasibleColumn, kBoundColumn};
    for (const auto& metric : m_metrics) {
        sql += ", " + quotedName(metric);
        columns.push_back(metric);
    }
    columns.insert(columns.end(), nodes.paths().begin(), nodes.paths().end());
    RowGatherer gatherer(study, columns, writer, names);
    Statement rows(m_from, "SELECT ordinal, point FROM old_study_rows WHERE study = ? ORDER BY ordinal");
    Statement point(m_from, sql + " FROM old_points WHERE id = ?");
    std::vector<double> values;
    std::size_t next = 0;
    const auto take = [&](std::size_t ordinal, std::int64_t id) {
        if (ordinal < next || ordinal >= points || !point.bind(1, id).step())
            m_from.damaged("it is beyond the grid, comes twice, or is not there");
        const auto bound = m_bounds.find(point.integer(1));
        values.assign({point.integer(0) != 0 ? 1.0 : 0.0, 0.0});
        for (std::size_t i = 0; i < m_metrics.size(); ++i)
            values.push_back(point.real(static_cast<int>(i) + 2));
        point.reset();
        if (bound == m_bounds.end())
            m_from.damaged("it is of no bound");
        values[1] = static_cast<double>(bound->second);
        auto known = knownAt(id);
        nodes.appendAt(ordinal, values, known);
        gatherer.add(ordinal, known, values);
        next = ordinal + 1;
    };
    std::size_t missed = 0;
    attempt(name + ", the list of its points", [&] {
        for (rows.bind(1, study); rows.step();) {
            const auto ordinal = static_cast<std::size_t>(rows.integer(0));
            const auto first = name + ", the point " + std::to_string(ordinal);
            if (!attempt(first, [&] { take(ordinal, rows.integer(1)); }) && ++missed > 1)
                m_lost->pop_back(); // they are counted
        }
    });
    if (missed > 1)
        m_lost->push_back(name + ", " + std::to_string(missed) + " points in all");
    gatherer.flush();
}

void RowStore::takeKeys(std::int64_t study) {
    Statement keys(m_from, "SELECT k.key, r.ordinal FROM old_study_rows r"
                           " JOIN old_point_keys k ON k.point = r.point WHERE r.study = ?");
    Statement add(m_into, "INSERT OR IGNORE INTO simulated_points(key, study, ordinal) VALUES(?, ?, ?)");
    for (keys.bind(1, study); keys.step();)
        add.bindBlob(1, keys.text(0)).bind(2, study).bind(3, keys.integer(1)).run();
}

void RowStore::takeStudy(std::int64_t study, PointWriter& writer, ColumnNames& names) {
    StoredStudy stored;
    std::int64_t points = 0;
    {
        Statement row(m_from, "SELECT fingerprint, name, created, equations, base, points FROM old_studies"
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
    // What choices stand for is not known without a catalogue; points of other equations are lent to nobody.
    if (plain && !hasChoices && stored.equations == kEquationsVersion)
        try {
            stored.family = familyOf(*plain);
        } catch (const Error&) {
        }
    if (points < 1 || static_cast<std::uint64_t>(points) > kMaxStudyPoints)
        m_from.damaged("its number of points is " + std::to_string(points));
    writeStudy(m_into, stored, study);
    readAxes(m_into, study, static_cast<std::size_t>(points)); // checks them
    const auto name = "study " + std::to_string(study);
    attempt(name + ", its limits and metrics of nodes", [&] { takeLimits(study); });
    takePoints(study, static_cast<std::size_t>(points), writer, names);
    if (plain && isSimulatedStudy(*plain))
        attempt(name + ", keys of its points", [&] { takeKeys(study); });
}

void RowStore::takeOver() {
    readMetrics();
    ColumnNames names(m_into);
    PointWriter writer(m_into, names);
    attempt("the bounds of points", [&] { takeBounds(writer); });
    std::vector<std::int64_t> studies;
    attempt("the list of studies", [&] {
        Statement all(m_from, "SELECT id FROM old_studies ORDER BY id");
        while (all.step())
            studies.push_back(all.integer(0));
    });
    for (const auto study : studies) {
        m_into.execute("SAVEPOINT study");
        if (!attempt("study " + std::to_string(study), [&] { takeStudy(study, writer, names); })) {
            m_into.execute("ROLLBACK TO study");
            names.forget();
        }
        m_into.execute("RELEASE study");
    }
    m_into.execute("UPDATE studies SET done ="
                   " (SELECT coalesce(sum(count), 0) FROM chunks WHERE study = studies.id)");
    // Numbers are never given again.
    std::int64_t last = 0;
    attempt("the last number of a study",
            [&] { last = m_from.number("SELECT seq FROM sqlite_sequence WHERE name = 'old_studies'"); });
    m_into.execute("INSERT INTO sqlite_sequence(name, seq) SELECT 'studies', 0 WHERE NOT EXISTS"
                   " (SELECT 1 FROM sqlite_sequence WHERE name = 'studies');"
                   "UPDATE sqlite_sequence SET seq = max(seq, " +
                   std::to_string(last) + ") WHERE name = 'studies'");
}

void RowStore::removeOld() {
    for (const auto& table : kOldTables)
        m_from.execute("DROP TABLE old_" + std::string(table.name));
}

} // namespace heteroscape::engine

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/schema.h"

#include "engine/base/error.h"
#include "engine/base/input_file.h"
#include "engine/evaluation/metric.h"
#include "engine/store/study_info_reader.h"

#include <algorithm>
#include <array>
#include <fcntl.h>
#include <filesystem>
#include <sqlite3.h>
#include <unistd.h>

namespace heteroscape::engine {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kMagic("SQLite format 3\0", 16);
constexpr std::size_t kHeaderBytes = 100;
constexpr std::size_t kUserVersionAt = 60; // both big-endian, in the file format of SQLite, section 1.3
constexpr std::size_t kApplicationIdAt = 68;

std::uint32_t bigEndian(const char* bytes) {
    std::uint32_t value = 0;
    for (int i = 0; i < 4; ++i)
        value = value << 8 | static_cast<unsigned char>(bytes[i]);
    return value;
}

[[noreturn]] void throwForeign(const std::string& path, const std::string& what) {
    throwInvalid(path, what, "It was left as it is: give another file, or a name that is not taken");
}

[[noreturn]] void throwNewer(const std::string& path, std::int64_t version) {
    throwInvalid(path,
                 "a store of format " + std::to_string(version) + ", newer than this program knows (" +
                     std::to_string(kStoreSchemaVersion) + ")",
                 "It was left as it is: open it with a newer Heteroscape, or give another file");
}

/// What version 5 added.
constexpr const char* kFifthTables = R"sql(
CREATE TABLE study_limits(
  study INTEGER NOT NULL, place INTEGER NOT NULL, "column" TEXT NOT NULL, least REAL, most REAL,
  PRIMARY KEY(study, place)) WITHOUT ROWID;
CREATE TABLE study_figures(
  study INTEGER NOT NULL, place INTEGER NOT NULL, path TEXT NOT NULL, label TEXT, unit TEXT,
  PRIMARY KEY(study, place)) WITHOUT ROWID;
CREATE TABLE study_values(
  study INTEGER NOT NULL, path TEXT NOT NULL, ordinal INTEGER NOT NULL, value REAL,
  PRIMARY KEY(study, path, ordinal)) WITHOUT ROWID;)sql";

/// What version 6 added.
constexpr const char* kSixthTables = R"sql(
CREATE TABLE metric_columns(key TEXT PRIMARY KEY, since INTEGER NOT NULL) WITHOUT ROWID;)sql";

/// "'ttft_s', 'tpot_s'": the metrics of this program in SQL.
std::string metricList() {
    std::string list;
    for (const auto& spec : metricSpecs())
        list.append(list.empty() ? "'" : ", '").append(spec.key).append("'");
    return list;
}

std::string createTablesSql() {
    std::string sql = R"sql(
CREATE TABLE studies(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  fingerprint BLOB NOT NULL UNIQUE,
  name TEXT NOT NULL,
  view TEXT NOT NULL,
  created TEXT NOT NULL,
  equations TEXT NOT NULL,
  base TEXT NOT NULL,
  points INTEGER NOT NULL,
  done INTEGER NOT NULL DEFAULT 0);
CREATE TABLE study_axes(
  study INTEGER NOT NULL, axis INTEGER NOT NULL,
  path TEXT NOT NULL, label TEXT NOT NULL, unit TEXT NOT NULL, length INTEGER NOT NULL,
  PRIMARY KEY(study, axis)) WITHOUT ROWID;
CREATE TABLE axis_values(
  study INTEGER NOT NULL, axis INTEGER NOT NULL, position INTEGER NOT NULL, value REAL NOT NULL, name TEXT,
  PRIMARY KEY(study, axis, position)) WITHOUT ROWID;
CREATE TABLE study_rows(
  study INTEGER NOT NULL, ordinal INTEGER NOT NULL, point INTEGER NOT NULL,
  PRIMARY KEY(study, ordinal)) WITHOUT ROWID;
CREATE TABLE bounds(id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE);
CREATE TABLE point_keys(key BLOB PRIMARY KEY, point INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE points(id INTEGER PRIMARY KEY, feasible INTEGER NOT NULL, bound INTEGER NOT NULL)sql";
    for (const auto& spec : metricSpecs())
        sql += ", " + quotedName(spec.key) + " REAL";
    return sql + ");";
}

std::vector<std::string> pointColumns(Database& database) {
    std::vector<std::string> found;
    Statement columns(database, "SELECT name FROM pragma_table_info('points')");
    while (columns.step())
        found.emplace_back(columns.text(0));
    return found;
}

/// The columns that are there and that nothing was noted of have values at every point.
void noteColumns(Database& database) {
    database.execute("INSERT OR IGNORE INTO metric_columns(key, since) SELECT name, 0 FROM"
                     " pragma_table_info('points') WHERE name NOT IN ('id', 'feasible', 'bound')");
}

void createTables(Database& database) {
    database.execute("PRAGMA page_size = 16384"); // fewer, larger writes
    Transaction transaction(database);
    if (database.number("SELECT count(*) FROM sqlite_master") != 0)
        return; // another process was faster
    database.execute(createTablesSql() + kFifthTables + kSixthTables);
    noteColumns(database);
    database.execute("PRAGMA application_id = " + std::to_string(kStoreApplicationId));
    database.execute("PRAGMA user_version = " + std::to_string(kStoreSchemaVersion));
    // Still with a rollback journal: so the marks are in the file itself and checkStoreFile() sees them.
    transaction.commit();
}

/// Makes the views of the studies anew; a study that is damaged goes without.
void remakeViews(Database& database) {
    std::vector<std::string> leftAside;
    for (const auto& study : readStudyInfos(database, &leftAside)) {
        database.execute("DROP VIEW IF EXISTS " + quotedName(study.view));
        database.execute(studyViewSql(study.id, study.view, study.axes, study.nodeMetrics));
    }
}

/// Adds what this version has more than older ones (2: names of axis values; 5: limits and metrics of nodes
/// of studies; 6: since when there is a metric).
void migrateOlder(Database& database) {
    Transaction transaction(database);
    const auto version = database.number("PRAGMA user_version");
    if (version >= kStoreSchemaVersion)
        return; // another process was faster
    if (version < 2)
        database.execute("ALTER TABLE axis_values ADD COLUMN name TEXT");
    if (version < 5)
        database.execute(kFifthTables);
    database.execute(kSixthTables);
    noteColumns(database);
    database.execute("PRAGMA user_version = " + std::to_string(kStoreSchemaVersion));
    transaction.commit();
}

[[noreturn]] void throwNotWritable(const Database& database) {
    throwInvalid(database.path(),
                 "of an older Heteroscape, and may not be written, so it cannot be brought up to date",
                 "Copy it to a folder where you may write, and open the copy");
}

/// Every name that statements of this program use has to be a table: a view could stand for anything.
void checkTables(Database& database) {
    for (const auto* table : {"studies", "study_axes", "axis_values", "study_rows", "bounds", "point_keys",
                              "points", "study_limits", "study_figures", "study_values", "metric_columns"}) {
        Statement find(database, "SELECT type FROM sqlite_master WHERE name = ?");
        if (!find.bind(1, std::string_view(table)).step() || find.text(0) != "table")
            database.damaged("it has no table \"" + std::string(table) + "\"");
    }
}

std::vector<std::string> missingMetrics(Database& database) {
    const auto found = pointColumns(database);
    for (const auto* column : {"id", "feasible", "bound"})
        if (std::find(found.begin(), found.end(), column) == found.end())
            database.damaged("the table of points has no column \"" + std::string(column) + "\"");
    std::vector<std::string> missing;
    for (const auto& spec : metricSpecs())
        if (std::find(found.begin(), found.end(), spec.key) == found.end())
            missing.emplace_back(spec.key);
    return missing;
}

void addMissingMetrics(Database& database) {
    if (missingMetrics(database).empty())
        return;
    if (!database.isWritable())
        throwNotWritable(database);
    Transaction transaction(database);
    const auto next = database.number("SELECT max(id) FROM points") + 1;
    for (const auto& metric : missingMetrics(database)) { // another process may have been faster
        database.execute("ALTER TABLE points ADD COLUMN " + quotedName(metric) + " REAL");
        Statement(database, "INSERT OR REPLACE INTO metric_columns(key, since) VALUES(?, ?)")
            .bind(1, std::string_view(metric))
            .bind(2, next)
            .run();
    }
    remakeViews(database);
    transaction.commit();
}

void switchToWal(Database& database) {
    // The switch needs the file for itself for an instant, and SQLite does not wait for that by itself.
    for (int attempt = 0;; ++attempt) {
        try {
            database.execute("PRAGMA journal_mode = WAL");
            return;
        } catch (const Error&) {
            if ((sqlite3_errcode(database.handle()) & 0xff) != SQLITE_BUSY || attempt == 1000)
                throw;
            sqlite3_sleep(5);
        }
    }
}

void setUpForWriting(Database& database) {
    switchToWal(database);
    database.execute("PRAGMA synchronous = NORMAL");
    database.execute(
        "PRAGMA wal_autocheckpoint = 4096"); // 64 MiB: a hot page goes home once, not every batch
    database.execute("PRAGMA journal_size_limit = 67108864");
}

} // namespace

void checkStoreFile(const std::string& path) {
    if (path.empty() || path == ":memory:" || path.starts_with("file:"))
        throwInvalid("\"" + path + "\"", "not the path of a file", "Give a file, such as studies.sqlite");
    std::error_code failure;
    if (!fs::is_directory(fs::absolute(path).parent_path(), failure))
        throw Error(ErrorCode::NotFound, path, "no such folder", "Make it first, or give another file");
    const auto status = fs::status(path, failure);
    if (!fs::status_known(status))
        throwInvalid(path, failure.message(), "Give another file");
    if (!fs::exists(status))
        return;
    if (!fs::is_regular_file(status))
        throwForeign(path, "not a regular file");
    if (fs::file_size(path, failure) == 0)
        return;
    InputFile in(path);
    std::array<char, kHeaderBytes> header{};
    in.read(header.data(), header.size());
    if (in.gcount() != static_cast<std::streamsize>(header.size()) ||
        std::string_view(header.data(), kMagic.size()) != kMagic)
        throwForeign(path, "not a store of studies (not an SQLite file)");
    if (bigEndian(header.data() + kApplicationIdAt) != kStoreApplicationId)
        throwForeign(path, "an SQLite file of another program");
    if (const auto version = bigEndian(header.data() + kUserVersionAt); version > kStoreSchemaVersion)
        throwNewer(path, version);
}

namespace {

bool mayWrite(const fs::path& path) {
    return ::faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS) == 0;
}

} // namespace

Database::Access accessTo(const std::string& path) {
    std::error_code failure;
    const auto folder = fs::absolute(path).parent_path();
    if (!fs::exists(path, failure) || (mayWrite(path) && mayWrite(folder)))
        return Database::Access::Write;
    const auto log = fs::file_size(path + "-wal", failure); // what is not in the file itself yet
    return failure || log == 0 ? Database::Access::ReadUnchanging : Database::Access::Read;
}

void matchRights(const std::string& path) {
    std::error_code failure;
    const auto status = fs::status(path, failure);
    if (!fs::is_regular_file(status) || !mayWrite(path))
        return;
    for (const auto* ending : {"-wal", "-shm"})
        if (const auto beside = path + ending; fs::exists(beside, failure) && !mayWrite(beside))
            fs::permissions(beside, status.permissions(), failure); // SQLite says so when it is not ours
}

void prepareStore(Database& database) {
    const bool isEmpty = database.number("SELECT count(*) FROM sqlite_master") == 0;
    if (isEmpty && !database.isWritable())
        throwInvalid(database.path(), "empty, and may not be written", "Give another file");
    if (isEmpty)
        createTables(database);
    if (const auto version = database.number("PRAGMA user_version"); version > kStoreSchemaVersion)
        throwNewer(database.path(), version);
    else if (version < kStoreSchemaVersion && !database.isWritable())
        throwNotWritable(database);
    else if (version < kStoreSchemaVersion)
        migrateOlder(database);
    checkTables(database);
    addMissingMetrics(database);
    if (database.isWritable())
        setUpForWriting(database);
    database.execute("PRAGMA cache_size = -131072"); // KiB: the key index of some millions of points
    database.execute("PRAGMA temp_store = MEMORY");
}

std::int64_t firstWhole(Database& database) {
    return database.number("SELECT max(since) FROM metric_columns WHERE key IN (" + metricList() + ")");
}

void noteUnknownMetrics(Database& database, std::int64_t lastPoint) {
    database.execute("UPDATE metric_columns SET since = " + std::to_string(lastPoint + 1) +
                     " WHERE key NOT IN (" + metricList() + ")");
}

std::string studyViewName(std::int64_t id, const std::string& name) {
    constexpr std::size_t kMaxSlug = 48;
    std::string slug;
    for (const char c : name) {
        const bool letter = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
        const bool capital = c >= 'A' && c <= 'Z';
        if (letter || capital)
            slug += capital ? static_cast<char>(c - 'A' + 'a') : c;
        else if (!slug.empty() && slug.back() != '_')
            slug += '_';
        if (slug.size() == kMaxSlug)
            break;
    }
    while (!slug.empty() && slug.back() == '_')
        slug.pop_back();
    return "study_" + std::to_string(id) + (slug.empty() ? "" : "_" + slug);
}

std::string quotedName(std::string_view name) {
    std::string quoted = "\"";
    for (const char c : name)
        quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + "\"";
}

std::string studyViewSql(std::int64_t id, const std::string& view, const std::vector<Axis>& axes,
                         const std::vector<std::string>& nodeMetrics) {
    const auto study = std::to_string(id);
    std::string columns, joins;
    std::size_t stride = 1;
    for (std::size_t i = axes.size(); i-- > 0;) {
        const auto alias = "a" + std::to_string(i);
        const auto length = axes[i].values.size();
        columns = alias + (axes[i].isChoice() ? ".name AS " : ".value AS ") + quotedName(axes[i].path) +
                  ", " + columns;
        joins += " CROSS JOIN axis_values " + alias + " ON " + alias + ".study = " + study + " AND " + alias +
                 ".axis = " + std::to_string(i) + " AND " + alias + ".position = (r.ordinal / " +
                 std::to_string(stride) + ") % " + std::to_string(length);
        stride *= length;
    }
    columns += "p.feasible AS feasible";
    for (const auto& spec : metricSpecs())
        columns += ", p." + quotedName(spec.key) + " AS " + quotedName(spec.key);
    for (const auto& metric : nodeMetrics) {
        std::string text = "'"; // an SQL text
        for (const char c : metric)
            text += c == '\'' ? std::string("''") : std::string(1, c);
        columns += ", (SELECT v.value FROM study_values v WHERE v.study = " + study +
                   " AND v.path = " + text + "' AND v.ordinal = r.ordinal) AS " + quotedName(metric);
    }
    // CROSS JOIN keeps the order of the tables, so rows come in ordinal order without sorting.
    return "CREATE VIEW " + quotedName(view) + " AS SELECT " + columns +
           ", b.text AS bound FROM study_rows r CROSS JOIN points p ON p.id = r.point"
           " CROSS JOIN bounds b ON b.id = p.bound" +
           joins + " WHERE r.study = " + study + " ORDER BY r.ordinal";
}

} // namespace heteroscape::engine

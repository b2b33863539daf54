// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/schema.h"

#include "engine/base/error.h"
#include "engine/base/file.h"

#include <algorithm>
#include <array>
#include <fcntl.h>
#include <filesystem>
#include <optional>
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

constexpr const char* kTables = R"sql(
CREATE TABLE studies(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  fingerprint BLOB NOT NULL UNIQUE,
  family BLOB NOT NULL,
  name TEXT NOT NULL,
  view TEXT NOT NULL,
  created TEXT NOT NULL,
  equations TEXT NOT NULL,
  base TEXT NOT NULL,
  points INTEGER NOT NULL,
  done INTEGER NOT NULL DEFAULT 0,
  base_sum INTEGER NOT NULL,
  shape_sum INTEGER NOT NULL);
CREATE INDEX studies_of_family ON studies(family);
CREATE TABLE grid_axes(
  study INTEGER NOT NULL, axis INTEGER NOT NULL,
  path TEXT NOT NULL, label TEXT NOT NULL, unit TEXT NOT NULL, length INTEGER NOT NULL,
  numbers BLOB NOT NULL, names TEXT NOT NULL, prints BLOB NOT NULL,
  UNIQUE(study, axis));
CREATE TABLE study_limits(
  study INTEGER NOT NULL, place INTEGER NOT NULL, "column" TEXT NOT NULL, least REAL, most REAL,
  PRIMARY KEY(study, place)) WITHOUT ROWID;
CREATE TABLE node_metrics(
  study INTEGER NOT NULL, place INTEGER NOT NULL, path TEXT NOT NULL, label TEXT NOT NULL, unit TEXT NOT NULL,
  PRIMARY KEY(study, place)) WITHOUT ROWID;
CREATE TABLE bounds(id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE, sum INTEGER NOT NULL);
CREATE TABLE block_columns(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, sum INTEGER NOT NULL);
CREATE TABLE known_columns(id INTEGER PRIMARY KEY, names TEXT NOT NULL UNIQUE, sum INTEGER NOT NULL);
CREATE TABLE chunks(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  study INTEGER NOT NULL, first INTEGER NOT NULL, count INTEGER NOT NULL,
  known INTEGER NOT NULL, columns BLOB NOT NULL, sum INTEGER NOT NULL,
  UNIQUE(study, first));
CREATE TABLE blocks(
  chunk INTEGER NOT NULL, "column" INTEGER NOT NULL, sum INTEGER NOT NULL, data BLOB NOT NULL,
  UNIQUE(chunk, "column"));
CREATE TABLE simulated_points(
  key BLOB NOT NULL, study INTEGER NOT NULL, ordinal INTEGER NOT NULL,
  PRIMARY KEY(key, study, ordinal)) WITHOUT ROWID;)sql";

void createTables(Database& database) {
    database.execute("PRAGMA page_size = 16384"); // fewer, larger writes
    Transaction transaction(database);
    if (database.number("SELECT count(*) FROM sqlite_master") != 0)
        return; // another process was faster
    database.execute(kTables);
    database.execute("PRAGMA application_id = " + std::to_string(kStoreApplicationId));
    database.execute("PRAGMA user_version = " + std::to_string(kStoreSchemaVersion));
    // Still with a rollback journal: so the marks are in the file itself and checkStoreFile() sees them.
    transaction.commit();
}

/// Every name that statements of this program use has to be a table of its columns: a view could stand for
/// anything.
void checkTables(Database& database) {
    constexpr std::pair<const char*, const char*> tables[] = {
        {"studies",
         "fingerprint, family, name, view, created, equations, base, points, done, base_sum, shape_sum"},
        {"grid_axes", "study, axis, path, label, unit, length, numbers, names, prints"},
        {"study_limits", "study, place, \"column\", least, most"},
        {"node_metrics", "study, place, path, label, unit"},
        {"bounds", "id, text, sum"},
        {"block_columns", "id, name, sum"},
        {"known_columns", "id, names, sum"},
        {"chunks", "id, study, first, count, known, columns, sum"},
        {"blocks", "chunk, \"column\", sum, data"},
        {"simulated_points", "key, study, ordinal"}};
    for (const auto& [table, columns] : tables) {
        Statement find(database, "SELECT type FROM sqlite_master WHERE name = ?");
        if (!find.bind(1, std::string_view(table)).step() || find.text(0) != "table")
            database.damaged("it has no table \"" + std::string(table) + "\"");
        find.reset();
        try {
            Statement(database, "SELECT " + std::string(columns) + " FROM " + table);
        } catch (const Error& error) {
            database.damaged("the table \"" + std::string(table) + "\": " + error.message());
        }
    }
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
    // 64 MiB: a hot page goes home once, not every batch. Sweeps do it before, beside the writer: LogKeeper.
    database.execute("PRAGMA wal_autocheckpoint = 4096");
    database.execute("PRAGMA journal_size_limit = 67108864");
}

/// The first bytes of an SQLite file; nothing of any other.
std::optional<std::array<char, kHeaderBytes>> headerOf(const std::string& path) {
    InputFile in(path);
    std::array<char, kHeaderBytes> header{};
    in.read(header.data(), header.size());
    if (in.gcount() != static_cast<std::streamsize>(header.size()) ||
        std::string_view(header.data(), kMagic.size()) != kMagic)
        return std::nullopt;
    return header;
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
    const auto header = headerOf(path);
    if (!header)
        throwForeign(path, "not a store of studies (not an SQLite file)");
    const auto application = bigEndian(header->data() + kApplicationIdAt);
    if (application == kUnreleasedApplicationId)
        throwInvalid(
            path, "a store from before Heteroscape 0.9.0, which cannot be read",
            "It was left as it is: move it elsewhere and run its studies again, or give another file");
    if (application != kStoreApplicationId)
        throwForeign(path, "an SQLite file of another program");
    if (const auto version = bigEndian(header->data() + kUserVersionAt); version > kStoreSchemaVersion)
        throwNewer(path, version);
}

bool isNamedStore(const std::string& path) {
    const auto header = headerOf(path);
    const auto application = header ? bigEndian(header->data() + kApplicationIdAt) : 0;
    return application == kStoreApplicationId || application == kUnreleasedApplicationId;
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
    else if (version < 1)
        database.damaged("its schema has the number " + std::to_string(version));
    checkTables(database);
    if (database.isWritable())
        setUpForWriting(database);
    database.execute("PRAGMA cache_size = -2048");   // KiB: blocks are read once, in their order
    database.execute("PRAGMA cell_size_check = ON"); // flipped bytes of pages are told sooner
    database.execute("PRAGMA temp_store = MEMORY");
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

} // namespace heteroscape::engine

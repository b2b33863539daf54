// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/sqlite.h"

#include "engine/base/error.h"
#include "engine/base/file.h"

#include <cerrno>
#include <cmath>
#include <filesystem>
#include <limits>
#include <sqlite3.h>

namespace heteroscape::engine {

namespace {

constexpr int kBusyStepMs = 5;
constexpr int kBusyLimitMs = 10000;
constexpr int kMostValueBytes = 128 << 20;
constexpr int kTurnsAtOnce = 1'000'000; ///< of SQLite's machine: some ten milliseconds
constexpr std::uint64_t kFreeTurns = 5'000'000;
constexpr std::uint64_t kTurnsOfByte = 32;

/// What to do about a refusal of SQLite.
std::string_view remedyFor(int code) {
    switch (code) {
    case SQLITE_FULL:
        return "Free space on that disk, or choose another file; what was committed before is kept";
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
    case SQLITE_AUTH:
        return "Check that the folder is there and that you may write to it, or choose another file";
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return "Another program holds the file: close it there, or try again";
    case SQLITE_CORRUPT:
    case SQLITE_INTERRUPT:
    case SQLITE_TOOBIG:
    case SQLITE_NOTADB:
    case SQLITE_CONSTRAINT:
    case SQLITE_ERROR:
    case SQLITE_SCHEMA:
        return "The file looks damaged and was left as it is: restore a copy, or take what can be read of it "
               "into a new one (heteroscape-cli recover FILE --out NEW)";
    case SQLITE_IOERR:
        return "Check the disk (full, or at its quota?); what was committed before is kept";
    default:
        return "Try again, or choose another file";
    }
}

/// The name by which SQLite opens a file that nobody changes: without locks, and with nothing beside it.
std::string unchangingUri(const std::string& file) {
    constexpr std::string_view digits = "0123456789ABCDEF";
    std::string uri = "file:";
    for (const char c : file) {
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                           std::string_view("/-_.~").find(c) != std::string_view::npos;
        const auto byte = static_cast<unsigned char>(c);
        uri += plain ? std::string(1, c) : std::string{'%', digits[byte >> 4], digits[byte & 15]};
    }
    return uri + "?immutable=1";
}

/// SQLite says of this no more than that it cannot open the file.
void throwIfTooMany(const std::string& path, int reason) {
    if (reason != EMFILE && reason != ENFILE)
        return;
    errno = reason;
    throwIo(path, "cannot be opened");
}

} // namespace

Database::Database(const std::string& path, Access access)
    : m_path(path), m_file(std::filesystem::absolute(path).string()), m_access(access) {
    // Once, before SQLite starts: counting its memory would cost a lock on every allocation.
    [[maybe_unused]] static const int configured = sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
    const bool isUri = access == Access::ReadUnchanging;
    const int flags =
        SQLITE_OPEN_NOMUTEX |
        (access == Access::Write ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY) |
        (isUri ? SQLITE_OPEN_URI : 0);
    const auto name = isUri ? unchangingUri(m_file) : m_file;
    const int code = sqlite3_open_v2(name.c_str(), &m_handle, flags, nullptr);
    if (code != SQLITE_OK) {
        const std::string message = m_handle ? sqlite3_errmsg(m_handle) : sqlite3_errstr(code);
        const int reason = m_handle ? sqlite3_system_errno(m_handle) : 0;
        sqlite3_close(m_handle);
        m_handle = nullptr;
        throwIfTooMany(path, reason);
        throw Error(ErrorCode::Io, path, message, std::string(remedyFor(code & 0xff)));
    }
    sqlite3_busy_handler(m_handle, &Database::whenBusy, this);
    sqlite3_progress_handler(m_handle, kTurnsAtOnce, &Database::whenTurned, this);
    sqlite3_limit(m_handle, SQLITE_LIMIT_LENGTH, kMostValueBytes);
    // The file may be a stranger's: nothing in its schema is run, and nothing of SQLite's own can be
    // rewritten.
    sqlite3_db_config(m_handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
    sqlite3_db_config(m_handle, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    sqlite3_db_config(m_handle, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
}

Database::~Database() {
    sqlite3_close_v2(m_handle);
}

int Database::whenBusy(void* self, int attempt) {
    const auto& database = *static_cast<const Database*>(self);
    if (database.m_stop.stop_requested() || attempt * kBusyStepMs >= kBusyLimitMs)
        return 0;
    sqlite3_sleep(kBusyStepMs);
    return 1;
}

int Database::whenTurned(void* self) {
    auto& database = *static_cast<Database*>(self);
    database.m_turns += kTurnsAtOnce;
    if (database.m_turns <= kFreeTurns)
        return 0;
    std::uint64_t bytes = 0;
    for (int i = 0; const auto* name = sqlite3_db_name(database.m_handle, i); ++i)
        if (const auto* file = sqlite3_db_filename(database.m_handle, name))
            for (const auto* ending : {"", "-wal"}) {
                std::error_code none;
                const auto size = std::filesystem::file_size(std::string(file) + ending, none);
                bytes += none ? 0 : size;
            }
    return database.m_turns > kFreeTurns + kTurnsOfByte * bytes ? 1 : 0;
}

void Database::fail(int code) const {
    // Read before anything else: the next call on the connection replaces it.
    const std::string message =
        (code & 0xff) == SQLITE_INTERRUPT ? "its pages lead round in circles" : sqlite3_errmsg(m_handle);
    if ((code & 0xff) == SQLITE_BUSY && m_stop.stop_requested())
        throw Error(ErrorCode::Cancelled, m_path, "stopped while waiting for another program's lock");
    if ((code & 0xff) == SQLITE_CANTOPEN)
        throwIfTooMany(m_path, sqlite3_system_errno(m_handle));
    const auto what = code & 0xff;
    const bool damaged = what == SQLITE_CORRUPT || what == SQLITE_NOTADB || what == SQLITE_CONSTRAINT ||
                         what == SQLITE_INTERRUPT || what == SQLITE_TOOBIG;
    throw Error(damaged ? ErrorCode::InvalidInput : ErrorCode::Io, m_path, message,
                std::string(remedyFor(what)));
}

void Database::damaged(const std::string& what) const {
    throwInvalid(m_path, what, std::string(remedyFor(SQLITE_CORRUPT)));
}

void Database::checkInPlace() {
    int moved = 0;
    sqlite3_file_control(m_handle, "main", SQLITE_FCNTL_HAS_MOVED, &moved);
    if (moved != 0)
        throw Error(ErrorCode::Io, m_path, "was moved or deleted while it was being written",
                    "Put it back and run the study again, or start anew");
}

void Database::execute(const std::string& sql) {
    m_turns = 0;
    if (const int code = sqlite3_exec(m_handle, sql.c_str(), nullptr, nullptr, nullptr); code != SQLITE_OK)
        fail(code);
}

std::int64_t Database::number(const std::string& sql) {
    Statement statement(*this, sql);
    return statement.step() ? statement.integer(0) : 0;
}

std::string Database::text(const std::string& sql) {
    Statement statement(*this, sql);
    return statement.step() ? std::string(statement.text(0)) : std::string();
}

std::int64_t Database::lastRowId() const {
    return sqlite3_last_insert_rowid(m_handle);
}

int Database::changes() const {
    return sqlite3_changes(m_handle);
}

bool Database::inTransaction() const {
    return sqlite3_get_autocommit(m_handle) == 0;
}

Statement::Statement(Database& database, const std::string& sql) : m_database(database) {
    database.m_turns = 0;
    const int code = sqlite3_prepare_v2(database.handle(), sql.c_str(), -1, &m_statement, nullptr);
    if (code != SQLITE_OK)
        database.fail(code);
}

Statement::~Statement() {
    sqlite3_finalize(m_statement);
}

Statement& Statement::bind(int index, std::int64_t value) {
    if (const int code = sqlite3_bind_int64(m_statement, index, value); code != SQLITE_OK)
        m_database.fail(code);
    return *this;
}

Statement& Statement::bind(int index, double value) {
    // SQLite itself turns NaN into NULL.
    if (const int code = sqlite3_bind_double(m_statement, index, value); code != SQLITE_OK)
        m_database.fail(code);
    return *this;
}

Statement& Statement::bind(int index, std::string_view text) {
    const int code = sqlite3_bind_text64(m_statement, index, text.empty() ? "" : text.data(), text.size(),
                                         SQLITE_STATIC, SQLITE_UTF8);
    if (code != SQLITE_OK)
        m_database.fail(code);
    return *this;
}

Statement& Statement::bindBlob(int index, std::span<const char> bytes) {
    if (const int code = sqlite3_bind_blob64(m_statement, index, bytes.data(), bytes.size(), SQLITE_STATIC);
        code != SQLITE_OK)
        m_database.fail(code);
    return *this;
}

bool Statement::step() {
    const int code = sqlite3_step(m_statement);
    if (code == SQLITE_ROW)
        return true;
    if (code == SQLITE_DONE) {
        reset();
        return false;
    }
    try {
        m_database.fail(code);
    } catch (...) {
        sqlite3_reset(m_statement); // an unfinished statement would keep its locks
        throw;
    }
}

void Statement::run() {
    while (step()) {
    }
}

void Statement::reset() {
    m_database.m_turns = 0;
    sqlite3_reset(m_statement);
}

int Statement::columns() const {
    return sqlite3_column_count(m_statement);
}

char Statement::type(int column) const {
    switch (sqlite3_column_type(m_statement, column)) {
    case SQLITE_INTEGER:
        return 'i';
    case SQLITE_FLOAT:
        return 'r';
    case SQLITE_TEXT:
        return 't';
    case SQLITE_BLOB:
        return 'b';
    default:
        return 'n';
    }
}

std::int64_t Statement::integer(int column) const {
    return sqlite3_column_int64(m_statement, column);
}

double Statement::real(int column) const {
    if (sqlite3_column_type(m_statement, column) == SQLITE_NULL)
        return std::numeric_limits<double>::quiet_NaN();
    return sqlite3_column_double(m_statement, column);
}

std::string_view Statement::text(int column) const {
    const auto* bytes = reinterpret_cast<const char*>(sqlite3_column_text(m_statement, column));
    if (!bytes)
        return {};
    return {bytes, static_cast<std::size_t>(sqlite3_column_bytes(m_statement, column))};
}

std::string_view Statement::blob(int column) const {
    const auto* bytes = static_cast<const char*>(sqlite3_column_blob(m_statement, column));
    if (!bytes)
        return {};
    return {bytes, static_cast<std::size_t>(sqlite3_column_bytes(m_statement, column))};
}

Transaction::Transaction(Database& database) : m_database(database) {
    m_database.execute("BEGIN IMMEDIATE");
}

Transaction::~Transaction() {
    // Some failures (disk full) have rolled back already.
    if (m_database.inTransaction())
        sqlite3_exec(m_database.handle(), "ROLLBACK", nullptr, nullptr, nullptr);
}

void Transaction::commit() {
    m_database.execute("COMMIT");
}

} // namespace heteroscape::engine

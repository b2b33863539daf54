// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace heteroscape::engine {

/// A connection to one SQLite file. Belongs to one thread at a time. Every failure is an Error naming the
/// file. No value may be larger than 128 MiB, and no statement may take more turns than so large a file can
/// have rows for: pages that lead round in circles come to an end.
class Database {
public:
    enum class Access {
        Write, ///< and read; the file is made when it is not there
        Read,
        ReadUnchanging, ///< nobody else writes to it meanwhile; needs nothing beside the file
    };
    explicit Database(const std::string& path, Access access = Access::Write);
    ~Database();
    Database(const Database&) = delete;
    Database& operator=(const Database&) = delete;

    const std::string& path() const { return m_path; } ///< as given, for messages
    const std::string& file() const {
        return m_file;
    } ///< from the root on: nothing that SQLite reads otherwise
    bool isWritable() const { return m_access == Access::Write; }
    sqlite3* handle() const { return m_handle; }

    void execute(const std::string& sql);
    std::int64_t number(const std::string& sql); ///< the first column of the first row
    std::string text(const std::string& sql);
    std::int64_t lastRowId() const;
    int changes() const; ///< rows that the last INSERT, UPDATE or DELETE touched
    bool inTransaction() const;

    /// While waiting for another process's lock, a stop request gives up at once instead of after 10 s.
    void setStop(std::stop_token stop) { m_stop = std::move(stop); }

    /// Throws the Error for an SQLite result code: what went wrong, in which file, what to do.
    [[noreturn]] void fail(int code) const;
    /// The Error for contents that do not fit together.
    [[noreturn]] void damaged(const std::string& what) const;
    /// Throws Error (Io) when the file is not there any more where it was opened.
    void checkInPlace();

private:
    friend class Statement;
    static int whenBusy(void* self, int attempt);
    static int whenTurned(void* self);

    std::string m_path;
    std::string m_file;
    Access m_access;
    sqlite3* m_handle = nullptr;
    std::stop_token m_stop;
    std::uint64_t m_turns = 0; ///< of the statement that runs
};

/// Hands a connection the stop request while something is written.
class StopGuard {
public:
    StopGuard(Database& database, const std::stop_token& stop) : m_database(database) {
        database.setStop(stop);
    }
    ~StopGuard() { m_database.setStop({}); }
    StopGuard(const StopGuard&) = delete;
    StopGuard& operator=(const StopGuard&) = delete;

private:
    Database& m_database;
};

/// A prepared statement. Texts and blobs are bound by reference: they must live until the next step ends.
class Statement {
public:
    Statement(Database& database, const std::string& sql);
    ~Statement();
    Statement(const Statement&) = delete;
    Statement& operator=(const Statement&) = delete;

    Statement& bind(int index, std::int64_t value);
    Statement& bind(int index, double value); ///< NaN becomes NULL
    Statement& bind(int index, std::string_view text);
    Statement& bindBlob(int index, std::span<const char> bytes);

    bool step();  ///< true: a row is there; false: done, and reset for the next use
    void run();   ///< steps to the end
    void reset(); ///< ends reading before the last row

    int columns() const;
    char type(int column) const; ///< n, i, r, t, b: NULL, INTEGER, REAL, TEXT, BLOB
    std::int64_t integer(int column) const;
    double real(int column) const;           ///< NaN where NULL
    std::string_view text(int column) const; ///< valid until the next step
    std::string_view blob(int column) const; ///< as text(), without a copy that ends in a zero

private:
    Database& m_database;
    sqlite3_stmt* m_statement = nullptr;
};

/// A write transaction: takes the write lock at once, rolls back unless commit() was reached.
class Transaction {
public:
    explicit Transaction(Database& database);
    ~Transaction();
    Transaction(const Transaction&) = delete;
    Transaction& operator=(const Transaction&) = delete;
    void commit();

private:
    Database& m_database;
};

} // namespace heteroscape::engine

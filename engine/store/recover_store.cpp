// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/recover_store.h"

#include "engine/base/error.h"
#include "engine/store/chunks.h"
#include "engine/store/row_store.h"
#include "engine/store/schema.h"
#include "engine/store/study_info_reader.h"
#include "engine/store/study_shape.h"
#include "engine/store/wide_table.h"

#include <filesystem>

namespace heteroscape::engine {

namespace fs = std::filesystem;

namespace {

/// The rows of a table of the attached store whose page can be read, as they are: their checksums with them.
void takeRows(Database& into, const std::string& table, std::int64_t first, std::int64_t last) {
    try {
        Statement(into, "INSERT OR IGNORE INTO main." + table + " SELECT * FROM old." + table +
                            " WHERE rowid BETWEEN ? AND ?")
            .bind(1, first)
            .bind(2, last)
            .run();
    } catch (const Error& error) {
        if (error.code() != ErrorCode::InvalidInput)
            throw;
        if (first == last)
            return;
        const auto middle = first + (last - first) / 2;
        takeRows(into, table, first, middle);
        takeRows(into, table, middle + 1, last);
    }
}

/// The largest number of a row, or one that is larger where the last page cannot be read.
std::int64_t lastRow(Database& into, const std::string& table) {
    constexpr std::int64_t most = 1 << 20;
    try {
        return into.number("SELECT max(rowid) FROM old." + table);
    } catch (const Error&) {
        return most;
    }
}

void takeBlocks(Database& into) {
    for (const auto* table :
         {"studies", "grid_axes", "bounds", "block_columns", "known_columns", "chunks", "blocks"})
        takeRows(into, table, 0, lastRow(into, table));
    for (const auto* table :
         {"study_limits", "node_metrics", "simulated_points"}) // as far as they can be read
        try {
            into.execute("INSERT OR IGNORE INTO main." + std::string(table) + " SELECT * FROM old." + table);
        } catch (const Error& error) {
            if (error.code() != ErrorCode::InvalidInput)
                throw;
        }
    into.execute("UPDATE studies SET done ="
                 " (SELECT coalesce(sum(count), 0) FROM chunks WHERE study = studies.id)");
}

std::vector<std::int64_t> ids(Database& store, const char* sql) {
    std::vector<std::int64_t> found;
    Statement rows(store, sql);
    while (rows.step())
        found.push_back(rows.integer(0));
    return found;
}

/// What the studies of a store lack; those of which not even their axes are known are removed.
void tellDamage(Database& store, std::vector<std::string>& lost) {
    for (const auto id :
         ids(store, "SELECT DISTINCT study FROM chunks WHERE study NOT IN (SELECT id FROM studies)")) {
        lost.push_back("study " + std::to_string(id) + ": what it is cannot be read");
        removeStudy(store, id);
    }
    ColumnNames names(store);
    for (const auto id : ids(store, "SELECT id FROM studies ORDER BY id")) {
        StudyInfo study;
        try {
            study = *readStudyInfo(store, id);
        } catch (const Error& error) { // it would hold the place of one that runs anew
            if (error.code() != ErrorCode::InvalidInput)
                throw;
            lost.push_back(error.message());
            removeStudy(store, id);
            continue;
        }
        try {
            readBase(store, id);
        } catch (const Error& error) { // its points read
            lost.push_back(error.message());
        }
        ChunkReader reader(store, names, study.id, study.points);
        std::size_t done = 0;
        for (const auto& chunk : reader.chunks({0, study.points}, lost))
            done += reader.isSound(chunk, lost) ? chunk.count : 0;
        if (done < study.points)
            lost.push_back("study " + std::to_string(study.id) + ": " + std::to_string(study.points - done) +
                           " of its " + std::to_string(study.points) + " points are not there, or not whole");
    }
}

} // namespace

std::vector<std::string> recoverStore(const std::string& path, const std::string& out) {
    if (!fs::exists(path))
        throw Error(ErrorCode::NotFound, path, "there is no such file", "Name the damaged store");
    checkStoreFile(path);
    NewFile file(out);
    const auto copy = file.part() + "-old";
    for (const auto* ending : {"", "-wal", "-journal"}) { // what is not in the file itself yet
        std::error_code failure;
        if (fs::exists(path + ending) && !fs::copy_file(path + ending, copy + ending, failure))
            throw Error(ErrorCode::Io, out, "cannot be written: " + failure.message(), "Give another file");
    }
    std::vector<std::string> lost;
    try {
        Database from(copy), into(file.part());
        prepareStore(into);
        if (from.number("PRAGMA user_version") >= kStoreSchemaVersion) {
            Statement(into, "ATTACH DATABASE ? AS old").bind(1, std::string_view(copy)).run();
            Transaction transaction(into);
            takeBlocks(into);
            transaction.commit();
            into.execute("DETACH DATABASE old");
            tellDamage(into, lost);
        } else {
            RowStore rows(from, into, &lost);
            rows.setAside();
            Transaction transaction(into);
            rows.takeOver();
            transaction.commit();
        }
        into.execute("PRAGMA journal_mode = DELETE"); // one file, without a log beside it
    } catch (const Error& error) {
        if (error.code() != ErrorCode::InvalidInput)
            throw;
        throwInvalid(path, "nothing of it can be recovered: " + error.message(),
                     "It was left as it is: restore a copy of it");
    }
    file.finish();
    return lost;
}

} // namespace heteroscape::engine

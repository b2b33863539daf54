// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/store/store.h"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace heteroscape::engine {

/// Takes the studies of other stores, which hold shards of them (RunOptions::shard), into one: the points
/// that are there, whatever the order of the stores and however often a point comes. Returns the studies
/// that were met, oldest first; `done` below `points` tells that shards are missing. Throws Error (Io,
/// InvalidInput, Cancelled).
std::vector<StudyInfo> mergeStudies(const std::vector<std::string>& parts, Store& into,
                                    const Catalog& catalog, const std::stop_token& stop = {});

/// Takes what can be read of a damaged store into a new file, and returns what is lost, by study: a study, a
/// point, a block each. The old file is only copied. Throws Error (Io; InvalidInput where `out` is there
/// already, or not even the tables can be told).
std::vector<std::string> recoverStore(const std::string& path, const std::string& out);

/// A blob of a row.
struct StoredBlob {
    std::string bytes;
};

/// A row of a table as it lies in a file of SQLite.
struct StoredRow {
    using Value = std::variant<std::monostate, std::int64_t, double, std::string, StoredBlob>;
    std::uint32_t page = 0; ///< from 1
    std::int64_t id = 0;    ///< rowid
    std::vector<Value> values;

    /// A letter a value: n, i, r, t, b (NULL, INTEGER, REAL, TEXT, BLOB).
    std::string types() const;
};

/// Hands over every row that lies on a leaf page of a table, in the order of the pages, and asks no page that
/// leads to them: what is left of a file whose inner pages are damaged. Rows that do not fit into their page,
/// or whose further pages do not hold them, are left out; so are those of tables without a rowid. Rows of
/// tables that were dropped may be among them. (File format of SQLite, sections 1.3, 1.6, 2.1:
/// https://www.sqlite.org/fileformat2.html)
/// Nothing is handed over where the file's first page gives no size of pages. The work grows with the file:
/// cells that lie upon each other, and chains that many rows claim, are read so often as a whole file could
/// have them.
/// Throws Error (NotFound, Io).
void forEachLeafRow(const std::string& path, const std::function<void(const StoredRow&)>& take);

} // namespace heteroscape::engine

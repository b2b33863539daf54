// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/store/sqlite.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace heteroscape::engine {

// The tables of a store, schema version 1 (PRAGMA user_version; application_id "HtSt"):
//   studies       one row a study: name, when, equations, its base scenario as JSON, how many points are
//   stored grid_axes     its axes: path, label, unit, the values as doubles; of choices their names (a list
//   in JSON)
//                 and prints of what each stands for (16 bytes each)
//   study_limits  what is kept of a study when it is read
//   node_metrics  metrics of nodes that a study keeps beside those of the system
//   chunks        (study, first, count): points that are stored; the last axis varies fastest. Which columns
//                 were worked out for them (known) and which of these have a block (columns: 8 bytes each)
//   blocks        (chunk, column) -> the values of these points, packed: column_block.h
//   block_columns, known_columns   the names of columns, and lists of them (lines)
//   bounds        the texts that the column "bound" counts
//   simulated_points   scenario key -> study and ordinal where its answer lies: of simulated points only
// A chunk and its blocks are committed together. Chunks of a study do not overlap. What a chunk's program did
// not know is N/A in it, and such points are computed again when somebody asks for them.
//
// Checksums tell flipped bytes: of each block in its place, of each chunk's row, of a study's axes and of its
// base. What does not fit is told by study and block, and computed again when the study runs again.

/// Raised when tables or the bytes of blocks change so that an older program cannot read them.
inline constexpr int kStoreSchemaVersion = 1;
inline constexpr std::uint32_t kStoreApplicationId = 0x48745374;
/// "HtSc", of stores that were written before 0.9.0: their schemas were numbered otherwise.
inline constexpr std::uint32_t kUnreleasedApplicationId = 0x48745363;

/// Refuses, by its name and first bytes and without opening it as a database, what is no store of ours.
/// A file that is not there, or empty, is fine.
void checkStoreFile(const std::string& path);

/// Whether the first bytes of a file are those of a store, of whatever schema.
bool isNamedStore(const std::string& path);

/// How a store can be opened that stands there.
Database::Access accessTo(const std::string& path);

/// SQLite gives its files beside a store (-wal, -shm) the store's own mode, and whoever may only read leaves
/// them there. Where the store can be written again, so can they.
void matchRights(const std::string& path);

/// Makes the tables in an empty file, checks them in any other, and sets the connection up. A store of an
/// older schema is to be brought up to date here: one function a step, all of them in one transaction.
void prepareStore(Database& database);

/// "study_7_a100_7u280": safe characters only, whatever the name is.
std::string studyViewName(std::int64_t id, const std::string& name);

/// An SQL identifier in quotes.
std::string quotedName(std::string_view name);

} // namespace heteroscape::engine

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/scenario/scenario.h"
#include "engine/store/sqlite.h"
#include "engine/study/study_table.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace heteroscape::engine {

/// Consecutive points on their way into the store, packed already: at most kMostBlockPoints.
struct PackedPoints {
    std::size_t first = 0; ///< ordinal
    std::size_t count = 0;
    /// What was worked out: "feasible", metrics by key, metrics of nodes by path. Not "bound".
    std::shared_ptr<const std::vector<std::string>> columns{};
    std::vector<std::string> blocks{};   ///< packBlock() of each column; in the shown unit
    std::vector<std::uint32_t> bounds{}; ///< of each point: a place in the list of bounds that goes with it
    std::vector<ScenarioKey> keys{};     ///< of each point where points are reused by key; else empty
};

inline constexpr const char* kFeasibleColumn = "feasible"; ///< 0 or 1
inline constexpr const char* kBoundColumn = "bound";       ///< a number in the table "bounds"

/// Consecutive points of a study that are stored.
struct Chunk {
    std::int64_t id = 0;
    std::size_t first = 0; ///< ordinal
    std::size_t count = 0;
    std::int64_t known = 0;            ///< known_columns.id
    std::vector<std::int64_t> columns; ///< those that have a block: block_columns.id
    std::size_t end() const { return first + count; }
};

/// Consecutive ordinals.
struct PointRange {
    std::size_t begin = 0;
    std::size_t end = 0;
    std::size_t size() const { return end - begin; }
    bool operator==(const PointRange&) const = default;
};

/// The names of columns, by number, and the lists of them that chunks know. Each is read once: numbers only
/// grow.
class ColumnNames {
public:
    explicit ColumnNames(Database& database) : m_database(database) {}

    /// Empty when there is none, or it is damaged.
    const std::string& name(std::int64_t column);
    /// 0 when no block has such a column.
    std::int64_t number(const std::string& name);
    /// The number of a name, given to it when it has none. In a transaction.
    std::int64_t add(const std::string& name);

    /// The columns of a list, sorted; empty when there is no such list, or it is damaged.
    const std::vector<std::string>& known(std::int64_t list);
    std::int64_t addKnown(const std::vector<std::string>& names); ///< in a transaction; sorted and unique
    bool knowsAll(std::int64_t list, const std::vector<std::string>& names);

    void forget(); ///< what was read: a transaction was taken back

private:
    Database& m_database;
    std::unordered_map<std::int64_t, std::string> m_names;
    std::unordered_map<std::string, std::int64_t> m_numbers;
    std::unordered_map<std::int64_t, std::vector<std::string>> m_known;
};

/// The chunks of a study and their blocks. What is damaged is told by study and block.
class ChunkReader {
public:
    ChunkReader(Database& database, ColumnNames& names, std::int64_t study, std::size_t points);

    /// Those that meet the range, in order. Rows that do not fit are left out and told in `damage`.
    std::vector<Chunk> chunks(PointRange range, std::vector<std::string>& damage);

    /// The values of a column at the points of a chunk; NaN where there is none. False when the block is
    /// damaged, or its values are none of such a column: then they are NaN and `damage` says so.
    bool read(const Chunk& chunk, const std::string& column, std::span<double> values,
              std::vector<std::string>& damage);
    bool has(const Chunk& chunk, const std::string& column);
    /// Whether every block of a chunk is whole.
    bool isSound(const Chunk& chunk, std::vector<std::string>& damage);

    /// "study 3, ttft_s of the points 8192 to 16383".
    std::string blockName(const Chunk& chunk, const std::string& column) const;

private:
    Database& m_database;
    ColumnNames& m_names;
    std::int64_t m_study;
    std::size_t m_points;
    std::unique_ptr<Statement> m_block;
    std::string m_bytes;          ///< of the block that was read last
    std::vector<double> m_values; ///< of a block that is only looked at

    /// Fills m_bytes.
    bool readBytes(const Chunk& chunk, std::int64_t column, const std::string& name,
                   std::vector<std::string>& damage);
};

/// The checksum of a chunk's row.
std::int64_t chunkSum(const Chunk& chunk);

/// The metrics of this program, with "feasible" and "bound": what a point needs to be whole.
const std::vector<std::string>& wholeColumns();

} // namespace heteroscape::engine

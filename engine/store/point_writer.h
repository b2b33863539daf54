// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/store/chunks.h"

#include <condition_variable>
#include <cstddef>
#include <map>
#include <mutex>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <unordered_map>
#include <vector>

namespace heteroscape::engine {

/// Takes the log (WAL) of a store home, by a connection and a thread of its own, while another connection
/// writes large amounts: so the writer, who would do it himself every 64 MiB, seldom waits for the disk. What
/// is committed, and when, stays as it is. Where the system gives no thread the writer does it as ever.
class LogKeeper {
public:
    explicit LogKeeper(std::string store) : m_path(std::move(store)) {}
    ~LogKeeper();
    LogKeeper(const LogKeeper&) = delete;
    LogKeeper& operator=(const LogKeeper&) = delete;

    void wrote(std::size_t bytes); ///< so much was committed to the store; from one thread

private:
    std::string m_path;
    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::size_t m_bytes = 0; ///< since the log was last taken home
    bool m_ends = false;
    std::thread m_thread; ///< once there is enough to do

    void keep();
};

/// Writes points as chunks: the statements of Store::addPoints() and Store::addColumns(), prepared once.
class PointWriter {
public:
    PointWriter(Database& database, ColumnNames& names);

    void write(const StudyInfo& study, std::span<const PackedPoints> points,
               const std::vector<std::string>& bounds, const std::stop_token& stop);
    bool addColumns(const StudyInfo& study, const PackedPoints& points);

    using Blocks = std::map<std::string, std::string>; ///< by the names of their columns
    using BlockViews = std::map<std::string, std::string_view>;

private:
    std::int64_t boundId(const std::string& text); ///< outside of a transaction: its number is remembered
    void checkStudy(std::int64_t study);
    /// What of the points is to be written; makes room for it where less is known.
    std::vector<PointRange> makeRoom(const StudyInfo& study, PointRange range,
                                     const std::vector<std::string>& known);
    Blocks cut(ChunkReader& reader, const Chunk& chunk, PointRange range, bool& sound);
    void dropChunk(std::int64_t chunk);
    void writeBlocks(std::int64_t study, PointRange range, std::int64_t known, const Blocks& blocks);
    void writeBlocks(std::int64_t study, PointRange range, std::int64_t known, BlockViews blocks);
    /// Joins the chunk before to the blocks where both are small, so that points that come few at a time make
    /// few chunks in the end. Holds in `joined` what `blocks` shows then; true when it did.
    bool joinBefore(std::int64_t study, PointRange& range, std::int64_t known, BlockViews& blocks,
                    Blocks& joined);
    void countDone(std::int64_t study);

    Database& m_database;
    ColumnNames& m_names;
    Statement m_addChunk;
    Statement m_addBlock;
    Statement m_addKey;
    std::unordered_map<std::string, std::int64_t> m_bounds;
};

} // namespace heteroscape::engine

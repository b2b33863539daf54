// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/point_writer.h"

#include "engine/base/error.h"
#include "engine/store/column_block.h"
#include "engine/store/sqlite.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace heteroscape::engine {

namespace {

constexpr std::size_t kEnough = 16 << 20; // bytes

} // namespace

LogKeeper::~LogKeeper() {
    {
        const std::lock_guard lock(m_mutex);
        m_ends = true;
    }
    m_changed.notify_all();
    if (m_thread.joinable())
        m_thread.join();
}

void LogKeeper::wrote(std::size_t bytes) {
    {
        const std::lock_guard lock(m_mutex);
        m_bytes += bytes;
        if (m_bytes < kEnough)
            return;
    }
    if (!m_thread.joinable())
        try {
            m_thread = std::thread([this] { keep(); });
        } catch (const std::system_error&) { // the system gives none
        }
    m_changed.notify_all();
}

void LogKeeper::keep() {
    try {
        if (!std::filesystem::exists(m_path))
            return; // opening would make it
        Database store(m_path);
        std::unique_lock lock(m_mutex);
        while (true) {
            m_changed.wait(lock, [&] { return m_bytes >= kEnough || m_ends; });
            if (m_ends)
                return;
            m_bytes = 0;
            lock.unlock();
            store.execute("PRAGMA wal_checkpoint(PASSIVE)");
            lock.lock();
        }
    } catch (const std::exception&) { // the writer meets it too, and tells
    }
}

namespace {

/// A part of a block.
std::string partOf(std::string_view block, std::size_t count, std::size_t from, std::size_t length) {
    std::vector<double> values(count);
    if (block.empty() || !unpackBlock(block, values))
        return {};
    return packBlock(std::span(values).subspan(from, length));
}

std::string joined(std::string_view first, std::size_t firstCount, std::string_view second,
                   std::size_t secondCount) {
    if (first.empty() && second.empty())
        return {};
    std::vector<double> values(firstCount + secondCount);
    unpackBlock(first, std::span(values).first(firstCount));
    unpackBlock(second, std::span(values).subspan(firstCount));
    return packBlock(values);
}

PointWriter::BlockViews viewsOf(const PointWriter::Blocks& blocks) {
    return {blocks.begin(), blocks.end()};
}

/// Names are remembered while a transaction may still be taken back.
class NamesGuard {
public:
    explicit NamesGuard(ColumnNames& names) : m_names(names) {}
    ~NamesGuard() {
        if (!m_kept)
            m_names.forget();
    }
    NamesGuard(const NamesGuard&) = delete;
    NamesGuard& operator=(const NamesGuard&) = delete;
    void keep() { m_kept = true; }

private:
    ColumnNames& m_names;
    bool m_kept = false;
};

} // namespace

PointWriter::PointWriter(Database& database, ColumnNames& names)
    : m_database(database), m_names(names),
      m_addChunk(database,
                 "INSERT INTO chunks(study, first, count, known, columns, sum) VALUES(?, ?, ?, ?, ?, ?)"),
      m_addBlock(database, "INSERT INTO blocks(chunk, \"column\", sum, data) VALUES(?, ?, ?, ?)"),
      m_addKey(database, "INSERT OR IGNORE INTO simulated_points(key, study, ordinal) VALUES(?, ?, ?)") {
    database.execute("PRAGMA cache_size = -4096"); // KiB: more than a batch
}

std::int64_t PointWriter::boundId(const std::string& text) {
    auto& id = m_bounds[text];
    if (id == 0) {
        // Committed by itself, not with the points: what is remembered here outlives a batch that is taken
        // back.
        Statement(m_database, "INSERT OR IGNORE INTO bounds(text, sum) VALUES(?, ?)")
            .bind(1, std::string_view(text))
            .bind(2, bytesSum(text))
            .run();
        Statement find(m_database, "SELECT id FROM bounds WHERE text = ?");
        find.bind(1, std::string_view(text)).step();
        id = find.integer(0);
    }
    return id;
}

void PointWriter::checkStudy(std::int64_t study) {
    const auto number = std::to_string(study);
    if (m_database.number("SELECT count(*) FROM studies WHERE id = " + number) == 0)
        throw Error(ErrorCode::NotFound, m_database.path(), "study " + number + " was removed meanwhile",
                    "Run it again to start it afresh");
}

void PointWriter::dropChunk(std::int64_t chunk) {
    Statement(m_database, "DELETE FROM blocks WHERE chunk = ?").bind(1, chunk).run();
    Statement(m_database, "DELETE FROM chunks WHERE id = ?").bind(1, chunk).run();
}

PointWriter::Blocks PointWriter::cut(ChunkReader& reader, const Chunk& chunk, PointRange range, bool& sound) {
    Blocks blocks;
    std::vector<std::string> damage;
    std::vector<double> values(chunk.count);
    for (const auto column : chunk.columns) {
        const auto& name = m_names.name(column);
        reader.read(chunk, name, values, damage);
        blocks[name] = packBlock(std::span(values).subspan(range.begin - chunk.first, range.size()));
    }
    sound = damage.empty();
    return blocks;
}

std::vector<PointRange> PointWriter::makeRoom(const StudyInfo& study, PointRange range,
                                              const std::vector<std::string>& known) {
    std::vector<PointRange> free{range};
    std::vector<std::string> damage;
    ChunkReader reader(m_database, m_names, study.id, study.points);
    const auto there = reader.chunks(range, damage);
    if (!damage.empty()) { // rows that say nothing hold no place
        std::vector<std::int64_t> broken;
        Statement rows(m_database, "SELECT id FROM chunks WHERE study = ? AND first >= ? AND first < ?"
                                   " UNION ALL SELECT id FROM chunks WHERE study = ? AND first < 0"
                                   " UNION ALL SELECT id FROM chunks WHERE study = ? AND first >= ?");
        rows.bind(1, study.id).bind(2, static_cast<std::int64_t>(range.begin));
        rows.bind(3, static_cast<std::int64_t>(range.end)).bind(4, study.id).bind(5, study.id);
        rows.bind(6, static_cast<std::int64_t>(study.points));
        while (rows.step())
            if (std::none_of(there.begin(), there.end(),
                             [&](const Chunk& chunk) { return chunk.id == rows.integer(0); }))
                broken.push_back(rows.integer(0));
        for (const auto id : broken)
            dropChunk(id);
    }
    for (const auto& chunk : there) {
        if (m_names.knowsAll(chunk.known, known) && reader.isSound(chunk, damage)) {
            const auto last = free.back(); // chunks come in order
            free.pop_back();
            if (last.begin < chunk.first)
                free.push_back({last.begin, chunk.first});
            if (chunk.end() < last.end)
                free.push_back({chunk.end(), last.end});
            if (free.empty() || free.back().end < range.end)
                break;
            continue;
        }
        const PointRange sides[] = {{chunk.first, std::max(range.begin, chunk.first)},
                                    {std::min(range.end, chunk.end()), chunk.end()}};
        std::vector<std::pair<PointRange, Blocks>> kept;
        for (const auto& side : sides) {
            bool sound = true;
            if (side.size() > 0)
                if (auto blocks = cut(reader, chunk, side, sound); sound)
                    kept.emplace_back(side, std::move(blocks));
        }
        dropChunk(chunk.id);
        for (auto& [side, blocks] : kept)
            writeBlocks(study.id, side, chunk.known, blocks);
    }
    return free;
}

bool PointWriter::joinBefore(std::int64_t study, PointRange& range, std::int64_t known, BlockViews& blocks,
                             Blocks& joinedBlocks) {
    if (range.begin == 0 || range.size() >= kMostBlockPoints)
        return false;
    ChunkReader reader(m_database, m_names, study, range.end);
    std::vector<std::string> damage;
    const auto before = reader.chunks({range.begin - 1, range.begin}, damage);
    if (before.size() != 1 || before[0].end() != range.begin || before[0].known != known ||
        before[0].count > range.size() || before[0].count + range.size() > kMostBlockPoints)
        return false;
    bool sound = true;
    auto first = cut(reader, before[0], {before[0].first, before[0].end()}, sound);
    if (!sound)
        return false;
    for (const auto& [name, block] : blocks)
        first.try_emplace(name);
    for (auto& [name, block] : first)
        block = joined(block, before[0].count, blocks[name], range.size());
    dropChunk(before[0].id);
    joinedBlocks = std::move(first);
    blocks = viewsOf(joinedBlocks);
    range.begin = before[0].first;
    return true;
}

void PointWriter::writeBlocks(std::int64_t study, PointRange range, std::int64_t known,
                              const Blocks& blocks) {
    writeBlocks(study, range, known, viewsOf(blocks));
}

void PointWriter::writeBlocks(std::int64_t study, PointRange range, std::int64_t known, BlockViews blocks) {
    Blocks joinedBlocks;
    while (joinBefore(study, range, known, blocks, joinedBlocks)) {
    }
    Chunk chunk{0, range.begin, range.size(), known, {}};
    for (const auto& [name, block] : blocks)
        if (!block.empty())
            chunk.columns.push_back(m_names.add(name));
    const std::string columns(reinterpret_cast<const char*>(chunk.columns.data()),
                              chunk.columns.size() * sizeof(std::int64_t));
    m_addChunk.bind(1, study).bind(2, static_cast<std::int64_t>(chunk.first));
    m_addChunk.bind(3, static_cast<std::int64_t>(chunk.count)).bind(4, known).bindBlob(5, columns);
    m_addChunk.bind(6, chunkSum(chunk)).run();
    const auto id = m_database.lastRowId();
    auto column = chunk.columns.begin();
    for (const auto& [name, block] : blocks)
        if (!block.empty())
            m_addBlock.bind(1, id)
                .bind(2, *column++)
                .bind(3, blockSum(name, chunk.first, chunk.count, block))
                .bindBlob(4, block)
                .run();
}

void PointWriter::countDone(std::int64_t study) {
    const auto number = std::to_string(study);
    m_database.execute("UPDATE studies SET done = min(points, (SELECT coalesce(sum(count), 0) FROM chunks"
                       " WHERE study = " +
                       number + " AND first >= 0 AND first < points AND count > 0)) WHERE id = " + number);
}

void PointWriter::write(const StudyInfo& study, std::span<const PackedPoints> points,
                        const std::vector<std::string>& bounds, const std::stop_token& stop) {
    const StopGuard guard(m_database, stop);
    std::vector<double> boundNumbers;
    for (const auto& bound : bounds)
        boundNumbers.push_back(static_cast<double>(boundId(bound)));
    NamesGuard names(m_names);
    Transaction transaction(m_database);
    checkStudy(study.id);
    for (const auto& part : points) {
        if (stop.stop_requested())
            throw Error(ErrorCode::Cancelled, m_database.path(), "stopped; the open batch was taken back");
        auto known = *part.columns;
        known.emplace_back(kBoundColumn);
        std::sort(known.begin(), known.end());
        const auto list = m_names.addKnown(known);
        std::vector<double> bound;
        for (const auto place : part.bounds)
            bound.push_back(boundNumbers.at(place));
        const auto boundBlock = packBlock(bound);
        BlockViews whole{{kBoundColumn, boundBlock}};
        for (std::size_t i = 0; i < part.blocks.size(); ++i)
            whole[part.columns->at(i)] = part.blocks[i];
        for (const auto& range : makeRoom(study, {part.first, part.first + part.count}, known)) {
            if (range.size() == part.count) {
                writeBlocks(study.id, range, list, whole);
                continue;
            }
            Blocks blocks;
            for (const auto& [name, block] : whole)
                blocks[name] = partOf(block, part.count, range.begin - part.first, range.size());
            writeBlocks(study.id, range, list, blocks);
        }
        m_addKey.bind(2, study.id);
        for (std::size_t i = 0; i < part.keys.size(); ++i)
            m_addKey.bindBlob(1, part.keys[i]).bind(3, static_cast<std::int64_t>(part.first + i)).run();
    }
    countDone(study.id);
    transaction.commit();
    names.keep();
    m_database.checkInPlace();
}

bool PointWriter::addColumns(const StudyInfo& study, const PackedPoints& points) {
    NamesGuard names(m_names);
    Transaction transaction(m_database);
    checkStudy(study.id);
    std::vector<std::string> damage;
    ChunkReader reader(m_database, m_names, study.id, study.points);
    auto there = reader.chunks({points.first, points.first + points.count}, damage);
    if (there.size() != 1 || there[0].first != points.first || there[0].count != points.count)
        return false; // another program has written there
    auto& chunk = there[0];
    auto known = m_names.known(chunk.known);
    for (std::size_t i = 0; i < points.blocks.size(); ++i) {
        const auto& name = points.columns->at(i);
        if (std::find(known.begin(), known.end(), name) == known.end())
            known.push_back(name);
        const auto column = m_names.add(name);
        if (points.blocks[i].empty() || reader.has(chunk, name))
            continue;
        m_addBlock.bind(1, chunk.id).bind(2, column);
        m_addBlock.bind(3, blockSum(name, chunk.first, chunk.count, points.blocks[i]));
        m_addBlock.bindBlob(4, points.blocks[i]).run();
        chunk.columns.push_back(column);
    }
    std::sort(known.begin(), known.end());
    const std::string columns(reinterpret_cast<const char*>(chunk.columns.data()),
                              chunk.columns.size() * sizeof(std::int64_t));
    Statement(m_database, "UPDATE chunks SET known = ?, columns = ?, sum = ? WHERE id = ?")
        .bind(1, m_names.addKnown(known))
        .bindBlob(2, columns)
        .bind(3, chunkSum(chunk))
        .bind(4, chunk.id)
        .run();
    transaction.commit();
    names.keep();
    return true;
}

} // namespace heteroscape::engine

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/chunks.h"

#include "engine/base/error.h"
#include "engine/evaluation/metric.h"
#include "engine/store/column_block.h"
#include "engine/study/study.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace heteroscape::engine {

namespace {

constexpr std::size_t kMostTold = 1000; ///< rows that do not fit, of one study
/// Of a chunk: all metrics, and those of nodes.
constexpr std::size_t kMostColumns = kMaxNodeMetrics + kMetricCount + 2;
constexpr std::size_t kMostColumnBytes = 256; ///< of a name, on average
constexpr std::size_t kMostLists = 1000;      ///< that are kept
const std::string kNoName;
const std::vector<std::string> kNothing;

std::string lines(const std::vector<std::string>& names) {
    std::string text;
    for (const auto& name : names)
        text.append(text.empty() ? "" : "\n").append(name);
    return text;
}

} // namespace

const std::string& ColumnNames::name(std::int64_t column) {
    if (const auto it = m_names.find(column); it != m_names.end())
        return it->second;
    Statement find(m_database, "SELECT name, sum FROM block_columns WHERE id = ?");
    if (!find.bind(1, column).step() || find.integer(1) != bytesSum(find.text(0)))
        return kNoName;
    m_numbers[std::string(find.text(0))] = column;
    return m_names[column] = find.text(0);
}

std::int64_t ColumnNames::number(const std::string& name) {
    if (const auto it = m_numbers.find(name); it != m_numbers.end())
        return it->second;
    Statement find(m_database, "SELECT id FROM block_columns WHERE name = ?");
    if (!find.bind(1, std::string_view(name)).step())
        return 0;
    m_names[find.integer(0)] = name;
    return m_numbers[name] = find.integer(0);
}

std::int64_t ColumnNames::add(const std::string& name) {
    if (const auto found = number(name); found != 0)
        return found;
    Statement(m_database, "INSERT INTO block_columns(name, sum) VALUES(?, ?)")
        .bind(1, std::string_view(name))
        .bind(2, bytesSum(name))
        .run();
    const auto id = m_database.lastRowId();
    m_names[id] = name;
    return m_numbers[name] = id;
}

const std::vector<std::string>& ColumnNames::known(std::int64_t list) {
    if (const auto it = m_known.find(list); it != m_known.end())
        return it->second;
    Statement find(m_database, "SELECT names, sum FROM known_columns WHERE id = ?");
    if (!find.bind(1, list).step() || find.text(0).size() > kMostColumns * kMostColumnBytes ||
        find.integer(1) != bytesSum(find.text(0)))
        return kNothing; // the points are computed again when they are asked for
    if (m_known.size() == kMostLists)
        m_known.clear();
    auto& names = m_known[list];
    const auto text = find.text(0);
    for (std::size_t at = 0; at < text.size();) {
        const auto end = std::min(text.find('\n', at), text.size());
        names.emplace_back(text.substr(at, end - at));
        at = end + 1;
    }
    std::sort(names.begin(), names.end());
    return names;
}

std::int64_t ColumnNames::addKnown(const std::vector<std::string>& names) {
    const auto text = lines(names);
    Statement(m_database, "INSERT OR IGNORE INTO known_columns(names, sum) VALUES(?, ?)")
        .bind(1, std::string_view(text))
        .bind(2, bytesSum(text))
        .run();
    Statement find(m_database, "SELECT id FROM known_columns WHERE names = ?");
    find.bind(1, std::string_view(text)).step();
    return find.integer(0);
}

bool ColumnNames::knowsAll(std::int64_t list, const std::vector<std::string>& names) {
    const auto& there = known(list);
    return std::includes(there.begin(), there.end(), names.begin(), names.end());
}

void ColumnNames::forget() {
    m_names.clear();
    m_numbers.clear();
    m_known.clear();
}

ChunkReader::ChunkReader(Database& database, ColumnNames& names, std::int64_t study, std::size_t points)
    : m_database(database), m_names(names), m_study(study), m_points(points) {}

std::string ChunkReader::blockName(const Chunk& chunk, const std::string& column) const {
    return "study " + std::to_string(m_study) + ", " + column + " of the points " +
           std::to_string(chunk.first) + " to " + std::to_string(chunk.end() - 1);
}

namespace {

/// Whether a column may have such values.
bool fits(std::string_view column, std::span<const double> values) {
    const auto all = [&](const auto& is) { return std::all_of(values.begin(), values.end(), is); };
    if (column == kFeasibleColumn)
        return all([](double value) { return value == 0.0 || value == 1.0; });
    if (column == kBoundColumn)
        return all([](double value) { return value >= 0.0 && value == std::floor(value) && value < 1e9; });
    return all([](double value) { return !std::isinf(value); });
}

} // namespace

std::vector<Chunk> ChunkReader::chunks(PointRange range, std::vector<std::string>& damage) {
    std::vector<Chunk> found;
    const auto study = "study " + std::to_string(m_study);
    try {
        Statement rows(m_database, "SELECT id, first, count, known, columns, sum FROM chunks WHERE study = ?"
                                   " AND first < ? AND first >= ? ORDER BY first");
        rows.bind(1, m_study).bind(2, static_cast<std::int64_t>(range.end));
        const auto before =
            static_cast<std::int64_t>(range.begin) - static_cast<std::int64_t>(kMostBlockPoints);
        rows.bind(3, before < 0 ? std::numeric_limits<std::int64_t>::min() : before); // none begins below 0
        std::size_t last = 0;
        std::size_t told = 0;
        while (rows.step()) {
            const auto first = rows.integer(1);
            const auto count = rows.integer(2);
            const auto columns = rows.text(4);
            const auto points = static_cast<std::int64_t>(m_points);
            Chunk chunk{rows.integer(0), 0, 0, rows.integer(3), {}};
            bool whole = count >= 1 && count <= static_cast<std::int64_t>(kMostBlockPoints) &&
                         first >= static_cast<std::int64_t>(last) && first <= points - count &&
                         columns.size() % sizeof(std::int64_t) == 0 &&
                         columns.size() / sizeof(std::int64_t) <= kMostColumns;
            if (whole) {
                chunk.first = static_cast<std::size_t>(first);
                chunk.count = static_cast<std::size_t>(count);
                chunk.columns.resize(columns.size() / sizeof(std::int64_t));
                if (!columns.empty())
                    std::memcpy(chunk.columns.data(), columns.data(), columns.size());
                whole = rows.integer(5) == chunkSum(chunk);
            }
            if (!whole) {
                damage.push_back(study + ", the points from " + std::to_string(first) +
                                 " on: what is said of their blocks does not fit");
                if (++told == kMostTold)
                    break; // what follows is looked at when these are mended
                continue;
            }
            last = chunk.end();
            if (chunk.end() > range.begin)
                found.push_back(std::move(chunk));
        }
    } catch (const Error& error) {
        if (error.code() == ErrorCode::Cancelled)
            throw;
        damage.push_back(study + ", its points" +
                         (found.empty() ? "" : " from " + std::to_string(found.back().end()) + " on") +
                         ": their list cannot be read (" + error.message() + ")");
    }
    return found;
}

bool ChunkReader::readBytes(const Chunk& chunk, std::int64_t column, const std::string& name,
                            std::vector<std::string>& damage) {
    if (!m_block)
        m_block = std::make_unique<Statement>(
            m_database, "SELECT sum, data FROM blocks WHERE chunk = ? AND \"column\" = ?");
    try {
        if (!m_block->bind(1, chunk.id).bind(2, column).step()) {
            damage.push_back(blockName(chunk, name) + ": the block is not there");
            return false;
        }
        const auto sum = m_block->integer(0);
        m_bytes = m_block->blob(1);
        m_block->reset();
        if (sum == blockSum(name, chunk.first, chunk.count, m_bytes))
            return true;
        damage.push_back(blockName(chunk, name) + ": the checksum does not fit");
    } catch (const Error& error) {
        if (error.code() == ErrorCode::Cancelled)
            throw;
        damage.push_back(blockName(chunk, name) + ": cannot be read (" + error.message() + ")");
    }
    return false;
}

bool ChunkReader::has(const Chunk& chunk, const std::string& column) {
    const auto number = m_names.number(column);
    return number != 0 &&
           std::find(chunk.columns.begin(), chunk.columns.end(), number) != chunk.columns.end();
}

bool ChunkReader::read(const Chunk& chunk, const std::string& column, std::span<double> values,
                       std::vector<std::string>& damage) {
    const auto nothing = [&] {
        std::fill(values.begin(), values.end(), std::numeric_limits<double>::quiet_NaN());
    };
    if (!has(chunk, column)) {
        nothing();
        return true;
    }
    if (readBytes(chunk, m_names.number(column), column, damage)) {
        if (unpackBlock(m_bytes, values) && fits(column, values))
            return true;
        damage.push_back(blockName(chunk, column) + ": the values do not fit");
    }
    nothing();
    return false;
}

bool ChunkReader::isSound(const Chunk& chunk, std::vector<std::string>& damage) {
    const auto before = damage.size();
    for (const auto column : chunk.columns) {
        const auto& name = m_names.name(column);
        if (name.empty())
            damage.push_back(blockName(chunk, "column " + std::to_string(column)) + ": it has no name");
        else {
            m_values.resize(chunk.count);
            read(chunk, name, m_values, damage);
        }
    }
    return damage.size() == before;
}

std::int64_t chunkSum(const Chunk& chunk) {
    const std::string text(reinterpret_cast<const char*>(chunk.columns.data()),
                           chunk.columns.size() * sizeof(std::int64_t));
    return blockSum("", chunk.first, chunk.count, text);
}

const std::vector<std::string>& wholeColumns() {
    static const std::vector<std::string> columns = [] {
        std::vector<std::string> names{kFeasibleColumn, kBoundColumn};
        for (const auto& spec : metricSpecs())
            names.emplace_back(spec.key);
        std::sort(names.begin(), names.end());
        return names;
    }();
    return columns;
}

} // namespace heteroscape::engine

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/study_reader.h"

#include "engine/base/error.h"
#include "engine/base/large_pages.h"
#include "engine/evaluation/metric.h"
#include "engine/store/column_block.h"
#include "engine/store/schema.h"
#include "engine/store/study_shape.h"
#include "engine/store/wide_table.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>

namespace heteroscape::engine {

namespace {

constexpr std::size_t kMostLimits = 1000; // more than there are metrics

class InfoReader {
public:
    InfoReader(Database& database, std::int64_t id) : m_database(database) { m_info.id = id; }

    std::optional<StudyInfo> read() {
        Statement row(m_database, "SELECT name, view, created, points, done FROM studies WHERE id = ?");
        if (!row.bind(1, m_info.id).step())
            return std::nullopt;
        m_info.name = text(row, 0);
        m_info.view = text(row, 1);
        m_info.created = text(row, 2);
        m_info.points = size(row.integer(3), 1, kMaxStudyPoints, "number of points");
        m_info.done = size(row.integer(4), 0, m_info.points, "number of stored points");
        row.reset();
        readAxes();
        readLimits();
        readNodeMetrics();
        readBytes();
        return std::move(m_info);
    }

private:
    Database& m_database;
    StudyInfo m_info;

    [[noreturn]] void damaged(const std::string& what) const {
        m_database.damaged("study " + std::to_string(m_info.id) + ": " + what);
    }

    std::size_t size(std::int64_t value, std::size_t least, std::size_t most, const std::string& what) const {
        if (value < 0 || static_cast<std::uint64_t>(value) < least ||
            static_cast<std::uint64_t>(value) > most)
            damaged("its " + what + " is " + std::to_string(value));
        return static_cast<std::size_t>(value);
    }

    std::string text(const Statement& row, int column) const {
        const auto found = row.text(column);
        if (found.size() > kMaxNameBytes)
            damaged("a text of it has " + std::to_string(found.size()) + " bytes");
        return std::string(found);
    }

    void readAxes() {
        auto axes = heteroscape::engine::readAxes(m_database, m_info.id, m_info.points);
        m_info.isList = isListOf(axes, m_info.points);
        for (auto& stored : axes)
            m_info.axes.push_back(std::move(stored.axis));
    }

    void readLimits() {
        Statement limits(m_database,
                         "SELECT \"column\", least, most FROM study_limits WHERE study = ? ORDER BY place");
        limits.bind(1, m_info.id);
        while (limits.step()) {
            if (m_info.limits.size() == kMostLimits)
                damaged("it has more than " + std::to_string(kMostLimits) + " limits");
            Limit limit{text(limits, 0)};
            if (const double least = limits.real(1); !std::isnan(least))
                limit.least = least;
            if (const double most = limits.real(2); !std::isnan(most))
                limit.most = most;
            m_info.limits.push_back(std::move(limit));
        }
    }

    void readNodeMetrics() {
        Statement kept(m_database, "SELECT path FROM node_metrics WHERE study = ? ORDER BY place");
        kept.bind(1, m_info.id);
        while (kept.step()) {
            if (m_info.nodeMetrics.size() == kMaxNodeMetrics)
                damaged("it has more than " + std::to_string(kMaxNodeMetrics) + " metrics of nodes");
            m_info.nodeMetrics.push_back(text(kept, 0));
        }
    }

    void readBytes() {
        // Blocks differ little in size within a study: the first chunk tells.
        Statement first(m_database,
                        "SELECT count, (SELECT sum(length(data)) FROM blocks WHERE chunk = chunks.id)"
                        " FROM chunks WHERE study = ? ORDER BY first LIMIT 1");
        if (!first.bind(1, m_info.id).step() || first.integer(0) < 1 || first.integer(1) < 0)
            return;
        m_info.bytes = static_cast<std::size_t>(static_cast<double>(m_info.done) *
                                                static_cast<double>(first.integer(1)) /
                                                static_cast<double>(first.integer(0)));
    }
};

} // namespace

std::optional<StudyInfo> readStudyInfo(Database& database, std::int64_t id) {
    return InfoReader(database, id).read();
}

std::vector<StudyInfo> readStudyInfos(Database& database, std::vector<std::string>* leftAside) {
    std::vector<std::int64_t> ids;
    Statement all(database, "SELECT id FROM studies ORDER BY id");
    while (all.step())
        ids.push_back(all.integer(0));
    std::vector<StudyInfo> found;
    for (const auto id : ids) {
        try {
            if (auto info = readStudyInfo(database, id))
                found.push_back(std::move(*info));
        } catch (const Error& error) {
            if (!leftAside || error.code() != ErrorCode::InvalidInput)
                throw;
            leftAside->emplace_back(error.what());
        }
    }
    return found;
}

namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

/// One state of the file for several statements. Nothing where a transaction is open already.
class Snapshot {
public:
    explicit Snapshot(Database& database) : m_database(database), m_own(!database.inTransaction()) {
        if (m_own)
            m_database.execute("BEGIN");
    }
    ~Snapshot() {
        if (m_own)
            try {
                m_database.execute("COMMIT");
            } catch (const Error&) { // only read
            }
    }
    Snapshot(const Snapshot&) = delete;
    Snapshot& operator=(const Snapshot&) = delete;

private:
    Database& m_database;
    bool m_own;
};

class TableReader {
public:
    TableReader(Database& database, const StudyInfo& info, PointRange range)
        : m_database(database), m_names(database), m_reader(database, m_names, info.id, info.points),
          m_range(range) {
        m_table.info = info;
    }

    StudyTable read(const std::vector<std::string>& metrics) {
        m_table.partial = !metrics.empty();
        addAxes();
        m_table.columns.push_back({kFeasibleColumn, "Feasible", "", false, {}});
        const auto first = m_table.columns.size();
        addColumns(metrics);
        readBounds();
        readRows();
        fillAxes(first - 1);
        for (auto i = first; i < m_table.columns.size(); ++i)
            if (auto& column = m_table.columns[i];
                metrics.empty() || std::find(metrics.begin(), metrics.end(), column.name) != metrics.end())
                fill(column);
        tellLost();
        if (m_table.rows() < m_table.info.points)
            listOrdinals();
        return std::move(m_table);
    }

private:
    /// Rows of the table that come from one chunk.
    struct Piece {
        Chunk chunk;
        std::size_t skip = 0; ///< points of the chunk before the range
        std::size_t row = 0;
        std::size_t count = 0;
        std::size_t first() const { return chunk.first + skip; } ///< ordinal
    };

    Database& m_database;
    ColumnNames m_names;
    ChunkReader m_reader;
    PointRange m_range;
    StudyTable m_table;
    std::vector<Piece> m_pieces;
    std::vector<std::int64_t> m_boundPlaces; ///< number of a bound -> place in boundNames, or -1
    std::vector<double> m_values;            ///< of a chunk

    void addAxes() {
        for (auto& stored : readAxes(m_database, m_table.info.id, m_table.info.points))
            m_table.columns.push_back(
                {stored.axis.path, stored.label, stored.unit, true, {}, stored.axis.names});
    }

    void addColumns(const std::vector<std::string>& metrics) {
        for (const auto& spec : metricSpecs())
            m_table.columns.push_back(
                {std::string(spec.key), std::string(spec.label), std::string(spec.unit), false, {}});
        Statement label(m_database, "SELECT label, unit FROM node_metrics WHERE study = ? AND path = ?");
        for (const auto& metric : m_table.info.nodeMetrics) {
            if (m_table.partial && std::find(metrics.begin(), metrics.end(), metric) == metrics.end())
                continue;
            StudyColumn column{metric, metric, {}, false, {}};
            if (label.bind(1, m_table.info.id).bind(2, std::string_view(metric)).step()) {
                if (!label.text(0).empty())
                    column.label = label.text(0);
                column.unit = label.text(1);
                label.reset();
            }
            m_table.columns.push_back(std::move(column));
        }
    }

    void readBounds() {
        constexpr std::int64_t mostBounds = 1'000'000; // there are some dozens
        constexpr std::size_t mostBytes = 1024;        // it stands in every row of a CSV
        Statement bounds(m_database, "SELECT id, text, sum FROM bounds ORDER BY id");
        while (bounds.step()) {
            const auto id = bounds.integer(0);
            // They come in order, each once, unless its pages lead round in circles.
            if (id < static_cast<std::int64_t>(m_boundPlaces.size()) || id > mostBounds)
                m_database.damaged("a bound has the number " + std::to_string(id));
            m_boundPlaces.resize(static_cast<std::size_t>(id), -1);
            m_boundPlaces.push_back(static_cast<std::int64_t>(m_table.boundNames.size()));
            const bool fits =
                bounds.text(1).size() <= mostBytes && bounds.integer(2) == bytesSum(bounds.text(1));
            if (!fits)
                m_table.damage.push_back("bound " + std::to_string(id) +
                                         ": the checksum of its text does not fit");
            m_table.boundNames.emplace_back(fits ? bounds.text(1) : "unknown");
        }
    }

    /// What decides whether a point is a row: that it runs, and what bounds it.
    void readRows() {
        auto& feasible = m_table.columns[m_table.info.axes.size()].values;
        const auto expected = std::min(m_table.info.done, m_range.size());
        reserveLarge(feasible, expected);
        reserveLarge(m_table.bounds, expected);
        std::vector<double> runs, bounds; // of a chunk
        std::set<std::int64_t> nameless;
        for (auto& chunk : m_reader.chunks(m_range, m_table.damage)) {
            for (const auto column : chunk.columns)
                if (m_names.name(column).empty() && nameless.insert(column).second)
                    m_table.damage.push_back("study " + std::to_string(m_table.info.id) + ", column " +
                                             std::to_string(column) + ": its name is damaged");
            const auto skip = std::max(m_range.begin, chunk.first) - chunk.first;
            const auto count = std::min(m_range.end, chunk.end()) - chunk.first - skip;
            runs.resize(chunk.count);
            bounds.resize(chunk.count);
            if (!m_reader.read(chunk, kFeasibleColumn, runs, m_table.damage) ||
                !m_reader.read(chunk, kBoundColumn, bounds, m_table.damage))
                continue;
            const auto isBound = [&](double bound) {
                return bound >= 0 && bound < static_cast<double>(m_boundPlaces.size()) &&
                       m_boundPlaces[static_cast<std::size_t>(bound)] >= 0;
            };
            if (!std::all_of(bounds.begin(), bounds.end(), isBound) ||
                std::any_of(runs.begin(), runs.end(), [](double value) { return std::isnan(value); })) {
                m_table.damage.push_back(m_reader.blockName(chunk, kBoundColumn) + ": a number that is none");
                continue;
            }
            m_pieces.push_back({chunk, skip, feasible.size(), count});
            for (auto i = skip; i < skip + count; ++i) {
                feasible.push_back(runs[i]);
                m_table.bounds.push_back(
                    static_cast<std::uint32_t>(m_boundPlaces[static_cast<std::size_t>(bounds[i])]));
            }
        }
    }

    /// The values of axes follow from the ordinals.
    void fillAxes(std::size_t axes) {
        std::size_t stride = 1;
        for (std::size_t i = axes; i-- > 0;) {
            const auto& axis = m_table.info.axes[i].values;
            auto& values = m_table.columns[i].values;
            reserveLarge(values, m_table.rows());
            for (const auto& piece : m_pieces) {
                values.resize(piece.row + piece.count);
                auto position = piece.first() / stride % axis.size();
                auto left = stride - piece.first() % stride;
                for (auto row = piece.row; row < piece.row + piece.count;) {
                    const auto end = std::min(row + left, piece.row + piece.count);
                    std::fill(values.begin() + static_cast<std::ptrdiff_t>(row),
                              values.begin() + static_cast<std::ptrdiff_t>(end), axis[position]);
                    row = end;
                    left = stride;
                    position = position + 1 == axis.size() ? 0 : position + 1;
                }
            }
            if (!m_table.info.isList)
                stride *= axis.size();
        }
    }

    void fill(StudyColumn& column) {
        if (std::none_of(m_pieces.begin(), m_pieces.end(),
                         [&](const Piece& piece) { return m_reader.has(piece.chunk, column.name); }))
            return;
        reserveLarge(column.values, m_table.rows());
        for (const auto& piece : m_pieces) {
            column.values.resize(piece.row + piece.count); // one piece at a time: what is unpacked is at hand
            const auto out = std::span(column.values).subspan(piece.row, piece.count);
            if (piece.count == piece.chunk.count) {
                m_reader.read(piece.chunk, column.name, out, m_table.damage);
                continue;
            }
            m_values.resize(piece.chunk.count);
            m_reader.read(piece.chunk, column.name, m_values, m_table.damage);
            std::copy_n(m_values.begin() + static_cast<std::ptrdiff_t>(piece.skip), piece.count, out.begin());
        }
    }

    void listOrdinals() {
        auto& ordinals = m_table.ordinals;
        ordinals.resize(m_table.rows());
        for (const auto& piece : m_pieces)
            std::iota(ordinals.begin() + static_cast<std::ptrdiff_t>(piece.row),
                      ordinals.begin() + static_cast<std::ptrdiff_t>(piece.row + piece.count), piece.first());
    }

    /// Points that were stored and of which nothing is there.
    void tellLost() {
        const bool whole = m_range == PointRange{0, m_table.info.points};
        if (whole && m_table.damage.empty() && m_table.rows() < m_table.info.done)
            m_table.damage.push_back("study " + std::to_string(m_table.info.id) + ": " +
                                     std::to_string(m_table.info.done - m_table.rows()) +
                                     " points that were stored are not there");
    }
};

} // namespace

StudyTable readStudyTable(Database& database, const StudyInfo& info, const std::vector<std::string>& metrics,
                          PointRange range) {
    const Snapshot snapshot(database);
    return TableReader(database, info, range).read(metrics);
}

void copyStudy(Database& source, const StudyInfo& info, const std::string& path) {
    NewFile file(path);
    {
        Database target(file.part());
        prepareStore(target);
        Statement attach(target, "ATTACH DATABASE ? AS source");
        attach.bind(1, std::string_view(source.file())).run();
        const auto id = std::to_string(info.id);
        // No write lock on what is read: it belongs to the transaction, and a sweep may be writing there.
        target.execute("BEGIN");
        const auto copy = [&](const std::string& table, const std::string& where) {
            target.execute("INSERT INTO main." + table + " SELECT * FROM source." + table + where);
        };
        copy("studies", " WHERE id = " + id);
        for (const auto* table : {"grid_axes", "study_limits", "node_metrics", "chunks", "simulated_points"})
            copy(table, " WHERE study = " + id);
        copy("blocks", " WHERE chunk IN (SELECT id FROM main.chunks)");
        for (const auto* table : {"bounds", "block_columns", "known_columns"})
            copy(table, "");
        writeWideTable(target, info, target);
        target.execute("COMMIT");
        target.execute("DETACH DATABASE source");
        target.execute("PRAGMA journal_mode = DELETE"); // one file, without a log beside it
    }
    file.finish();
}

} // namespace heteroscape::engine

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/point_writer.h"

#include "engine/base/error.h"
#include "engine/store/schema.h"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace heteroscape::engine {

namespace {

constexpr std::int64_t kMostPoints = std::int64_t{1} << 60; // numbers of points only grow

std::string addPointSql() {
    std::string columns = "id, feasible, bound";
    std::string places = "?, ?, ?";
    for (const auto& spec : metricSpecs()) {
        columns += ", " + quotedName(spec.key);
        places += ", ?";
    }
    return "INSERT INTO points(" + columns + ") VALUES(" + places + ")";
}

} // namespace

PointWriter::PointWriter(Database& database)
    : m_database(database),
      m_addKey(database, "INSERT INTO point_keys(key, point) VALUES(?, ?) ON CONFLICT(key)"
                         " DO UPDATE SET point = excluded.point WHERE point < ?"),
      m_findKey(database, "SELECT point FROM point_keys WHERE key = ? AND point >= ?"),
      m_addPoint(database, addPointSql()),
      m_dropRow(database, "DELETE FROM study_rows WHERE study = ? AND ordinal = ? AND point < ?"),
      m_addRow(database, "INSERT OR IGNORE INTO study_rows(study, ordinal, point) VALUES(?, ?, ?)") {}

void PointWriter::checkStop(std::size_t step) const {
    if (step % 512 == 0 && m_stop.stop_requested())
        throw Error(ErrorCode::Cancelled, m_database.path(), "stopped; the open batch was taken back");
}

std::int64_t PointWriter::boundId(const std::string& text) {
    auto& id = m_bounds[text];
    if (id == 0) {
        // Committed by itself, not with the batch: the id remembered here outlives a batch that is taken
        // back.
        Statement(m_database, "INSERT OR IGNORE INTO bounds(text) VALUES(?)")
            .bind(1, std::string_view(text))
            .run();
        Statement find(m_database, "SELECT id FROM bounds WHERE text = ?");
        find.bind(1, std::string_view(text)).step();
        id = find.integer(0);
    }
    return id;
}

void PointWriter::writeKeys(std::span<const PointRow> rows, std::int64_t firstId) {
    // In the order of the keys, so that neighbours fall into the same page of the index. Of equal keys the
    // computed one comes first: the others take its point.
    m_order.resize(rows.size());
    std::iota(m_order.begin(), m_order.end(), std::size_t{0});
    std::sort(m_order.begin(), m_order.end(), [&](std::size_t a, std::size_t b) {
        const int order = std::memcmp(rows[a].key.data(), rows[b].key.data(), rows[a].key.size());
        if (order != 0)
            return order < 0;
        if (rows[a].computed != rows[b].computed)
            return rows[a].computed;
        return a < b;
    });
    m_points.assign(rows.size(), 0);
    std::size_t step = 0;
    for (const auto i : m_order) {
        checkStop(step++);
        const auto& row = rows[i];
        if (row.computed) {
            const auto id = firstId + static_cast<std::int64_t>(i);
            m_addKey.bindBlob(1, row.key).bind(2, id).bind(3, m_firstWhole).run();
            if (m_database.changes() == 1) {
                m_points[i] = id;
                continue;
            }
        }
        if (m_findKey.bindBlob(1, row.key).bind(2, m_firstWhole).step()) {
            m_points[i] = m_findKey.integer(0);
            m_findKey.reset();
        }
    }
}

std::int64_t PointWriter::writePoints(std::span<const PointRow> rows, std::int64_t firstId) {
    std::int64_t last = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        checkStop(i);
        const auto& row = rows[i];
        const auto id = firstId + static_cast<std::int64_t>(i);
        if (m_points[i] != id)
            continue; // stored before
        m_addPoint.bind(1, id).bind(2, std::int64_t{row.feasible}).bind(3, m_boundOf.at(row.bound));
        for (std::size_t k = 0; k < row.metrics.size(); ++k)
            m_addPoint.bind(static_cast<int>(k) + 4, row.metrics[k]);
        m_addPoint.run();
        last = id;
    }
    return last;
}

std::vector<std::size_t> PointWriter::write(const StudyInfo& study, std::span<const PointRow> rows,
                                            const std::vector<std::string>& bounds,
                                            const std::stop_token& stop) {
    const StopGuard guard(m_database, stop);
    m_stop = stop;
    m_boundOf.clear();
    for (const auto& bound : bounds)
        m_boundOf.push_back(boundId(bound));

    Transaction transaction(m_database);
    const auto number = std::to_string(study.id);
    if (m_database.number("SELECT count(*) FROM studies WHERE id = " + number) == 0)
        throw Error(ErrorCode::NotFound, m_database.path(), "study " + number + " was removed meanwhile",
                    "Run it again to start it afresh");
    m_firstWhole = firstWhole(m_database);
    const auto lastId = m_database.number("SELECT max(id) FROM points");
    if (lastId > kMostPoints || m_firstWhole > kMostPoints)
        m_database.damaged("a point has the number " + std::to_string(std::max(lastId, m_firstWhole)));
    const auto firstId = std::max(lastId + 1, m_firstWhole);
    writeKeys(rows, firstId);
    if (const auto last = writePoints(rows, firstId); last > 0)
        noteUnknownMetrics(m_database, last);

    std::vector<std::size_t> gone;
    std::int64_t added = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        checkStop(i);
        if (m_points[i] == 0) {
            gone.push_back(rows[i].ordinal);
            continue;
        }
        const auto ordinal = static_cast<std::int64_t>(rows[i].ordinal);
        if (m_firstWhole > 1) { // some were stored without a metric that this program has
            m_dropRow.bind(1, study.id).bind(2, ordinal).bind(3, m_firstWhole).run();
            added -= m_database.changes();
        }
        m_addRow.bind(1, study.id).bind(2, ordinal).bind(3, m_points[i]).run();
        added += m_database.changes();
    }
    m_database.execute("UPDATE studies SET done = done + " + std::to_string(added) + " WHERE id = " + number);
    transaction.commit();
    m_database.checkInPlace();
    return gone;
}

} // namespace heteroscape::engine

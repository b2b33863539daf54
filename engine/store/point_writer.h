// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/store/sqlite.h"
#include "engine/store/store.h"

#include <string>
#include <unordered_map>
#include <vector>

namespace heteroscape::engine {

/// Writes batches of points: the statements of Store::addRows(), prepared once. See there.
class PointWriter {
public:
    explicit PointWriter(Database& database);

    std::vector<std::size_t> write(const StudyInfo& study, std::span<const PointRow> rows,
                                   const std::vector<std::string>& bounds, const std::stop_token& stop);

private:
    std::int64_t boundId(const std::string& text);
    void writeKeys(std::span<const PointRow> rows, std::int64_t firstId);
    /// The last point that was written; 0: all were there.
    std::int64_t writePoints(std::span<const PointRow> rows, std::int64_t firstId);
    void checkStop(std::size_t step) const;

    Database& m_database;
    Statement m_addKey;
    Statement m_findKey;
    Statement m_addPoint;
    Statement m_dropRow;
    Statement m_addRow;
    std::stop_token m_stop;
    std::unordered_map<std::string, std::int64_t> m_bounds;
    std::int64_t m_firstWhole = 0; ///< points before it have to be computed again
    // Of the batch at hand, reused from batch to batch:
    std::vector<std::size_t> m_order;    ///< rows by key
    std::vector<std::int64_t> m_points;  ///< row -> point id; 0: not there
    std::vector<std::int64_t> m_boundOf; ///< index into the batch's bounds -> bounds.id
};

} // namespace heteroscape::engine

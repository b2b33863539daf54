// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/store/chunks.h"
#include "engine/store/point_writer.h"
#include "engine/store/study_shape.h"

#include <map>
#include <string>
#include <vector>

namespace heteroscape::engine {

/// The tables of schemas 1 to 6, which had a row a point, and the way from them into blocks: studies with all
/// their points and values, whatever metrics the file has. In the transaction of whoever calls it.
///   studies, study_axes, axis_values (name: from 2 on), study_rows (study, ordinal) -> point,
///   points (feasible, bound, a column a metric), point_keys, bounds,
///   study_limits, study_figures, study_values (from 5 on), metric_columns (from 6 on)
class RowStore {
public:
    RowStore(Database& database, std::int64_t version) : m_database(database), m_version(version) {}

    /// Gives the tables names that are free, and removes the views.
    void setAside();
    /// Into the tables of today; then the old ones are removed. Throws Error (InvalidInput) naming the study
    /// that does not fit together: then nothing may be committed.
    void takeOver();

private:
    Database& m_database;
    std::int64_t m_version;
    std::vector<std::string> m_metrics;                        ///< columns of points
    std::vector<std::pair<std::int64_t, std::string>> m_since; ///< the first point that has a metric
    std::map<std::int64_t, std::int64_t> m_bounds;             ///< old number -> new

    void readMetrics();
    std::vector<std::string> knownAt(std::int64_t point) const;
    std::vector<StoredAxis> axesOf(std::int64_t study);
    void takeStudy(std::int64_t study, PointWriter& writer, ColumnNames& names);
    void takePoints(std::int64_t study, std::size_t points, PointWriter& writer, ColumnNames& names);
    void takeKeys(std::int64_t study);
};

} // namespace heteroscape::engine

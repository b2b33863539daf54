// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/store/chunks.h"
#include "engine/store/point_writer.h"
#include "engine/store/study_shape.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace heteroscape::engine {

/// The tables of schemas 1 to 6, which had a row a point, and the way from them into blocks: studies with all
/// their points and values, whatever metrics the file has. In the transactions of whoever calls it.
///   studies, study_axes, axis_values (name: from 2 on), study_rows (study, ordinal) -> point,
///   points (feasible, bound, a column a metric), point_keys, bounds,
///   study_limits, study_figures, study_values (from 5 on), metric_columns (from 6 on)
class RowStore {
public:
    /// `into` may be the same file. With `lost` all that fits together is taken over, and the rest is told
    /// there, by study.
    RowStore(Database& from, Database& into, std::vector<std::string>* lost = nullptr)
        : m_from(from), m_into(into), m_lost(lost) {}

    /// Gives the old tables names that are free, and removes the views.
    void setAside();
    /// Into the tables of today. Without `lost` throws Error (InvalidInput) naming the study that does not
    /// fit together: then nothing may be committed.
    void takeOver();
    void removeOld();

private:
    Database& m_from;
    Database& m_into;
    std::vector<std::string>* m_lost;
    std::vector<std::string> m_metrics;                        ///< columns of points
    std::vector<std::pair<std::int64_t, std::string>> m_since; ///< the first point that has a metric
    std::map<std::int64_t, std::int64_t> m_bounds;             ///< old number -> new

    /// Does it; where the file is damaged, says what is lost of what, or throws.
    bool attempt(const std::string& what, const std::function<void()>& work);
    void readMetrics();
    void takeBounds(PointWriter& writer);
    std::vector<std::string> knownAt(std::int64_t point) const;
    std::vector<StoredAxis> axesOf(std::int64_t study);
    void takeStudy(std::int64_t study, PointWriter& writer, ColumnNames& names);
    void takeLimits(std::int64_t study);
    void takePoints(std::int64_t study, std::size_t points, PointWriter& writer, ColumnNames& names);
    void takeKeys(std::int64_t study);
};

} // namespace heteroscape::engine

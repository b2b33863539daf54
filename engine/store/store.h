// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/evaluation/metric.h"
#include "engine/study/study.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace heteroscape::engine {

/// The stored answer for one scenario.
struct PointResult {
    std::string key; ///< scenarioKey(), 16 bytes
    bool feasible = false;
    std::string bound;                          ///< boundKey()
    std::array<double, kMetricCount> metrics{}; ///< in the shown unit of each metric; NaN is stored as NULL
};

struct StudyInfo {
    std::int64_t id = 0;
    std::string name;
    std::string view;       ///< name of the SQL view: "study_1_a100_7u280"
    std::string created;    ///< UTC, ISO 8601
    std::size_t points = 0; ///< points of the grid
    std::size_t done = 0;   ///< of which stored
    std::vector<Axis> axes;
};

/// A column of a study read back.
struct StudyColumn {
    std::string name;  ///< "nodes.fpga.count", "throughput_tok_s": as in the view and in the CSV
    std::string label; ///< "Alveo U280 count", "Throughput"
    std::string unit;
    bool isAxis = false;
    std::vector<double> values; ///< NaN where NULL; "feasible" is 0 or 1
};

/// A study as columns of equal length, in ordinal order. Text column `bound` separately.
struct StudyTable {
    StudyInfo info;
    std::vector<StudyColumn> columns; ///< axes, then feasible, then metrics in their order
    std::vector<std::string> bounds;

    std::size_t rows() const { return bounds.size(); }
    const StudyColumn* find(const std::string& name) const;
};

/// The SQLite file of studies and points (WAL). One Store object belongs to one thread at a time;
/// several may be open on one file. Throws Error (Io, InvalidInput) naming the file.
class Store {
public:
    explicit Store(const std::string& path);
    ~Store();
    Store(Store&&) noexcept;
    Store& operator=(Store&&) noexcept;

    const std::string& path() const;

    /// The study of the same base and axes, made if it is not there yet.
    StudyInfo ensureStudy(const Study& study);
    std::vector<StudyInfo> studies();
    StudyInfo study(std::int64_t id); ///< throws Error (NotFound)
    StudyTable read(std::int64_t id);
    void remove(std::int64_t id); ///< the study and the points no other study uses

    /// Row ids of the points that are stored already, 0 where not; parallel to `keys`.
    std::vector<std::int64_t> lookUp(const std::vector<std::string>& keys);

    /// Adds a batch in one transaction: new points, and the study's rows pointing to them or to stored ones.
    struct Row {
        std::size_t ordinal = 0;
        std::int64_t point = 0;              ///< row id of a stored point, or 0
        std::optional<PointResult> computed; ///< when point is 0
    };
    void addRows(const StudyInfo& study, const std::vector<Row>& rows);

    std::size_t pointCount();

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

/// $XDG_DATA_HOME/heteroscape/studies.sqlite (or ~/.local/share/...); makes the folder.
std::string defaultStorePath();

} // namespace heteroscape::engine

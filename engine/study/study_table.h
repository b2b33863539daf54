// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/study/study.h"

#include <cstdint>
#include <string>
#include <vector>

namespace heteroscape::engine {

struct StudyInfo {
    std::int64_t id = 0;
    std::string name;
    std::string view;       ///< its name as a table of SQL: "study_1_a100_7u280"
    std::string created;    ///< UTC, ISO 8601
    std::size_t points = 0; ///< points of the grid or list
    std::size_t done = 0;   ///< of which stored
    std::vector<Axis> axes; ///< choices by name only, without their edits
    std::vector<Limit> limits{};
    std::vector<std::string> nodeMetrics{}; ///< kept beside those of the system
    std::size_t bytes = 0;                  ///< of the file that its points take, about
    bool isList = false;                    ///< as Study::isList
};

/// A column of a study read back.
struct StudyColumn {
    std::string name;  ///< "nodes.fpga.count", "throughput_tok_s": as in tables of SQL and in the CSV
    std::string label; ///< "Alveo U280 count", "Throughput"
    std::string unit;
    bool isAxis = false;
    /// NaN where there is no value; "feasible" is 0 or 1; positions on an axis of choices. Empty when no row
    /// has a value.
    std::vector<double> values;
    std::vector<std::string> names{}; ///< of an axis of choices, by position

    bool isChoice() const { return !names.empty(); }
    double at(std::size_t row) const; ///< NaN where there is no value
    /// A value of this column as text: "16", "llama3-70b".
    std::string text(double value) const;
};

/// The points of a study that are stored, as columns of equal length, in ordinal order.
struct StudyTable {
    StudyInfo info;
    std::vector<StudyColumn>
        columns; ///< axes, then feasible, then metrics in their order, then those of nodes
    std::vector<std::string> boundNames;
    std::vector<std::uint32_t> bounds;   ///< boundKey() of each point, as an index into boundNames
    bool partial = false;                ///< only some of the metrics were read: the others are empty
    std::vector<std::size_t> ordinals{}; ///< of the rows; empty: every point of the grid is there
    /// What could not be read, by study and block. Where it is one column of some points, they have no value
    /// there; where it is whether they run at all, they are no rows.
    std::vector<std::string> damage{};

    std::size_t ordinal(std::size_t row) const { return ordinals.empty() ? row : ordinals[row]; }
    std::size_t rows() const { return bounds.size(); }
    const std::string& bound(std::size_t row) const { return boundNames[bounds[row]]; }
    const StudyColumn* find(const std::string& name) const;
};

/// How a metric of a node is called.
struct NodeMetricName {
    std::string label;
    std::string unit;
};

} // namespace heteroscape::engine

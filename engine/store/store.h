// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/evaluation/metric.h"
#include "engine/study/study.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace heteroscape::engine {

struct Catalog;

struct StudyInfo {
    std::int64_t id = 0;
    std::string name;
    std::string view;       ///< name of the SQL view: "study_1_a100_7u280"
    std::string created;    ///< UTC, ISO 8601
    std::size_t points = 0; ///< points of the grid
    std::size_t done = 0;   ///< of which stored
    std::vector<Axis> axes; ///< choices by name only, without their edits
    std::vector<Limit> limits{};
    std::vector<std::string> nodeMetrics{}; ///< kept beside those of the system
    std::size_t bytes = 0;                  ///< of the file that its points take, about
};

/// A column of a study read back.
struct StudyColumn {
    std::string name;  ///< "nodes.fpga.count", "throughput_tok_s": as in the view and in the CSV
    std::string label; ///< "Alveo U280 count", "Throughput"
    std::string unit;
    bool isAxis = false;
    /// NaN where NULL; "feasible" is 0 or 1; positions on an axis of choices. Empty when no row has a value.
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

/// One point on its way into the store.
struct PointRow {
    std::size_t ordinal = 0;
    ScenarioKey key{};
    bool computed = false; ///< false: the point of this key is stored already, take that one
    bool feasible = false;
    std::uint32_t bound = 0;                    ///< index into the batch's list of bounds
    std::array<double, kMetricCount> metrics{}; ///< in the shown unit of each metric; NaN is stored as NULL
};

/// The SQLite file of studies and points (WAL). One Store object belongs to one thread at a time;
/// several, in one process or many, may be open on one file. Throws Error naming the file: Io when the
/// system refuses, InvalidInput for a file that is foreign, newer or damaged, which is left untouched.
class Store {
public:
    /// A file that may not be written, or lies where nothing may be, is opened for reading.
    explicit Store(const std::string& path);
    ~Store();
    Store(Store&&) noexcept;
    Store& operator=(Store&&) noexcept;

    const std::string& path() const;

    /// The study of the same base, axes and equations, made if it is not there yet (its first name stays).
    /// Limits and metrics of nodes that it is given are kept with it. Throws Error (Cancelled) when `stop` is
    /// requested while another program holds the file.
    StudyInfo ensureStudy(const Study& study, const std::stop_token& stop = {});
    /// The study of the same base, axes and equations; none when it is not there.
    std::optional<StudyInfo> findStudy(const Study& study);
    /// Oldest first. Damaged ones are left aside and told in `leftAside`; without it they throw.
    std::vector<StudyInfo> studies(std::vector<std::string>* leftAside = nullptr);
    StudyInfo study(std::int64_t id);                          ///< throws Error (NotFound)
    Study definition(std::int64_t id, const Catalog& catalog); ///< the study to open or run again
    /// `metrics`: the metrics wanted, by key; empty: all. The others stay empty and the table partial.
    StudyTable read(std::int64_t id, const std::vector<std::string>& metrics = {});
    /// The keys of the designs of a table that this store gave, row by row. All bytes 0 for a point that is
    /// not there any more. O(keys in the store).
    std::vector<ScenarioKey> keys(const StudyTable& table);
    void setLimits(std::int64_t id, const std::vector<Limit>& limits);
    /// Gives a study another name; its view takes the name too. Throws Error (InvalidInput) for one of
    /// spaces.
    void rename(std::int64_t id, const std::string& name);
    /// Writes one study with its points into a new store of its own. Throws Error when the file is there.
    void exportStudy(std::int64_t id, const std::string& path);
    void
    remove(std::int64_t id); ///< the study and the points no other study uses; space in the file is reused

    /// Throws Error (Io) when the file was moved or deleted since it was opened: what is written is lost
    /// then.
    void checkInPlace();

    std::size_t pointCount(); ///< different points stored, of all studies
    std::size_t bytes();      ///< of the file

    /// The ordinals for which a metric of a node was not stored yet, not even that there is none.
    std::vector<std::size_t> withoutNodeMetric(const StudyInfo& study, const std::string& metric);
    void addNodeMetricValues(const StudyInfo& study, const std::string& metric, const NodeMetricName& name,
                             std::span<const std::pair<std::size_t, double>> values); ///< ordinal, shown unit

    // The way of runStudy():

    /// Which of the keys have a stored point with every metric of this program; fastest when they are sorted.
    std::vector<bool> lookUp(std::span<const ScenarioKey> keys);
    /// How many points of the study are stored with every metric of this program.
    std::size_t wholePoints(const StudyInfo& study);
    /// Which ordinals of the study are stored, with every metric of this program; as long as the grid.
    std::vector<bool> storedOrdinals(const StudyInfo& study);

    /// Adds a batch in one transaction: points that are new, and the study's rows pointing to them or to
    /// stored ones. Of two computed points with one key the stored one stays, unless it lacks a metric.
    /// Returns the ordinals whose stored point another process removed meanwhile: they need computing.
    /// A stop request takes the open batch back and throws Error (Cancelled).
    std::vector<std::size_t> addRows(const StudyInfo& study, std::span<const PointRow> rows,
                                     const std::vector<std::string>& bounds,
                                     const std::stop_token& stop = {});

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

/// $XDG_DATA_HOME/heteroscape/studies.sqlite (or ~/.local/share/...); makes the folder.
std::string defaultStorePath();

} // namespace heteroscape::engine

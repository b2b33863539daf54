// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/evaluation/metric.h"
#include "engine/store/chunks.h"
#include "engine/study/study_table.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace heteroscape::engine {

struct Catalog;

/// Another study of the store that has points of a study: those with the same values on every axis.
struct Lender {
    std::int64_t study = 0;
    std::vector<std::size_t> lengths; ///< of its axes
    std::vector<std::vector<std::size_t>>
        positions; ///< on its axis, by position on the study's; kNone: not there
    static constexpr auto kNone = static_cast<std::size_t>(-1);

    /// The ordinal there of a point at these positions; kNone when it has none.
    std::size_t ordinal(std::span<const std::size_t> at) const;
};

/// Where an answer is stored.
struct StoredPlace {
    std::int64_t study = 0;
    std::size_t ordinal = 0;
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
    /// `range`: the ordinals wanted. What is damaged is told in the table.
    StudyTable read(std::int64_t id, const std::vector<std::string>& metrics = {},
                    std::optional<PointRange> range = std::nullopt);
    /// The names of the columns that have a value at some point.
    std::vector<std::string> filledColumns(const StudyInfo& study);
    void setLimits(std::int64_t id, const std::vector<Limit>& limits);
    /// Gives a study another name; its table takes the name too. Throws Error (InvalidInput) for one of
    /// spaces.
    void rename(std::int64_t id, const std::string& name);
    /// Writes one study with its points into a new store of its own, which has them as a plain table for any
    /// SQL tool too (wide_table.h). Throws Error when the file is there.
    void exportStudy(std::int64_t id, const std::string& path);
    /// Writes studies as plain tables into a new SQLite file. `catalog`: tells what points rest on where some
    /// are ideal; a study with a choice that it lacks is not told of. Throws Error when the file is there.
    void exportTables(const std::vector<std::int64_t>& ids, const std::string& path,
                      const Catalog* catalog = nullptr);
    void remove(std::int64_t id); ///< with its points; space in the file is reused

    /// Throws Error (Io) when the file was moved or deleted since it was opened: what is written is lost
    /// then.
    void checkInPlace();

    std::size_t pointCount(); ///< points stored, of all studies
    std::size_t bytes();      ///< of the file

    // The way of runStudy(). "Whole": stored with every metric of this program, and undamaged.

    /// How many points of the study are whole, by what its chunks say: blocks are not read.
    std::size_t wholePoints(const StudyInfo& study);
    /// Which ordinals of the study are whole; as long as the grid.
    std::vector<bool> storedOrdinals(const StudyInfo& study);
    /// The stretches of ordinals within the range that are not whole, in order; `damage`: what of them is
    /// damaged, by study and block.
    std::vector<PointRange> missing(const StudyInfo& study, PointRange range,
                                    std::vector<std::string>* damage = nullptr);
    /// The stretches within the range, of whole points, of which some of these metrics of nodes are not
    /// known, not even that there is none: chunks, so addColumns() takes each.
    std::vector<PointRange> withoutNodeMetrics(const StudyInfo& study,
                                               const std::vector<std::string>& metrics, PointRange range);

    /// Adds points in one transaction. Where points are whole and know the same columns, they stay. `bounds`:
    /// the texts that the points number. A stop request takes the batch back and throws Error (Cancelled).
    void addPoints(const StudyInfo& study, std::span<const PackedPoints> points,
                   const std::vector<std::string>& bounds, const std::stop_token& stop = {});
    /// Adds columns to a chunk that is there. False when there is none of just these points any more.
    bool addColumns(const StudyInfo& study, const PackedPoints& points);
    /// How a metric of a node is called: known once a point has it.
    void nameNodeMetric(const StudyInfo& study, const std::string& metric, const NodeMetricName& name);
    bool isNamed(const StudyInfo& study, const std::string& metric);

    /// Studies that have points of this one, the largest first.
    std::vector<Lender> lenders(const Study& study);
    /// Where simulated points of these keys are stored; none where they are not.
    std::vector<std::optional<StoredPlace>> findSimulated(std::span<const ScenarioKey> keys);
    /// The values of a whole point at `columns`, and the number of its bound: boundText(). False when it is
    /// not there.
    bool lend(const StoredPlace& place, const std::vector<std::string>& columns, std::span<double> values,
              std::int64_t& bound);
    std::string boundText(std::int64_t bound); ///< empty when there is none

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

/// $XDG_DATA_HOME/heteroscape/studies.sqlite (or ~/.local/share/...); makes the folder.
std::string defaultStorePath();

} // namespace heteroscape::engine

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/evaluation/step_cache.h"
#include "engine/store/chunks.h"
#include "engine/study/point_validity.h"
#include "engine/study/study_table.h"

#include <array>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace heteroscape::engine {

/// The different bounds met in a run, numbered. Thread-safe.
class BoundNames {
public:
    std::uint32_t number(const std::string& name);
    std::vector<std::string> names() const;

private:
    mutable std::mutex m_mutex;
    std::vector<std::string> m_names;
};

/// What a study keeps of a point.
struct EvaluatedPoint {
    bool feasible = false;
    std::uint32_t bound = 0;                    ///< BoundNames::number() of boundKey()
    std::array<double, kMetricCount> metrics{}; ///< in the shown unit of each; NaN: none
    std::vector<double> nodeMetrics{};          ///< Study::nodeMetrics, in their shown units; NaN: none

    /// By column: "feasible" (0 or 1), the metrics in their order, metrics of nodes.
    double value(std::size_t column) const {
        if (column == 0)
            return feasible ? 1.0 : 0.0;
        return column <= kMetricCount ? metrics[column - 1] : nodeMetrics[column - 1 - kMetricCount];
    }
};
/// So many points of a thread are put into their columns together, each column at a stretch.
inline constexpr std::size_t kPointsAtOnce = 32;

/// Turns ordinals into answers: one evaluation a point for all that a study keeps of it. One a thread; copies
/// share what does not change.
class PointEvaluator {
public:
    /// `stop` ends a simulation early, whose answer then means nothing. `metrics`: the positions of those
    /// that are put into an answer, the others keep what they were; empty: all. `nodeMetrics`: paths
    /// (metric_path.h).
    PointEvaluator(const PointSetter& setter, BoundNames& names, std::stop_token stop = {},
                   std::vector<std::size_t> metrics = {}, std::vector<std::string> nodeMetrics = {});

    ScenarioKey key(std::size_t ordinal) { return scenarioKeyBytes(m_setter.at(ordinal)); }
    void evaluate(std::size_t ordinal, EvaluatedPoint& point);
    /// The metrics of nodes alone, where the rest is known: requests are simulated for rates alone.
    void evaluateNodes(std::size_t ordinal, std::vector<double>& nodeMetrics);

private:
    struct KnownBound {
        std::size_t node;
        std::size_t link;
        Phase phase;
        Bound bound;
        std::uint32_t number;
    };

    const Scenario& evaluateAt(std::size_t ordinal);
    void readNodes(const Scenario& scenario, bool feasible, std::vector<double>& nodeMetrics) const;
    std::uint32_t boundNumber(const Scenario& scenario);

    PointSetter m_setter;
    PointValidity m_validity;
    bool m_isValid = false; ///< the last point
    BoundNames& m_names;
    std::stop_token m_stop;
    bool m_whole = true; ///< more is asked of a simulation than times of tokens
    std::vector<std::size_t> m_metrics;
    std::vector<std::string> m_nodeMetrics;
    Evaluation m_evaluation;
    StepCache m_steps;
    std::vector<KnownBound> m_known; ///< so that no text is made for each point
};

/// How a metric of a node is called, by a point that has it; without the node's name where an axis exchanges
/// the node.
NodeMetricName nodeMetricName(const Study& study, const std::string& metric, std::size_t ordinal);

/// Some points on their way: ordinals, then answers by columns, then packed. Reused from window to window.
class PointWindow {
public:
    /// `columns`: as EvaluatedPoint::value() counts them.
    PointWindow(std::shared_ptr<const std::vector<std::string>> columns, std::size_t mostPoints);

    void clear();
    /// Adds up to `most` points of the ranges, taken off their front; in stretches that make a block each.
    void take(std::vector<PointRange>& ranges, std::size_t most);
    void reserve(); ///< room for the answers of what was taken: then every row is set

    bool isEmpty() const { return m_ordinals.empty(); }
    std::size_t size() const { return m_ordinals.size(); }
    std::size_t ordinal(std::size_t row) const { return m_ordinals[row]; }

    /// Answers of rows: of several at once a column is written at a stretch.
    void set(std::span<const std::size_t> rows, std::span<const EvaluatedPoint> points);
    void set(std::size_t row, std::span<const double> values, std::uint32_t bound); ///< all columns
    void copy(std::size_t row, const PointWindow& from, std::size_t fromRow);
    double value(std::size_t row, std::size_t column) const {
        return m_has[column] != 0 ? m_values[column * m_stride + row]
                                  : std::numeric_limits<double>::quiet_NaN();
    }

    std::vector<ScenarioKey> keys;            ///< of each row where points are reused by key; else empty
    std::map<ScenarioKey, std::size_t> byKey; ///< the first row of each
    std::vector<std::size_t> missing;         ///< rows to evaluate
    std::vector<std::pair<std::size_t, std::size_t>>
        twins; ///< a row, and the earlier one that is the same point

    std::size_t packings() const { return m_packed.size() * m_columns->size(); }
    void pack(std::size_t packing); ///< one column of one stretch; from several threads at once
    std::vector<PackedPoints>& packed();

private:
    std::shared_ptr<const std::vector<std::string>> m_columns;
    std::vector<std::size_t> m_ordinals;
    std::size_t m_stride;
    std::unique_ptr<double[]> m_values; ///< by column; a column every m_stride
    /// Of each column: a row had a value. Before, and most columns never have one, it is not touched.
    std::vector<char> m_has;
    std::mutex m_mutex;                ///< of what turns it
    std::vector<std::size_t> m_filled; ///< columns that had a value in windows before
    std::vector<std::size_t> m_empty;  ///< the others: "no value" need not be put
    std::vector<std::uint32_t> m_bounds;
    std::vector<PackedPoints> m_packed; ///< stretches
    std::vector<std::size_t> m_rows;    ///< the first of each stretch

    template <class ValueAt>
    void put(std::span<const std::size_t> rows, const ValueAt& valueAt); ///< (place in rows, column)
    void fill(std::size_t column);
};

} // namespace heteroscape::engine

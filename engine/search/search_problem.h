// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/evaluation/evaluation.h"
#include "engine/study/study.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace heteroscape::engine {

inline constexpr std::size_t kMaxGoals = 3;
inline constexpr std::size_t kMaxBest = 10'000;

/// What is wanted of a design: much or little of something. See PointColumn for what it may be.
struct SearchGoal {
    std::string column;
    int better = 1; ///< 1: more is better, -1: less

    bool operator==(const SearchGoal&) const = default;
};

/// "max throughput_tok_s"
std::string goalText(const SearchGoal& goal);

/// Find the best designs among all that the axes of a study span, within its limits. The grid may have any
/// number of points below 2^63.
struct SearchProblem {
    Study study;
    std::vector<SearchGoal> goals; ///< one to kMaxGoals
    std::size_t best = 10;         ///< so many best of each goal are kept
};

/// Checks axes, goals and limits. Throws Error (InvalidInput, NotFound) naming the place and the remedy.
void checkProblem(const SearchProblem& problem);

/// A number that a design has at a point of a search, in its shown unit: a metric ("ttft_s"), one of a node
/// ("nodes.gpu.prefill_ms"), the value of an axis by its path, "devices", the accelerators of the
/// system, or "truth", what it rests on (by the order of Truth).
class PointColumn {
public:
    /// Throws Error (NotFound) for a name that is none of these.
    PointColumn(const Study& study, const std::string& name);

    /// `positions`: on the axes of that study. NaN: the design has no such number.
    double at(const Scenario& scenario, const Evaluation& evaluation,
              std::span<const std::size_t> positions) const;
    std::string unit() const { return m_unit; }
    bool isSimulated() const { return m_simulated; }

private:
    enum class From { Metric, NodeMetric, Axis, Devices, Truth };
    From m_from = From::Metric;
    std::string m_name;
    std::string m_unit;
    std::size_t m_index = 0; ///< of the metric or axis
    double m_scale = 1.0;
    std::vector<double> m_values; ///< of the axis
    bool m_simulated = false;
};

/// parseLimit() with "devices" as well: "devices<=64".
Limit parseSearchLimit(const std::string& text, Decimals decimals = Decimals::Point);

/// How far a value lies outside of a limit, as a share of the end that it misses; 0 within, endless for NaN.
double missOf(const Limit& limit, double value);

/// The points of a problem in the order in which they are walked: axes that leave operators alone lie
/// innermost, so that steps are computed seldom. A *place* counts along that walk; an *ordinal* is that of
/// the study as it was given.
class SearchSpace {
public:
    explicit SearchSpace(const SearchProblem& problem);

    const Study& walked() const { return m_walked; } ///< with its axes in the order of the walk
    std::size_t size() const { return m_size; }
    std::span<const std::size_t> order() const { return m_order; } ///< given axis of each walked axis
    std::uint64_t ordinal(std::span<const std::size_t> positions) const {
        std::uint64_t sum = 0;
        for (std::size_t i = 0; i < positions.size(); ++i)
            sum += positions[i] * m_strides[i];
        return sum;
    }
    std::size_t placeOf(std::uint64_t ordinal) const;

private:
    Study m_walked;
    std::vector<std::size_t> m_order;
    std::vector<std::uint64_t> m_strides; ///< in the given study, of each walked axis
    std::size_t m_size = 1;
};

} // namespace heteroscape::engine

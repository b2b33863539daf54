// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/shared.h"
#include "engine/base/watched_number.h"
#include "engine/scenario/edit.h"
#include "engine/scenario/parameters.h"
#include "engine/units/number_text.h"

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace heteroscape::engine {

/// What is kept of a study: points whose value in a column lies within bounds, both ends included, in the
/// shown unit. A point without a value there is not kept.
struct Limit {
    std::string column; ///< a metric's key, an axis path, "feasible" or kTruthColumn
    double least = -std::numeric_limits<double>::infinity();
    double most = std::numeric_limits<double>::infinity();

    bool holds(double value) const { return value >= least && value <= most; } ///< false for NaN
    bool operator==(const Limit&) const = default;
};

/// Parses "ttft_s<=1", "tpot_s=0.01:0.05", "feasible" (what fits and runs) and "measured" (measuredLimit()).
/// The column must be a metric, "feasible", kTruthColumn, or contain a dot (an axis or a node's metric).
/// Numbers are read as people type them: "tpot_s<=50 ms", "price_usd<=$1M" (parseQuantity()). Throws Error
/// naming the text and what is allowed.
Limit parseLimit(const std::string& text, Decimals decimals = Decimals::Point);

/// The texts of several in one line, parted by commas or semicolons: two of "tpot_s<=0,5, price_usd<=1,000".
std::vector<std::string> limitTexts(std::string_view line);

/// The same back: "ttft_s<=1".
std::string limitText(const Limit& limit);

inline constexpr std::size_t kMaxAxes = 8;
inline constexpr std::size_t kMaxAxisValues = 1'000'000;
inline constexpr std::size_t kMaxStudyPoints = 10'000'000;
inline constexpr std::size_t kMaxNodeMetrics = 1000;
inline constexpr std::size_t kMaxNameBytes =
    65536; ///< of a study's name, and of each text that it is told by

/// One parameter and what it takes, in the given order, each once. A number takes `values`, in the shown
/// unit. A choice or switch ("model", "workload", "techniques.l2_prefetch.enabled") takes `names`; its
/// `values` are positions among them (0, 1, ... in a grid) and its `edits` put each into a scenario.
struct Axis {
    std::string path;
    std::vector<double> values;
    std::vector<std::string> names{}; ///< choices and switches only
    std::vector<GraphEdit> edits{};   ///< parallel to names; made from names by resolveChoices()

    bool isChoice() const { return !names.empty(); }
    /// Of a value of choices, its place among the names: they are parallel but in a list that repeats some.
    std::size_t choice(std::size_t position) const {
        return names.size() == values.size() ? position : static_cast<std::size_t>(values.at(position));
    }
    std::string text(std::size_t position) const; ///< of a value: "16", "llama3-70b"
    bool operator==(const Axis& other) const {
        return path == other.path && values == other.values && names == other.names;
    }
};

/// Designs: values of axes put into the base scenario. A grid has every combination of them, the last axis
/// varies fastest. In a list point i has value i of each axis: all are equally long, values may come again,
/// and there are several axes and points (a list of one axis or one point is a grid).
struct Study {
    std::string name;
    Shared<Scenario> base; ///< many studies, jobs and pages hold the same
    std::vector<Axis> axes;
    std::vector<Limit> limits{}; ///< what is kept when the points are read; they do not change a point
    std::vector<std::string>
        nodeMetrics{}; ///< kept beside those of the system, by their paths (metric_path.h)
    bool isList = false;

    std::size_t pointCount() const; ///< of a grid the product of lengths; the largest size_t when beyond it
};

/// Parses "path=1,2,4", "path=from:to:step" (step may be left out: 1) and "path=from:to:*2" (doubling); the
/// end of a range is part of it when a step meets it. "path=1:1000:log7" is 7 values evenly apart on a log
/// scale and "path=0:10:lin5" 5 on a linear one, both ends among them; whole numbers where the parameter is
/// whole, each once. Values and ranges may be mixed: "1,2,8:64:*2".
/// Choices and switches are listed by name: "model=llama3-8b,llama3-70b", or all of them: "model=*". Layouts
/// are listed by their words, "nodes.gpu.layout=tp 8 · dp 4 · ep 32,tp 32", or all that divide the devices of
/// a copy: "nodes.gpu.layout=valid" (what does not fit in memory is a point that is not feasible).
/// Throws Error naming the path, the value and what is allowed; every value is checked against the range.
Axis parseAxis(const Shared<Scenario>& base, const Catalog& catalog, const std::string& text);

/// Fills the edits of an axis from its names; a numeric axis stays as it is. Throws Error naming the path and
/// what is allowed.
void resolveChoices(Axis& axis, const Scenario& base, const Catalog& catalog);

/// Whether an axis exchanges the whole system. Then no other axis names a part of one.
bool sweepsSystems(const std::vector<Axis>& axes);

/// Whether requests are simulated at some of its points, which makes them costly.
bool isSimulatedStudy(const Study& study);

/// Checks axes against the base: paths, ranges, no path twice, nor a value in a grid, equal lengths in a
/// list, kMaxAxes, kMaxStudyPoints, that no two axes replace the same part of a node, and that no choice
/// takes away what another axis sets.
void checkStudy(const Study& study);
void checkAxes(const Study& study); ///< the same for a grid of any size

/// The quantity of a sweepable path. Throws Error: NotFound as resolveQuantity(), InvalidInput when the path
/// is a switch or a choice.
ResolvedQuantity resolveAxis(const Scenario& scenario, const std::string& path);

/// An axis for people: "Alveo U280 count", "Batch".
std::string axisLabel(const Scenario& scenario, const std::string& path);

/// Places the points of a study into one working copy of its base: cheap, no allocation per point.
/// Independent of the Study it was made from. A copy has its own scenario and shares the axes: one a thread.
/// Choices are put in first, in the order of their axes, and only from the first that changes; numbers after
/// them. What a point is does not depend on the points before it. Points in ascending order cost least.
class PointSetter {
public:
    explicit PointSetter(const Study& study);

    /// The scenario of point `ordinal` (0 .. pointCount-1); valid until the next call.
    const Scenario& at(std::size_t ordinal);
    const Scenario& scenario() const { return m_scenario; } ///< of the last point
    /// Where its numbers lie there, by axis; null: a choice.
    std::span<WatchedNumber* const> numbers() const { return m_places.values; }
    /// Of the last point: the number on an axis, SI; of a choice its place among the names.
    double value(std::size_t axis) const { return (*m_slots)[axis].values[m_positions[axis]]; }
    bool changesSystem() const { return m_changesSystem; } ///< node ids differ from point to point
    std::span<const std::size_t> positions() const {
        return m_positions;
    } ///< of the last point, on each axis
    /// Of the last point, for each node of the base: a number that two points of this study share only where
    /// no parameter differs that reaches the steps of the node (see stepReach()).
    std::span<const std::uint64_t> stepKeys() const { return std::span(m_keys).first(m_nodes); }
    /// The same of the graphs of its phases, kPhaseCount for each node (see StepReach::reachesGraph()).
    std::span<const std::uint64_t> graphKeys() const { return std::span(m_keys).subspan(m_nodes); }
    /// The value of each axis at `ordinal` of a grid or list, in the shown unit.
    static void coordinates(const std::vector<Axis>& axes, std::size_t ordinal, std::vector<double>& out,
                            bool isList = false);

private:
    static constexpr auto kNone = static_cast<std::size_t>(-1);

    struct Slot {
        QuantityAccess access;
        std::size_t stride = 1;
        std::size_t length = 1;
        std::vector<double> values;         ///< SI; of choices their positions among the edits
        std::vector<GraphEdit> edits;       ///< choices
        std::vector<std::uint64_t> weights; ///< in the keys; empty: in none
    };
    /// Where numbers lie in one scenario: a copy finds its own.
    struct Places {
        std::vector<WatchedNumber*> values;
        Places() = default;
        Places(const Places&) {}
        Places& operator=(const Places&) {
            values.clear();
            return *this;
        }
    };
    std::shared_ptr<const std::vector<Slot>> m_slots;
    std::size_t m_ordinal = kNone;                    ///< where the scenario is
    std::vector<std::size_t> m_positions;             ///< on each axis
    std::vector<std::size_t> m_chosen;                ///< position of each choice in m_scenario
    std::vector<std::optional<GraphEdit>> m_inverses; ///< take the choices back
    std::size_t m_nodes;                              ///< of the base
    std::vector<std::uint64_t> m_keys;                ///< of steps, then of graphs
    std::vector<std::uint64_t> m_firstKeys;           ///< where every position is 0
    Scenario m_scenario;
    Places m_places;
    bool m_changesSystem = false;
    bool m_isList = false;

    std::size_t move(std::size_t ordinal);
    void choose();
    void setKeys();
};

} // namespace heteroscape::engine

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/scenario/parameters.h"

#include <memory>
#include <string>
#include <vector>

namespace heteroscape::engine {

inline constexpr std::size_t kMaxAxes = 8;
inline constexpr std::size_t kMaxAxisValues = 1'000'000;
inline constexpr std::size_t kMaxStudyPoints = 10'000'000;

/// One numeric parameter and the values it takes, in the shown unit, in the given order, each once.
struct Axis {
    std::string path;
    std::vector<double> values;
    bool operator==(const Axis&) const = default;
};

/// A grid: every combination of the axes' values put into the base scenario. The last axis varies fastest.
struct Study {
    std::string name;
    Scenario base;
    std::vector<Axis> axes;

    std::size_t pointCount() const; ///< product of the axes' lengths; the largest size_t when beyond it
};

/// Parses "path=1,2,4", "path=from:to:step" (step may be left out: 1) and "path=from:to:*2" (doubling); the
/// end of a range is part of it when a step meets it. Values and ranges may be mixed: "1,2,8:64:*2".
/// Throws Error naming the path, the value and what is allowed; every value is checked against the range.
Axis parseAxis(const Scenario& scenario, const std::string& text);

/// Checks axes against the base: paths, ranges, no path or value twice, kMaxAxes, kMaxStudyPoints.
void checkStudy(const Study& study);

/// The figure of a sweepable path. Throws Error: NotFound as resolveFigure(), InvalidInput when the path is a
/// switch or a choice.
ResolvedFigure resolveAxis(const Scenario& scenario, const std::string& path);

/// An axis for people: "Alveo U280 count", "Batch".
std::string axisLabel(const Scenario& scenario, const std::string& path);

/// Places the points of a study into one working copy of its base: cheap, no allocation per point.
/// Independent of the Study it was made from. A copy has its own scenario and shares the axes: one a thread.
class PointSetter {
public:
    explicit PointSetter(const Study& study);

    /// The scenario of point `ordinal` (0 .. pointCount-1); valid until the next call.
    const Scenario& at(std::size_t ordinal);
    /// The value of each axis at `ordinal`, in the shown unit.
    static void coordinates(const std::vector<Axis>& axes, std::size_t ordinal, std::vector<double>& out);

private:
    struct Slot {
        FigureAccess access;
        std::size_t stride = 1;
        std::vector<double> values; ///< SI
    };
    std::shared_ptr<const std::vector<Slot>> m_slots;
    Scenario m_scenario;
};

} // namespace heteroscape::engine

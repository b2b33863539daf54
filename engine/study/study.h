// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/scenario/parameters.h"

#include <string>
#include <vector>

namespace heteroscape::engine {

/// One numeric parameter and the values it takes, in the shown unit, in the given order, each once.
struct Axis {
    std::string path;
    std::vector<double> values;
};

/// A grid: every combination of the axes' values put into the base scenario. The last axis varies fastest.
struct Study {
    std::string name;
    Scenario base;
    std::vector<Axis> axes;

    std::size_t pointCount() const; ///< product of the axes' lengths
};

/// Parses "path=1,2,4" or "path=from:to:step" (step may be left out: 1; "from:to:*2" doubles).
/// Throws Error naming the path, the value and what is allowed; every value is checked against the range.
Axis parseAxis(const Scenario& scenario, const std::string& text);

/// Checks axes against the base (paths, ranges, no path twice, at most 8 axes and 10,000,000 points).
void checkStudy(const Study& study);

/// Places the points of a study into one working copy of its base: cheap, no allocation per point.
class PointSetter {
public:
    explicit PointSetter(const Study& study);

    /// The scenario of point `ordinal` (0 .. pointCount-1); valid until the next call.
    const Scenario& at(std::size_t ordinal);
    /// The value of each axis at `ordinal`, in the shown unit.
    static void coordinates(const Study& study, std::size_t ordinal, std::vector<double>& out);

private:
    struct Slot {
        double scale;
        FigureAccess access;
    };
    const Study& m_study;
    Scenario m_scenario;
    std::vector<Slot> m_slots;
};

} // namespace heteroscape::engine

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/frontier/frontier.h"
#include "widgets/plots/chart.h"

#include <memory>
#include <set>
#include <vector>

namespace heteroscape::widgets {

/// The points of a frontier, as far as they are computed.
struct FrontierRun {
    engine::FrontierDefinition definition;
    std::vector<engine::FrontierPoint> points;
    std::size_t done = 0; ///< of the points
    double seconds = 0.0; ///< that it took
};

/// What of it is shown.
struct FrontierChoice {
    engine::FrontierAxis axis = engine::FrontierAxis::Device;
    engine::FrontierLimits limits;
    std::set<std::string> off; ///< systems, by name
    bool fronts = true;        ///< the lines
    bool others = true;        ///< points that are on no front

    double up(const engine::FrontierPoint& point) const { return engine::frontierValue(point, axis); }
};

/// A run as it is shown by a choice. Never changed once it is made.
struct FrontierView {
    std::shared_ptr<const FrontierRun> run;
    FrontierChoice choice;
    std::vector<std::size_t> placed; ///< points that have a place in the plot, in the order of the run
    /// Of each system the points on its front, by falling rate; empty for one that is not shown.
    std::vector<std::vector<std::size_t>> fronts;
    std::vector<std::size_t> rows;  ///< those of all systems, by falling rate
    std::vector<bool> onFront;      ///< parallel to the points
    std::size_t beyond = 0;         ///< points of shown systems that are beyond a limit
    std::size_t without = 0;        ///< that have no answer
    std::vector<std::string> whys;  ///< of each system why a point has no answer; empty: all have
    std::vector<std::size_t> sizes; ///< points of each system

    const engine::FrontierPoint& point(std::size_t i) const { return run->points[i]; }
    const engine::FrontierSystem& systemOf(std::size_t i) const {
        return run->definition.systems[point(i).system];
    }
};

/// Any thread; costs a sort of the points.
std::shared_ptr<const FrontierView> frontierView(std::shared_ptr<const FrontierRun> run,
                                                 const FrontierChoice& choice);

/// How a system is drawn, by its ordinal.
struct FrontierLook {
    ChartColor color;
    ChartMarker marker;
    ChartDash dash;
};
FrontierLook frontierLook(std::size_t system);

QString frontierAxisLabel(engine::FrontierAxis axis); ///< "Throughput per device (tok/s)"
QString frontierAxisName(engine::FrontierAxis axis);  ///< "per device"
/// "vLLM, FP8, tp 4, 64 users"; of a design "8 x A100, 64 users".
QString frontierPointWords(const engine::FrontierPoint& point);

} // namespace heteroscape::widgets

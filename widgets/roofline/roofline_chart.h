// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/evaluation/breakdown.h"
#include "widgets/plots/chart.h"

#include <cmath>
#include <set>
#include <vector>

namespace heteroscape::widgets {

/// One operator, or the whole step, under its roof.
struct RooflinePoint {
    static constexpr std::size_t kWholeStep = static_cast<std::size_t>(-1);

    std::size_t roofline = 0;
    std::size_t operatorIndex = kWholeStep;
    std::string name;     ///< "FFN gate"; "Whole step"
    double intensity = 0; ///< FLOP/B; NaN when it moves no bytes
    double achieved = 0;  ///< FLOP/s
    double seconds = 0;   ///< of the step
    double share = 0;     ///< of the step's time
    double ofRoof = 0;    ///< share of its time that the nearest roof alone would take
    enum class Roof { Peak, Memory, L2 } roof = Roof::Peak; ///< the nearest above it

    /// Has a place on log axes: work, traffic and time of its own (what other operators hide takes no time).
    bool drawable() const {
        return intensity > 0 && achieved > 0 && std::isfinite(intensity) && std::isfinite(achieved);
    }
};

/// All points: of each roofline its operators in their order, then the whole step.
std::vector<RooflinePoint> rooflinePoints(const std::vector<engine::Roofline>& rooflines);

struct RooflineOptions {
    std::set<std::size_t> hidden; ///< rooflines left out
    bool labels = true;           ///< names beside the larger operators
};

/// The picture: roofs in the hue of their device, operators as marks whose area is their share of the time.
/// Its marks are the drawable points of the rooflines not hidden, in order.
Chart rooflineChart(const std::vector<engine::Roofline>& rooflines, const RooflineOptions& options);

/// "A100 80GB, prefill"
QString rooflineName(const engine::Roofline& roofline);

/// One row per point, SI units named in the header.
QString rooflineCsv(const std::vector<engine::Roofline>& rooflines);

} // namespace heteroscape::widgets

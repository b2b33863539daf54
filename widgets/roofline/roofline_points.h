// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/evaluation/breakdown.h"

#include <QString>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

namespace heteroscape::widgets {

/// One operator, one flow of an offloading runtime, or the whole step, under its roof.
struct RooflinePoint {
    static constexpr std::size_t kWholeStep = static_cast<std::size_t>(-1);
    static constexpr std::size_t kFlow = static_cast<std::size_t>(-2);

    std::size_t roofline = 0;
    std::size_t operatorIndex = kWholeStep;
    std::size_t flowIndex = 0; ///< kFlow: into the breakdown's flows
    std::string name;          ///< "FFN gate"; "Whole step"
    double intensity = 0;      ///< FLOP/B; NaN when it moves no bytes
    double achieved = 0;       ///< FLOP/s
    double seconds = 0;        ///< of the step
    double share = 0;          ///< of the step's time
    double ofRoof = 0;         ///< share of its time that the nearest roof alone would take
    enum class Roof { Peak, Memory, L2, Link } roof = Roof::Peak; ///< the nearest above it
    engine::Bound link = engine::Bound::None;                     ///< Roof::Link: which

    /// Has a place on log axes: work, traffic and time of its own (what other operators hide takes no time).
    bool drawable() const {
        return intensity > 0 && achieved > 0 && std::isfinite(intensity) && std::isfinite(achieved);
    }
};

/// All points: of each roofline its operators in their order, its flows, then the whole step. Flows stand in
/// place of the operator that waits for them.
std::vector<RooflinePoint> rooflinePoints(const std::vector<engine::Roofline>& rooflines);

/// The hue of a point, and of what a lane stands for: a flow has that of where it runs, not of the device.
engine::DeviceKind rooflineKind(const engine::Roofline& roofline, const RooflinePoint& point);
engine::DeviceKind rooflineKind(engine::Lane lane);

QString rooflinePhase(engine::Phase phase); ///< "decode"
/// "A100 80GB, prefill"
QString rooflineName(const engine::Roofline& roofline);

/// One row per point, SI units named in the header; of those that `wanted` wants, where it is set.
QString rooflineCsv(const std::vector<engine::Roofline>& rooflines,
                    const std::function<bool(const RooflinePoint&)>& wanted = {});

} // namespace heteroscape::widgets

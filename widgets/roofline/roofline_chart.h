// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plots/chart.h"
#include "widgets/roofline/roofline_points.h"

#include <QPointF>

#include <set>
#include <vector>

namespace heteroscape::widgets {

/// A roof of the device beside the one that its runtime works under: the peak of another precision, or L2.
struct RooflineCeiling {
    QString label;        ///< "A100 80GB INT8, 624 TOP/s"
    double flops = 0;     ///< level roof; 0: none
    double bandwidth = 0; ///< sloping roof, B/s; 0: none
};

struct RooflineOptions {
    std::set<std::size_t> hidden; ///< rooflines left out
    bool labels = true;           ///< names beside the larger operators
    /// One name for each roofline, of the design that it is of: whole steps alone are drawn then, so named.
    std::vector<QString> designs = {};
    std::vector<std::vector<RooflineCeiling>> ceilings = {}; ///< of each roofline; may be empty
};

/// What the devices behind these rooflines of a scenario could reach otherwise: the peaks of the precisions
/// that single operators multiply in, every other peak that is set and differs, and L2 where the timing of
/// the phase does not see it.
std::vector<std::vector<RooflineCeiling>> rooflineCeilings(const engine::Scenario& scenario,
                                                           const std::vector<engine::Roofline>& rooflines);

/// The picture: roofs in the hue of their device, operators as marks whose area is their share of the time.
/// Its marks are the drawable points of the rooflines not hidden, in order.
Chart rooflineChart(const std::vector<engine::Roofline>& rooflines, const RooflineOptions& options);

/// Where a point that is drawable lies in that chart, in the units of its axes.
QPointF rooflinePlace(const RooflinePoint& point);

} // namespace heteroscape::widgets

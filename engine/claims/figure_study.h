// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/plotting/crossover.h"
#include "engine/plotting/series.h"
#include "engine/study/study.h"

#include <optional>
#include <string>
#include <vector>

namespace heteroscape::engine {

/// How a plot of a study is drawn.
enum class PlotKind {
    Lines,
    Bars,
    HeatMap,
    Timeline,
    Scatter,
    Parallel,
    Breakdown,
    Roofline,
    Stacked,
    BestAt,
    OnFront
};

/// What a curve's crossovers are sought with.
enum class CrossoverWith { All, Curves, References };
std::span<const std::string_view> crossoverWithNames(); ///< "all", "curves", "references"

/// A labelled line across a plot, in the unit of the value axis: "H100", 50.
struct PlotReference {
    std::string label;
    double value = 0.0;
    std::string source; ///< of the value
    bool operator==(const PlotReference&) const = default;
};

/// One plot of a study as data. Axis and metric names are columns of the study's table; values on axes of
/// choices are written by name in JSON and are positions here.
struct StudyPlot {
    std::string title;
    PlotKind kind = PlotKind::Lines;
    /// x, curve or cases, first metric, held axes, gain and mean. A heat map has x across and the curve axis
    /// upwards; bars have x as groups, the curves as bars within a group and the metrics stacked. A scatter
    /// plot has the first metric across, the second upwards, a third as the size of the points, all points of
    /// the study, and a colour for each value of the curve axis. Parallel coordinates have all axes, then the
    /// metrics. A breakdown has the time of a batch in stacked parts for each value of x, a roofline the
    /// phases of the design at each value of x; both are evaluated again, at the held axes. A stack has what
    /// its metric is the sum of (partsOf()), as bars. "Best at" has the best of the second metric for those
    /// who want at least so much of the first, bars for each value of the curve axis; "on the front" where
    /// along the first metric a value of x is the best, a row for each value of the curve axis.
    SeriesQuery query;
    std::vector<std::string> metrics;      ///< of the value axis; query.metric is the first
    std::vector<std::string> rightMetrics; ///< lines: on a second value axis, without gain, at the last curve
    bool logValues = false;                ///< lines and bars: the value axis is logarithmic
    bool optimum = false;                  ///< mark the best point of every curve, and the gain between them
    double optimumWithin =
        0.0;             ///< the first point this near to the best counts as it: where a curve saturates
    bool knee = false;   ///< lines: mark the knee of every curve
    bool shares = false; ///< bars: what is stacked as shares of the whole bar, in %
    bool values = false; ///< bars: the value is written over each, of a stack the sum
    /// Lines: marks where one curve takes the lead from another, and where a curve crosses a reference line.
    std::optional<CrossoverKind> crossover{};
    CrossoverWith crossoverWith = CrossoverWith::All;
    std::vector<PlotReference> references;
    bool requests = false;    ///< timelines: of the simulated requests instead of one step
    bool pareto = false;      ///< scatter: the Pareto front of its metrics
    bool groupFronts = false; ///< scatter: a front for each value of the curve axis
    bool frontsOnly = false;  ///< scatter: no point that is on none of them
    bool measured = false;    ///< scatter: what was measured of the same servers beside the points
    double goal = 0.0;        ///< scatter: of the metric across, wished for; 0: none
    bool contours = false;    ///< heat map: lines of equal value
    bool bands = false;       ///< lines, fronts: how far each value may lie off, by its calibrated constants
    bool logAcross = false;   ///< scatter: the axis across is logarithmic
    std::string without;      ///< timelines: the technique (id) that they are compared without; empty: all
    bool operator==(const StudyPlot&) const = default;
};

/// A figure of a paper as a study that anyone can open, run and change. Without axes: one design.
struct FigureStudy {
    std::string id;    ///< "preserve/fig7"
    std::string paper; ///< its name: "PRESERVE"
    std::string name;  ///< "Fig 7: speed-up over the device count"
    std::string about;
    std::string preset; ///< the scenario it starts from: "preserve/llama3-405b-32"
    Study study;
    std::vector<StudyPlot> plots;
};

/// The studies in studies/ of the catalogue's papers, by id. Strict JSON; throws Error naming file and key.
std::vector<std::string> listStudies(const Catalog& catalog);
FigureStudy loadStudy(const Catalog& catalog, const std::string& id, const std::string& where);
/// All of them; one that cannot be read hides no other: `problems` gets the error.
std::vector<FigureStudy> loadStudies(const Catalog& catalog, std::vector<std::string>& problems);

} // namespace heteroscape::engine

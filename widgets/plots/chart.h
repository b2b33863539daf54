// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/plotting/ticks.h"
#include "widgets/theme/theme.h"

#include <QString>

#include <optional>
#include <utility>
#include <vector>

namespace heteroscape::widgets {

/// A colour by its meaning, so that the same chart can be drawn in the shown theme and, for exports, in the
/// light one.
struct ChartColor {
    enum class From { Series, Role, Kind };
    From from = From::Role;
    int index = 0;

    static ChartColor series(int index) { return {From::Series, index}; }
    static ChartColor role(ColorRole role) { return {From::Role, static_cast<int>(role)}; }
    static ChartColor kind(engine::DeviceKind kind) { return {From::Kind, static_cast<int>(kind)}; }
    QColor resolve(bool alwaysLight) const;
    bool operator==(const ChartColor&) const = default;
};

enum class ChartMarker { None, Circle, Square, Diamond, Triangle, Star };
enum class ChartDash { Solid, Dashed, Dotted, DashDotted };

struct ChartAxis {
    QString label; ///< "Quantity (unit)"
    bool log = false;
    int base = 10;                          ///< of a log axis: 2 or 10
    bool integer = false;                   ///< no ticks between whole numbers
    std::optional<engine::AxisRange> range; ///< shown at first; none: what fits the data
};

/// A curve; NaN in y is a gap.
struct ChartLine {
    QString name; ///< in legend and read-out; empty: in neither
    std::vector<double> x;
    std::vector<double> y;
    ChartColor color;
    double width = 1.8;
    ChartDash dash = ChartDash::Solid;
    ChartMarker marker = ChartMarker::None;
};

/// A single point with a size of its own.
struct ChartMark {
    QString name;  ///< heads its read-out
    QString label; ///< written beside it, may have several lines; empty: none
    double x = 0;
    double y = 0;
    double diameter = 10; ///< logical px
    ChartMarker shape = ChartMarker::Circle;
    ChartColor color;
    bool ringed = false; ///< hollow with a ring around it
    std::vector<std::pair<QString, QString>> readOut;
};

/// Words along a stretch of a line, above it, turned with it.
struct ChartCaption {
    QString text;
    double x1 = 0, y1 = 0, x2 = 0, y2 = 0;
    ChartColor color;
    bool bold = false;
    bool below = false; ///< sought below the line first
};

/// A dotted line from a point down to the x axis, with a pill on the axis.
struct ChartDrop {
    QString label;
    double x = 0, y = 0;
    ChartColor color;
};

/// The optimum: a star with its value.
struct ChartStar {
    QString label;
    double x = 0, y = 0;
};

/// A picture of data as a value: what to draw, not how. Any thread.
struct Chart {
    QString title; ///< accessible name; not drawn
    ChartAxis x;
    ChartAxis y;
    QString legendTitle; ///< above the names when there is a legend
    std::vector<ChartLine> lines;
    std::vector<ChartMark> marks;
    std::vector<ChartCaption> captions;
    std::vector<ChartDrop> drops;
    std::vector<ChartStar> stars;
    QString emptyText; ///< in the middle when there is no finite point

    bool hasData() const;
    engine::AxisRange xRange() const; ///< the axis's own, else what fits lines, marks and stars
    engine::AxisRange yRange() const;
    std::vector<std::size_t> namedLines() const;
};

/// The commonest chart: curves over one quantity.
struct LineSeries {
    QString name;
    std::vector<double> x;
    std::vector<double> y; ///< NaN: a gap
    bool dashed = false;
    bool marker = true;
};
struct LinePlotSpec {
    QString title;
    QString xLabel; ///< "Quantity (unit)"
    QString yLabel;
    bool xLog = false;
    bool yLog = false;
    bool xInteger = false;
    QString legendTitle;
    std::vector<LineSeries> series;
    std::vector<ChartStar> stars;
    QString emptyText;
};

/// Gives each series its own colour together with its own dash or marker.
Chart lineChart(const LinePlotSpec& spec);

/// The curves as CSV: one row per x, one column per series, empty at gaps. Exact numbers.
QString linePlotCsv(const LinePlotSpec& spec);

/// "Quantity (unit)", or the quantity alone when it has no unit.
QString quantityLabel(const QString& quantity, const QString& unit);

} // namespace heteroscape::widgets

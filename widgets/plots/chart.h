// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/plotting/bars.h"
#include "engine/plotting/heat.h"
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
enum class ChartFill { Solid, Hatched, Hollow };

struct ChartAxis {
    QString label; ///< "Quantity (unit)"
    bool log = false;
    int base = 10;                               ///< of a log axis: 2 or 10
    bool integer = false;                        ///< no ticks between whole numbers
    std::optional<engine::AxisRange> range = {}; ///< shown at first; none: what fits the data
    std::vector<QString> categories = {};        ///< names at 0, 1, 2… instead of numbers; then never log
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
    bool onRight = false;              ///< y is read on the right axis; its name then says so
    std::vector<QString> reasons = {}; ///< of gaps, parallel to y; may be empty
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

/// The optimum without what the chart is about: a ring, carried over to the star by a dotted line.
struct ChartBaseline {
    QString label; ///< as a star's
    double x = 0, y = 0;
    QString gain; ///< "+25 %", in a pill beside the way up to the star; empty: none
};

/// The optimum: a star with its value. Of a label with several lines the last is the value, set in bold.
struct ChartStar {
    QString label;
    double x = 0, y = 0;
    std::optional<ChartBaseline> over = {};
    bool onRight = false; ///< it and its baseline are read on the right axis
};

/// A named line across the whole plot: a capacity, a limit.
struct ChartReference {
    QString label;
    double at = 0; ///< on the y axis; on the x axis when vertical
    ChartColor color;
    ChartDash dash = ChartDash::Dashed;
    bool vertical = false;
    bool onRight = false; ///< level, and read on the right axis
};

/// One value per category of the x axis. Series of the same `bar` stand on each other in the order given.
struct ChartBarSeries {
    QString name;               ///< in legend and read-out; series of the same name share a legend entry
    int bar = 0;                ///< which bar of a group, from the left
    std::vector<double> values; ///< NaN: not available
    ChartColor color;
    ChartFill fill = ChartFill::Solid;
    double tint = 0; ///< share of the background mixed into the fill (not into its outline): 0..0.8
    std::vector<QString> reasons = {}; ///< why a value is not available, parallel to values; may be empty
};

/// Bars over the categories of the x axis, grouped, stacked or both. A category without any value in a bar
/// has a hatched foot there.
struct ChartBars {
    std::vector<QString> names = {}; ///< of the bars of a group, from the left: "1", "2", "4"; may be empty
    QString title;                   ///< what the names are: "Devices"
    std::vector<ChartBarSeries> series;
    QString reason;           ///< why a value is not available, where its series does not say
    QString missing = {};     ///< in place of "N/A": "does not fit"
    bool writeValues = false; ///< the value over each bar, of a stack the sum

    int perGroup() const;
    QString whyNot(std::size_t series, std::size_t category) const;
};

/// A table of values as colours. A column lies at 0, 1, 2… of the x axis, a row of the y axis, from below.
struct ChartHeatMap {
    std::vector<double> x = {};         ///< the columns' values; empty: the x axis has names for them
    std::vector<double> y = {};         ///< the rows', likewise
    std::vector<std::vector<double>> z; ///< [row][column]; NaN: not available
    QString label;                      ///< of the colour scale: "Quantity (unit)"
    QString reason;                     ///< why a cell is not available
    QString missing = {};               ///< in place of "N/A": "does not fit"
    std::vector<std::vector<QString>> reasons = {}; ///< [row][column], before `reason`; may be empty
    bool log = false;                               ///< the colour scale is logarithmic
    std::optional<engine::AxisRange> range = {};    ///< of the colour scale; none: what fits
    int better = 0;                                 ///< 1: the largest is starred, -1: the smallest

    std::size_t columns() const;
    engine::AxisRange scale() const;
    QString whyNot(engine::Cell cell) const;
};

/// A picture of data as a value: what to draw, not how. Any thread.
struct Chart {
    QString title; ///< accessible name; not drawn
    ChartAxis x;
    ChartAxis y;
    std::optional<ChartAxis> right = {}; ///< a second y axis; not beside a heat map
    QString legendTitle;                 ///< above the names when there is a legend
    std::optional<ChartHeatMap> heatMap = {};
    std::optional<ChartBars> bars = {};
    std::vector<ChartReference> references = {};
    std::vector<ChartLine> lines;
    std::vector<ChartMark> marks;
    std::vector<ChartCaption> captions;
    std::vector<ChartDrop> drops;
    std::vector<ChartDrop> crossovers = {}; ///< where one curve takes the lead; drawn as drops
    std::vector<ChartStar> stars;
    QString emptyText; ///< in the middle when there is no finite point

    bool hasData() const;
    engine::AxisRange xRange() const; ///< the axis's own, else what fits all that is drawn
    engine::AxisRange yRange() const;
    engine::AxisRange rightRange() const;
    std::vector<std::size_t> namedLines() const;

    /// The names at 0, 1, 2… of the x or y axis: categories, or a heat map's values; empty on a plain axis.
    std::vector<QString> xNames() const;
    std::vector<QString> yNames() const;
    /// The pieces of bar series `series`, one a category; NaN where there is none.
    std::vector<engine::Stretch> barPieces(std::size_t series) const;
    /// What the pieces of a bar come to; NaN where none has a value.
    double barSum(int bar, std::size_t category) const;
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

/// All numbers of a chart as CSV, exact, empty where not available: a table for each kind it has (heat map,
/// bars, lines, marks, crossovers, references), with an empty line between tables. A chart of lines alone
/// gives the same as linePlotCsv().
QString chartCsv(const Chart& chart);

/// "Quantity (unit)", or the quantity alone when it has no unit.
QString quantityLabel(const QString& quantity, const QString& unit);
QString quantityOf(const QString& label); ///< "Latency" of "Latency (µs)"
QString unitOf(const QString& label);     ///< "µs" of "Latency (µs)"; empty when there is none
/// "12.5 µs" with a thin space; the number alone when there is no unit.
QString withUnit(const QString& number, const QString& unit);

} // namespace heteroscape::widgets

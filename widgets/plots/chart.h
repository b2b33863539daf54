// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/plotting/heat.h"
#include "engine/plotting/series.h"
#include "engine/plotting/ticks.h"
#include "engine/units/number_text.h"
#include "widgets/theme/theme.h"

#include <QPointF>
#include <QString>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace heteroscape::widgets {

/// A colour by its meaning, so that the same chart can be drawn in the shown theme and, for exports, in the
/// light one.
struct ChartColor {
    enum class From { Series, Role, Kind, Heat };
    From from = From::Role;
    int index = 0;

    static ChartColor series(int index) { return {From::Series, index}; }
    static ChartColor role(ColorRole role) { return {From::Role, static_cast<int>(role)}; }
    static ChartColor kind(engine::DeviceKind kind) { return {From::Kind, static_cast<int>(kind)}; }
    /// One of a row of shades: `share` 0..1, of which none is as pale as the background.
    static ChartColor shade(double share) { return {From::Heat, static_cast<int>(250 + 750 * share)}; }
    QColor resolve(bool alwaysLight) const;
    bool operator==(const ChartColor&) const = default;
};

enum class ChartMarker { None, Circle, Square, Diamond, Triangle, Star };
enum class ChartDash { Solid, Dashed, Dotted, DashDotted };
enum class ChartFill { Solid, Hatched, Hollow };

/// A quantity lies in a chart in the unit of its label, and so it stays in its CSV; where that is read better
/// in another, a ShownUnit with a name says in which.
struct ChartAxis {
    QString label; ///< "Quantity (unit)"
    bool log = false;
    int base = 10;                               ///< of a log axis: 2 or 10
    bool integer = false;                        ///< no ticks between whole numbers
    std::optional<engine::AxisRange> range = {}; ///< shown at first; none: what fits the data
    std::vector<QString> categories = {};        ///< names at 0, 1, 2… instead of numbers; then never log
    engine::ShownUnit shown = {};                ///< what its numbers are written in

    QString shownLabel() const;
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
    bool stepped = false;              ///< level from halfway to its neighbours: counts beside bars
    std::vector<QString> reasons = {}; ///< of gaps, parallel to y; may be empty
    /// How far each value may lie off: a pale band under the curve. Parallel to y, NaN where unknown; may be
    /// empty.
    std::vector<double> low = {};
    std::vector<double> high = {};
    std::vector<std::uint8_t> muted = {}; ///< 1: filtered out, parallel to y; may be empty
    /// As data: "ok", "filtered", …; parallel to y, or empty: nothing is filtered. Words that stay.
    std::vector<std::string_view> status = {};
    std::vector<QString> keys = {}; ///< as data: of the points' designs, parallel to y; may be empty

    bool isMuted(std::size_t i) const { return i < muted.size() && muted[i]; }
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
    QString key = {}; ///< as data: of its design
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
    int outside = 0;      ///< 1: what lies above or right of it is out of bounds, hatched; -1: below or left
    bool pill = false;    ///< its name in a pill at its end
    bool movable = false; ///< by dragging it: see PlotLines
};

/// One value per category of the x axis. Series of the same `bar` stand on each other in the order given.
struct ChartBarSeries {
    QString name;               ///< in legend and read-out; series of the same name share a legend entry
    int bar = 0;                ///< which bar of a group, from the left
    std::vector<double> values; ///< NaN: not available
    ChartColor color;
    ChartFill fill = ChartFill::Solid;
    double tint = 0; ///< share of the background mixed into the fill (not into its outline): 0..0.8
    std::vector<QString> reasons = {};    ///< why a value is not available, parallel to values; may be empty
    std::vector<std::uint8_t> muted = {}; ///< 1: filtered out, parallel to values; may be empty
    std::vector<std::string_view> status = {}; ///< as a line's, parallel to values
    std::vector<QString> keys = {};            ///< likewise

    bool isMuted(std::size_t i) const { return i < muted.size() && muted[i]; }
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
    engine::ShownUnit shown = {};       ///< what its values are written in
    QString reason;                     ///< why a cell is not available
    QString missing = {};               ///< in place of "N/A": "does not fit"
    /// Of one cell, in place of `reason` where it is not empty; asked when the cell is read. May be unset; UI
    /// thread.
    std::function<QString(engine::Cell)> reasonOf = {};
    std::function<QString(engine::Cell)> keyOf = {}; ///< as data: of a cell's design. May be unset
    bool log = false;                                ///< the colour scale is logarithmic
    std::optional<engine::AxisRange> range = {};     ///< of the colour scale; none: what fits
    int better = 0;                                  ///< 1: the largest is starred, -1: the smallest
    std::vector<engine::ContourLine> contours = {};  ///< in units of cells, each with its level written on it
    /// 1: not available because it is filtered out, [row][column]; may be empty.
    std::vector<std::vector<std::uint8_t>> filtered = {};
    QString filteredWord = {}; ///< on the largest stretch of those: "filtered out: over 50 ms per token"

    bool isFiltered(engine::Cell cell) const;
    std::size_t columns() const;
    engine::AxisRange scale() const;
    QString whyNot(engine::Cell cell) const;
};

/// The points of a cloud: one for each row of a table. Shared by charts that differ only in what is filtered
/// out, so that a million of them are placed once.
struct CloudPoints {
    std::vector<double> x;
    std::vector<double> y;           ///< parallel; NaN in either: not drawn
    std::vector<double> size;        ///< parallel, or empty: all alike
    std::vector<std::uint8_t> group; ///< parallel, or empty: all of the first
    /// What else is said of a point, most important first: "Batch", "8". May be empty; UI thread.
    std::function<std::vector<std::pair<QString, QString>>(std::size_t)> facts;
    /// What a point's group is about, exactly, as data: "4096". May be empty: the name of its group.
    std::function<QString(std::size_t)> groupValue;

    /// The least, the least above zero and the most: all that a range is found from. O(n).
    static std::vector<double> extremes(const std::vector<double>& values);
    std::vector<double> xExtremes, yExtremes, sizeExtremes; ///< of x, y and size
};

struct CloudGroup {
    QString name; ///< in the legend; empty: not there
    ChartColor color;
    ChartMarker marker = ChartMarker::Circle; ///< where points are few enough to be drawn one by one
};

/// Very many points, drawn as a raster.
struct ChartCloud {
    std::shared_ptr<const CloudPoints> points; ///< never null
    std::vector<CloudGroup> groups;            ///< at least one
    std::size_t unnamed = 0;                   ///< shades between named ones: the legend says how many
    QString sizeLabel;                         ///< "Quantity (unit)" behind the size of a point
    engine::ShownUnit shownSize = {};          ///< what sizes are written in
    double diameter = 6.0;                     ///< logical px, where points have no size
    std::vector<std::uint8_t> kept;            ///< 0: filtered out, parallel to the points; empty: all kept
    QString filteredWord;                      ///< said of what is filtered out; empty: "Filtered out"
    /// 1: kept, but small and faint behind the others, which then are solid with an outline; parallel to the
    /// points, empty: none is.
    std::vector<std::uint8_t> pale;
    std::vector<std::size_t> front;                 ///< ringed points, from the left
    std::vector<double> frontX, frontY;             ///< the line through them; may be empty
    QString frontLabel;                             ///< written beside it: "Pareto front, 25 designs"
    std::function<QString(std::size_t)> keyOf = {}; ///< as data: of a point's design. May be unset

    bool isKept(std::size_t i) const { return kept.empty() || kept[i]; }
    bool isPale(std::size_t i) const { return !pale.empty() && pale[i]; }
    std::size_t groupOf(std::size_t i) const { return points->group.empty() ? 0 : points->group[i]; }
};

/// Words that somebody put on the chart, with an arrow to what they are about.
struct ChartNote {
    std::string id;
    QString text;
    double x = 0, y = 0; ///< what it points at
    QPointF offset;      ///< of its top left corner from there, px
    double width = 180;  ///< px
    bool chosen = false;

    bool operator==(const ChartNote&) const = default;
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
    std::optional<ChartCloud> cloud = {};
    std::vector<ChartReference> references = {};
    std::vector<ChartLine> lines;
    std::vector<ChartMark> marks;
    std::vector<ChartCaption> captions;
    std::vector<ChartDrop> drops;
    std::vector<ChartDrop> crossovers = {}; ///< where one curve takes the lead; drawn as drops
    std::vector<ChartStar> stars;
    QString emptyText; ///< in the middle when there is no finite point
    /// Names of the legend whose curves, bars or points are not drawn, but stay in the legend and in the
    /// data.
    std::vector<QString> hidden = {};
    std::vector<ChartNote> notes = {};

    bool isHidden(const QString& name) const;
    /// Whether what is written on a point of the curves is drawn: not where only hidden curves pass.
    bool isShown(double x, double y) const;
    bool hasData() const;
    engine::AxisRange xRange() const; ///< the axis's own, else what fits all that is drawn
    engine::AxisRange yRange() const;
    engine::AxisRange rightRange() const;
    std::vector<std::size_t> namedLines() const; ///< those that are not hidden

    /// The names at 0, 1, 2… of the x or y axis: categories, or a heat map's values; empty on a plain axis.
    std::vector<QString> xNames() const;
    std::vector<QString> yNames() const;
    /// One of them: empty beside them, nothing on a plain axis.
    std::optional<QString> xName(double at) const;
    std::optional<QString> yName(double at) const;
    /// The pieces of bar series `series`, one a category; NaN where there is none.
    std::vector<engine::Stretch> barPieces(std::size_t series) const;
    /// What the pieces of a bar come to; NaN where none has a value.
    double barSum(int bar, std::size_t category) const;
};

/// All numbers of a chart as one CSV table, exact, empty where not available, so that any program reads it
/// without being told how: curves over x (reference lines as columns that say the same in every row,
/// crossovers as rows with a mark), bars, both with a column of what became of each point where that is said,
/// cells of a heat map, points of a cloud, named points with the lines round them. Designs have their keys in
/// a column where the chart has them.
QString chartCsv(const Chart& chart);

/// "Quantity (unit)", or the quantity alone when it has no unit.
QString quantityLabel(const QString& quantity, const QString& unit);
QString quantityOf(const QString& label); ///< "Latency" of "Latency (µs)"
QString unitOf(const QString& label);     ///< "µs" of "Latency (µs)"; empty when there is none
/// The label of a quantity that is written in another unit: "TTFT (ms)" of "TTFT (s)".
QString shownLabel(const QString& label, const engine::ShownUnit& unit);
/// "12.5 µs" with a thin space; the number alone when there is no unit.
QString withUnit(const QString& number, const QString& unit);

} // namespace heteroscape::widgets

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plots/chart_style.h"

#include <QRectF>
#include <QString>
#include <utility>
#include <vector>

class QFontMetricsF;
class QPainter;

namespace heteroscape::widgets {

/// A stretch of time, s.
struct TimeSpan {
    double from = 0.0;
    double to = 0.0;
    double length() const { return to - from; }
    bool operator==(const TimeSpan&) const = default;
};

// How far one turn of the wheel and one key go, in every timeline.
inline constexpr double kWheelZoom = 1.25;
inline constexpr double kKeyZoom = 1.5;
inline constexpr double kKeyMove = 0.15; ///< of the view

/// Brought into `whole` and to no less than `least` seconds.
TimeSpan clamped(TimeSpan view, TimeSpan whole, double least);
/// `factor` times as long (below 1: closer), clamped, with the time `at` at the same place.
TimeSpan zoomed(TimeSpan view, double factor, double at, TimeSpan whole, double least);
TimeSpan moved(TimeSpan view, double seconds);

/// Where the window of an overview stands in its strip: never so narrow that it cannot be seen or caught.
QRectF windowIn(const QRectF& strip, TimeSpan view, TimeSpan whole);

/// Before a unit; does not break.
inline const QString kThinSpace = QStringLiteral("\u202f");

/// Three digits, a fourth from 100 on: 83.6, 128.5.
QString fourDigits(double value);

/// A unit of time for axes.
struct TimeUnit {
    double seconds = 1e-6;
    QString name; ///< "µs"
};

/// The unit in which a stretch of time is shown: µs below 2 ms, ms below 2 s.
TimeUnit unitFor(double seconds);
/// The unit of an axis that long: unitFor(), then minutes and hours.
TimeUnit axisUnit(double seconds);

/// "83.6 µs", "128.5 µs", "10.3 ms": three digits, a fourth from 100 on.
QString timeText(double seconds);
/// "12.9 s", "21.6 min", "3.61 h"
QString spanText(double seconds);
/// "12.949 to 13.125 s": as exact as the span between them needs.
QString betweenText(double from, double to);

/// The labels of a time axis over `view` with about so many ticks.
struct TimeTicks {
    QString title; ///< "Time (s)"; where numbers would be long: "3,600.25 s + (µs)"
    std::vector<std::pair<double, QString>> ticks; ///< s
};
TimeTicks timeTicks(TimeSpan view, int wanted);

// px of lanes: their least height, margin of their labels, columns beside them, and the overview below.
inline constexpr double kLaneHeight = 18.0;
inline constexpr double kLabelMargin = 12.0;
inline constexpr double kLabelColumn = 126.0;
inline constexpr double kOverviewHeight = 22.0;
inline constexpr double kBetweenGroups = 3.0; ///< of lanes

/// Where everything stands of lanes over one axis of time, in logical px: labels at the left, how busy a lane
/// is at the right, and a strip below with the whole and a window in it. A value.
struct LanesLayout {
    QRectF axis;             ///< tick labels, along the time axis
    QRectF lanes;            ///< along the time axis: what is seen of the lanes
    QRectF overview;         ///< along the time axis; empty: not shown
    double labelWidth = 0.0; ///< of the column at the left
    double busyWidth = 0.0;  ///< of the column at the right

    double xOf(double seconds, TimeSpan view) const;
    double secondsAt(double x, TimeSpan view) const;
    double across(double width) const; ///< px that are left of so many for the axis of time
};

/// The width of the column at the right, px.
double busyColumn(const QFontMetricsF& metrics);

/// What is the same on all lanes over an axis of time: the axis with its ticks, labels at the left, how busy
/// a lane is at the right, the window of the overview. What is in the lanes is drawn by the classes made from
/// it: on the screen in the shown theme, in exports light.
class LanesPainter {
protected:
    LanesPainter(QPainter& painter, const LanesLayout& layout, TimeSpan view, ChartStyle style)
        : m_painter(painter), m_view(view), m_style(style), m_lanesLayout(layout) {}

    void axis(double bottom); ///< `bottom`: of the lines of its ticks
    /// Where a lane's label has room, from `indent` px on.
    QRectF labelBox(const QRectF& row, double indent = 0.0) const;
    void label(const QRectF& row, const QString& text, double indent = 0.0, bool bold = false);
    void ruleBelow(const QRectF& row, ColorRole role, double width = 1.0); ///< from label to busy
    void busy(const QRectF& row, double share);
    void window(TimeSpan whole); ///< of the overview, over what was painted there

    QPainter& m_painter;
    TimeSpan m_view;
    ChartStyle m_style;

private:
    QRectF busyBox(const QRectF& row) const;

    const LanesLayout& m_lanesLayout;
};

} // namespace heteroscape::widgets

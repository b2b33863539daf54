// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plots/chart.h"

#include <QPointF>
#include <QRectF>
#include <QString>
#include <QWidget>
#include <array>
#include <optional>

namespace heteroscape::widgets {

/// What comes and goes over a plot without the plot being drawn again: the mark of a point that is pointed at
/// elsewhere, the rectangle that is being drawn, the crosshair. Takes no mouse.
class ViewMarks : public QWidget {
    Q_OBJECT
public:
    explicit ViewMarks(QWidget* plot);

    /// A hairline ring of this diameter, or a frame.
    struct Mark {
        QPointF at;
        double diameter = 12;
        QRectF frame = {}; ///< of a bar or cell; empty: a ring
    };
    void setMark(std::optional<Mark> mark);
    const std::optional<Mark>& mark() const { return m_mark; }

    void setRubber(std::optional<QRectF> box);
    const std::optional<QRectF>& rubber() const { return m_rubber; }

    /// Lines both ways through `at` within `area`, and what they read at the axes.
    struct Crosshair {
        QPointF at;
        QRectF area;
        QString x, y;
    };
    void setCrosshair(std::optional<Crosshair> crosshair);
    const std::optional<Crosshair>& crosshair() const { return m_crosshair; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void drawPill(QPainter& painter, const QString& text, QPointF edge, bool below) const;

    std::optional<Mark> m_mark;
    std::optional<QRectF> m_rubber;
    std::optional<Crosshair> m_crosshair;
};

/// What of a plot is written into a file.
enum class Extent {
    Shown, ///< the view on the screen: what is zoomed and panned to, without the curves that are hidden
    Whole, ///< all of it
};

/// The part of the axes that is shown.
struct ChartView {
    engine::AxisRange x, y, right;
    bool whole = false; ///< nothing is panned or zoomed to
    bool operator==(const ChartView&) const = default;
};

/// The chart as a picture of this view: its axes start and end there. A heat map is always shown whole.
Chart zoomedTo(Chart chart, const ChartView& view);

/// The chart as the data of this view: of curves and bars what lies within it along the x axis, of marks and
/// points of a cloud what lies within it both ways, and nothing that is hidden. A heat map stays whole.
Chart cutTo(Chart chart, const ChartView& view);

/// Logarithmic or linear: what the user chose for the axes of a plot. A choice stays for charts whose axis
/// has the same label.
class AxisScales {
public:
    enum class Axis { X, Y };

    static bool isLog(const Chart& chart, Axis axis);
    static bool canBeLog(const Chart& chart, Axis axis); ///< numbers, some of them above zero

    void settle(Chart& chart); ///< makes the choices the chart's; forgets those of other axes
    /// Chooses for an axis of this chart; false where it is so already, or cannot be.
    bool choose(Chart& chart, Axis axis, bool log);

private:
    struct Choice {
        QString label; ///< of the axis that it was made for
        bool log = false;
    };
    std::array<std::optional<Choice>, 2> m_choices;
};

} // namespace heteroscape::widgets

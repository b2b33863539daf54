// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plots/chart_painter.h"

#include <QCoreApplication>
#include <QPointF>

#include <memory>
#include <optional>

class QCustomPlot;

namespace heteroscape::widgets {

class PlotLines;
class PlotView;
class ReadOut;
class ViewMarks;

/// What of a plot is pointed at, with the mouse, by keys or elsewhere, and what is read out there. Places are
/// within the view.
class PlotPointer {
    Q_DECLARE_TR_FUNCTIONS(heteroscape::widgets::PlotView)
public:
    PlotPointer(PlotView& view, QCustomPlot& plot, ChartPainter& painter, ViewMarks& marks, ReadOut& readOut);
    ~PlotPointer();

    void hover(QPointF at);
    void walk(int right, int up); ///< from point to point
    void walkLegend(int step);
    void describe(const QString& reading); ///< to who does not see it; empty: nothing is read out
    void dismiss();                        ///< the read-out and the crosshair
    void forget();                         ///< it was of another chart
    void forgetWalk() { m_walked.reset(); }
    /// Marks a point that is pointed at elsewhere, unless this plot is pointed at itself. Tells nobody.
    void setHovered(std::optional<ChartPoint> point);
    void showMark();            ///< of that, after the view moved
    void setCrosshair(bool on); ///< lines both ways at the pointer, with what the axes read there
    bool hasCrosshair() const { return m_crosshair; }

    const std::optional<ChartPoint>& walked() const { return m_walked; } ///< where the keyboard is
    const std::optional<ChartPoint>& told() const { return m_told; }     ///< last by pointHovered()
    const QString& entry() const { return m_entry; } ///< of the legend, where the keyboard is
    void explain(QPoint globalAt); ///< asks how what is pointed at comes about, else what is chosen
    QString entryAt(QPointF at) const;
    std::optional<ChartPoint> near(QPointF at) const;
    QRectF plotArea() const;                      ///< of the axes
    PlotLines& lines() const { return *m_lines; } ///< those that can be moved

private:
    const Chart& chart() const { return m_painter.chart(); }
    void readOutPoint(ChartPoint point, std::optional<QPointF> at = {});
    void readOutAt(double x, QPointF at);
    void tell(std::optional<ChartPoint> point);
    void showCrosshair(QPointF at);
    void putAway(); ///< the read-out alone

    PlotView& m_view;
    const QCustomPlot& m_plot;
    ChartPainter& m_painter;
    ViewMarks& m_marks;
    ReadOut& m_readOut;
    std::unique_ptr<PlotLines> m_lines;
    std::optional<ChartPoint> m_told, m_hovered, m_walked;
    QString m_entry;
    bool m_crosshair = false;
};

} // namespace heteroscape::widgets

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plots/axis_scales.h"
#include "widgets/plots/chart.h"
#include "widgets/plots/chart_painter.h"
#include "widgets/plots/plot_notes.h"
#include "widgets/plots/plot_pointer.h"
#include "widgets/plots/read_out.h"

#include <QRectF>
#include <QWidget>

#include <memory>
#include <optional>

namespace heteroscape::widgets {

/// A chart on the screen: drag pans, wheel zooms, a box drawn with Shift or with the right button is zoomed
/// to, one drawn with Ctrl+Shift is told, double click fits, hovering reads out, a click on a
/// name of the legend hides its curve or shows it again, the right button has a menu.
/// Keys: left and right walk through the points or bars, all arrows through the cells of a heat map, else up
/// and down through the legend; Space clicks, or hides and shows; Enter activates, + and − zoom, Home fits,
/// the menu key has the menu, Esc puts the read-out away. Bars pan and zoom along their categories only, a
/// heat map is always shown whole. Its accessible name is the chart's title, its description the read-out.
/// Follows the theme. UI thread only.
class PlotView : public QWidget {
    Q_OBJECT
public:
    using Axis = AxisScales::Axis;

    explicit PlotView(QWidget* parent = nullptr);
    ~PlotView() override;

    /// Fits, unless the view is kept. Returns the chart before: of very many points it is let go elsewhere.
    Chart setChart(Chart chart, bool keepView = false);
    const Chart& chart() const;

    ChartView view() const; ///< what of the axes is shown
    void fit();
    void zoom(double factor); ///< below 1: closer
    void zoomTo(QRectF box);  ///< a rectangle within this widget

    /// Logarithmic or linear; fits. Stays for charts whose axis has the same label.
    void setLog(Axis axis, bool on);
    bool isLog(Axis axis) const;

    bool isBrushing() const { return m_brushing; }
    void setBrushing(bool on); ///< a plain drag draws the box that is told

    void toggle(const QString& name); ///< hides a curve, bar or group of the legend, or shows it again
    /// Where the names of the legend lie within this widget.
    std::vector<LegendBox> legendBoxes() const;

    void select(std::optional<ChartPoint> point);
    /// Where one is, drawn over whatever chart is shown and not exported.
    void setPosition(const ChartPosition& position);
    const ChartPosition& position() const { return m_position; }
    std::optional<ChartPoint> selected() const { return m_selected; }

    PlotPointer& pointer() const { return *m_pointer; } ///< what is pointed at
    PlotNotes& notes() const { return *m_notes; }
    const ReadOut& readOut() const { return *m_readOut; }
    const ViewMarks& marks() const { return *m_marks; }
    QPointF pixelOf(ChartPoint point) const; ///< within this widget

    QSize minimumSizeHint() const override { return {240, 160}; }
    QSize sizeHint() const override { return {560, 360}; }

signals:
    void pointClicked(heteroscape::widgets::ChartPoint point);
    void pointActivated(heteroscape::widgets::ChartPoint point); ///< Enter
    void brushingChanged(bool on);
    /// Another point is pointed at, with the mouse or the keyboard; of curves the nearest at the hairline.
    void pointHovered(std::optional<heteroscape::widgets::ChartPoint> point);
    /// In coordinates of the axes, from the lower left; of names and cells their positions.
    void boxSelected(QRectF box);
    void logToggled(heteroscape::widgets::PlotView::Axis axis, bool on); ///< by the user
    /// How the quantity at a point comes about is asked for: key E, or in the menu.
    void explainRequested(heteroscape::widgets::ChartPoint point, QPoint globalAt);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct Impl;

    void openMenu(QPoint at);
    void redraw(const Chart& chart);
    void endBox(QPointF at);

    std::unique_ptr<Impl> m_impl;
    ViewMarks* m_marks;
    ReadOut* m_readOut;
    std::unique_ptr<PlotPointer> m_pointer;
    std::unique_ptr<PlotNotes> m_notes;
    bool m_brushing = false;
    AxisScales m_scales;
    std::optional<ChartPoint> m_selected;
    ChartPosition m_position;
};

} // namespace heteroscape::widgets

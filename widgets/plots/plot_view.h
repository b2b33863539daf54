// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plots/chart.h"
#include "widgets/plots/chart_painter.h"
#include "widgets/plots/read_out.h"

#include <QWidget>

#include <memory>
#include <optional>

namespace heteroscape::widgets {

/// A chart on the screen: drag pans, wheel zooms, double click on empty ground fits, hovering reads out.
/// Keys: left and right walk through the points or bars, all arrows through the cells of a heat map, Space
/// clicks, Enter activates, + and − zoom, Home fits, Esc puts the read-out away. Bars pan and zoom along
/// their categories only, a heat map is always shown whole. Its accessible name is the chart's title, its
/// description the read-out. Follows the theme. UI thread only.
class PlotView : public QWidget {
    Q_OBJECT
public:
    explicit PlotView(QWidget* parent = nullptr);
    ~PlotView() override;

    void setPlot(const LinePlotSpec& spec); ///< fits
    void setChart(const Chart& chart, bool keepView = false);
    const Chart& chart() const;

    void fit();
    void zoom(double factor); ///< below 1: closer
    void select(std::optional<ChartPoint> point);
    std::optional<ChartPoint> selected() const { return m_selected; }

    const ReadOut& readOut() const { return *m_readOut; }
    QPointF pixelOf(ChartPoint point) const; ///< within this widget

    QSize minimumSizeHint() const override { return {240, 160}; }
    QSize sizeHint() const override { return {560, 360}; }

signals:
    void pointClicked(heteroscape::widgets::ChartPoint point);
    void pointActivated(heteroscape::widgets::ChartPoint point); ///< double click or Enter

protected:
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct Impl;

    void hover(QPointF at);
    void readOutPoint(ChartPoint point, std::optional<QPointF> at = {});
    void readOutAt(double x, QPointF at);
    void dismissReadOut();
    void describe(const QString& reading);
    void walk(int right, int up);
    std::optional<ChartPoint> pointNear(QPointF at) const;
    void recolour();

    std::unique_ptr<Impl> m_impl;
    ReadOut* m_readOut;
    std::optional<ChartPoint> m_selected;
    std::optional<ChartPoint> m_walked; ///< where the keyboard is
};

} // namespace heteroscape::widgets

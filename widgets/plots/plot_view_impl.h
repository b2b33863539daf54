// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plots/plot_view.h"

#include <qcustomplot.h>

namespace heteroscape::widgets {

/// A plot that holds pictures of itself (four bytes a pixel of each of its layers) only while it can be seen.
/// Where it has another size it is laid out at once and drawn a turn later: plots that share a window are
/// drawn one by one.
class SeenPlot : public QCustomPlot {
public:
    explicit SeenPlot(QWidget* parent) : QCustomPlot(parent) {
        connect(this, &QCustomPlot::afterReplot, this, [this] {
            if (!isVisible() && !m_painting)
                mPaintBuffers.clear();
        });
    }

protected:
    void resizeEvent(QResizeEvent*) override {
        setViewport(rect());
        emit beforeReplot();
        updateLayout();
        if (isVisible())
            replot(rpQueuedReplot);
        else
            mPaintBuffers.clear();
    }
    void hideEvent(QHideEvent* event) override {
        QCustomPlot::hideEvent(event);
        mPaintBuffers.clear();
    }
    void paintEvent(QPaintEvent* event) override {
        if (mPaintBuffers.isEmpty()) {
            m_painting = true;
            replot(rpQueuedRefresh);
            m_painting = false;
        }
        QCustomPlot::paintEvent(event);
    }

private:
    bool m_painting = false;
};

/// What a PlotView draws with; QCustomPlot stays out of the headers of those who show plots.
struct PlotView::Impl {
    /// A box that is being drawn.
    struct Box {
        QPointF from;
        bool right = false; ///< with the right button: a mere click opens the menu
        bool tells = false; ///< told instead of zoomed to
    };

    explicit Impl(QWidget* parent) : plot(parent), painter(plot) {}
    SeenPlot plot;
    ChartPainter painter;
    ChartView shown() const; ///< of the axes
    void fit() {
        painter.fit();
        whole = shown();
    }
    std::optional<QPoint> pressed; ///< where a press was that may become a click
    std::optional<Box> box;
    ChartView whole; ///< what was shown when all was last
};

} // namespace heteroscape::widgets

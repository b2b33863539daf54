// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plots/plot_view.h"

#include <qcustomplot.h>

namespace heteroscape::widgets {

/// What a PlotView draws with; QCustomPlot stays out of the headers of those who show plots.
struct PlotView::Impl {
    /// A box that is being drawn.
    struct Box {
        QPointF from;
        bool right = false; ///< with the right button: a mere click opens the menu
        bool tells = false; ///< told instead of zoomed to
    };

    explicit Impl(QWidget* parent) : plot(parent), painter(plot) {}
    QCustomPlot plot;
    ChartPainter painter;
    QPoint pressed;
    std::optional<Box> box;
};

} // namespace heteroscape::widgets

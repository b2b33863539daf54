// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plots/chart_painter.h"
#include "widgets/plots/read_out.h"

namespace heteroscape::widgets {

/// What a chart says about one of its points, in words.
struct ChartReading {
    QString heading;
    std::vector<ReadOut::Row> rows;
    std::vector<ChartPoint> points; ///< of the curves, that the values belong to

    QString text() const; ///< all of it, for who cannot see it: "Batch 8: Speed-up 1.4 ×, …"
};

/// A mark, a bar with its pieces, or a cell. Colours are the shown theme's. UI thread.
ChartReading readingOf(const Chart& chart, ChartPoint point);

/// Every named curve at the position nearest to x; no rows when there is none. `at` tells the position.
ChartReading readingAt(const Chart& chart, double x, double* at = nullptr);

/// One step of the keyboard: through cells, bars, marks, or the points of the first named curve. From
/// nothing: to the first in that direction. Nothing when there is nothing to walk through.
std::optional<ChartPoint> walkedFrom(const Chart& chart, std::optional<ChartPoint> from, int right, int up);

} // namespace heteroscape::widgets

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/claims/figure_study.h"
#include "widgets/explore/loaded_study.h"
#include "widgets/plots/chart_painter.h"

#include <optional>
#include <vector>

namespace heteroscape::widgets {

/// A plot of a study as a picture, and the rows of the study behind what is drawn. Also used without a
/// window.
struct StudyChart {
    static constexpr auto kNoRow = static_cast<std::size_t>(-1);

    Chart chart;
    std::vector<std::vector<std::size_t>> lineRows; ///< parallel to chart.lines; empty for lines without rows
    std::vector<std::vector<std::size_t>> areaRows; ///< [bar series][category], or [row][column] of a map

    /// The row of the study at a point; of a mean its first one. Nothing where there is none.
    std::optional<std::size_t> rowOf(ChartPoint point) const;
    /// Where a row is drawn; nothing when it is not.
    std::optional<ChartPoint> pointOf(std::size_t row) const;
};

/// Draws a plot that fits the study (see settle()) from its points so far. Throws Error (NotFound) naming a
/// column that is not there.
StudyChart studyChart(const LoadedStudy& study, const engine::StudyPlot& plot);

} // namespace heteroscape::widgets

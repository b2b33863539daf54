// SPDX-License-Identifier: GPL-3.0-or-later
// Curves as a table, and why a place of it has no value.
#include "widgets/explore/plot_words.h"
#include "widgets/explore/study_plot_parts.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace heteroscape::widgets {

namespace {

constexpr std::size_t kMostExplained = 256; ///< rows of a plot that are evaluated again

const double kNone = std::numeric_limits<double>::quiet_NaN();

std::size_t positionOf(const std::vector<double>& values, double value) {
    return static_cast<std::size_t>(std::lower_bound(values.begin(), values.end(), value) - values.begin());
}

LoadedStudy::Obstacle obstacleOf(const LoadedStudy& study, const engine::SeriesQuery& query,
                                 std::size_t row) {
    if (row == StudyChart::kNoRow)
        return {PlotWords::tr("Not computed yet")};
    if (study.table.find("feasible")->values[row] != 1.0)
        return study.obstacle(row);
    return {!query.meanOver.empty() ? PlotWords::tr("A point of the mean is not feasible")
            : !query.gain.axis.empty()
                ? PlotWords::tr("The base of the gain is not feasible, or a quantity is "
                                "not set")
                : PlotWords::tr("It needs a quantity that is not set")};
}

} // namespace

Grid gridOf(const LoadedStudy& study, const engine::SeriesQuery& query) {
    Grid grid{axisValues(study, query.x),
              query.curve.empty() ? std::vector{kNone} : axisValues(study, query.curve),
              {},
              {}};
    if (!query.cases.empty()) {
        grid.curves.resize(query.cases.size());
        std::iota(grid.curves.begin(), grid.curves.end(), 0.0);
    }
    grid.values.assign(grid.curves.size(), std::vector<double>(grid.columns.size(), kNone));
    grid.rows.assign(grid.curves.size(), std::vector<std::size_t>(grid.columns.size(), StudyChart::kNoRow));
    for (const auto& series : engine::studySeries(study.table, query)) {
        const bool several = !query.curve.empty() || !query.cases.empty();
        const auto row = several ? positionOf(grid.curves, series.curveValue) : 0;
        for (std::size_t i = 0; i < series.x.size(); ++i) {
            const auto column = positionOf(grid.columns, series.x[i]);
            grid.values[row][column] = series.y[i];
            grid.rows[row][column] = series.rows[i];
        }
    }
    return grid;
}

QString gapReason(const LoadedStudy& study, const engine::SeriesQuery& query, std::size_t row) {
    return obstacleOf(study, query, row).reason;
}

QString Gaps::reason(std::size_t row) {
    const auto [at, isNew] = m_known.try_emplace(row);
    if (!isNew || m_known.size() > kMostExplained)
        return at->second;
    const auto obstacle = obstacleOf(m_study, m_query, row);
    m_doNotFit += obstacle.memory ? 1 : 0;
    return at->second = obstacle.reason;
}

QString Gaps::word() const {
    return !m_known.empty() && m_doNotFit == m_known.size() ? PlotWords::tr("does not fit") : QString();
}

} // namespace heteroscape::widgets

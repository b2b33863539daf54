// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/chart_extent.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace heteroscape::widgets {

namespace {

bool within(const engine::AxisRange& range, double value) {
    // A pixel's width beyond is within: what a plot fits to is rounded on its way there and back.
    const double room = 1e-9 * std::fabs(range.upper - range.lower);
    return value >= range.lower - room && value <= range.upper + room;
}

template <class T>
void keep(std::vector<T>& values, const std::vector<bool>& kept) {
    if (values.empty())
        return;
    std::size_t next = 0;
    for (std::size_t i = 0; i < values.size(); ++i)
        if (i >= kept.size() || kept[i])
            values[next++] = std::move(values[i]);
    values.resize(next);
}

void cutLine(ChartLine& line, const engine::AxisRange& x) {
    std::vector<bool> kept;
    for (const double at : line.x)
        kept.push_back(within(x, at));
    keep(line.x, kept);
    keep(line.y, kept);
    keep(line.low, kept);
    keep(line.high, kept);
    keep(line.reasons, kept);
    keep(line.muted, kept);
    keep(line.status, kept);
    keep(line.keys, kept);
}

void cutBars(Chart& chart, const engine::AxisRange& x) {
    std::vector<bool> kept; // a category counts from half before it to half behind it
    for (std::size_t i = 0; i < chart.x.categories.size(); ++i) {
        const auto at = static_cast<double>(i);
        kept.push_back(at + 0.4 > x.lower && at - 0.4 < x.upper);
    }
    for (auto& series : chart.bars->series) {
        keep(series.values, kept);
        keep(series.reasons, kept);
        keep(series.muted, kept);
        keep(series.status, kept);
        keep(series.keys, kept);
    }
    keep(chart.x.categories, kept);
}

void cutCloud(ChartCloud& cloud, const ChartView& view, const std::vector<bool>& hiddenGroups) {
    auto points = std::make_shared<CloudPoints>(*cloud.points);
    std::vector<bool> in(points->x.size());
    for (std::size_t i = 0; i < in.size(); ++i) {
        in[i] = within(view.x, points->x[i]) && within(view.y, points->y[i]) &&
                !hiddenGroups[std::min(cloud.groupOf(i), hiddenGroups.size() - 1)];
        if (!in[i]) // a row keeps its number
            points->x[i] = std::numeric_limits<double>::quiet_NaN();
    }
    std::erase_if(cloud.front, [&](std::size_t i) { return !in[i]; });
    cloud.points = std::move(points);
}

} // namespace

Chart zoomedTo(Chart chart, const ChartView& view) {
    if (chart.heatMap)
        return chart;
    chart.x.range = view.x;
    chart.y.range = view.y;
    if (chart.right)
        chart.right->range = view.right;
    return chart;
}

Chart cutTo(Chart chart, const ChartView& view) {
    if (chart.heatMap)
        return chart;
    if (chart.cloud) {
        std::vector<bool> hidden;
        for (const auto& group : chart.cloud->groups)
            hidden.push_back(chart.isHidden(group.name));
        cutCloud(*chart.cloud, view, hidden);
    }
    std::erase_if(chart.lines, [&](const auto& line) { return chart.isHidden(line.name); });
    for (auto& line : chart.lines)
        cutLine(line, view.x);
    if (chart.bars) {
        std::erase_if(chart.bars->series, [&](const auto& one) { return chart.isHidden(one.name); });
        cutBars(chart, view.x);
    }
    std::erase_if(chart.marks,
                  [&](const auto& mark) { return !within(view.x, mark.x) || !within(view.y, mark.y); });
    std::erase_if(chart.crossovers, [&](const auto& drop) { return !within(view.x, drop.x); });
    return chart;
}

} // namespace heteroscape::widgets

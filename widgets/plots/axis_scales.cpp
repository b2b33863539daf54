// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/axis_scales.h"

#include <algorithm>

namespace heteroscape::widgets {

namespace {

auto& axisOf(auto& chart, AxisScales::Axis axis) {
    return axis == AxisScales::Axis::X ? chart.x : chart.y;
}

} // namespace

bool AxisScales::isLog(const Chart& chart, Axis axis) {
    return axisOf(chart, axis).log;
}

bool AxisScales::canBeLog(const Chart& chart, Axis axis) {
    const bool x = axis == Axis::X;
    if (chart.heatMap || !(x ? chart.xNames() : chart.yNames()).empty())
        return false;
    if (isLog(chart, axis))
        return true;
    const auto above = [](const std::vector<double>& values) {
        return std::any_of(values.begin(), values.end(), [](double v) { return v > 0; });
    };
    if (chart.bars && above({chart.yRange().upper}))
        return true;
    for (const auto& line : chart.lines)
        if (above(x ? line.x : line.y))
            return true;
    for (const auto& mark : chart.marks)
        if ((x ? mark.x : mark.y) > 0)
            return true;
    return chart.cloud && above(x ? chart.cloud->points->xExtremes : chart.cloud->points->yExtremes);
}

void AxisScales::settle(Chart& chart) {
    for (const auto axis : {Axis::X, Axis::Y}) {
        auto& choice = m_choices[static_cast<std::size_t>(axis)];
        auto& shown = axisOf(chart, axis);
        if (choice && choice->label != shown.label)
            choice.reset();
        else if (choice)
            shown.log = choice->log;
    }
}

bool AxisScales::choose(Chart& chart, Axis axis, bool log) {
    if (log == isLog(chart, axis) || !canBeLog(chart, axis))
        return false;
    auto& changed = axisOf(chart, axis);
    m_choices[static_cast<std::size_t>(axis)] = Choice{changed.label, log};
    changed.log = log;
    changed.range.reset(); // of the other scale
    return true;
}

} // namespace heteroscape::widgets

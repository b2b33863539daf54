// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/axis_scales.h"

#include "widgets/theme/theme.h"
#include "widgets/theme/theme_icons.h"

#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <limits>

namespace heteroscape::widgets {

ViewMarks::ViewMarks(QWidget* plot) : QWidget(plot) {
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setAttribute(Qt::WA_NoSystemBackground);
}

void ViewMarks::setMark(std::optional<Mark> mark) {
    if (!mark && !m_mark)
        return;
    m_mark = mark;
    update();
}

void ViewMarks::setRubber(std::optional<QRectF> box) {
    if (box == m_rubber)
        return;
    m_rubber = box;
    update();
}

void ViewMarks::setCrosshair(std::optional<Crosshair> crosshair) {
    if (!crosshair && !m_crosshair)
        return;
    m_crosshair = std::move(crosshair);
    update();
}

void ViewMarks::drawPill(QPainter& painter, const QString& text, QPointF edge, bool below) const {
    const auto& theme = Theme::instance();
    const auto font = theme.font(TextSize::Caption, QFont::DemiBold);
    const QSizeF size(QFontMetricsF(font).horizontalAdvance(text) + 10, 18);
    QRectF pill(below ? edge + QPointF(-size.width() / 2, 2) : edge + QPointF(-size.width() - 2, -9), size);
    pill.moveLeft(std::clamp(pill.left(), 2.0, std::max(2.0, width() - size.width() - 2)));
    paintTip(painter, pill, text, font);
}

void ViewMarks::paintEvent(QPaintEvent*) {
    if (!m_mark && !m_rubber && !m_crosshair)
        return;
    const auto& theme = Theme::instance();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    if (m_crosshair) {
        const auto& [at, area, x, y] = *m_crosshair;
        painter.setPen(QPen(theme.color(ColorRole::Text2), 1));
        painter.drawLine(QLineF(at.x(), area.top(), at.x(), area.bottom()));
        painter.drawLine(QLineF(area.left(), at.y(), area.right(), at.y()));
        if (!x.isEmpty())
            drawPill(painter, x, {at.x(), area.bottom()}, true);
        if (!y.isEmpty())
            drawPill(painter, y, {area.left(), at.y()}, false);
    }
    if (m_mark) {
        painter.setBrush(Qt::NoBrush);
        const bool ring = m_mark->frame.isEmpty();
        const double radius = m_mark->diameter / 2;
        // A line of the background on either side keeps it seen on dense points.
        for (const auto& [role, width] : {std::pair{ColorRole::Surface, 3.5}, {ColorRole::Text, 1.5}}) {
            painter.setPen(QPen(theme.color(role), width));
            if (ring)
                painter.drawEllipse(m_mark->at, radius, radius);
            else
                painter.drawRect(m_mark->frame.adjusted(0.5, 0.5, -0.5, -0.5));
        }
    }
    if (m_rubber) {
        auto fill = theme.color(ColorRole::Accent);
        fill.setAlphaF(0.12F);
        painter.setPen(QPen(theme.color(ColorRole::Accent), 1, Qt::DashLine));
        painter.setBrush(fill);
        painter.drawRect(*m_rubber);
    }
}

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

#include "moc_axis_scales.cpp"

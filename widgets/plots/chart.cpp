// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/chart.h"

#include "engine/exporters/csv.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>

namespace heteroscape::widgets {

QColor ChartColor::resolve(bool alwaysLight) const {
    const auto& theme = Theme::instance();
    switch (from) {
    case From::Series:
        return alwaysLight ? Theme::lightSeries(index) : theme.series(index);
    case From::Kind: {
        const auto kind = static_cast<engine::DeviceKind>(index);
        return alwaysLight ? Theme::lightKind(kind) : theme.kind(kind);
    }
    case From::Role:
        break;
    }
    const auto role = static_cast<ColorRole>(index);
    return alwaysLight ? Theme::lightColor(role) : theme.color(role);
}

namespace {

bool drawable(double x, double y, const Chart& chart) {
    return std::isfinite(x) && std::isfinite(y) && (!chart.x.log || x > 0) && (!chart.y.log || y > 0);
}

std::vector<double> allOf(const Chart& chart, bool wantX) {
    std::vector<double> values;
    const auto add = [&](double x, double y) {
        if (drawable(x, y, chart))
            values.push_back(wantX ? x : y);
    };
    for (const auto& line : chart.lines)
        for (std::size_t i = 0; i < line.x.size(); ++i)
            add(line.x[i], line.y[i]);
    for (const auto& mark : chart.marks)
        add(mark.x, mark.y);
    for (const auto& star : chart.stars)
        add(star.x, star.y);
    return values;
}

} // namespace

bool Chart::hasData() const {
    return !allOf(*this, true).empty();
}

engine::AxisRange Chart::xRange() const {
    if (x.range)
        return *x.range;
    auto values = allOf(*this, true);
    // Where infeasible points lie is part of the picture: they are gaps, not missing stretches of the axis.
    for (const auto& line : lines)
        values.insert(values.end(), line.x.begin(), line.x.end());
    return engine::fittingRange(values, x.log, false);
}

engine::AxisRange Chart::yRange() const {
    return y.range ? *y.range : engine::fittingRange(allOf(*this, false), y.log, true);
}

std::vector<std::size_t> Chart::namedLines() const {
    std::vector<std::size_t> named;
    for (std::size_t i = 0; i < lines.size(); ++i)
        if (!lines[i].name.isEmpty())
            named.push_back(i);
    return named;
}

Chart lineChart(const LinePlotSpec& spec) {
    static constexpr std::array kMarkers{ChartMarker::Circle, ChartMarker::Square, ChartMarker::Diamond,
                                         ChartMarker::Triangle};
    static constexpr std::array kDashes{ChartDash::Solid, ChartDash::Dashed, ChartDash::DashDotted};
    Chart chart;
    chart.title = spec.title;
    chart.x.label = spec.xLabel;
    chart.x.log = spec.xLog;
    chart.x.integer = spec.xInteger;
    chart.y.label = spec.yLabel;
    chart.y.log = spec.yLog;
    chart.legendTitle = spec.legendTitle;
    chart.stars = spec.stars;
    chart.emptyText = spec.emptyText;
    std::vector<double> xs;
    for (std::size_t i = 0; i < spec.series.size(); ++i) {
        const auto& series = spec.series[i];
        xs.insert(xs.end(), series.x.begin(), series.x.end());
        ChartLine line{.name = series.name,
                       .x = series.x,
                       .y = series.y,
                       .color = ChartColor::series(static_cast<int>(i))};
        line.dash = series.dashed                          ? ChartDash::Dashed
                    : spec.series.size() > kMarkers.size() ? kDashes[i / kMarkers.size() % kDashes.size()]
                                                           : ChartDash::Solid;
        if (series.marker)
            line.marker = kMarkers[i % kMarkers.size()];
        chart.lines.push_back(std::move(line));
    }
    chart.x.base = spec.xLog ? engine::logBase(xs) : 10;
    return chart;
}

QString linePlotCsv(const LinePlotSpec& spec) {
    const double gap = std::numeric_limits<double>::quiet_NaN();
    std::map<double, std::size_t> rowOf;
    for (const auto& series : spec.series)
        for (const double x : series.x)
            rowOf.emplace(x, 0);
    std::vector<engine::StudyColumn> columns(1);
    columns.front().name = spec.xLabel.toStdString();
    columns.front().isAxis = true;
    for (auto& [x, row] : rowOf) {
        row = columns.front().values.size();
        columns.front().values.push_back(x);
    }
    for (const auto& series : spec.series) {
        engine::StudyColumn column;
        const auto name =
            series.name.isEmpty() ? spec.yLabel : spec.yLabel + QStringLiteral(", ") + series.name;
        column.name = name.toStdString();
        column.values.assign(rowOf.size(), gap);
        for (std::size_t i = 0; i < series.x.size(); ++i)
            column.values[rowOf.at(series.x[i])] = series.y[i];
        columns.push_back(std::move(column));
    }
    return QString::fromStdString(engine::columnsCsv(columns));
}

QString quantityLabel(const QString& quantity, const QString& unit) {
    return unit.isEmpty() ? quantity : QStringLiteral("%1 (%2)").arg(quantity, unit);
}

} // namespace heteroscape::widgets

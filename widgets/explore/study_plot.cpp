// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/units/number_text.h"
#include "widgets/explore/study_tile.h"

#include <algorithm>
#include <cmath>

namespace heteroscape::widgets {

namespace {

QString columnLabel(const engine::StudyColumn& column) {
    return quantityLabel(QString::fromStdString(column.label), QString::fromStdString(column.unit));
}

/// Doublings, and anything over two decades, are read best on a log axis.
bool wantsLog(const engine::StudyColumn& column) {
    const auto [low, high] = std::minmax_element(column.values.begin(), column.values.end());
    if (low == high || !(*low > 0))
        return false;
    std::vector<double> distinct = column.values;
    std::sort(distinct.begin(), distinct.end());
    distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
    return *high / *low >= 100 ||
           (distinct.size() >= 4 && *high / *low >= 8 && engine::logBase(distinct) == 2);
}

} // namespace

LinePlotSpec studyPlot(const engine::StudyTable& table, const engine::SeriesQuery& query) {
    const auto series = engine::studySeries(table, query); // throws when a column is not there
    const auto& x = *table.find(query.x);
    const auto& y = *table.find(query.metric);
    const auto* curve = query.curve.empty() ? nullptr : table.find(query.curve);
    LinePlotSpec spec;
    spec.xLabel = columnLabel(x);
    spec.yLabel = columnLabel(y);
    spec.title =
        StudyTile::tr("%1 over %2").arg(QString::fromStdString(y.label), QString::fromStdString(x.label));
    spec.xLog = wantsLog(x);
    spec.xInteger =
        std::all_of(x.values.begin(), x.values.end(), [](double v) { return v == std::floor(v); });
    if (curve)
        spec.legendTitle = columnLabel(*curve);
    spec.emptyText = StudyTile::tr("No point here is feasible, or the metric needs a figure that is not set");

    const auto* metric = engine::findMetric(query.metric);
    const int better = metric ? metric->better : 0;
    const double sign = better < 0 ? -1 : 1;
    std::optional<ChartStar> star;
    for (const auto& one : series) {
        LineSeries line;
        line.name = curve ? QString::fromStdString(engine::tickText(one.curveValue))
                          : QString::fromStdString(y.label);
        line.x = one.x;
        line.y = one.y;
        line.marker = one.x.size() <= 64;
        for (std::size_t i = 0; i < one.x.size(); ++i)
            if (better != 0 && !std::isnan(one.y[i]) && (!star || sign * one.y[i] > sign * star->y))
                star = ChartStar{{}, one.x[i], one.y[i]};
        spec.series.push_back(std::move(line));
    }
    if (star) {
        const auto value = QString::fromStdString(engine::shortText(star->y, 3));
        const auto unit = QString::fromStdString(y.unit);
        star->label = unit.isEmpty() ? value : value + QChar(0x2009) + unit;
        spec.stars.push_back(*star);
    }
    return spec;
}

} // namespace heteroscape::widgets

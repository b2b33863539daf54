// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/validation/validation_charts.h"

#include "widgets/validation/validation_words.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace heteroscape::widgets {

namespace {

class ValidationChartWords {
    Q_DECLARE_TR_FUNCTIONS(heteroscape::widgets::ValidationPage)
};

constexpr double kMicroseconds = 1e6; // in a second
constexpr std::size_t kMostGroups = 255;
constexpr double kPoint = 4.6; // px

ChartLine bandOf(double share, engine::AxisRange range) {
    ChartLine band;
    band.color = ChartColor::series(0);
    band.width = 0.4;
    band.x = {range.lower, range.upper};
    band.y = band.x;
    for (const double at : band.x) {
        band.low.push_back(at * (1.0 - share));
        band.high.push_back(at * (1.0 + share));
    }
    return band;
}

/// Labels of the shown rows as groups of the cloud, in the order of the filters.
void addGroups(Chart& chart, CloudPoints& points, const ValidationView& view) {
    const auto key = view.choice.colour;
    std::map<std::string, std::uint8_t> ordinals;
    for (const auto& [label, rows] : view.labels[static_cast<std::size_t>(key)]) {
        const auto at = std::min(ordinals.size(), kMostGroups);
        if (!ordinals.emplace(label, static_cast<std::uint8_t>(at)).second || at >= kMostGroups)
            continue;
        const auto look = measuredLook(key, label, at);
        chart.cloud->groups.push_back({measuredLabelText(key, label), look.color, look.marker});
    }
    for (const auto place : view.rows)
        points.group.push_back(ordinals[view.chunkOf(place).label(key, place.row)]);
    if (chart.cloud->groups.empty())
        chart.cloud->groups.push_back({QString(), ChartColor::series(0)});
}

/// Where a bin begins, "\u22125"; the ends hold what lies beyond them.
QString binText(std::size_t bin) {
    const auto edge = [](std::size_t at) {
        const int percent = static_cast<int>(std::lround(
            100.0 * (ValidationView::kFirstBin + static_cast<double>(at) * ValidationView::kBin)));
        return (percent < 0   ? QStringLiteral("\u2212")
                : percent > 0 ? QStringLiteral("+")
                              : QString()) +
               QString::number(std::abs(percent));
    };
    if (bin == 0)
        return QStringLiteral("<") + edge(1);
    return edge(bin);
}

} // namespace

engine::AxisRange decadesOf(const std::vector<double>& one, const std::vector<double>& other) {
    double least = INFINITY, most = 0.0;
    for (const auto* values : {&one, &other})
        for (const double value : *values)
            if (std::isfinite(value) && value > 0.0) {
                least = std::min(least, value);
                most = std::max(most, value);
            }
    if (most <= 0.0)
        return {1.0, 10.0};
    const double low = std::floor(std::log10(least)), high = std::ceil(std::log10(most));
    return {std::pow(10.0, low), std::pow(10.0, std::max(high, low + 1.0))};
}

void addIdentity(Chart& chart, engine::AxisRange range) {
    for (const double share : {0.25, 0.10})
        chart.lines.push_back(bandOf(share, range));
    ChartLine line;
    line.x = line.y = {range.lower, range.upper};
    line.color = ChartColor::role(ColorRole::Text);
    line.width = 1.2;
    chart.lines.push_back(std::move(line));
}

Chart scatterChart(const std::shared_ptr<const ValidationView>& view) {
    Chart chart;
    chart.title = ValidationChartWords::tr("Measured against predicted time");
    chart.x.label = quantityLabel(ValidationChartWords::tr("Measured time"), QStringLiteral("µs"));
    chart.y.label = quantityLabel(ValidationChartWords::tr("Predicted time"), QStringLiteral("µs"));
    chart.x.log = chart.y.log = true;
    chart.legendTitle = measuredKeyText(view->choice.colour);
    chart.emptyText = ValidationChartWords::tr("No rows left");
    auto points = std::make_shared<CloudPoints>();
    for (const auto place : view->rows) {
        const auto& chunk = view->chunkOf(place);
        points->x.push_back(chunk.measured[place.row] * kMicroseconds);
        points->y.push_back(chunk.predicted[place.row] * kMicroseconds);
    }
    points->xExtremes = CloudPoints::extremes(points->x);
    points->yExtremes = CloudPoints::extremes(points->y);
    const auto range = decadesOf(points->x, points->y);
    chart.x.range = chart.y.range = range;
    chart.cloud.emplace();
    chart.cloud->diameter = kPoint;
    addGroups(chart, *points, *view);
    // The chart lives in what asks: it must not keep the view alive for ever, nor outlive it.
    points->facts = [weak = std::weak_ptr(view)](std::size_t at) {
        std::vector<std::pair<QString, QString>> facts;
        const auto held = weak.lock();
        if (!held || at >= held->rows.size())
            return facts;
        const auto place = held->rows[at];
        const auto& chunk = held->chunkOf(place);
        for (const auto key : {MeasuredKey::Kind, MeasuredKey::Device})
            facts.emplace_back(QString(), measuredLabelText(key, chunk.label(key, place.row)));
        facts.emplace_back(ValidationChartWords::tr("Error"), signedPercent(chunk.error(place.row)));
        for (const auto key : {MeasuredKey::Framework, MeasuredKey::Precision, MeasuredKey::Bound})
            facts.emplace_back(measuredKeyText(key), measuredLabelText(key, chunk.label(key, place.row)));
        return facts;
    };
    chart.cloud->points = std::move(points);
    addIdentity(chart, range);
    return chart;
}

Chart errorsChart(const ValidationView& view) {
    Chart chart;
    chart.title = ValidationChartWords::tr("Errors of %1 rows").arg(view.rows.size());
    chart.x.label = ValidationChartWords::tr("Predicted against measured, from … % on");
    chart.y.label = ValidationChartWords::tr("Rows");
    chart.y.integer = true;
    chart.emptyText = ValidationChartWords::tr("No rows left");
    if (view.rows.empty())
        return chart;
    constexpr std::size_t kWithin = 5; // bins of 5 % either way
    const auto zero =
        static_cast<std::size_t>(std::lround(-ValidationView::kFirstBin / ValidationView::kBin));
    ChartBars bars;
    ChartBarSeries within;
    within.name = ValidationChartWords::tr("within 25 %");
    within.color = ChartColor::series(0);
    auto beyond = within;
    beyond.name = ValidationChartWords::tr("beyond");
    beyond.tint = 0.6;
    for (std::size_t i = 0; i < view.bins.size(); ++i) {
        chart.x.categories.push_back(binText(i));
        const bool in = i + kWithin >= zero && i < zero + kWithin;
        const auto rows = static_cast<double>(view.bins[i]);
        within.values.push_back(in ? rows : 0.0);
        beyond.values.push_back(in ? 0.0 : rows);
    }
    bars.series = {std::move(within), std::move(beyond)};
    chart.bars = std::move(bars);
    if (std::any_of(view.rooflineBins.begin(), view.rooflineBins.end(), [](auto rows) { return rows > 0; })) {
        ChartLine roofline;
        roofline.name = ValidationChartWords::tr("a plain roofline");
        roofline.color = ChartColor::role(ColorRole::Baseline);
        roofline.width = 1.6;
        roofline.dash = ChartDash::Dashed;
        roofline.stepped = true;
        for (std::size_t i = 0; i < view.rooflineBins.size(); ++i) {
            roofline.x.push_back(static_cast<double>(i));
            roofline.y.push_back(static_cast<double>(view.rooflineBins[i]));
        }
        chart.lines.push_back(std::move(roofline));
    }
    return chart;
}

} // namespace heteroscape::widgets

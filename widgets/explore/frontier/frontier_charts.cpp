// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/frontier/frontier_charts.h"

#include "engine/units/number_text.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace heteroscape::widgets {

namespace {

class FrontierChartWords {
    Q_DECLARE_TR_FUNCTIONS(heteroscape::widgets::FrontierPage)
};

constexpr double kFrontierPoint = 4.6; // px
constexpr double kFrontWidth = 2.6;
constexpr double kLayoutWidth = 5.0;
constexpr std::size_t kMostSpeeds = 5;

QString shortNumber(double value) {
    return QString::fromStdString(engine::shortText(value, 3));
}

QString speedLabel() {
    return quantityLabel(FrontierChartWords::tr("Speed for one user"), QStringLiteral("tok/s"));
}

/// What is said of a point when it is pointed at.
std::vector<std::pair<QString, QString>> factsOfPoint(const FrontierView& view, std::size_t place) {
    const auto& point = view.point(place);
    const auto& system = view.systemOf(place);
    std::vector<std::pair<QString, QString>> facts;
    facts.emplace_back(QString(), QString::fromStdString(system.name));
    facts.emplace_back(QString(), QString::fromStdString(point.layout));
    facts.emplace_back(FrontierChartWords::tr("Users"),
                       QString::fromStdString(engine::exactText(point.users)));
    if (!point.server.empty())
        facts.emplace_back(FrontierChartWords::tr("Server"),
                           QStringLiteral("%1, %2").arg(QString::fromStdString(point.server),
                                                        QString::fromStdString(point.precision).toUpper()));
    facts.emplace_back(FrontierChartWords::tr("First token"),
                       withUnit(shortNumber(point.ttftMedian), QStringLiteral("s")));
    if (!view.choice.limits.hold(point))
        facts.emplace_back(QString(), FrontierChartWords::tr("beyond a limit"));
    return facts;
}

ChartLine frontLine(const FrontierView& view, std::size_t system) {
    const auto look = frontierLook(system);
    ChartLine line;
    line.color = look.color;
    line.dash = look.dash;
    line.width = kFrontWidth;
    const auto& front = view.fronts[system];
    for (auto place = front.rbegin(); place != front.rend(); ++place) { // from the fastest: x falls
        line.x.push_back(view.point(*place).rates.perUser);
        line.y.push_back(view.choice.up(view.point(*place)));
    }
    std::reverse(line.x.begin(), line.x.end());
    std::reverse(line.y.begin(), line.y.end());
    return line;
}

void addLimit(Chart& chart, const FrontierView& view) {
    const double limit = view.choice.limits.timePerToken;
    if (limit <= 0)
        return;
    ChartReference line;
    line.label = FrontierChartWords::tr("limit: %1 a token")
                     .arg(withUnit(shortNumber(1e3 * limit), QStringLiteral("ms")));
    line.at = 1 / limit;
    line.color = ChartColor::role(ColorRole::Error);
    line.dash = ChartDash::Solid;
    line.vertical = true;
    chart.references.push_back(std::move(line));
}

/// The best that a system's front has for users who get at least this speed; NaN: nothing.
double bestAt(const FrontierView& view, std::size_t system, double speed) {
    for (const auto place : view.fronts[system])
        if (view.point(place).rates.perUser >= speed)
            return view.choice.up(view.point(place));
    return std::nan("");
}

/// Round speeds between the slowest and the fastest of the fronts.
std::vector<double> speedsOf(const FrontierView& view) {
    double least = INFINITY, most = 0;
    for (const auto place : view.rows) {
        least = std::min(least, view.point(place).rates.perUser);
        most = std::max(most, view.point(place).rates.perUser);
    }
    std::vector<double> speeds;
    if (most <= 0)
        return speeds;
    for (double decade = std::pow(10.0, std::floor(std::log10(least))); decade <= most; decade *= 10)
        for (const double step : {1.0, 2.0, 5.0})
            if (decade * step >= least && decade * step <= most)
                speeds.push_back(decade * step);
    if (speeds.empty())
        speeds.push_back(std::floor(least));
    if (speeds.size() > kMostSpeeds) // what people are served with is nearer to the fast end
        speeds.erase(speeds.begin(), speeds.end() - kMostSpeeds);
    return speeds;
}

} // namespace

Chart frontierChart(const std::shared_ptr<const FrontierView>& view) {
    Chart chart;
    chart.title = FrontierChartWords::tr("Throughput against speed");
    chart.x.label = speedLabel();
    chart.y.label = frontierAxisLabel(view->choice.axis);
    chart.x.log = chart.y.log = true;
    chart.emptyText = view->run->done < view->run->points.size()
                          ? FrontierChartWords::tr("No point is computed yet")
                          : FrontierChartWords::tr("No point has an answer on these axes");
    auto points = std::make_shared<CloudPoints>();
    chart.cloud.emplace();
    chart.cloud->diameter = kFrontierPoint;
    const auto& systems = view->run->definition.systems;
    for (std::size_t i = 0; i < systems.size(); ++i) {
        const auto look = frontierLook(i);
        const bool off = view->choice.off.contains(systems[i].name);
        chart.cloud->groups.push_back(
            {off ? QString() : QString::fromStdString(systems[i].name), look.color, look.marker});
    }
    for (const auto place : view->placed) {
        const auto& point = view->point(place);
        points->x.push_back(point.rates.perUser);
        points->y.push_back(view->choice.up(point));
        points->group.push_back(static_cast<std::uint8_t>(point.system));
        chart.cloud->kept.push_back(view->choice.limits.hold(point) ? 1 : 0);
    }
    points->xExtremes = CloudPoints::extremes(points->x);
    points->yExtremes = CloudPoints::extremes(points->y);
    // The chart lives in what asks: it must not keep the view alive for ever, nor outlive it.
    points->facts = [weak = std::weak_ptr(view)](std::size_t at) {
        const auto held = weak.lock();
        return held && at < held->placed.size() ? factsOfPoint(*held, held->placed[at])
                                                : std::vector<std::pair<QString, QString>>();
    };
    chart.cloud->points = std::move(points);
    if (view->choice.fronts)
        for (std::size_t i = 0; i < systems.size(); ++i)
            if (view->fronts[i].size() > 1)
                chart.lines.push_back(frontLine(*view, i));
    addLimit(chart, *view);
    return chart;
}

Chart bestAtSpeedChart(const FrontierView& view) {
    Chart chart;
    chart.title = FrontierChartWords::tr("Best at a speed");
    chart.x.label =
        quantityLabel(FrontierChartWords::tr("Speed for one user, at least"), QStringLiteral("tok/s"));
    chart.y.label = frontierAxisLabel(view.choice.axis);
    chart.emptyText = FrontierChartWords::tr("No point is within the limits");
    const auto speeds = speedsOf(view);
    if (speeds.empty())
        return chart;
    for (const double speed : speeds)
        chart.x.categories.push_back(QString::fromStdString(engine::exactText(speed)));
    ChartBars bars;
    bars.reason = FrontierChartWords::tr("no point is so fast");
    bars.missing = QStringLiteral("\u2013");
    for (std::size_t i = 0; i < view.fronts.size(); ++i) {
        if (view.fronts[i].empty())
            continue;
        ChartBarSeries series;
        series.name = QString::fromStdString(view.run->definition.systems[i].name);
        series.bar = static_cast<int>(bars.series.size());
        series.color = frontierLook(i).color;
        for (const double speed : speeds)
            series.values.push_back(bestAt(view, i, speed));
        bars.series.push_back(std::move(series));
    }
    chart.bars = std::move(bars);
    return chart;
}

Chart layoutsOnFrontChart(const FrontierView& view) {
    Chart chart;
    chart.title = FrontierChartWords::tr("Layout on the front");
    chart.x.label = speedLabel();
    chart.x.log = true;
    chart.emptyText = FrontierChartWords::tr("No point is within the limits");
    for (std::size_t i = view.fronts.size(); i-- > 0;) { // the first on top
        const auto& front = view.fronts[i];
        if (front.empty())
            continue;
        const auto row = static_cast<double>(chart.y.categories.size());
        chart.y.categories.push_back(QString::fromStdString(view.run->definition.systems[i].name));
        for (std::size_t begin = 0; begin < front.size();) {
            auto end = begin + 1;
            while (end < front.size() && view.point(front[end]).layout == view.point(front[begin]).layout)
                ++end;
            const double from = view.point(front[begin]).rates.perUser;
            const double to = view.point(front[std::min(end, front.size() - 1)]).rates.perUser;
            ChartLine line;
            line.color = frontierLook(i).color;
            line.width = kLayoutWidth;
            line.x = {from, to > from ? to / 1.02 : from * 1.02};
            line.y = {row, row};
            chart.captions.push_back({QString::fromStdString(view.point(front[begin]).layout), line.x[0], row,
                                      line.x[1], row, ChartColor::role(ColorRole::Text2)});
            chart.lines.push_back(std::move(line));
            begin = end;
        }
    }
    chart.y.range = engine::AxisRange{-0.6, static_cast<double>(chart.y.categories.size()) - 0.4};
    return chart;
}

} // namespace heteroscape::widgets

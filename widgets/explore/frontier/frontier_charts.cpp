// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/frontier/frontier_charts.h"

#include "engine/units/number_text.h"
#include "widgets/document/metric_text.h"
#include "widgets/document/truth_text.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>

namespace heteroscape::widgets {

namespace {

class FrontierLineWords {
    Q_DECLARE_TR_FUNCTIONS(heteroscape::widgets::FrontierPage)
};

using Kind = FrontierLine::Kind;
using engine::FrontierAlong;

bool isOfToken(Kind kind) {
    return kind == Kind::Token || kind == Kind::Goal;
}

/// Where it lies along; tok/s for a time per token.
double placeOf(const FrontierLine& line) {
    return isOfToken(line.kind) ? 1e3 / line.value : line.value;
}

QString frontierLineWords(const FrontierLine& line) {
    const auto number = QString::fromStdString(engine::shortText(line.value, 3));
    switch (line.kind) {
    case Kind::Token:
        return FrontierLineWords::tr("limit: %1 a token").arg(withUnit(number, QStringLiteral("ms")));
    case Kind::Goal:
        return FrontierLineWords::tr("goal: %1 a token").arg(withUnit(number, QStringLiteral("ms")));
    case Kind::FirstToken: {
        const auto time = metricText(engine::metricSpec(engine::Metric::TimeToFirstToken), line.value);
        return FrontierLineWords::tr("limit: first token in %1").arg(withUnit(time.value, time.unit));
    }
    case Kind::Price:
        return FrontierLineWords::tr("limit: $%1").arg(QString::fromStdString(engine::plainText(line.value)));
    }
    return {};
}

} // namespace

std::vector<FrontierLine> frontierLines(const engine::FrontierShown& shown) {
    std::vector<FrontierLine> lines;
    const auto add = [&](FrontierAlong along, Kind kind, double value) {
        if (shown.along == along && value > 0)
            lines.push_back({kind, value});
    };
    add(FrontierAlong::Speed, Kind::Token, 1e3 * shown.limits.timePerToken);
    add(FrontierAlong::Speed, Kind::Goal, 1e3 * shown.goal);
    add(FrontierAlong::FirstToken, Kind::FirstToken, shown.limits.ttft);
    add(FrontierAlong::Price, Kind::Price, shown.limits.price);
    return lines;
}

std::vector<ChartReference> frontierReferences(const engine::FrontierShown& shown) {
    std::vector<ChartReference> references;
    for (const auto& line : frontierLines(shown)) {
        const bool isGoal = line.kind == Kind::Goal;
        ChartReference reference;
        reference.label = frontierLineWords(line);
        reference.at = placeOf(line);
        reference.color = ChartColor::role(isGoal ? ColorRole::Muted : ColorRole::Error);
        reference.dash = isGoal ? ChartDash::Dashed : ChartDash::Solid;
        reference.vertical = reference.pill = reference.movable = true;
        reference.outside = isGoal ? 0 : line.kind == Kind::Token ? -1 : 1;
        references.push_back(std::move(reference));
    }
    return references;
}

double frontierLineValue(Kind kind, double at) {
    const double value = isOfToken(kind) ? 1e3 / at : at;
    return engine::parseNumber(engine::shortText(value, 3)).value_or(value);
}

void setFrontierLine(engine::FrontierShown& shown, const FrontierLine& line) {
    switch (line.kind) {
    case Kind::Token:
        shown.limits.timePerToken = line.value / 1e3;
        break;
    case Kind::Goal:
        shown.goal = line.value / 1e3;
        break;
    case Kind::FirstToken:
        shown.limits.ttft = line.value;
        break;
    case Kind::Price:
        shown.limits.price = line.value;
        break;
    }
}

namespace {

class FrontierChartWords {
    Q_DECLARE_TR_FUNCTIONS(heteroscape::widgets::FrontierPage)
};

constexpr double kFrontierPoint = 4.6; // px
constexpr double kFrontWidth = 2.6;
constexpr double kWidestBand = 0.95;   // of the value: it stays above zero
constexpr double kMeasuredPoint = 9.0; // px
constexpr double kLayoutWidth = 5.0;
constexpr double kLayoutGap = 1.02; // between two layouts, of what lies along
constexpr std::size_t kMostSpeeds = 5;

QString shortNumber(double value) {
    return QString::fromStdString(engine::shortText(value, 3));
}

QString firstTokenText(const FrontierView& view, double seconds) {
    return withUnit(shortNumber(seconds * view.firstToken.factor),
                    QString::fromStdString(view.firstToken.name));
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
    facts.emplace_back(FrontierChartWords::tr("First token"), firstTokenText(view, point.ttftMedian));
    if (!view.choice.shown.limits.hold(point))
        facts.emplace_back(QString(), FrontierChartWords::tr("beyond a limit"));
    if (view.isIdeal(place))
        facts.emplace_back(QString(), truthWords(engine::Truth::Ideal));
    return facts;
}

/// From the left.
ChartLine frontLine(const FrontierView& view, std::size_t system) {
    const auto look = frontierLook(system);
    ChartLine line;
    line.color = view.isPaleSystem(system) ? ChartColor::role(kIdealInk) : look.color;
    line.dash = look.dash;
    line.width = kFrontWidth;
    auto front = view.fronts[system]; // by falling rate: what lies along gets better
    if (engine::frontierBetter(view.choice.shown.along) < 0)
        std::reverse(front.begin(), front.end());
    bool known = false;
    for (const auto place : front) {
        const double up = view.choice.up(view.point(place)),
                     error = std::min(view.rateError(place) / 100, kWidestBand);
        line.x.push_back(view.choice.along(view.point(place)));
        line.y.push_back(up);
        line.low.push_back(up * (1 - error));
        line.high.push_back(up * (1 + error));
        known = known || std::isfinite(error);
    }
    if (!known || !view.choice.drawn.errors) {
        line.low.clear();
        line.high.clear();
    }
    return line;
}

/// Servers that were measured, on the same axes.
void addMeasured(Chart& chart, const FrontierView& view) {
    for (const auto& [id, prompt, output, point] : view.run->measured) {
        const auto& system = view.run->definition.systems[point.system];
        const double x = view.choice.along(point), y = view.choice.up(point);
        if (view.choice.isOff(system) || !std::isfinite(x) || !std::isfinite(y))
            continue;
        const auto look = frontierLook(point.system);
        ChartMark mark;
        mark.name = FrontierChartWords::tr("Measured: %1").arg(QString::fromStdString(system.name));
        mark.x = x;
        mark.y = y;
        mark.diameter = kMeasuredPoint;
        mark.shape = look.marker;
        mark.color = look.color;
        const auto say = [&mark](const QString& name, const QString& value) {
            mark.readOut.emplace_back(name, value);
        };
        say({}, frontierPointWords(point));
        say(FrontierChartWords::tr("Per user"),
            withUnit(shortNumber(point.rates.perUser), QStringLiteral("tok/s")));
        say(FrontierChartWords::tr("First token, mean"), firstTokenText(view, point.ttft));
        say(FrontierChartWords::tr("Rate a device, from users and these times"),
            withUnit(shortNumber(point.rates.outputPerDevice), QStringLiteral("tok/s")));
        say(FrontierChartWords::tr("Lengths"),
            FrontierChartWords::tr("%1 in, %2 out").arg(shortNumber(prompt), shortNumber(output)));
        say(FrontierChartWords::tr("Row"), QString::fromStdString(id));
        chart.marks.push_back(std::move(mark));
    }
}

/// The best that a system's front has for users who get at least this much, or wait or pay at most this much;
/// NaN: nothing.
double bestAt(const FrontierView& view, std::size_t system, double wanted) {
    const int better = engine::frontierBetter(view.choice.shown.along);
    for (const auto place : view.fronts[system])
        if (better * view.choice.along(view.point(place)) >= better * wanted)
            return view.choice.up(view.point(place));
    return std::nan("");
}

/// Round values between the least and the most that lie along the fronts.
std::vector<double> roundValues(const FrontierView& view) {
    double least = INFINITY, most = 0;
    for (const auto place : view.rows) {
        least = std::min(least, view.choice.along(view.point(place)));
        most = std::max(most, view.choice.along(view.point(place)));
    }
    std::vector<double> values;
    if (most <= 0)
        return values;
    for (double decade = std::pow(10.0, std::floor(std::log10(least))); decade <= most; decade *= 10)
        for (const double step : {1.0, 2.0, 5.0})
            if (decade * step >= least && decade * step <= most)
                values.push_back(decade * step);
    const bool more = engine::frontierBetter(view.choice.shown.along) > 0;
    if (values.empty())
        values.push_back(more ? std::floor(least) : std::ceil(most));
    if (values.size() > kMostSpeeds) // what people are served with is nearer to the good end
        more ? values.erase(values.begin(), values.end() - kMostSpeeds)
             : values.erase(values.begin() + kMostSpeeds, values.end());
    return values;
}

/// In the unit of the values under it.
QString wantedLabel(const FrontierView& view) {
    switch (view.choice.shown.along) {
    case engine::FrontierAlong::Speed:
        return quantityLabel(FrontierChartWords::tr("Speed for one user, at least"), QStringLiteral("tok/s"));
    case engine::FrontierAlong::FirstToken:
        return quantityLabel(FrontierChartWords::tr("Time to first token, at most"),
                             QString::fromStdString(view.firstToken.name));
    case engine::FrontierAlong::Price:
        return quantityLabel(FrontierChartWords::tr("Price of one replica, at most"), QStringLiteral("$"));
    }
    return {};
}

} // namespace

Chart frontierChart(const std::shared_ptr<const FrontierView>& view) {
    Chart chart;
    chart.title = FrontierChartWords::tr("Throughput against speed");
    chart.x.label = frontierAlongLabel(view->choice.shown.along);
    chart.x.shown = view->shownAlong();
    chart.y.label = frontierAxisLabel(view->choice.shown.axis);
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
        const bool off = view->choice.isOff(systems[i]);
        const bool pale = view->isPaleSystem(i);
        const auto name = QString::fromStdString(systems[i].name);
        chart.cloud->groups.push_back({off    ? QString()
                                       : pale ? FrontierChartWords::tr("%1, ideal").arg(name)
                                              : name,
                                       pale ? ChartColor::role(kIdealInk) : look.color, look.marker});
    }
    std::vector<bool> onFront(view->run->points.size());
    for (const auto& front : view->fronts)
        for (const auto place : front)
            onFront[place] = true;
    for (const auto place : view->placed) {
        const auto& point = view->point(place);
        if (view->choice.drawn.fronts)
            chart.cloud->pale.push_back(onFront[place] ? 0 : 1);
        points->x.push_back(view->choice.along(point));
        points->y.push_back(view->choice.up(point));
        points->group.push_back(static_cast<std::uint8_t>(point.system));
        chart.cloud->kept.push_back(view->choice.shown.limits.hold(point) ? 1 : 0);
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
    if (view->choice.drawn.fronts)
        for (std::size_t i = 0; i < systems.size(); ++i)
            if (view->fronts[i].size() > 1)
                chart.lines.push_back(frontLine(*view, i));
    if (view->choice.drawn.measured)
        addMeasured(chart, *view);
    chart.references = frontierReferences(view->choice.shown);
    return chart;
}

Chart bestAtSpeedChart(const FrontierView& view) {
    Chart chart;
    chart.title = FrontierChartWords::tr("Best at a speed");
    chart.x.label = wantedLabel(view);
    chart.y.label = frontierAxisLabel(view.choice.shown.axis);
    chart.emptyText = FrontierChartWords::tr("No point is within the limits");
    const auto values = roundValues(view);
    if (values.empty())
        return chart;
    for (const double value : values)
        chart.x.categories.push_back(
            QString::fromStdString(engine::plainText(value * view.shownAlong().factor)));
    ChartBars bars;
    bars.reason = FrontierChartWords::tr("no point is so good");
    bars.missing = QStringLiteral("\u2013");
    for (std::size_t i = 0; i < view.fronts.size(); ++i) {
        if (view.fronts[i].empty())
            continue;
        ChartBarSeries series;
        series.name = QString::fromStdString(view.run->definition.systems[i].name);
        series.bar = static_cast<int>(bars.series.size());
        series.color = view.isPaleSystem(i) ? ChartColor::role(kIdealInk) : frontierLook(i).color;
        if (view.isPaleSystem(i))
            series.name = FrontierChartWords::tr("%1, ideal").arg(series.name);
        for (const double value : values)
            series.values.push_back(bestAt(view, i, value));
        bars.series.push_back(std::move(series));
    }
    chart.bars = std::move(bars);
    return chart;
}

Chart layoutsOnFrontChart(const FrontierView& view) {
    Chart chart;
    chart.title = FrontierChartWords::tr("Layout on the front");
    chart.x.label = frontierAlongLabel(view.choice.shown.along);
    chart.x.shown = view.shownAlong();
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
            const auto along = [&](std::size_t at) {
                return view.choice.along(view.point(front[std::min(at, front.size() - 1)]));
            };
            const auto [from, to] = std::minmax({along(begin), along(end)});
            ChartLine line;
            line.color = view.isPaleSystem(i) ? ChartColor::role(kIdealInk) : frontierLook(i).color;
            line.width = kLayoutWidth;
            line.x = {from, to > from ? to / kLayoutGap : from * kLayoutGap};
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

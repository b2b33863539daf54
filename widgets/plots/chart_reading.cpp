// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/chart_reading.h"

#include "engine/plotting/series.h"
#include "engine/units/number_text.h"
#include "widgets/plots/plot_view.h"

#include <QStringList>

#include <algorithm>
#include <cmath>

namespace heteroscape::widgets {

namespace {

constexpr qsizetype kLineLength = 48; // letters of a reason in one line of the read-out

QString valueText(double value, const QString& unit) {
    return withUnit(QString::fromStdString(engine::plainText(value)), unit);
}

/// "L2 size 96 MB" of an axis, or the name that stands there.
QString placeText(const ChartAxis& axis, const std::optional<QString>& name, double at) {
    if (!name)
        return PlotView::tr("%1 %2").arg(quantityOf(axis.label),
                                         valueText(at * axis.shown.factor, unitOf(axis.shownLabel())));
    if (!axis.categories.empty())
        return *name; // a name tells what it is
    return PlotView::tr("%1 %2").arg(quantityOf(axis.label), withUnit(*name, unitOf(axis.shownLabel())));
}

void addReason(std::vector<ReadOut::Row>& rows, const QString& reason) {
    QString line;
    for (const auto& word : reason.split(u' ', Qt::SkipEmptyParts)) {
        if (!line.isEmpty() && line.size() + word.size() >= kLineLength) {
            rows.push_back({line, {}, {}});
            line.clear();
        }
        line += (line.isEmpty() ? QString() : QStringLiteral(" ")) + word;
    }
    if (!line.isEmpty())
        rows.push_back({line, {}, {}});
}

ReadOut::Row curveRow(const Chart& chart, const ChartLine& curve, std::size_t i) {
    const bool right = curve.onRight && chart.right;
    const auto& axis = right ? *chart.right : chart.y;
    const double value = curve.y[i];
    auto text = std::isnan(value) ? PlotView::tr("not feasible")
                                  : valueText(value * axis.shown.factor, unitOf(axis.shownLabel()));
    if (!std::isnan(value) && i < curve.low.size() && i < curve.high.size() && std::isfinite(curve.low[i]) &&
        std::isfinite(curve.high[i])) {
        // The band has no more digits than it means.
        const auto edge = [&axis](double at) {
            return QString::fromStdString(engine::shortText(at * axis.shown.factor, 4));
        };
        text = PlotView::tr("%1, %2 to %3").arg(text, edge(curve.low[i]), edge(curve.high[i]));
    }
    if (curve.isMuted(i))
        text = PlotView::tr("%1 (filtered out)").arg(text);
    return {curve.name, text, curve.color.resolve(false)};
}

ChartReading cloudReading(const Chart& chart, std::size_t index) {
    const auto& cloud = *chart.cloud;
    const auto& points = *cloud.points;
    const auto facts = points.facts ? points.facts(index) : std::vector<std::pair<QString, QString>>();
    ChartReading reading;
    constexpr std::size_t kInHeading = 2;
    QStringList heading;
    for (std::size_t i = 0; i < facts.size() && i < kInHeading; ++i)
        heading << (facts[i].first.isEmpty() ? facts[i].second
                                             : PlotView::tr("%1 %2").arg(facts[i].first, facts[i].second));
    reading.heading =
        heading.isEmpty() ? PlotView::tr("Point %1").arg(index + 1) : heading.join(QStringLiteral(", "));
    const auto& group = cloud.groups.at(std::min(cloud.groupOf(index), cloud.groups.size() - 1));
    reading.rows.push_back(
        {quantityOf(chart.y.label),
         valueText(points.y.at(index) * chart.y.shown.factor, unitOf(chart.y.shownLabel())),
         group.color.resolve(false)});
    reading.rows.push_back(
        {quantityOf(chart.x.label),
         valueText(points.x.at(index) * chart.x.shown.factor, unitOf(chart.x.shownLabel())),
         {}});
    if (!points.size.empty())
        reading.rows.push_back({quantityOf(cloud.sizeLabel),
                                std::isnan(points.size[index])
                                    ? PlotView::tr("N/A")
                                    : valueText(points.size[index] * cloud.shownSize.factor,
                                                unitOf(shownLabel(cloud.sizeLabel, cloud.shownSize))),
                                {}});
    for (std::size_t i = kInHeading; i < facts.size(); ++i)
        reading.rows.push_back({facts[i].first, facts[i].second, {}});
    if (!cloud.isKept(index))
        reading.rows.push_back(
            {cloud.filteredWord.isEmpty() ? PlotView::tr("Filtered out") : cloud.filteredWord, {}, {}});
    else if (std::find(cloud.front.begin(), cloud.front.end(), index) != cloud.front.end())
        reading.rows.push_back({PlotView::tr("On the Pareto front"), {}, {}});
    return reading;
}

/// The next point to the right or left: of the front when there is one, else of all that are kept.
std::optional<ChartPoint> walkedCloud(const ChartCloud& cloud, std::optional<ChartPoint> from, int right) {
    const auto at = [](std::size_t i) { return ChartPoint{0, static_cast<int>(i), ChartPoint::Kind::Cloud}; };
    if (!cloud.front.empty()) {
        const auto old =
            from ? std::find(cloud.front.begin(), cloud.front.end(), static_cast<std::size_t>(from->index))
                 : cloud.front.end();
        if (old == cloud.front.end())
            return at(right < 0 ? cloud.front.back() : cloud.front.front());
        const auto place =
            std::clamp<std::ptrdiff_t>(old - cloud.front.begin() + right, 0, std::ssize(cloud.front) - 1);
        return at(cloud.front[static_cast<std::size_t>(place)]);
    }
    const auto& points = *cloud.points;
    std::optional<std::size_t> best;
    const auto before = [&points](std::size_t a, std::size_t b) {
        return points.x[a] != points.x[b] ? points.x[a] < points.x[b] : a < b;
    };
    for (std::size_t i = 0; i < points.x.size(); ++i) {
        if (!cloud.isKept(i) || std::isnan(points.x[i]) || std::isnan(points.y[i]))
            continue;
        const auto old = from ? static_cast<std::size_t>(from->index) : i;
        if (from && !(right < 0 ? before(i, old) : before(old, i)))
            continue;
        if (!best || (right < 0 ? before(*best, i) : before(i, *best)))
            best = i;
    }
    return best ? std::optional(at(*best)) : from;
}

QString missingWord(const QString& own) {
    return own.isEmpty() ? PlotView::tr("N/A") : own;
}

ChartReading cellReading(const Chart& chart, engine::Cell cell) {
    const auto& map = *chart.heatMap;
    ChartReading reading;
    const auto column = static_cast<double>(cell.column), row = static_cast<double>(cell.row);
    reading.heading = PlotView::tr("%1, %2").arg(placeText(chart.x, chart.xName(column), column),
                                                 placeText(chart.y, chart.yName(row), row));
    const double value = map.z.at(cell.row).at(cell.column);
    if (!std::isfinite(value)) {
        reading.rows.push_back({quantityOf(map.label), missingWord(map.missing), {}});
        addReason(reading.rows, map.whyNot(cell));
        return reading;
    }
    reading.rows.push_back({quantityOf(map.label),
                            valueText(value * map.shown.factor, unitOf(shownLabel(map.label, map.shown))),
                            {}});
    if (engine::isBest(map.z, map.better, cell))
        reading.rows.push_back({PlotView::tr("The best of all"), {}, {}});
    return reading;
}

ChartReading barReading(const Chart& chart, ChartPoint point) {
    const auto& bars = *chart.bars;
    const auto& chosen = bars.series.at(static_cast<std::size_t>(point.line));
    const auto category = static_cast<std::size_t>(point.index);
    const auto unit = unitOf(chart.y.shownLabel());
    const auto bar = static_cast<std::size_t>(chosen.bar);
    const bool named = bar < bars.names.size();
    ChartReading reading;
    reading.heading = chart.x.categories.at(category);
    if (named)
        reading.heading = PlotView::tr("%1, %2").arg(
            reading.heading,
            bars.title.isEmpty() ? bars.names[bar] : PlotView::tr("%1 %2").arg(bars.title, bars.names[bar]));
    double sum = 0;
    int pieces = 0;
    QStringList reasons; // each once: bars of a group often lack the same
    // The topmost piece first, as they stand; without names of bars the whole group is compared.
    for (auto series = bars.series.rbegin(); series != bars.series.rend(); ++series) {
        if (series->bar != chosen.bar && named)
            continue;
        const bool known = category < series->values.size() && std::isfinite(series->values[category]);
        const auto index = static_cast<std::size_t>(bars.series.rend() - series - 1);
        if (const auto why = known ? QString() : bars.whyNot(index, category);
            !why.isEmpty() && !reasons.contains(why))
            reasons << why;
        reading.rows.push_back({series->name.isEmpty() ? quantityOf(chart.y.label) : series->name,
                                known ? valueText(series->values[category] * chart.y.shown.factor, unit)
                                      : missingWord(bars.missing),
                                series->color.resolve(false)});
        if (known && series->bar == chosen.bar) {
            sum += series->values[category];
            ++pieces;
        }
    }
    if (!named) // bars side by side are read from the left
        std::reverse(reading.rows.begin(), reading.rows.end());
    if (chosen.isMuted(category))
        reasons << PlotView::tr("Filtered out");
    if (pieces > 1)
        reading.rows.push_back({PlotView::tr("Together"), valueText(sum * chart.y.shown.factor, unit), {}});
    for (const auto line : chart.namedLines()) {
        const auto& curve = chart.lines[line];
        const auto found = std::find(curve.x.begin(), curve.x.end(), static_cast<double>(category));
        if (found != curve.x.end())
            reading.rows.push_back(curveRow(chart, curve, static_cast<std::size_t>(found - curve.x.begin())));
    }
    for (const auto& reason : reasons)
        addReason(reading.rows, reason);
    return reading;
}

} // namespace

QString ChartReading::text() const {
    QStringList parts;
    for (const auto& row : rows)
        parts << (row.value.isEmpty() ? row.name : row.name + u' ' + row.value);
    return parts.isEmpty() ? heading : heading + QStringLiteral(": ") + parts.join(QStringLiteral(", "));
}

ChartReading readingOf(const Chart& chart, ChartPoint point) {
    const auto index = static_cast<std::size_t>(point.index);
    if (point.kind == ChartPoint::Kind::Cell)
        return cellReading(chart, {static_cast<std::size_t>(point.line), index});
    if (point.kind == ChartPoint::Kind::Bar)
        return barReading(chart, point);
    if (point.kind == ChartPoint::Kind::Cloud)
        return cloudReading(chart, index);
    if (point.line >= 0)
        return readingAt(chart, chart.lines.at(static_cast<std::size_t>(point.line)).x.at(index));
    const auto& mark = chart.marks.at(index);
    ChartReading reading{mark.name, {}, {}};
    for (const auto& [name, value] : mark.readOut)
        reading.rows.push_back({name, value, {}});
    return reading;
}

ChartReading readingAt(const Chart& chart, double x, double* at) {
    std::vector<double> xs;
    const auto named = chart.namedLines();
    for (const auto line : named)
        xs.insert(xs.end(), chart.lines[line].x.begin(), chart.lines[line].x.end());
    const auto nearest = engine::nearestIndex(xs, x, chart.x.log);
    ChartReading reading;
    if (!nearest)
        return reading;
    const double here = xs[*nearest];
    if (at)
        *at = here;
    reading.heading = placeText(chart.x, chart.xName(here), here);
    for (const auto line : named) {
        const auto& curve = chart.lines[line];
        const auto found = std::find(curve.x.begin(), curve.x.end(), here);
        if (found == curve.x.end())
            continue;
        const auto index = found - curve.x.begin();
        const double value = curve.y[static_cast<std::size_t>(index)];
        reading.rows.push_back(curveRow(chart, curve, static_cast<std::size_t>(index)));
        if (!std::isnan(value))
            reading.points.push_back({static_cast<int>(line), static_cast<int>(index)});
        else if (static_cast<std::size_t>(index) < curve.reasons.size())
            addReason(reading.rows, curve.reasons[static_cast<std::size_t>(index)]);
    }
    return reading;
}

std::optional<ChartPoint> walkedFrom(const Chart& chart, std::optional<ChartPoint> from, int right, int up) {
    const auto stepped = [](std::optional<int> at, int step, int count) {
        return std::clamp(at ? *at + step : step < 0 ? count - 1 : 0, 0, count - 1);
    };
    using Kind = ChartPoint::Kind;
    if (chart.heatMap && chart.heatMap->columns() > 0) {
        const auto& z = chart.heatMap->z;
        const auto old = from ? *from : ChartPoint{};
        ChartPoint to{0, 0, Kind::Cell};
        to.line = stepped(from ? std::optional(old.line) : std::nullopt, up, static_cast<int>(z.size()));
        const auto columns = static_cast<int>(z[static_cast<std::size_t>(to.line)].size());
        if (columns == 0)
            return from;
        to.index = stepped(from ? std::optional(old.index) : std::nullopt, right, columns);
        return to;
    }
    if (right == 0)
        return from;
    if (chart.bars && !chart.bars->series.empty()) {
        // Every bar once, by its lowest piece, from the left.
        std::vector<ChartPoint> stops;
        for (std::size_t category = 0; category < chart.x.categories.size(); ++category)
            for (int bar = 0; bar < chart.bars->perGroup(); ++bar)
                for (std::size_t i = 0; i < chart.bars->series.size(); ++i)
                    if (chart.bars->series[i].bar == bar && category < chart.bars->series[i].values.size()) {
                        stops.push_back({static_cast<int>(i), static_cast<int>(category), Kind::Bar});
                        break;
                    }
        if (stops.empty())
            return std::nullopt;
        const auto found = from ? std::find(stops.begin(), stops.end(), *from) : stops.end();
        const auto at =
            found == stops.end() ? std::nullopt : std::optional(static_cast<int>(found - stops.begin()));
        return stops[static_cast<std::size_t>(stepped(at, right, static_cast<int>(stops.size())))];
    }
    if (chart.cloud)
        return walkedCloud(*chart.cloud, from, right);
    const auto at = from ? std::optional(from->index) : std::nullopt;
    if (!chart.marks.empty())
        return ChartPoint{-1, stepped(at, right, static_cast<int>(chart.marks.size()))};
    const auto named = chart.namedLines();
    if (named.empty() || chart.lines[named.front()].x.empty())
        return std::nullopt;
    return ChartPoint{static_cast<int>(named.front()),
                      stepped(at, right, static_cast<int>(chart.lines[named.front()].x.size()))};
}

} // namespace heteroscape::widgets

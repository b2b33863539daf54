// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/csv.h"
#include "engine/plotting/ticks.h"
#include "engine/units/number_text.h"
#include "widgets/plots/chart.h"

#include <QStringList>

#include <algorithm>
#include <cmath>
#include <map>

namespace heteroscape::widgets {

namespace {

QString field(const QString& text) {
    return QString::fromStdString(engine::csvField(text.toStdString()));
}

QString number(double value) {
    return std::isnan(value) ? QString() : QString::fromStdString(engine::exactText(value));
}

/// A name as a cell; of a number that is written for people, "4,096", the number itself.
QString nameCell(const QString& name) {
    auto plain = name;
    plain.remove(u',').replace(QChar(0x2212), u'-');
    bool isNumber = false;
    const double value = plain.toDouble(&isNumber);
    return isNumber && QString::fromStdString(engine::tickText(value)) == name ? number(value) : field(name);
}

QString keyName() {
    return QStringLiteral("Key"); // of a design
}

/// One row of cells that are CSV already.
QString row(const QStringList& cells) {
    return cells.join(u',') + u'\n';
}

QString header(QStringList names) {
    for (auto& name : names)
        name = field(name);
    return row(names);
}

QString nameAt(const std::vector<QString>& names, double at) {
    const auto index = static_cast<std::size_t>(std::max(0.0, at));
    const bool isName = at >= 0 && index < names.size() && static_cast<double>(index) == at;
    return isName ? nameCell(names[index]) : number(at);
}

/// The exact value of a row or column of a heat map, else its name.
QString positionText(const std::vector<double>& values, const std::vector<QString>& names, std::size_t at) {
    return at < values.size() && values.size() >= names.size() ? number(values[at])
                                                               : nameAt(names, static_cast<double>(at));
}

QString heatMapCsv(const Chart& chart) {
    const auto& map = *chart.heatMap;
    const auto xNames = chart.xNames(), yNames = chart.yNames();
    QStringList names{chart.x.label, chart.y.label, map.label, QStringLiteral("Not available because")};
    if (map.keyOf)
        names << keyName();
    QString text = header(names);
    for (std::size_t r = 0; r < map.z.size(); ++r)
        for (std::size_t c = 0; c < map.z[r].size(); ++c) {
            QStringList cells{positionText(map.x, xNames, c), positionText(map.y, yNames, r),
                              number(map.z[r][c]),
                              std::isfinite(map.z[r][c]) ? QString() : field(map.whyNot({r, c}))};
            if (map.keyOf)
                cells << map.keyOf({r, c});
            text += row(cells);
        }
    return text;
}

bool isStacked(const ChartBars& bars) {
    return std::count_if(bars.series.begin(), bars.series.end(),
                         [](const auto& one) { return one.bar == 0; }) > 1;
}

/// Lines across the plot as columns that say the same in every row.
QStringList referenceNames(const Chart& chart) {
    QStringList names;
    for (const auto& reference : chart.references)
        names << reference.label;
    return names;
}
QStringList referenceCells(const Chart& chart) {
    QStringList cells;
    for (const auto& reference : chart.references)
        cells << number(reference.at);
    return cells;
}

/// What is said of each point of a curve or of bars behind its value: what became of it, "ok", "filtered",
/// and the key of its design. A column each, where the chart has it.
template <class Points>
QStringList furtherNames(const Points& points, const QString& name) {
    QStringList names;
    if (!points.status.empty())
        names << name + QStringLiteral(", status");
    if (!points.keys.empty())
        names << name + QStringLiteral(", key");
    return names;
}
template <class Points>
QStringList furtherCells(const Points& points, std::size_t i) {
    QStringList cells;
    if (!points.status.empty())
        cells << (i < points.status.size() ? field(QString::fromUtf8(points.status[i])) : QString());
    if (!points.keys.empty())
        cells << (i < points.keys.size() ? points.keys[i] : QString());
    return cells;
}

QString barsCsv(const Chart& chart) {
    const auto& bars = *chart.bars;
    QStringList names{chart.x.label};
    const bool stacked = isStacked(bars);
    const auto addName = [&](QString name, int bar) {
        const auto at = static_cast<std::size_t>(bar);
        if (at < bars.names.size())
            name += (name.isEmpty() ? QString() : QStringLiteral(", ")) +
                    (bars.title.isEmpty() ? QString() : bars.title + u' ') + bars.names[at];
        names << (name.isEmpty() ? chart.y.label : chart.y.label + QStringLiteral(", ") + name);
    };
    for (const auto& series : bars.series) {
        addName(series.name, series.bar);
        names << furtherNames(series, names.back());
    }
    for (int bar = 0; stacked && bar < bars.perGroup(); ++bar)
        addName(QStringLiteral("Together"), bar);
    QString text = header(names + referenceNames(chart));
    const auto references = referenceCells(chart);
    for (std::size_t category = 0; category < chart.x.categories.size(); ++category) {
        QStringList cells{nameCell(chart.x.categories[category])};
        for (const auto& series : bars.series) {
            cells << (category < series.values.size() ? number(series.values[category]) : QString());
            cells << furtherCells(series, category);
        }
        for (int bar = 0; stacked && bar < bars.perGroup(); ++bar)
            cells << number(chart.barSum(bar, category));
        text += row(cells + references);
    }
    return text;
}

/// Every point that has both values, in the order of the table; the front as a column of its own.
QString cloudCsv(const Chart& chart) {
    const auto& cloud = *chart.cloud;
    const auto& points = *cloud.points;
    const bool named = std::any_of(cloud.groups.begin(), cloud.groups.end(),
                                   [](const auto& group) { return !group.name.isEmpty(); });
    QStringList names{QStringLiteral("Row"), chart.x.label, chart.y.label};
    if (!points.size.empty())
        names << cloud.sizeLabel;
    if (named)
        names << (chart.legendTitle.isEmpty() ? QStringLiteral("Group") : chart.legendTitle);
    names << QStringLiteral("Kept");
    if (!cloud.front.empty())
        names << QStringLiteral("Pareto front");
    if (cloud.keyOf)
        names << keyName();
    std::vector<bool> onFront(points.x.size());
    for (const auto i : cloud.front)
        onFront[i] = true;
    QString text = header(names);
    for (std::size_t i = 0; i < points.x.size(); ++i) {
        if (std::isnan(points.x[i]) || std::isnan(points.y[i]))
            continue;
        QStringList cells{QString::number(i), number(points.x[i]), number(points.y[i])};
        if (!points.size.empty())
            cells << number(points.size[i]);
        if (named)
            cells << (points.groupValue
                          ? field(points.groupValue(i))
                          : nameCell(cloud.groups[std::min(cloud.groupOf(i), cloud.groups.size() - 1)].name));
        cells << (cloud.isKept(i) ? QStringLiteral("1") : QStringLiteral("0"));
        if (!cloud.front.empty())
            cells << (onFront[i] ? QStringLiteral("1") : QStringLiteral("0"));
        if (cloud.keyOf)
            cells << cloud.keyOf(i);
        text += row(cells);
    }
    return text;
}

QString linesCsv(const Chart& chart) {
    QStringList names{chart.x.label};
    std::map<double, QStringList> rows;
    for (const auto& line : chart.lines)
        for (const double x : line.x)
            rows.try_emplace(x, QStringList{nameAt(chart.x.categories, x)});
    for (const auto& line : chart.lines) {
        const auto& label = line.onRight && chart.right ? chart.right->label : chart.y.label;
        const bool said = line.name.isEmpty() || line.name == quantityOf(label);
        names << (said ? label : label + QStringLiteral(", ") + line.name);
        std::map<double, double> values;
        for (std::size_t i = 0; i < line.x.size(); ++i)
            values[line.x[i]] = line.y[i];
        for (auto& [x, cells] : rows) {
            const auto found = values.find(x);
            cells << (found == values.end() ? QString() : number(found->second));
        }
        const auto name = names.back();
        names << furtherNames(line, name);
        std::map<double, std::size_t> places;
        for (std::size_t i = 0; i < line.x.size(); ++i)
            places.try_emplace(line.x[i], i);
        for (auto& [x, cells] : rows) {
            const auto place = places.find(x);
            cells << furtherCells(line, place == places.end() ? line.x.size() : place->second);
        }
        if (line.low.size() != line.x.size() || line.low.empty())
            continue;
        names << name + QStringLiteral(", least") << name + QStringLiteral(", most");
        for (auto& [x, cells] : rows) {
            const auto found = std::find(line.x.begin(), line.x.end(), x);
            const auto i = static_cast<std::size_t>(found - line.x.begin());
            cells << (found == line.x.end() ? QString() : number(line.low[i]))
                  << (found == line.x.end() ? QString() : number(line.high[i]));
        }
    }
    std::map<double, QString> crossed; // where one curve takes the lead: often between the points
    for (const auto& crossover : chart.crossovers) {
        auto& label = crossed[crossover.x];
        label += (label.isEmpty() ? QString() : QStringLiteral("; ")) + crossover.label;
    }
    const auto width = names.size();
    for (const auto& [x, label] : crossed) {
        auto& cells = rows.try_emplace(x, QStringList{nameAt(chart.x.categories, x)}).first->second;
        while (cells.size() < width)
            cells << QString();
    }
    names << referenceNames(chart);
    if (!crossed.empty())
        names << QStringLiteral("Mark");
    const auto references = referenceCells(chart);
    QString text = header(names);
    for (auto& [x, cells] : rows) {
        cells << references;
        if (!crossed.empty())
            cells << field(crossed[x]);
        text += row(cells);
    }
    return text;
}

/// Named points and the curves round them (operators under their roofs): one row a point.
QString marksCsv(const Chart& chart) {
    const bool keyed = std::any_of(chart.marks.begin(), chart.marks.end(),
                                   [](const auto& mark) { return !mark.key.isEmpty(); });
    QStringList names{QStringLiteral("Name"), QStringLiteral("Kind"), chart.x.label, chart.y.label};
    if (keyed)
        names << keyName();
    QString text = header(names);
    const auto add = [&](const QString& name, const QString& kind, double x, double y, const QString& key) {
        QStringList cells{field(name), kind, nameAt(chart.x.categories, x), number(y)};
        if (keyed)
            cells << key;
        text += row(cells);
    };
    for (const auto& mark : chart.marks)
        add(mark.name, QStringLiteral("point"), mark.x, mark.y, mark.key);
    for (const auto& line : chart.lines)
        for (std::size_t i = 0; i < line.x.size(); ++i)
            add(line.name, QStringLiteral("line"), line.x[i], line.y[i], {});
    return text;
}

} // namespace

QString chartCsv(const Chart& shown) {
    auto chart = shown;
    chart.hidden.clear(); // what is not drawn for now is data all the same
    QStringList tables;
    if (chart.heatMap)
        tables << heatMapCsv(chart);
    if (chart.bars)
        tables << barsCsv(chart);
    if (chart.cloud)
        tables << cloudCsv(chart);
    if (!chart.marks.empty())
        tables << marksCsv(chart);
    else if (!chart.lines.empty() || (!chart.heatMap && !chart.bars && !chart.cloud))
        tables << linesCsv(chart);
    return tables.join(u'\n');
}

} // namespace heteroscape::widgets

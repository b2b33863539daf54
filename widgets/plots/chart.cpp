// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/chart.h"

#include <algorithm>
#include <cmath>
#include <limits>

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
    case From::Heat:
        return alwaysLight ? Theme::lightHeat(index / 1000.0) : theme.heat(index / 1000.0);
    case From::Role:
        break;
    }
    const auto role = static_cast<ColorRole>(index);
    return alwaysLight ? Theme::lightColor(role) : theme.color(role);
}

namespace {

bool drawable(double value, bool log) {
    return std::isfinite(value) && (!log || value > 0);
}

/// x, y of everything drawn on the left or the right axis.
std::vector<std::pair<double, double>> pointsOf(const Chart& chart, bool onRight) {
    std::vector<std::pair<double, double>> points;
    const bool log = onRight ? chart.right && chart.right->log : chart.y.log;
    const auto add = [&](double x, double y) {
        if (drawable(x, chart.x.log) && drawable(y, log))
            points.emplace_back(x, y);
    };
    for (const auto& line : chart.lines)
        for (std::size_t i = 0; line.onRight == onRight && !chart.isHidden(line.name) && i < line.x.size();
             ++i) {
            add(line.x[i], line.y[i]);
            if (i < line.low.size()) {
                add(line.x[i], line.low[i]);
                add(line.x[i], line.high[i]);
            }
        }
    for (const auto& star : chart.stars) {
        if (star.onRight != onRight || !chart.isShown(star.x, star.y))
            continue;
        add(star.x, star.y);
        if (star.over)
            add(star.over->x, star.over->y);
    }
    if (onRight)
        return points;
    for (const auto& mark : chart.marks)
        add(mark.x, mark.y);
    if (chart.cloud) // its corners stand for all its points
        for (const double x : chart.cloud->points->xExtremes)
            for (const double y : chart.cloud->points->yExtremes)
                add(x, y);
    for (std::size_t i = 0; chart.bars && i < chart.bars->series.size(); ++i) {
        const auto pieces = chart.barPieces(i);
        for (std::size_t category = 0; category < pieces.size(); ++category) {
            add(static_cast<double>(category), pieces[category].from);
            add(static_cast<double>(category), pieces[category].to);
        }
    }
    return points;
}

engine::AxisRange valueRange(const Chart& chart, const ChartAxis& axis, bool onRight) {
    if (axis.range)
        return *axis.range;
    std::vector<double> values;
    for (const auto& [x, y] : pointsOf(chart, onRight))
        values.push_back(y);
    for (const auto& reference : chart.references)
        if (!reference.vertical && reference.onRight == onRight)
            values.push_back(reference.at);
    auto range = engine::fittingRange(values, axis.log, true);
    if (!onRight && chart.bars && !axis.log) { // a bar is read as a length: it begins at zero
        range.lower = std::min(range.lower, 0.0);
        range.upper = std::max(range.upper, 0.0);
    }
    if (!onRight && chart.bars && chart.bars->writeValues) { // room over the tallest
        constexpr double kRoom = 0.12;
        if (axis.log)
            range.upper *= std::pow(range.upper / range.lower, kRoom);
        else
            range.upper += kRoom * (range.upper - range.lower);
    }
    return range;
}

QString valueName(double value) {
    return QString::fromStdString(engine::tickText(value));
}

std::vector<QString> namesOf(const ChartAxis& axis, const std::vector<double>* values) {
    if (!axis.categories.empty() || !values)
        return axis.categories;
    std::vector<QString> names(values->size());
    std::transform(values->begin(), values->end(), names.begin(), valueName);
    return names;
}

std::optional<QString> nameOf(const ChartAxis& axis, const std::vector<double>* values, double at) {
    const bool valued = axis.categories.empty() && values;
    const auto count = valued ? values->size() : axis.categories.size();
    if (count == 0)
        return std::nullopt;
    if (!(at >= 0 && at < static_cast<double>(count)))
        return QString();
    const auto place = static_cast<std::size_t>(at);
    return valued ? valueName((*values)[place]) : axis.categories[place];
}

engine::AxisRange nameRange(std::size_t names) {
    return {-0.5, static_cast<double>(names) - 0.5};
}

} // namespace

std::vector<double> CloudPoints::extremes(const std::vector<double>& values) {
    const double none = std::numeric_limits<double>::infinity();
    double least = none, above = none, most = -none;
    for (const double value : values) {
        if (!std::isfinite(value))
            continue;
        least = std::min(least, value);
        most = std::max(most, value);
        if (value > 0)
            above = std::min(above, value);
    }
    std::vector<double> found;
    for (const double value : {least, above, most})
        if (std::isfinite(value))
            found.push_back(value);
    return found;
}

int ChartBars::perGroup() const {
    int count = 1;
    for (const auto& one : series)
        count = std::max(count, one.bar + 1);
    return count;
}

QString ChartBars::whyNot(std::size_t which, std::size_t category) const {
    const auto& reasons = series.at(which).reasons;
    return category < reasons.size() && !reasons[category].isEmpty() ? reasons[category] : reason;
}

std::size_t ChartHeatMap::columns() const {
    std::size_t count = 0;
    for (const auto& row : z)
        count = std::max(count, row.size());
    return count;
}

engine::AxisRange ChartHeatMap::scale() const {
    return range ? *range : engine::heatRange(z, log);
}

QString ChartHeatMap::whyNot(engine::Cell cell) const {
    const auto own = reasonOf ? reasonOf(cell) : QString();
    return own.isEmpty() ? reason : own;
}

bool ChartHeatMap::isFiltered(engine::Cell cell) const {
    return cell.row < filtered.size() && cell.column < filtered[cell.row].size() &&
           filtered[cell.row][cell.column];
}

bool Chart::isHidden(const QString& name) const {
    return !hidden.empty() && !name.isEmpty() &&
           std::find(hidden.begin(), hidden.end(), name) != hidden.end();
}

bool Chart::isShown(double atX, double atY) const {
    if (hidden.empty())
        return true;
    bool onHidden = false;
    for (const auto& line : lines)
        for (std::size_t i = 0; i < line.x.size(); ++i)
            if (line.x[i] == atX && line.y[i] == atY) {
                if (!isHidden(line.name))
                    return true;
                onHidden = true;
            }
    return !onHidden;
}

bool Chart::hasData() const {
    if (!pointsOf(*this, false).empty() || (right && !pointsOf(*this, true).empty()))
        return true;
    return heatMap && std::any_of(heatMap->z.begin(), heatMap->z.end(), [](const auto& row) {
               return std::any_of(row.begin(), row.end(), [](double z) { return std::isfinite(z); });
           });
}

std::vector<QString> Chart::xNames() const {
    return namesOf(x, heatMap ? &heatMap->x : nullptr);
}

std::vector<QString> Chart::yNames() const {
    return namesOf(y, heatMap ? &heatMap->y : nullptr);
}

std::optional<QString> Chart::xName(double at) const {
    return nameOf(x, heatMap ? &heatMap->x : nullptr, at);
}

std::optional<QString> Chart::yName(double at) const {
    return nameOf(y, heatMap ? &heatMap->y : nullptr, at);
}

std::vector<engine::Stretch> Chart::barPieces(std::size_t series) const {
    std::vector<int> which;
    for (const auto& one : bars->series)
        which.push_back(one.bar);
    std::vector<engine::Stretch> pieces;
    for (std::size_t category = 0; category < bars->series.at(series).values.size(); ++category) {
        std::vector<double> values;
        for (const auto& one : bars->series)
            values.push_back(category < one.values.size() && !isHidden(one.name)
                                 ? one.values[category]
                                 : std::numeric_limits<double>::quiet_NaN());
        pieces.push_back(engine::stackPieces(values, which)[series]);
    }
    return pieces;
}

double Chart::barSum(int bar, std::size_t category) const {
    double sum = std::numeric_limits<double>::quiet_NaN();
    for (const auto& one : bars->series)
        if (one.bar == bar && category < one.values.size() && std::isfinite(one.values[category]) &&
            !isHidden(one.name))
            sum = (std::isnan(sum) ? 0.0 : sum) + one.values[category];
    return sum;
}

engine::AxisRange Chart::xRange() const {
    if (x.range)
        return *x.range;
    if (heatMap)
        return nameRange(std::max<std::size_t>(1, heatMap->columns()));
    if (!x.categories.empty())
        return nameRange(x.categories.size());
    std::vector<double> values;
    for (const bool onRight : {false, true})
        for (const auto& point : pointsOf(*this, onRight))
            values.push_back(point.first);
    // Where infeasible points lie is part of the picture: they are gaps, not missing stretches of the axis.
    for (const auto& line : lines)
        values.insert(values.end(), line.x.begin(), line.x.end());
    for (const auto& reference : references)
        if (reference.vertical)
            values.push_back(reference.at);
    return engine::fittingRange(values, x.log, false);
}

engine::AxisRange Chart::yRange() const {
    if (heatMap && !y.range)
        return nameRange(std::max<std::size_t>(1, heatMap->z.size()));
    return valueRange(*this, y, false);
}

engine::AxisRange Chart::rightRange() const {
    return right ? valueRange(*this, *right, true) : engine::AxisRange{};
}

std::vector<std::size_t> Chart::namedLines() const {
    std::vector<std::size_t> named;
    for (std::size_t i = 0; i < lines.size(); ++i)
        if (!lines[i].name.isEmpty() && !isHidden(lines[i].name))
            named.push_back(i);
    return named;
}

QString quantityOf(const QString& label) {
    const auto at = label.lastIndexOf(QStringLiteral(" ("));
    return at < 0 ? label : label.left(at);
}

QString unitOf(const QString& label) {
    const auto at = label.lastIndexOf(QStringLiteral(" ("));
    return at < 0 || !label.endsWith(u')') ? QString() : label.mid(at + 2, label.size() - at - 3);
}

QString shownLabel(const QString& label, const engine::ShownUnit& unit) {
    return unit.name.empty() ? label : quantityLabel(quantityOf(label), QString::fromStdString(unit.name));
}

QString ChartAxis::shownLabel() const {
    return widgets::shownLabel(label, shown);
}

QString withUnit(const QString& number, const QString& unit) {
    return unit.isEmpty() ? number : number + QChar(0x2009) + unit;
}

QString quantityLabel(const QString& quantity, const QString& unit) {
    return unit.isEmpty() ? quantity : QStringLiteral("%1 (%2)").arg(quantity, unit);
}

} // namespace heteroscape::widgets

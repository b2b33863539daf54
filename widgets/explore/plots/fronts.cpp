// SPDX-License-Identifier: GPL-3.0-or-later
// Fronts of groups of points, and plots of what is on them: the best at so much, and what the best consists
// of.
#include "widgets/explore/plots/fronts.h"

#include "engine/base/error.h"
#include "engine/evaluation/metric_path.h"
#include "engine/plotting/pareto.h"
#include "engine/units/number_text.h"
#include "widgets/document/truth_text.h"
#include "widgets/explore/plot_words.h"
#include "widgets/explore/study_plot_parts.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace heteroscape::widgets {

namespace {

constexpr std::size_t kFrontHues = 8;
constexpr double kFrontWidth = 2.6;
constexpr double kWidestBand = 0.95; // of the value: it stays above zero
constexpr double kSpanWidth = 5.0;
constexpr double kSpanGap = 1.02; // between two spans, of what lies along
constexpr std::size_t kMostWanted = 5;

/// Its looks by its place among all, so that one that is put away changes no other's.
GroupFront groupAt(std::size_t place) {
    constexpr std::array kMarkers{ChartMarker::Circle, ChartMarker::Square, ChartMarker::Diamond,
                                  ChartMarker::Triangle};
    constexpr std::array kDashes{ChartDash::Solid, ChartDash::Dashed, ChartDash::Dotted,
                                 ChartDash::DashDotted};
    return {{},
            ChartColor::series(static_cast<int>(place % kFrontHues)),
            kMarkers[place % kMarkers.size()],
            kDashes[place % kDashes.size()],
            false,
            {}};
}

const std::string& upwards(const engine::StudyPlot& plot) {
    return plot.metrics.size() > 1 ? plot.metrics[1] : plot.metrics[0];
}

} // namespace

int directionOf(const std::string& metric) {
    return engine::betterOf(metric) < 0 ? -1 : 1; // of what is neither good nor bad: more
}

std::vector<double> rowValues(const LoadedStudy& study, const engine::SeriesQuery& query,
                              const std::string& metric) {
    const auto& column = *study.table.find(metric);
    const engine::FeasibleValues at(study.table, column);
    std::vector<double> values(study.table.rows());
    for (std::size_t row = 0; row < values.size(); ++row)
        values[row] = at(row);
    if (query.baseline)
        for (auto& value : values)
            value = query.baseline->ratio(metric, value);
    return values;
}

Fronts frontsOf(const LoadedStudy& study, const engine::StudyPlot& plot, const engine::RowMask* kept) {
    Fronts out;
    out.x = rowValues(study, plot.query, plot.metrics[0]);
    out.y = rowValues(study, plot.query, upwards(plot));
    out.betterX = directionOf(plot.metrics[0]);
    out.betterY = directionOf(upwards(plot));
    out.isOn.resize(out.x.size());
    const auto* column = plot.query.curve.empty() ? nullptr : study.table.find(plot.query.curve);
    const auto values = column ? axisValues(study, plot.query.curve) : std::vector{0.0};
    std::vector<std::vector<std::size_t>> rows(values.size());
    std::vector<std::size_t> real(values.size());
    for (std::size_t row = 0; row < out.x.size(); ++row) {
        const auto group =
            column ? static_cast<std::size_t>(
                         std::lower_bound(values.begin(), values.end(), column->values[row]) - values.begin())
                   : 0;
        real[group] += study.isIdeal(row) ? 0 : 1;
        if (!isFilteredOut(kept, row) && std::isfinite(out.x[row]) && std::isfinite(out.y[row]))
            rows[group].push_back(row);
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
        auto& group = out.groups.emplace_back(groupAt(i));
        if (column)
            group.name = curveName(study, *column, values[i]);
        group.ideal = study.truths.areIdealAmongOthers() && real[i] == 0;
        std::vector<double> x, y;
        for (const auto row : rows[i]) {
            x.push_back(out.x[row]);
            y.push_back(out.y[row]);
        }
        for (const auto at : engine::paretoFront({{y, out.betterY}, {x, out.betterX}}))
            group.rows.push_back(rows[i][at]);
        std::stable_sort(group.rows.begin(), group.rows.end(),
                         [&](auto a, auto b) { return out.betterY * out.y[a] > out.betterY * out.y[b]; });
        for (const auto row : group.rows)
            out.isOn[row] = 1;
        if (group.ideal) {
            group.color = ChartColor::role(kIdealInk);
            group.name = PlotWords::tr("%1, ideal").arg(group.name);
        }
    }
    return out;
}

void addFronts(StudyChart& out, const LoadedStudy& study, const engine::StudyPlot& plot,
               const engine::RowMask* kept) {
    auto& cloud = *out.chart.cloud;
    const auto fronts = frontsOf(study, plot, kept);
    cloud.pale.assign(fronts.isOn.size(), 0);
    for (std::size_t row = 0; row < fronts.isOn.size(); ++row)
        cloud.pale[row] = fronts.isOn[row] ? 0 : 1;
    if (plot.frontsOnly) {
        auto points = std::make_shared<CloudPoints>(*cloud.points);
        for (std::size_t row = 0; row < fronts.isOn.size(); ++row)
            points->x[row] = fronts.isOn[row] ? fronts.x[row] : engine::kUnset;
        cloud.points = std::move(points);
        cloud.pale.clear();
    }
    out.chart.lines.clear();
    out.lineRows.clear();
    for (std::size_t i = 0; i < fronts.groups.size(); ++i) {
        const auto& group = fronts.groups[i];
        if (i < cloud.groups.size())
            cloud.groups[i] = {group.name, group.color, group.marker};
        if (group.rows.size() < 2)
            continue;
        auto rows = group.rows;
        std::sort(rows.begin(), rows.end(), [&](auto a, auto b) { return fronts.x[a] < fronts.x[b]; });
        ChartLine line;
        line.color = group.color;
        line.dash = group.dash;
        line.width = kFrontWidth;
        bool known = false;
        for (const auto row : rows) {
            const auto found = plot.bands ? study.knownError(row, upwards(plot)) : std::nullopt;
            const double error =
                found ? std::min(found->percent / 100, kWidestBand) : engine::kUnset; // NaN: not known
            line.x.push_back(fronts.x[row]);
            line.y.push_back(fronts.y[row]);
            line.low.push_back(fronts.y[row] * (1 - error));
            line.high.push_back(fronts.y[row] * (1 + error));
            known = known || std::isfinite(error);
        }
        if (!known) {
            line.low.clear();
            line.high.clear();
        }
        out.chart.lines.push_back(std::move(line));
        out.lineRows.push_back(std::move(rows));
    }
}

void prepareFronts(const LoadedStudy& study, const engine::StudyPlot& plot, const engine::RowMask* kept,
                   const std::stop_token& stop) {
    for (const auto& group : frontsOf(study, plot, kept).groups)
        for (const auto row : group.rows) {
            if (stop.stop_requested())
                throw engine::Error(engine::ErrorCode::Cancelled, "plot", "cancelled", {});
            study.errorOf(row, upwards(plot));
        }
}

bool frontsReady(const LoadedStudy& study, const engine::StudyPlot& plot, const engine::RowMask* kept) {
    const auto fronts = frontsOf(study, plot, kept);
    return std::all_of(fronts.groups.begin(), fronts.groups.end(), [&](const GroupFront& group) {
        return std::all_of(group.rows.begin(), group.rows.end(),
                           [&](std::size_t row) { return study.knownError(row, upwards(plot)).has_value(); });
    });
}

namespace {

/// Round values between the least and the most that lie along the fronts.
std::vector<double> roundValues(const Fronts& fronts) {
    double least = INFINITY, most = 0;
    for (const auto& group : fronts.groups)
        for (const auto row : group.rows) {
            least = std::min(least, fronts.x[row]);
            most = std::max(most, fronts.x[row]);
        }
    std::vector<double> values;
    if (most <= 0 || least <= 0)
        return values;
    for (double decade = std::pow(10.0, std::floor(std::log10(least))); decade <= most; decade *= 10)
        for (const double step : {1.0, 2.0, 5.0})
            if (decade * step >= least && decade * step <= most)
                values.push_back(decade * step);
    const bool more = fronts.betterX > 0;
    if (values.empty())
        values.push_back(more ? least : most);
    if (values.size() > kMostWanted) // what people are served with is nearer to the good end
        more ? values.erase(values.begin(), values.end() - kMostWanted)
             : values.erase(values.begin() + kMostWanted, values.end());
    return values;
}

/// "Speed for one user, at least (tok/s)"
QString wantedLabel(const LoadedStudy& study, const engine::StudyPlot& plot, const Fronts& fronts) {
    const auto label = metricLabel(study, plot.query, plot.metrics[0]);
    const auto quantity = quantityOf(label);
    return quantityLabel(fronts.betterX > 0 ? PlotWords::tr("%1, at least").arg(quantity)
                                            : PlotWords::tr("%1, at most").arg(quantity),
                         QString::fromStdString(metricUnit(study, plot.query, plot.metrics[0]).name));
}

void labelUpwards(Chart& chart, const PlotDrawing& of) {
    chart.y.label = metricLabel(of.study, of.plot.query, upwards(of.plot));
    chart.y.shown = metricUnit(of.study, of.plot.query, upwards(of.plot));
}

void drawBestAt(StudyChart& out, const PlotDrawing& of) {
    auto& chart = out.chart;
    const auto fronts = frontsOf(of.study, of.plot, of.kept);
    chart.x.label = wantedLabel(of.study, of.plot, fronts);
    labelUpwards(chart, of);
    chart.emptyText = PlotWords::tr("No point is within the limits");
    const auto values = roundValues(fronts);
    if (values.empty())
        return;
    const auto shown = metricUnit(of.study, of.plot.query, of.plot.metrics[0]);
    for (const double value : values)
        chart.x.categories.push_back(QString::fromStdString(engine::plainText(value * shown.factor)));
    ChartBars bars;
    bars.reason = PlotWords::tr("no point is so good");
    bars.missing = QStringLiteral("\u2013");
    for (const auto& group : fronts.groups) {
        if (group.rows.empty())
            continue;
        ChartBarSeries series;
        series.name = group.name;
        series.bar = static_cast<int>(bars.series.size());
        series.color = group.color;
        std::vector<std::size_t> rows;
        for (const double value : values) {
            const auto best = std::find_if(group.rows.begin(), group.rows.end(), [&](std::size_t row) {
                return fronts.betterX * fronts.x[row] >= fronts.betterX * value;
            });
            series.values.push_back(best == group.rows.end() ? engine::kUnset : fronts.y[*best]);
            rows.push_back(best == group.rows.end() ? StudyChart::kNoRow : *best);
        }
        bars.series.push_back(std::move(series));
        out.areaRows.push_back(std::move(rows));
    }
    chart.bars = std::move(bars);
}

void drawOnFront(StudyChart& out, const PlotDrawing& of) {
    auto& chart = out.chart;
    const auto fronts = frontsOf(of.study, of.plot, of.kept);
    chart.x.label = metricLabel(of.study, of.plot.query, of.plot.metrics[0]);
    chart.x.shown = metricUnit(of.study, of.plot.query, of.plot.metrics[0]);
    chart.x.log = of.plot.logAcross;
    chart.emptyText = PlotWords::tr("No point is within the limits");
    const auto* column = of.study.table.find(of.plot.query.x);
    if (!column)
        return;
    const auto partOf = [&](std::size_t row) { return column->values[row]; };
    for (std::size_t i = fronts.groups.size(); i-- > 0;) { // the first on top
        const auto& group = fronts.groups[i];
        if (group.rows.empty())
            continue;
        const auto at = static_cast<double>(chart.y.categories.size());
        chart.y.categories.push_back(group.name);
        const auto& front = group.rows;
        for (std::size_t begin = 0; begin < front.size();) {
            auto end = begin + 1;
            while (end < front.size() && partOf(front[end]) == partOf(front[begin]))
                ++end;
            const auto along = [&](std::size_t place) {
                return fronts.x[front[std::min(place, front.size() - 1)]];
            };
            const auto [from, to] = std::minmax({along(begin), along(end)});
            ChartLine line;
            line.color = group.color;
            line.width = kSpanWidth;
            line.x = {from, to > from ? to / kSpanGap : from * kSpanGap};
            line.y = {at, at};
            chart.captions.push_back({of.study.text(*column, partOf(front[begin])), line.x[0], at, line.x[1],
                                      at, ChartColor::role(ColorRole::Text2)});
            chart.lines.push_back(std::move(line));
            out.lineRows.push_back({front[begin], front[end - 1]});
            begin = end;
        }
    }
    chart.y.range = engine::AxisRange{-0.6, static_cast<double>(chart.y.categories.size()) - 0.4};
}

QString bestTitle(const LoadedStudy& study, PlotForm::Plot plot) {
    return PlotWords::tr("Best at a %1")
        .arg(inSentence(QString::fromStdString(study.table.find(plot.metrics[0])->label)));
}

QString onFrontTitle(const LoadedStudy& study, PlotForm::Plot plot) {
    const auto* column = study.table.find(plot.query.x);
    return column ? PlotWords::tr("%1 on the front").arg(QString::fromStdString(column->label)) : QString();
}

} // namespace

void settleScatter(engine::StudyPlot& plot, const engine::StudyTable& table); // two metrics

extern const PlotForm bestAtForm, onFrontForm;
const PlotForm bestAtForm{.label = QT_TRANSLATE_NOOP("heteroscape::widgets::StudyTile", "Best at"),
                          .shows = PlotForm::Shows::Points,
                          .curves = QT_TRANSLATE_NOOP("heteroscape::widgets::StudyTile", "Colour"),
                          .by = QT_TRANSLATE_NOOP("heteroscape::widgets::StudyTile", "by"),
                          .metrics = 2,
                          .title = bestTitle,
                          .settle = settleScatter,
                          .draw = drawBestAt};
const PlotForm onFrontForm{.label = QT_TRANSLATE_NOOP("heteroscape::widgets::StudyTile", "On the front"),
                           .shows = PlotForm::Shows::Points,
                           .curves = QT_TRANSLATE_NOOP("heteroscape::widgets::StudyTile", "Rows"),
                           .by = QT_TRANSLATE_NOOP("heteroscape::widgets::StudyTile", "by"),
                           .metrics = 2,
                           .marks = {&engine::StudyPlot::logAcross},
                           .title = onFrontTitle,
                           .settle = settleScatter,
                           .draw = drawOnFront};

} // namespace heteroscape::widgets

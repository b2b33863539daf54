// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/units/number_text.h"
#include "widgets/explore/plot_words.h"
#include "widgets/explore/plots/plot_form.h"
#include "widgets/explore/study_plot_parts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace heteroscape::widgets {

namespace {

constexpr std::size_t kMostMarked = 24;      ///< above, markers would be a band
constexpr std::size_t kMostMarkedOfTwo = 16; ///< two curves differ by their dashes already
constexpr std::size_t kColors = 8;           ///< of curves, before they come again
constexpr double kVisibleGain = 0.005;       ///< below, star and ring would lie on each other
constexpr double kLogSpan = 20;              ///< of a right axis whose curves differ more than this
constexpr std::array kMarkers{ChartMarker::Circle, ChartMarker::Square, ChartMarker::Diamond,
                              ChartMarker::Triangle};
constexpr std::array kDashes{ChartDash::Solid, ChartDash::Dashed, ChartDash::DashDotted};

/// Of the i-th curve; differs where its colour comes again.
ChartMarker markerOf(std::size_t i) {
    return kMarkers[(i + i / kColors) % kMarkers.size()];
}

/// The two curves of a technique's switch: without it and with it.
bool isTechnique(const engine::StudyColumn* curve, const std::vector<engine::Series>& series) {
    return curve && isSwitch(curve->names) && series.size() == 2;
}

bool isOn(const engine::StudyColumn& column, double value) {
    return column.text(value) == "true";
}

QString shortNumber(double value) {
    return QString::fromStdString(engine::shortText(value, 3));
}

/// "+23 %", "−12 %"; a digit more where a whole percent would hide the gain.
QString percentText(double ratio) {
    const double percent = (ratio - 1) * 100;
    const auto number = QString::number(std::fabs(percent), 'f', std::fabs(percent) < 2 ? 1 : 0);
    return (percent < 0 ? QChar(0x2212) : QChar(u'+')) + number + QChar(0x2009) + u'%';
}

class LineBuilder {
public:
    LineBuilder(StudyChart& out, const LoadedStudy& study, const engine::StudyPlot& plot,
                const engine::RowMask* kept)
        : m_out(out), m_study(study), m_plot(plot), m_kept(kept), m_x(*study.table.find(plot.query.x)),
          m_curve(plot.query.curve.empty() ? nullptr : study.table.find(plot.query.curve)) {}

    void build() {
        auto& chart = m_out.chart;
        chart.x = chartAxis(m_study, m_x);
        chart.y.label = valueLabel(m_study, m_plot);
        chart.y.shown = valueUnit(m_study, m_plot);
        chart.y.log = m_plot.logValues;
        std::vector<engine::Series> first;
        for (const auto& metric : m_plot.metrics) {
            auto query = m_plot.query;
            query.metric = metric;
            const auto series = engine::studySeries(m_study.table, query);
            const auto line = m_out.chart.lines.size();
            for (const auto& one : series)
                addLeft(one, metric, series);
            if (m_plot.bands)
                addBands(line, query);
            if (first.empty())
                first = keptOnly(series);
        }
        if (m_curve && !isTechnique(m_curve, first))
            chart.legendTitle = columnLabel(*m_curve);
        if (m_plot.optimum)
            addStars(first);
        if (m_plot.crossover)
            addCrossovers(m_out, m_study, m_plot, first);
        if (m_plot.knee)
            addKnees(m_out, m_study, m_plot, first.size());
        addRight();
    }

private:
    StudyChart& m_out;
    const LoadedStudy& m_study;
    const engine::StudyPlot& m_plot;
    const engine::RowMask* m_kept;
    const engine::StudyColumn& m_x;
    const engine::StudyColumn* m_curve;
    Gaps m_gaps{m_study, m_plot.query};

    std::optional<std::size_t> best(const engine::Series& series, int better) const {
        return engine::bestIndex(series.y, better, m_plot.optimumWithin);
    }

    QString nameOf(const engine::Series& series, const std::string& metric) const {
        const bool several = m_plot.metrics.size() > 1;
        auto quantity = several ? QString::fromStdString(m_study.table.find(metric)->label)
                                : quantityOf(m_out.chart.y.label);
        if (!m_curve && m_plot.query.cases.empty())
            return quantity;
        const auto curve = curveName(m_study, m_plot.query, series.curveValue);
        return several ? QStringLiteral("%1, %2").arg(quantity, curve) : curve;
    }

    /// What is filtered out is no optimum.
    std::vector<engine::Series> keptOnly(std::vector<engine::Series> all) const {
        for (auto& one : all)
            for (std::size_t i = 0; i < one.y.size(); ++i)
                if (isFilteredOut(m_kept, one.rows[i]))
                    one.y[i] = std::numeric_limits<double>::quiet_NaN();
        return all;
    }

    void addBands(std::size_t first, const engine::SeriesQuery& query) {
        const auto bands = bandsOf(m_study, query);
        auto& lines = m_out.chart.lines;
        if (bands.size() != lines.size() - first)
            return;
        for (std::size_t i = 0; i < bands.size(); ++i)
            if (bands[i].low.size() == lines[first + i].x.size()) {
                lines[first + i].low = bands[i].low;
                lines[first + i].high = bands[i].high;
            }
    }

    void addLeft(const engine::Series& series, const std::string& metric,
                 const std::vector<engine::Series>& all) {
        auto& lines = m_out.chart.lines;
        const auto i = lines.size();
        ChartLine line{.name = nameOf(series, metric),
                       .x = series.x,
                       .y = series.y,
                       .color = ChartColor::series(static_cast<int>(i))};
        for (std::size_t k = 0; k < series.y.size(); ++k)
            line.reasons.push_back(std::isfinite(series.y[k]) ? QString() : m_gaps.reason(series.rows[k]));
        if (m_kept)
            for (const auto row : series.rows)
                line.muted.push_back(isFilteredOut(m_kept, row) ? 1 : 0);
        line.status = statusOf(m_study, m_kept, series.rows);
        if (isTechnique(m_curve, all) && m_plot.metrics.size() == 1) {
            const bool on = isOn(*m_curve, series.curveValue);
            line.color = on ? ChartColor::series(0) : ChartColor::role(ColorRole::Baseline);
            line.width = on ? 2.6 : 1.8;
            line.dash = on ? ChartDash::Solid : ChartDash::Dashed;
            if (series.x.size() <= kMostMarkedOfTwo)
                line.marker = on ? ChartMarker::Circle : ChartMarker::Square;
        } else {
            if (all.size() == 1)
                line.width = 2.6;
            line.dash = all.size() > kMarkers.size() ? kDashes[i / kMarkers.size() % kDashes.size()]
                                                     : ChartDash::Solid;
            if (series.x.size() <= kMostMarked)
                line.marker = markerOf(i);
        }
        lines.push_back(std::move(line));
        m_out.lineRows.push_back(series.rows);
    }

    void addStars(const std::vector<engine::Series>& series) {
        const int better = betterOf(m_plot);
        const auto unit =
            m_plot.query.baseline ? QStringLiteral("×") : unitOf(m_out.chart.y.shownLabel()); // which is long
        if (isTechnique(m_curve, series)) {
            const bool firstIsOn = isOn(*m_curve, series[0].curveValue);
            const auto& with = series[firstIsOn ? 0 : 1];
            const auto& without = series[firstIsOn ? 1 : 0];
            const auto star = best(with, better), base = best(without, better);
            const bool differ =
                star && base &&
                (*star != *base || std::fabs(with.y[*star] / without.y[*base] - 1) >= kVisibleGain);
            if (differ) {
                const auto label = [this, factor = m_out.chart.y.shown.factor](
                                       const engine::Series& one, std::size_t i, const QString& words) {
                    return QStringLiteral("%1\n%2, %3")
                        .arg(words, m_study.textWithUnit(m_x, one.x[i]), shortNumber(one.y[i] * factor));
                };
                const auto name = QString::fromStdString(m_curve->label);
                m_out.chart.stars.push_back(
                    {.label = label(with, *star, PlotWords::tr("best with %1").arg(name)),
                     .x = with.x[*star],
                     .y = with.y[*star],
                     .over = ChartBaseline{label(without, *base, PlotWords::tr("best without %1").arg(name)),
                                           without.x[*base], without.y[*base],
                                           percentText(with.y[*star] / without.y[*base])}});
                return;
            }
        }
        const engine::Series* curve = nullptr;
        std::size_t at = 0;
        for (const auto& one : series)
            if (const auto found = best(one, better);
                found && (!curve || better * one.y[*found] > better * curve->y[at])) {
                curve = &one;
                at = *found;
            }
        if (curve)
            m_out.chart.stars.push_back(
                {.label = withUnit(shortNumber(curve->y[at] * m_out.chart.y.shown.factor), unit),
                 .x = curve->x[at],
                 .y = curve->y[at]});
    }

    void addRight() {
        if (m_plot.rightMetrics.empty())
            return;
        auto& chart = m_out.chart;
        ChartAxis axis;
        QStringList names;
        double least = 0, most = 0;
        for (const auto& metric : m_plot.rightMetrics) {
            const auto& column = *m_study.table.find(metric);
            const auto label = QString::fromStdString(column.label);
            names << label;
            auto query = m_plot.query;
            query.metric = metric;
            query.gain = {};
            const auto series = engine::studySeries(m_study.table, query);
            if (series.empty())
                continue;
            const auto i = chart.lines.size();
            ChartLine line{.name = label,
                           .x = series.back().x,
                           .y = series.back().y,
                           .color = ChartColor::series(static_cast<int>(i)),
                           .dash = ChartDash::Dashed,
                           .onRight = true};
            if (line.x.size() <= kMostMarked)
                line.marker = markerOf(i);
            for (const double y : line.y)
                if (y > 0) {
                    least = least > 0 ? std::min(least, y) : y;
                    most = std::max(most, y);
                }
            chart.lines.push_back(std::move(line));
            m_out.lineRows.push_back(series.back().rows);
        }
        const auto& unit = m_study.table.find(m_plot.rightMetrics.front())->unit;
        const auto own = m_plot.query.baseline ? QStringLiteral("×") : QString::fromStdString(unit);
        const bool time = unit == "s" || unit == "\u00b5s";
        const auto quantity = names.size() == 1 ? names.front()
                              : time            ? PlotWords::tr("Time")
                                                : names.join(QStringLiteral(", "));
        axis.label = quantityLabel(quantity, own);
        if (!m_plot.query.baseline)
            axis.shown = m_study.shownUnit(m_plot.rightMetrics);
        axis.log = least > 0 && most > kLogSpan * least;
        chart.right = axis;
    }
};

bool linesDrawMap(const LoadedStudy& study, const engine::StudyPlot& plot) {
    constexpr std::size_t kMostLines = 48;
    const auto* curves = study.axis(plot.query.curve);
    const auto* x = study.table.find(plot.query.x);
    return plot.metrics.size() == 1 && plot.rightMetrics.empty() && plot.query.cases.empty() && x && curves &&
           curves->values.size() > kMostLines;
}

} // namespace

void addLines(StudyChart& out, const PlotDrawing& of) {
    LineBuilder(out, of.study, of.plot, of.kept).build();
}

extern const PlotForm linesForm;
const PlotForm linesForm{.label = QT_TRANSLATE_NOOP("heteroscape::widgets::StudyTile", "Lines"),
                         .curves = QT_TRANSLATE_NOOP("heteroscape::widgets::StudyTile", "Curves"),
                         .by = QT_TRANSLATE_NOOP("heteroscape::widgets::StudyTile", "by"),
                         .combines = true,
                         .further = QT_TRANSLATE_NOOP("heteroscape::widgets::StudyTile", "On the right axis"),
                         .onRight = true,
                         .crossovers = true,
                         .marks = {&engine::StudyPlot::logValues, &engine::StudyPlot::optimum,
                                   &engine::StudyPlot::knee, &engine::StudyPlot::bands},
                         .drawsMap = linesDrawMap,
                         .draw =
                             [](StudyChart& out, const PlotDrawing& of) {
                                 linesDrawMap(of.study, of.plot) ? addHeatMap(out, of) : addLines(out, of);
                             },
                         .brushed =
                             [](const LoadedStudy&, PlotForm::Plot plot, const QRectF& box) {
                                 Stretches stretches{{plot.query.x, box.left(), box.right()}};
                                 if (plot.metrics.size() == 1)
                                     brushMetric(stretches, plot, plot.query.metric, box);
                                 return stretches;
                             }};

} // namespace heteroscape::widgets

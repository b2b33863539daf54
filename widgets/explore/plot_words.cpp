// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/plot_words.h"

#include "engine/evaluation/metric_path.h"
#include "engine/plotting/ticks.h"
#include "widgets/explore/plots/plot_form.h"
#include "widgets/plots/chart.h"

#include <QStringList>
#include <algorithm>

namespace heteroscape::widgets {

std::vector<std::string> caseAxes(const engine::SeriesQuery& query) {
    std::vector<std::string> axes;
    if (!query.cases.empty())
        for (const auto& [path, value] : query.cases.front().at)
            axes.push_back(path);
    return axes;
}

std::vector<engine::SeriesCase> everyCase(const LoadedStudy& study, const std::vector<std::string>& axes) {
    std::size_t count = axes.empty() ? 0 : 1;
    for (const auto& path : axes)
        count *= study.axis(path)->values.size();
    std::vector<engine::SeriesCase> cases;
    if (count == 0 || count > kMostCases)
        return cases;
    cases.push_back({});
    for (const auto& path : axes) {
        const auto& column = *study.table.find(path);
        std::vector<engine::SeriesCase> longer;
        for (const auto& begun : cases)
            for (const double value : study.axis(path)->values) {
                auto one = begun;
                one.name += (begun.name.empty() ? "" : ", ") + curveName(study, column, value).toStdString();
                one.at.emplace_back(path, value);
                longer.push_back(std::move(one));
            }
        cases = std::move(longer);
    }
    return cases;
}

bool samePlace(const engine::SeriesCase& a, const engine::SeriesCase& b) {
    return std::is_permutation(a.at.begin(), a.at.end(), b.at.begin(), b.at.end());
}

namespace {

bool isTime(const std::string& unit) {
    return unit == "s" || unit == "ms" || unit == "\u00b5s";
}

QString labelOf(const engine::StudyColumn& column) {
    return QString::fromStdString(column.label);
}

/// A choice names itself; a number or a switch needs the name of its axis.
QString heldText(const LoadedStudy& study, const engine::StudyColumn& column, double value) {
    const auto text = study.textWithUnit(column, value);
    return column.isChoice() && !isSwitch(column.names) ? text
                                                        : QStringLiteral("%1 %2").arg(labelOf(column), text);
}

/// "× of A100 80GB, 7 U280". Brackets would end the unit too soon.
QString baselineUnit(const engine::Baseline& baseline) {
    auto name = baselineName(baseline);
    name.replace(u'(', u'[').replace(u')', u']');
    return PlotWords::tr("× of %1").arg(name);
}

} // namespace

QString baselineName(const engine::Baseline& baseline) {
    constexpr qsizetype kMost = 28;
    const auto name = QString::fromStdString(baseline.name);
    return name.size() > kMost ? PlotWords::tr("baseline") : name;
}

QString inSentence(QString text) {
    if (text.size() > 1 && text[1].isLower())
        text[0] = text[0].toLower();
    return text;
}

QString columnLabel(const engine::StudyColumn& column) {
    return quantityLabel(labelOf(column), QString::fromStdString(column.unit));
}

int betterOf(const engine::StudyPlot& plot) {
    return !plot.query.gain.axis.empty() ? 1 : engine::betterOf(plot.query.metric);
}

QString valueLabel(const LoadedStudy& study, const engine::StudyPlot& plot) {
    const auto& column = *study.table.find(plot.query.metric);
    const bool gain = !plot.query.gain.axis.empty();
    auto quantity = labelOf(column);
    if (gain)
        quantity = isTime(column.unit) ? PlotWords::tr("Speed-up") : PlotWords::tr("Gain");
    else if (plot.metrics.size() > 2 && isTime(column.unit))
        quantity = PlotWords::tr("Time");
    else if (plot.metrics.size() > 2 && column.unit.ends_with('B'))
        quantity = PlotWords::tr("Size");
    else if (plot.metrics.size() > 1) {
        QStringList names;
        for (const auto& key : plot.metrics)
            names << labelOf(*study.table.find(key));
        quantity = names.join(QStringLiteral(", "));
    }
    if (!plot.query.meanOver.empty())
        switch (plot.query.mean) {
        case engine::MeanKind::Arithmetic:
            quantity = PlotWords::tr("%1, mean").arg(quantity);
            break;
        case engine::MeanKind::Harmonic:
            quantity = PlotWords::tr("%1, harmonic mean").arg(quantity);
            break;
        case engine::MeanKind::Sum:
            quantity = PlotWords::tr("%1, sum").arg(quantity);
            break;
        }
    if (plot.shares && plotForm(plot.kind).offers(&engine::StudyPlot::shares))
        return quantityLabel(PlotWords::tr("Share of: %1").arg(inSentence(quantity)), QStringLiteral("%"));
    if (plot.query.baseline)
        return quantityLabel(quantity, baselineUnit(*plot.query.baseline));
    return quantityLabel(quantity, gain ? QStringLiteral("×") : QString::fromStdString(column.unit));
}

engine::ShownUnit valueUnit(const LoadedStudy& study, const engine::StudyPlot& plot) {
    if (!plot.query.gain.axis.empty() || plot.query.baseline ||
        (plot.shares && plotForm(plot.kind).offers(&engine::StudyPlot::shares)))
        return {};
    auto metrics = plot.metrics;
    metrics.insert(metrics.begin(), plot.query.metric);
    return study.shownUnit(metrics);
}

QString metricLabel(const LoadedStudy& study, const engine::SeriesQuery& query, const std::string& metric) {
    const auto& column = *study.table.find(metric);
    return query.baseline ? quantityLabel(labelOf(column), baselineUnit(*query.baseline))
                          : columnLabel(column);
}

engine::ShownUnit metricUnit(const LoadedStudy& study, const engine::SeriesQuery& query,
                             const std::string& metric) {
    return query.baseline ? engine::ShownUnit{} : study.shownUnit(std::vector<std::string>{metric});
}

QString plotTitle(const LoadedStudy& study, const engine::StudyPlot& plot) {
    if (!plot.title.empty())
        return QString::fromStdString(plot.title);
    const auto& form = plotForm(plot.kind);
    if (form.name)
        return PlotForm::words(form.name);
    if (auto title = form.title ? form.title(study, plot) : QString(); !title.isEmpty())
        return title;
    const auto& metric = *study.table.find(plot.query.metric);
    const auto* base = plot.query.gain.axis.empty() ? nullptr : study.table.find(plot.query.gain.axis);
    if (!base)
        return labelOf(metric);
    auto over = heldText(study, *base, plot.query.gain.value);
    for (const auto& [path, value] : plot.query.gain.further)
        if (const auto* column = study.table.find(path))
            over += QStringLiteral(", ") + heldText(study, *column, value);
    return (isTime(metric.unit) ? PlotWords::tr("%1: speed-up over %2") : PlotWords::tr("%1: gain over %2"))
        .arg(labelOf(metric), over);
}

QString plotNote(const LoadedStudy& study, const engine::StudyPlot& plot) {
    QStringList parts;
    for (const auto& [path, value] : plot.query.fixed)
        // Of two values one is the base of the gain: where it is held says nothing more.
        if (const auto* column = study.table.find(path);
            column && (!plot.query.gain.names(path) || study.axis(path)->values.size() > 2))
            parts << heldText(study, *column, value);
    if (const auto drawsMap = plotForm(plot.kind).drawsMap; drawsMap && drawsMap(study, plot))
        parts << PlotWords::tr("%1 curves, as a map")
                     .arg(QString::fromStdString(
                         engine::tickText(static_cast<double>(study.axis(plot.query.curve)->values.size()))));
    QStringList averaged;
    for (const auto& path : plot.query.meanOver)
        if (const auto* column = study.table.find(path))
            averaged << inSentence(labelOf(*column));
    if (!averaged.empty())
        parts << (plot.query.mean == engine::MeanKind::Sum        ? PlotWords::tr("sum over %1")
                  : plot.query.mean == engine::MeanKind::Harmonic ? PlotWords::tr("harmonic mean over %1")
                                                                  : PlotWords::tr("mean over %1"))
                     .arg(averaged.join(QStringLiteral(", ")));
    return parts.join(QStringLiteral(", "));
}

QString curveName(const LoadedStudy& study, const engine::SeriesQuery& query, double value) {
    if (!query.cases.empty())
        return QString::fromStdString(query.cases.at(static_cast<std::size_t>(value)).name);
    return query.curve.empty() ? QString() : curveName(study, *study.table.find(query.curve), value);
}

QString curveName(const LoadedStudy& study, const engine::StudyColumn& column, double value) {
    if (!isSwitch(column.names))
        return study.text(column, value);
    return column.text(value) == "true" ? labelOf(column)
                                        : PlotWords::tr("No %1").arg(inSentence(labelOf(column)));
}

} // namespace heteroscape::widgets

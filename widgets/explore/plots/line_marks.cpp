// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plotting/crossover.h"
#include "engine/units/number_text.h"
#include "widgets/explore/plot_words.h"
#include "widgets/explore/study_plot_parts.h"

namespace heteroscape::widgets {

namespace {

QString placeText(const LoadedStudy& study, const engine::StudyColumn& column, double x) {
    if (column.isChoice())
        return study.text(column, x);
    return withUnit(QString::fromStdString(engine::plainText(x, 3)), QString::fromStdString(column.unit));
}

class CrossoverFinder {
public:
    CrossoverFinder(StudyChart& out, const LoadedStudy& study, const engine::StudyPlot& plot)
        : m_chart(out.chart), m_study(study), m_plot(plot), m_x(*study.table.find(plot.query.x)) {}

    void betweenCurves(std::size_t a, std::size_t b) {
        const auto &first = m_chart.lines[a], &second = m_chart.lines[b];
        if (first.x != second.x)
            return;
        for (const auto& found : find(first, second.y)) {
            const auto& leader = found.secondLeads ? second : first;
            m_chart.crossovers.push_back(
                {.label =
                     PlotWords::tr("%1 leads from %2").arg(leader.name, placeText(m_study, m_x, found.x)),
                 .x = found.x,
                 .y = found.y,
                 .color = leader.color});
        }
    }

    void withReference(std::size_t curve, const engine::PlotReference& reference) {
        const auto& line = m_chart.lines[curve];
        for (const auto& found : find(line, std::vector<double>(line.x.size(), reference.value))) {
            // The reference stands second: where it leads, the curve has got worse than it.
            const bool above = found.secondLeads == (betterOf(m_plot) < 0);
            const auto label =
                (above ? PlotWords::tr("%1 above %2 from %3") : PlotWords::tr("%1 below %2 from %3"))
                    .arg(line.name, QString::fromStdString(reference.label),
                         placeText(m_study, m_x, found.x));
            m_chart.crossovers.push_back({.label = label, .x = found.x, .y = found.y, .color = line.color});
        }
    }

private:
    Chart& m_chart;
    const LoadedStudy& m_study;
    const engine::StudyPlot& m_plot;
    const engine::StudyColumn& m_x;

    std::vector<engine::Crossover> find(const ChartLine& line, const std::vector<double>& other) const {
        const int better = betterOf(m_plot);
        return engine::crossovers({line.x, line.y, other, m_chart.x.log, m_chart.y.log},
                                  better == 0 ? 1 : better, *m_plot.crossover);
    }
};

} // namespace

void addKnees(StudyChart& out, const LoadedStudy& study, const engine::StudyPlot& plot, std::size_t lines) {
    auto& chart = out.chart;
    const auto& column = *study.table.find(plot.query.x);
    for (std::size_t i = 0; i < lines && i < chart.lines.size(); ++i) {
        const auto& line = chart.lines[i];
        const int better = betterOf(plot);
        const auto knee =
            engine::kneeIndex({line.x, line.y, chart.x.log, chart.y.log}, better == 0 ? 1 : better);
        if (!knee)
            continue;
        const auto place = placeText(study, column, line.x[*knee]);
        chart.crossovers.push_back({.label = lines > 1 ? PlotWords::tr("%1: knee at %2").arg(line.name, place)
                                                       : PlotWords::tr("Knee at %1").arg(place),
                                    .x = line.x[*knee],
                                    .y = line.y[*knee],
                                    .color = line.color});
    }
}

void addCrossovers(StudyChart& out, const LoadedStudy& study, const engine::StudyPlot& plot,
                   const std::vector<engine::Series>& series) {
    CrossoverFinder finder(out, study, plot);
    for (std::size_t i = 0; i < series.size(); ++i) {
        if (plot.crossoverWith != engine::CrossoverWith::References)
            for (std::size_t j = i + 1; j < series.size(); ++j)
                finder.betweenCurves(i, j);
        if (plot.crossoverWith != engine::CrossoverWith::Curves)
            for (const auto& reference : plot.references)
                finder.withReference(i, reference);
    }
}

} // namespace heteroscape::widgets

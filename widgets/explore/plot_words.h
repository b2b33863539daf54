// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/claims/figure_study.h"
#include "engine/plotting/series.h"
#include "widgets/explore/loaded_study.h"

#include <QCoreApplication>
#include <string>
#include <vector>

namespace heteroscape::widgets {

/// The axes that the cases of a cut say the place of; none without cases.
std::vector<std::string> caseAxes(const engine::SeriesQuery& query);

/// Every combination of the values of some axes of the study as a case, the last axis fastest, named by its
/// values: "A100, 8". None when there would be more than kMostCases, or no axis.
inline constexpr std::size_t kMostCases = 64;
std::vector<engine::SeriesCase> everyCase(const LoadedStudy& study, const std::vector<std::string>& axes);

/// Whether two cases are at the same place, whatever their names and the order of their axes.
bool samePlace(const engine::SeriesCase& a, const engine::SeriesCase& b);

struct PlotWords {
    Q_DECLARE_TR_FUNCTIONS(heteroscape::widgets::StudyTile)
};

/// "Latency (s)", "Speed-up (×)" of a time's gain, "Gain (×)" of another's, "Latency, sum (s)" of a sum.
QString valueLabel(const LoadedStudy& study, const engine::StudyPlot& plot);
/// What they are written in: the unit of all that is plotted (LoadedStudy::shownUnit()); none for ratios and
/// shares.
engine::ShownUnit valueUnit(const LoadedStudy& study, const engine::StudyPlot& plot);

/// "Latency (s)" of one metric; against a baseline "Latency (× of A100 80GB, 7 U280)", as valueLabel() has
/// it.
QString metricLabel(const LoadedStudy& study, const engine::SeriesQuery& query, const std::string& metric);
engine::ShownUnit metricUnit(const LoadedStudy& study, const engine::SeriesQuery& query,
                             const std::string& metric);

/// The plot's own title, else one that says what is plotted: "Latency: speed-up over L2 prefetch off",
/// "Throughput against price".
QString plotTitle(const LoadedStudy& study, const engine::StudyPlot& plot);

/// Where the other axes are held and what is averaged over: "Llama3-70B, L2 prefetch on".
QString plotNote(const LoadedStudy& study, const engine::StudyPlot& plot);

/// A name within a sentence: "batch", but "L2 prefetch" as it is.
QString inSentence(QString text);

/// The name of a curve of a cut: of its case, or of the value of its axis.
QString curveName(const LoadedStudy& study, const engine::SeriesQuery& query, double value);
QString curveName(const LoadedStudy& study, const engine::StudyColumn& column, double value);

/// The name of a baseline on an axis; of a long one that it is the baseline: the bar above the plots names
/// it.
QString baselineName(const engine::Baseline& baseline);

/// "L2 size (MB)" of a column.
QString columnLabel(const engine::StudyColumn& column);

/// +1 when more of what is plotted is better, -1 when less is, 0 when neither. A gain is better when larger.
int betterOf(const engine::StudyPlot& plot);

} // namespace heteroscape::widgets

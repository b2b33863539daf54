// SPDX-License-Identifier: GPL-3.0-or-later
// Plots of designs that are evaluated again: where the time of a batch goes, and rooflines.
#include "engine/base/error.h"
#include "engine/evaluation/decisive.h"
#include "engine/evaluation/evaluate.h"
#include "widgets/explore/plot_words.h"
#include "widgets/explore/study_plot_parts.h"
#include "widgets/plots/part_look.h"
#include "widgets/roofline/roofline_chart.h"

#include <algorithm>
#include <limits>

namespace heteroscape::widgets {

namespace {

constexpr std::size_t kMostRooflines = 24; ///< designs: more cannot be told apart

/// In one bar; parts that it does not have take no time.
double secondsOf(const std::vector<engine::BatchPart>& parts, const std::string& key) {
    double seconds = 0;
    for (const auto& part : parts)
        seconds += part.key == key ? part.seconds : 0;
    return seconds;
}

/// Computed, and the design runs.
bool isFeasible(const LoadedStudy& study, std::size_t row) {
    return row != StudyChart::kNoRow && study.table.find("feasible")->values[row] == 1.0;
}

void checkStop(const std::stop_token& stop, const LoadedStudy& study) {
    if (stop.stop_requested())
        throw engine::Error(engine::ErrorCode::Cancelled, "study \"" + study.table.info.name + "\"",
                            "cancelled", {});
}

} // namespace

void addBreakdown(StudyChart& out, const LoadedStudy& study, const engine::StudyPlot& plot,
                  const engine::RowMask* kept, const std::stop_token& stop) {
    auto& chart = out.chart;
    const auto across = rowsAcross(study, plot.query);
    const auto* x = plot.query.x.empty() ? nullptr : study.table.find(plot.query.x);
    if (x)
        chart.x = namedAxis(study, *x);
    else
        chart.x.categories.push_back(across.front().name);
    const double none = std::numeric_limits<double>::quiet_NaN();
    std::vector<std::vector<engine::BatchPart>> bar(across.size());
    std::vector<double> scale(across.size(), none); // of seconds; none where there is no bar
    std::vector<engine::BatchPart> seen;            // one of each, from the bottom of the bars
    std::vector<QString> reasons(across.size());
    std::vector<std::uint8_t> muted(kept ? across.size() : 0);
    std::vector<std::size_t> rows;
    Gaps gaps(study, plot.query);
    double longest = 0;
    for (std::size_t i = 0; i < across.size(); ++i) {
        checkStop(stop, study);
        rows.push_back(across[i].row);
        if (!isFeasible(study, across[i].row)) {
            reasons[i] = gaps.reason(across[i].row);
            continue;
        }
        const auto scenario = study.scenarioOf(across[i].row);
        const auto evaluation = engine::evaluate(scenario);
        bar[i] = engine::batchParts(scenario, evaluation);
        longest = std::max(longest, evaluation.metric(engine::Metric::Latency));
        if (!bar[i].empty())
            scale[i] = plot.shares ? 100 / evaluation.metric(engine::Metric::Latency) : 1;
        for (const auto& part : bar[i])
            if (part.seconds > 0 &&
                std::none_of(seen.begin(), seen.end(), [&](const auto& one) { return one.key == part.key; }))
                seen.push_back(part);
        if (kept)
            muted[i] = isFilteredOut(kept, across[i].row) ? 1 : 0;
    }
    if (plot.shares) {
        chart.y.label = quantityLabel(PlotWords::tr("Share of the latency"), QStringLiteral("%"));
    } else {
        chart.y.label = quantityLabel(PlotWords::tr("Time of a batch"), QStringLiteral("s"));
        chart.y.shown = engine::shownUnit("s", longest);
    }
    ChartBars bars;
    bars.reason = PlotWords::tr("Not feasible");
    bars.missing = gaps.word();
    bars.writeValues = plot.values && !plot.shares;
    if (seen.empty()) // nothing runs: the reasons need a bar
        seen.push_back({engine::BatchPart::Kind::Prefill, "prefill", "Prefill"});
    for (const auto& part : seen) {
        ChartBarSeries series{
            .name = QString::fromStdString(part.label), .bar = 0, .values = {}, .color = partColor(part)};
        series.fill = isHatched(part) ? ChartFill::Hatched : ChartFill::Solid;
        for (std::size_t i = 0; i < bar.size(); ++i)
            series.values.push_back(scale[i] * secondsOf(bar[i], part.key));
        series.reasons = reasons;
        series.muted = muted;
        bars.series.push_back(std::move(series));
        out.areaRows.push_back(rows);
    }
    chart.bars = std::move(bars);
}

void addRoofline(StudyChart& out, const LoadedStudy& study, const engine::StudyPlot& plot,
                 const std::stop_token& stop) {
    std::vector<engine::Roofline> all;
    RooflineOptions options;
    std::vector<std::size_t> rowOf; // of each roofline
    const auto across = rowsAcross(study, plot.query);
    const auto step = (across.size() + kMostRooflines - 1) / kMostRooflines;
    for (std::size_t i = 0; i < across.size(); i += step) {
        checkStop(stop, study);
        if (!isFeasible(study, across[i].row)) // what does not run reaches no roof
            continue;
        const auto scenario = study.scenarioOf(across[i].row);
        auto some = engine::rooflines(scenario);
        for (auto& ceilings : rooflineCeilings(scenario, some))
            options.ceilings.push_back(std::move(ceilings));
        for (auto& one : some) {
            all.push_back(std::move(one));
            options.designs.push_back(across[i].name);
            rowOf.push_back(across[i].row);
        }
    }
    const auto title = out.chart.title, empty = out.chart.emptyText;
    out.chart = rooflineChart(all, options);
    out.chart.title = title;
    out.chart.emptyText = empty;
    for (const auto& point : rooflinePoints(all))
        if (point.drawable() && point.operatorIndex == RooflinePoint::kWholeStep)
            out.markRows.push_back(rowOf[point.roofline]);
}

} // namespace heteroscape::widgets

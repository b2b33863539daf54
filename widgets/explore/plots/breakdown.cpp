// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluation/decisive.h"
#include "engine/evaluation/evaluate.h"
#include "widgets/explore/plot_words.h"
#include "widgets/explore/plots/plot_form.h"
#include "widgets/explore/study_plot_parts.h"
#include "widgets/plots/chart_style.h"

#include <algorithm>
#include <limits>

namespace heteroscape::widgets {

namespace {

/// In one bar; parts that it does not have take no time.
double secondsOf(const std::vector<engine::BatchPart>& parts, const std::string& key) {
    double seconds = 0;
    for (const auto& part : parts)
        seconds += part.key == key ? part.seconds : 0;
    return seconds;
}

void drawBreakdown(StudyChart& out, const PlotDrawing& of) {
    const auto& study = of.study;
    const auto& plot = of.plot;
    const auto* kept = of.kept;
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
        checkStop(of);
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

} // namespace

extern const PlotForm breakdownForm;
const PlotForm breakdownForm{.label = QT_TRANSLATE_NOOP("heteroscape::widgets::StudyTile", "Breakdown"),
                             .entry =
                                 QT_TRANSLATE_NOOP("heteroscape::widgets::StudyTile", "Breakdown of time"),
                             .name = QT_TRANSLATE_NOOP("heteroscape::widgets::StudyTile", "Time of a batch"),
                             .shows = PlotForm::Shows::Designs,
                             .marks = {&engine::StudyPlot::shares, &engine::StudyPlot::values},
                             .draw = drawBreakdown};

} // namespace heteroscape::widgets

// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/results/queue_chart.h"

#include "widgets/document/duration_text.h"

#include <QCoreApplication>

#include <algorithm>

namespace heteroscape::widgets {

namespace {

class QueueChartWords {
    Q_DECLARE_TR_FUNCTIONS(heteroscape::widgets::ServingPanel)
};

constexpr std::size_t kPoints = 256; ///< more than that is a smear

} // namespace

Chart queueChart(const SimulationRun& run) {
    const auto& depth = run.serving.result.depth;
    const auto unit = durationUnit(depth.seconds());
    ChartLine waiting, staged, running;
    waiting.name = QueueChartWords::tr("Waiting");
    waiting.color = ChartColor::series(1);
    waiting.width = 2.4;
    staged.name = QueueChartWords::tr("Staged");
    staged.color = ChartColor::series(4);
    staged.dash = ChartDash::Dashed;
    running.name = QueueChartWords::tr("Running");
    running.color = ChartColor::series(2);
    running.width = 1.3;
    // Spans are equally long: the mean over some of them is the mean of their means.
    const auto merged = (depth.size() + kPoints - 1) / kPoints;
    for (std::size_t first = 0; first < depth.size(); first += merged) {
        const auto past = std::min(first + merged, depth.size());
        const double begin = static_cast<double>(first) * depth.spanSeconds();
        const double end = std::min(static_cast<double>(past) * depth.spanSeconds(), depth.seconds());
        engine::Depth mean;
        for (auto i = first; i < past; ++i) {
            const auto one = depth.mean(i);
            const auto share = 1.0 / static_cast<double>(past - first);
            mean.waiting += share * one.waiting;
            mean.staged += share * one.staged;
            mean.running += share * one.running;
        }
        for (auto* line : {&waiting, &staged, &running})
            line->x.push_back(0.5 * (begin + end) / unit.seconds);
        waiting.y.push_back(mean.waiting);
        staged.y.push_back(mean.staged);
        running.y.push_back(mean.running);
    }
    Chart chart;
    chart.title = QueueChartWords::tr("Requests in the system over time");
    chart.x.label = quantityLabel(QueueChartWords::tr("Time"), unit.name);
    chart.y.label = QueueChartWords::tr("Requests");
    chart.emptyText = QueueChartWords::tr("No request came in");
    for (auto* line : {&running, &staged, &waiting}) // what waits is drawn over the others
        if (line == &waiting || std::any_of(line->y.begin(), line->y.end(), [](double y) { return y > 0.0; }))
            chart.lines.push_back(std::move(*line));
    return chart;
}

} // namespace heteroscape::widgets

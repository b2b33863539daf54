// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/evaluation/metric.h"
#include "engine/serving/simulation.h"
#include "widgets/document/simulation_runner.h"
#include "widgets/plots/chart.h"

#include <QTableWidget>
#include <optional>

namespace heteroscape::widgets {

/// How many requests wait, are staged for a decode device and are worked on, over the simulated time, as
/// means over at most 256 spans. What never happens (nothing is ever staged) has no curve. Any thread.
Chart queueChart(const SimulationRun& run);

/// Wait, time to first token, time per token and end to end of the finished requests: mean, p50, p90, p99 and
/// the largest; each row in the unit that fits its largest value. What goes beyond a limit is marked.
/// Ctrl+C copies it. UI thread.
class LatencyTable : public QTableWidget {
    Q_OBJECT
public:
    explicit LatencyTable(QWidget* parent = nullptr);

    /// Limits are seconds; NaN: none.
    void setResult(const engine::ServingResult& result, double ttftLimit, double tpotLimit);
    /// The metric that a cell shows; nothing where it is none (units, largest values, quantiles of the wait).
    static std::optional<engine::Metric> metricAt(int row, int column);
    QString text() const; ///< tab-separated, with units

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    void restyle();
    void setRow(int row, const engine::Distribution& of, double limit);
    int wantedWidth() const;
};

} // namespace heteroscape::widgets

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/evaluation/evaluation.h"
#include "widgets/window/metric_cell.h"

#include <QTimer>
#include <QWidget>

#include <array>
#include <optional>
#include <vector>

namespace heteroscape::widgets {

class Document;
class SimulationRunner;

/// The live metrics of the open design above the canvas. Of a design that cannot run it keeps the last
/// metrics, greyed. A pinned baseline is what changes are told against. Where arrivals are not steady, two of
/// the metrics are those of the last simulation, greyed while another takes long. UI thread.
class MetricsStrip : public QWidget {
    Q_OBJECT
public:
    explicit MetricsStrip(Document* document, QWidget* parent = nullptr);

    void pinBaseline(); ///< the design as it stands; refused (false metrics) when it cannot run
    void clearBaseline();
    bool hasBaseline() const { return m_baseline.has_value(); }
    void setNotesVisible(bool visible); ///< the lines below the metrics

    MetricCell* cell(engine::Metric metric) const; ///< null for a metric that the strip does not show
    MetricCell* bottleneckCell() const { return m_bottleneck; }

signals:
    void quantityRequested(const std::string& path); ///< what is missing should be given here
    void simulationRequested(); ///< more of the simulation that a metric comes from should be shown
    void baselineChanged();

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    struct Shown {
        engine::Metric metric;
        MetricCell* cell;
        double factor; ///< shown value = value in the metric's unit x factor
        QString unit;
        bool simulated = false; ///< there only where arrivals are not steady
    };
    using Values = std::array<double, engine::kMetricCount>;

    void addCell(engine::Metric metric, const QString& caption, double factor, const QString& unit);
    void forget(); ///< another design: nothing of the old one stays
    void refresh();
    void refreshCell(const Shown& shown, const Values& values, bool stale);
    QString metricToolTip(const Shown& shown, double value, bool stale) const;
    void refreshBottleneck();
    void refreshSimulated();
    void fitCells(); ///< hides what there is no room for
    void cellClicked(const Shown& shown);
    std::optional<std::string> missingQuantity(engine::Metric metric) const;

    Document* m_document;
    SimulationRunner* m_simulation;
    QTimer m_late; ///< a simulation that is over at once greys nothing
    std::vector<Shown> m_cells;
    MetricCell* m_bottleneck;
    std::optional<Values> m_last; ///< of the last design that could run
    std::optional<Values> m_baseline;
};

} // namespace heteroscape::widgets

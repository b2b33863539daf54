// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/evaluation/evaluation.h"
#include "widgets/window/metric_cell.h"

#include <QTimer>
#include <QWidget>

#include <array>
#include <optional>
#include <vector>

class QToolButton;

namespace heteroscape::widgets {

class Document;
class Settings;
class SimulationRunner;

/// The live metrics of the open design above the canvas: those that the user chose, in their order; what
/// there is no room for is counted and listed by a button. Of a design that cannot run it keeps the last
/// metrics, greyed. Where requests are simulated its metrics are the simulation's, and the steady state is
/// one click away: never both at once. A pinned baseline is what changes are told against. UI thread.
class MetricsStrip : public QWidget {
    Q_OBJECT
public:
    /// `settings` keep what is chosen and outlive the strip; null: nothing is kept.
    explicit MetricsStrip(Document* document, Settings* settings = nullptr, QWidget* parent = nullptr);

    void pinBaseline(); ///< the design as it stands; refused (false metrics) when it cannot run
    void setNotesVisible(bool visible); ///< the lines below the metrics

    MetricCell* cell(engine::Metric metric) const; ///< null for a metric that is not chosen

    /// Chooses the metrics of the simulation or of the steady state; those of the other are left out.
    void setMetrics(bool simulated, const std::vector<engine::Metric>& metrics);

    /// Tells how a metric comes about, or shows the simulation that it comes from.
    void explain(engine::Metric metric);

signals:
    void quantityRequested(const std::string& path); ///< what is missing should be given here
    void simulationRequested(); ///< more of the simulation that a metric comes from should be shown

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    struct Shown {
        engine::Metric metric;
        MetricCell* cell;
    };
    using Values = std::array<double, engine::kMetricCount>;

    void makeStateButtons();
    bool showsSimulation() const;
    void loadMetrics(bool simulated);
    void refresh();
    void refreshSimulated();
    void refreshCell(const Shown& shown, const Values& values, bool stale);
    void tellChange(MetricCell::Content& content, engine::Metric metric, double value) const;
    /// Markup: all but its own words is escaped.
    QString metricToolTip(engine::Metric metric, double value, bool stale) const;
    void refreshBottleneck();
    void fitCells(); ///< hides what there is no room for
    void chooseMetrics();
    std::vector<Shown>& cells(bool simulated) { return m_cells[simulated ? 1 : 0]; }
    const std::vector<Shown>& cells(bool simulated) const { return m_cells[simulated ? 1 : 0]; }
    Values simulatedValues() const;

    Document* m_document;
    Settings* m_settings;
    SimulationRunner* m_simulation;
    QTimer m_late;                             ///< a simulation that is over at once greys nothing
    std::array<std::vector<Shown>, 2> m_cells; ///< of the steady state, of the simulation
    QWidget* m_state;                          ///< which of the two is shown
    QToolButton* m_simulated;
    QToolButton* m_steady;
    QToolButton* m_more; ///< "+3": lists and chooses
    MetricCell* m_bottleneck;
    bool m_notesVisible = true;
    std::optional<Values> m_last; ///< of the last design that could run
};

} // namespace heteroscape::widgets

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/shared.h"
#include "engine/scenario/scenario.h"
#include "engine/study/largest_within.h"
#include "widgets/jobs/job.h"
#include "widgets/plots/page.h"

#include <QTimer>

#include <memory>
#include <string>
#include <vector>

class QPushButton;

namespace heteroscape::widgets {

class Document;
class FactList;
class PlotView;
class RequestsStart;
class ScrubSlider;
class SimulationRunner;
class TextLabel;
struct LoadCurve;

/// How the open design bears its load, users in a closed loop or requests a second: a slider that moves it,
/// what it comes to there (the simulation of the design itself), waits and tokens over many loads with the
/// knee, and the largest load within limits on p99 TTFT and TPOT. The curves are of simulations of their own,
/// on a thread of their own, and stay while only the load changes. UI thread.
class LoadPanel : public DockPage {
    Q_OBJECT
public:
    /// Both outlive it.
    LoadPanel(Document* document, SimulationRunner* runner, QWidget* parent = nullptr);

    PlotView* plot() const { return m_plot; }
    ScrubSlider* slider() const { return m_slider; } ///< null: there is no load to move
    QPushButton* largest() const { return m_largest; }
    QString answer() const;
    QString reason() const; ///< what stands in place of the curves; empty while they are shown
    bool isBusy() const { return m_curves.isBusy() || m_seek.isBusy() || m_delay.isActive(); }

private:
    bool refresh() override;
    QWidget* makeResults();
    void makeSlider(const std::string& path);
    void moveTo(double load); ///< one undo step for as long as it moves
    void showFacts();
    void showChart();
    void drawCurves();
    void seekLargest();
    void stopSeeking();
    void takeLargest(const engine::LargestWithin& found);
    void say(const QString& answer, bool isProblem);
    std::vector<engine::Limit> limits() const;
    /// The design but for its load, and the loads that curves are drawn over. Not without a load.
    std::string question() const;
    std::vector<double> loads() const;
    std::string path() const; ///< of the load; empty: none
    double load() const;      ///< in the shown unit

    Document* m_document;
    SimulationRunner* m_runner;
    PlotView* m_plot;
    RequestsStart* m_start;
    QWidget* m_side = nullptr;
    QWidget* m_sliderPlace = nullptr;
    ScrubSlider* m_slider = nullptr;
    FactList* m_facts = nullptr;
    QPushButton* m_largest = nullptr;
    TextLabel* m_answer = nullptr;
    std::string m_asked; ///< question() that the curves answer
    std::shared_ptr<const LoadCurve> m_curve;
    QTimer m_delay; ///< edits follow each other
    QTimer m_rest;  ///< the load rests: the next move is another step
    int m_gesture = 0;
    bool m_isSeeking = false; ///< what is said is that
    Job m_curves;
    Job m_seek;
};

} // namespace heteroscape::widgets

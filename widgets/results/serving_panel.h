// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/document/simulation_runner.h"
#include "widgets/jobs/job.h"
#include "widgets/plots/page.h"

#include <memory>

class QHBoxLayout;
class QLabel;
class QProgressBar;
class QPushButton;
class QScrollArea;
class QVBoxLayout;

namespace heteroscape::widgets {

class Document;
class LatencyTable;
class PlotView;
class TextLabel;
class UseList;
class FactList;
struct ServingFact;

/// What a simulation of the open design's requests came to: latencies, throughput against the closed form,
/// how busy nodes and links were, the queue over time, and the published run that is nearest. While a newer
/// run is under way the last one stands, dimmed after a moment. Without one: why, and what to do about it. UI
/// thread.
class ServingPanel : public DockPage {
    Q_OBJECT
public:
    /// Both outlive it.
    ServingPanel(SimulationRunner* runner, Document* document, QWidget* parent = nullptr);

    PlotView* plot() const { return m_plot; }
    std::vector<ServingFact> facts() const; ///< as shown; empty without a run
    QString reason() const;                 ///< what the empty page says; empty while results are shown
    bool isDimmed() const;

signals:
    void publishedRunRequested(std::size_t line); ///< of the shipped table of servers

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void makeBar();
    QWidget* makeResults();
    QWidget* makeEmptyPage();
    void finish();           ///< the runner has another run, or a reason
    bool refresh() override; ///< shows the run, or why there is none
    void begin();            ///< a run is under way
    void dim(bool dimmed);   ///< what is shown is of an older design
    void place();            ///< what is beside what, by the width
    void lookForPublished(); ///< what was measured nearest to what is shown

    SimulationRunner* m_runner;
    Document* m_document;
    std::shared_ptr<const SimulationRun> m_shown;
    QTimer m_late; ///< runs that are over at once are not announced
    TextLabel* m_headline;
    QWidget* m_progressBox;
    TextLabel* m_progressText;
    QProgressBar* m_progress;
    LatencyTable* m_table;
    FactList* m_facts;
    UseList* m_use;
    QWidget* m_publishedBox; ///< hidden: no published run is near
    TextLabel* m_published;
    std::size_t m_publishedLine = 0;
    Job m_looking;
    PlotView* m_plot;
    QWidget* m_veil = nullptr;
    QScrollArea* m_useArea = nullptr;
    QVBoxLayout* m_left = nullptr;
    TextLabel* m_reason = nullptr;
    QWidget* m_offers = nullptr; ///< buttons of the empty page
};

} // namespace heteroscape::widgets

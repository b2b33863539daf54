// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/shared.h"
#include "widgets/explore/plot_tile.h"
#include "widgets/explore/study_marks.h"
#include "widgets/explore/study_plot.h"
#include "widgets/jobs/job.h"
#include "widgets/plots/chart_export.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

class QStackedWidget;
class QToolButton;

namespace heteroscape::widgets {

class Document;
class ParallelView;
class PlotControls;
class PlotView;
class StepPage;
class TimelineView;

/// One plot of a study with what it shows and where to choose it: a chart, parallel coordinates, or the step
/// timeline of the chosen point. Draws the marks and tells them what is pointed at, chosen and brushed. While
/// a parameter is scrubbed it draws points that are not stored, which are linked with nothing.
class StudyTile : public PlotTile {
    Q_OBJECT
public:
    /// `metric`: key of the metric shown at first.
    StudyTile(const QString& metric, StudyMarks* marks, QWidget* parent = nullptr);

    void setStudy(std::shared_ptr<const LoadedStudy> study); ///< the plot stays as far as it fits
    void setPlot(const engine::StudyPlot& plot);
    /// The point that a timeline shows: the chosen one, else the best.
    void setPoint(std::optional<std::size_t> row);

    /// Draws `plot` of another study than the stored one until showStored(). `thinned`: of some of its
    /// values.
    void showScrubbed(std::shared_ptr<const LoadedStudy> study, const engine::StudyPlot& plot, bool thinned);
    void showStored();
    bool isScrubbed() const { return m_scrubbed != nullptr; }
    /// Where the sliders that were moved are, and the others: marked where an axis of theirs runs along x,
    /// and in clouds the points that lie there.
    void showPosition(std::vector<engine::HeldAxis> moved, std::vector<engine::HeldAxis> others);
    bool isBusy() const; ///< more is still to be drawn

    const engine::StudyPlot& plot() const;
    const engine::SeriesQuery& query() const { return plot().query; }
    PlotView* view() const { return m_view; }
    TimelineView* timeline() const;
    void setCompact(bool compact); ///< little room: what it plots is chosen after a click

signals:
    void rowActivated(std::size_t row);                                    ///< put its design on the canvas
    void scenarioActivated(const heteroscape::engine::Scenario& scenario); ///< of a scrubbed point
    void metricChanged();
    void arrivalsRequested(); ///< the metric needs other arrivals than the study has

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    enum Page { kChart, kSteady, kParallel, kTimeline };
    QWidget* makeSteadyPage();
    void connectMarks();
    void connectView();
    void replot(bool keepView = false);
    void drawChart(const LoadedStudy& study, const engine::StudyPlot& plot, bool keepView);
    void drawLater(std::shared_ptr<const LoadedStudy> study, const engine::StudyPlot& plot, bool keepView);
    void prepareBandsOf(std::shared_ptr<const LoadedStudy> study, const engine::StudyPlot& plot);
    void drawParallel();
    void drawTimeline();
    void showControls();
    void present(engine::Shared<StudyChart> chart, Chart drawn, bool keepView);
    void showWords(const QString& words); ///< in place of a picture
    const engine::RowMask* keptRows() const;
    void refilterChart();
    void showSelected();
    void explain(ChartPoint point, QPoint globalAt); ///< how the metric of a point comes about
    void brushBox(const QRectF& box);                ///< in the values of the chart's axes
    void moveLimit(int line, double at, bool done);  ///< a limit that stands as a line
    void writePicture(const QString& path, const ImageSize& size) const;
    QString csv() const;

    std::shared_ptr<const LoadedStudy> m_study;
    std::shared_ptr<const LoadedStudy> m_scrubbed; ///< drawn in its place
    engine::StudyPlot m_scrubbedPlot;
    bool m_thinned = false; ///< what is scrubbed
    std::vector<engine::HeldAxis> m_moved,
        m_held; ///< where the sliders are: those that were moved, the others
    StudyMarks* m_marks;
    engine::Shared<StudyChart> m_chart; ///< of a million cells: jobs hold the same
    std::optional<std::size_t> m_row;   ///< of a timeline
    Job m_bands{Job::Order::Patient};   ///< of curves
    Job m_later{Job::Order::Patient};   ///< a chart that takes its time
    /// What such a chart is of, while it is shown.
    struct Drawn {
        std::shared_ptr<const LoadedStudy> study;
        engine::StudyPlot plot;
        bool operator==(const Drawn&) const = default;
    };
    std::optional<Drawn> m_drawn;
    bool m_bandsAsked = false; ///< they have been worked out as far as they can be
    PlotControls* m_controls;
    PlotView* m_view;
    QStackedWidget* m_pages; ///< the plot, or why there cannot be one
    ParallelView* m_parallel;
    StepPage* m_step;
    bool m_compact = false;
    QToolButton* m_choose = nullptr;
    QToolButton* m_fit = nullptr;
};

} // namespace heteroscape::widgets

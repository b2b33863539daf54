// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/explore/study_plot.h"
#include "widgets/plots/surface.h"
#include "widgets/theme/text_label.h"

#include <memory>
#include <optional>

class QStackedWidget;
class QToolButton;

namespace heteroscape::widgets {

class ExportButton;
class PlotControls;
class PlotView;

/// One plot of a study with what it shows and where to choose it.
class StudyTile : public Surface {
    Q_OBJECT
public:
    StudyTile(const QString& metric, QWidget* parent = nullptr); ///< key of the metric shown at first

    void setStudy(std::shared_ptr<const LoadedStudy> study); ///< the plot stays as far as it fits
    void setPlot(const engine::StudyPlot& plot);
    void selectRow(std::optional<std::size_t> row); ///< marks it where it is drawn

    const engine::StudyPlot& plot() const;
    const engine::SeriesQuery& query() const { return plot().query; }
    PlotView* view() const { return m_view; }
    PlotControls* controls() const { return m_controls; }
    ExportButton* exportButton() const { return m_export; }

signals:
    void rowClicked(std::size_t row);
    void rowActivated(std::size_t row);
    void metricChanged();
    void arrivalsRequested(); ///< the metric needs other arrivals than the study has

private:
    QWidget* makeSteadyPage();
    QToolButton* makeButton(const QString& icon, const QString& name);
    void replot();

    std::shared_ptr<const LoadedStudy> m_study;
    StudyChart m_chart;
    std::optional<std::size_t> m_row;
    TextLabel* m_title;
    TextLabel* m_note;
    PlotControls* m_controls;
    PlotView* m_view;
    QStackedWidget* m_pages; ///< the plot, or why there cannot be one
    ExportButton* m_export;
};

} // namespace heteroscape::widgets

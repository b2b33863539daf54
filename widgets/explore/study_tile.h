// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/plotting/series.h"
#include "widgets/explore/study_runner.h"
#include "widgets/plots/chart.h"
#include "widgets/plots/surface.h"
#include "widgets/theme/text_label.h"

#include <map>
#include <memory>
#include <optional>

class QComboBox;
class QHBoxLayout;

namespace heteroscape::widgets {

class ExportButton;
class PlotView;

/// The curves that a query cuts out of a study, with their star, as a plot. Also used without a window.
LinePlotSpec studyPlot(const engine::StudyTable& table, const engine::SeriesQuery& query);

/// One plot of a study: choose the metric, the axis across, the axis of the curves, and where the others are
/// held.
class StudyTile : public Surface {
    Q_OBJECT
public:
    StudyTile(const QString& metric, QWidget* parent = nullptr); ///< key of the metric shown at first

    void setStudy(std::shared_ptr<const LoadedStudy> study);
    void selectRow(std::optional<std::size_t> row); ///< marks it where it is on one of the curves

    engine::SeriesQuery query() const;
    PlotView* view() const { return m_view; }
    ExportButton* exportButton() const { return m_export; }

signals:
    void rowClicked(std::size_t row);
    void rowActivated(std::size_t row);
    void metricChanged();

private:
    void fillCombos();
    void fillHeld();
    void replot();
    LinePlotSpec spec() const;

    std::shared_ptr<const LoadedStudy> m_study;
    QString m_metricKey;
    std::vector<engine::Series> m_series;
    std::map<std::string, QComboBox*> m_held; ///< of axes neither across nor curves
    std::map<std::string, double> m_heldValues;
    std::optional<std::size_t> m_row;
    TextLabel* m_title;
    QComboBox* m_metric;
    QComboBox* m_across;
    QComboBox* m_curves;
    QHBoxLayout* m_heldRow;
    PlotView* m_view;
    ExportButton* m_export;
};

} // namespace heteroscape::widgets

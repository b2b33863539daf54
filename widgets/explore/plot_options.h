// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/claims/figure_study.h"
#include "widgets/explore/loaded_study.h"

#include <QFrame>

#include <memory>

class QCheckBox;
class QComboBox;
class QListWidget;
class QVBoxLayout;

namespace heteroscape::widgets {

class TextLabel;

/// What is rarely chosen of a plot: the gain over a value of an axis or over a case, the axes averaged over
/// and how, further metrics, the cases shown, and what is marked and written. Every change is told at once.
class PlotOptions : public QFrame {
    Q_OBJECT
public:
    explicit PlotOptions(QWidget* parent);

    void open(std::shared_ptr<const LoadedStudy> study, const engine::StudyPlot& plot, const QWidget* anchor);
    const engine::StudyPlot& plot() const { return m_plot; }

signals:
    void changed();

private:
    void fill();
    void fillBases();
    void fillMeans();
    void fillMetrics();
    void fillCases();
    void fillMarks();
    QCheckBox* addMark(const char* object, const QString& text, bool engine::StudyPlot::*member);
    void enableMetrics();
    std::vector<std::string>& furtherMetrics(); ///< those of the list

    std::shared_ptr<const LoadedStudy> m_study;
    engine::StudyPlot m_plot;
    engine::GainOver m_given; ///< of several axes, as the plot came with it
    QComboBox* m_gain;
    QComboBox* m_base;
    QVBoxLayout* m_meanColumn;
    std::vector<QCheckBox*> m_means;
    QComboBox* m_mean;
    TextLabel* m_metricsHeading;
    QListWidget* m_metrics;
    QCheckBox* m_log = nullptr;
    TextLabel* m_casesHeading;
    QListWidget* m_cases;
    std::vector<engine::SeriesCase> m_everyCase; ///< parallel to m_cases
    QCheckBox* m_bands = nullptr;
    std::vector<std::pair<QCheckBox*, bool engine::StudyPlot::*>> m_marks; ///< and what they switch
    QComboBox* m_crossover;
    QComboBox* m_crossoverWith;
};

} // namespace heteroscape::widgets

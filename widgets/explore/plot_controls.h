// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/explore/loaded_study.h"
#include "widgets/explore/study_plot.h"

#include <QWidget>

#include <memory>

class QComboBox;
class QHBoxLayout;

namespace heteroscape::widgets {

class PlotOptions;
class TextLabel;

/// What a tile plots: its kind, the metric (of a scatter plot up to three), the axes across and of the
/// curves, and where the others are held. What a kind does not have is not there. The rest is in PlotOptions.
class PlotControls : public QWidget {
    Q_OBJECT
public:
    PlotControls(const QString& metric, QWidget* parent); ///< key of the metric shown at first

    /// Takes a study; the plot stays as far as it fits. Does not emit changed().
    void setStudy(std::shared_ptr<const LoadedStudy> study);
    void setPlot(const engine::StudyPlot& plot); ///< likewise
    const engine::StudyPlot& plot() const { return m_plot; }
    void openOptions(const QWidget* anchor);

signals:
    void changed(); ///< by the user

private:
    void fillLists();
    void nameLists(); ///< metrics whose names the first points told
    void showPlot();  ///< the plot, made to fit the study
    void showKind();
    void showCurves();
    void showHeld();
    void makeHeld(const std::vector<std::pair<std::string, double>>& wanted);
    void edited(); ///< after a choice of the user: a title given with the plot no longer tells the truth

    std::shared_ptr<const LoadedStudy> m_study;
    engine::StudyPlot m_plot;
    HeldValues m_held;
    std::string m_wanted; ///< the metric chosen last, also where a study lacks it
    QComboBox* m_kind;
    QComboBox* m_metric;
    QComboBox* m_upwards; ///< scatter: the second metric
    QComboBox* m_size;    ///< scatter: the third
    QComboBox* m_across;
    QComboBox* m_curves;
    QComboBox* m_further; ///< a second axis of curves
    TextLabel* m_against;
    TextLabel* m_sized;
    TextLabel* m_over;
    TextLabel* m_and;
    TextLabel* m_by;
    QHBoxLayout* m_choices = nullptr;
    QHBoxLayout* m_heldRow;
    std::vector<std::pair<std::string, QComboBox*>> m_heldCombos; ///< by axis
    PlotOptions* m_options;
};

} // namespace heteroscape::widgets

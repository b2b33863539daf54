// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/explore/plot_tile.h"
#include "widgets/explore/study_marks.h"
#include "widgets/jobs/job.h"

#include <QStringList>

class QComboBox;
class QDoubleSpinBox;
class QToolButton;

namespace heteroscape::widgets {

class ChoiceList;
class TornadoChart;

/// How far a metric of the chosen point moves (without one: of the study's base) when each of its inputs
/// does, by its stated uncertainty or by a share. Evaluated on a thread of its own.
class TornadoTile : public PlotTile {
    Q_OBJECT
public:
    explicit TornadoTile(StudyMarks* marks, QWidget* parent = nullptr);

    void showMetric(const std::string& metric); ///< by key
    void follow();                              ///< the marks' study changed
    TornadoChart* chart() const { return m_chart; }
    bool isBusy() const { return m_job.isBusy(); }

signals:
    void sweepRequested(const QString& path); ///< this input should be an axis

private:
    void showNote();
    void openInputs();
    void evaluate();

    StudyMarks* m_marks;
    Job m_job{Job::Order::Patient};
    QStringList m_ticked; ///< paths
    QComboBox* m_metric;
    QComboBox* m_inputs; ///< all, calibrated, ticked
    QDoubleSpinBox* m_share;
    QToolButton* m_choose = nullptr;
    ChoiceList* m_list;
    TornadoChart* m_chart;
};

} // namespace heteroscape::widgets

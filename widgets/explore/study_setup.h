// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/store/run_study.h"
#include "widgets/document/document.h"
#include "widgets/explore/default_axes.h"

#include <QWidget>

#include <optional>

class QLabel;
class QProgressBar;
class QPushButton;
class QVBoxLayout;

namespace heteroscape::widgets {

class AxisPicker;
class AxisRow;
class TextLabel;

/// Where a study is set up and run: its axes, how many points they make, Run or Cancel, progress.
class StudySetup : public QWidget {
    Q_OBJECT
public:
    explicit StudySetup(Document* document, QWidget* parent = nullptr);

    void
    addAxis(const QString& path); ///< with values around the present one; a path already there gets the focus
    void setAxes(const std::vector<AxisText>& axes);
    void takeAxes(const std::vector<engine::Axis>& axes); ///< they stay when the design changes
    std::vector<AxisText> axes() const;

    /// The study as set up; none while something in it does not hold.
    std::optional<engine::Study> study() const;

    void setRunning(bool running);
    void showProgress(const engine::StudyProgress& progress);
    void showDone(const engine::StudyRun& run);
    void showStatus(const QString& text);

signals:
    void runRequested();
    void cancelRequested();
    void changed();           ///< axes or points differ
    void arrivalsRequested(); ///< an axis acts on other arrivals than the design has

private:
    void pickAxis(const QString& path); ///< addAxis(), and the list of its choices
    void addRow(const AxisText& axis);
    void removeRow(AxisRow* row);
    void takeDocument(bool fresh);
    void check();
    void checkArrivals(); ///< says so when axes change nothing by the design's arrivals

    Document* m_document;
    bool m_touched = false; ///< the user has set axes: they stay when the design changes
    bool m_running = false;
    std::vector<AxisRow*> m_rows;
    std::optional<engine::Study> m_study;
    QVBoxLayout* m_axisColumn;
    AxisPicker* m_picker;
    QPushButton* m_add;
    TextLabel* m_design;
    TextLabel* m_points;
    TextLabel* m_error;
    TextLabel* m_idle; ///< why axes change nothing
    QPushButton* m_arrivals;
    QPushButton* m_run;
    QPushButton* m_cancel;
    QProgressBar* m_bar;
    TextLabel* m_status;
};

} // namespace heteroscape::widgets

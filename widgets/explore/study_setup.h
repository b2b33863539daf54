// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/study_run/run_study.h"
#include "widgets/document/document.h"
#include "widgets/explore/default_axes.h"
#include "widgets/explore/source_forms.h"

#include <QWidget>

#include <optional>

class QMimeData;
class QPushButton;
class QVBoxLayout;

namespace heteroscape::widgets {

class AxisPicker;
class AxisRow;
class DropSlot;
class LimitList;
class RunRow;
class StudyForecaster;
class TextLabel;

/// Where a study is set up and run: its axes, what is kept of it, how many points they make and how long they
/// take, Run, Pause or Cancel, progress. A property of the inspector dropped on it becomes an axis, a model,
/// workload, design or technique of the palette a value of one. In the place of axes a list of points can be
/// opened from a CSV, or dropped. It follows the design while it is shown.
class StudySetup : public SourceForm {
    Q_OBJECT
public:
    explicit StudySetup(Document* document, QWidget* parent = nullptr);

    /// The store in which points are looked up before a run; without it none counts as stored.
    void setStorePath(const QString& path);

    void
    addAxis(const QString& path); ///< with values around the present one; a path already there gets the focus
    void addChoice(const QString& path,
                   const QString& id); ///< one more value of an axis of choices, made if need be
    void setAxes(const std::vector<AxisText>& axes);
    void takeAxes(const std::vector<engine::Axis>& axes); ///< they stay when the design changes
    /// A CSV of points (engine/study/point_list.h) in the place of axes; what is wrong with it is told.
    void openPoints(const QString& file);
    /// A stored study to go on from: its design is opened, undoable, when another one is; its axes and limits
    /// are taken, and the first axis has the focus. Points that it has are not computed again.
    void takeStudy(const engine::Study& study) override;
    std::vector<AxisText> axes();

    std::vector<engine::Limit> limits() const override;
    void setLimits(const std::vector<engine::Limit>& limits) override;

    std::optional<engine::Study> study() override;
    bool makes(const engine::Study& study) const override;
    bool isCurrent(const LoadedStudy& study) const override;

    void setRunning(bool running) override;
    RunRow* runRow() const override { return m_run; }
    QString emptyHeading() const override;
    QString emptyWords(bool isReady) const override;

signals:
    void arrivalsRequested(); ///< an axis acts on other arrivals than the design has

protected:
    void showEvent(QShowEvent* event) override; ///< catches up with the design
    void hideEvent(QHideEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dragMoveEvent(QDragMoveEvent* event) override;
    void dragLeaveEvent(QDragLeaveEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    struct PointList {
        QString name; ///< of its file or study
        std::vector<engine::Axis> axes;
    };
    void takeList(const QString& name, std::vector<engine::Axis> axes);
    void putList(engine::Study& study) const;
    void showList();

    /// What a drop would do: an axis, or a value (choice) of one, or a file of points; else why not.
    struct Drop {
        std::string path;
        std::string choice;
        QString words;
        bool refused = false;
        QString file{};
    };
    Drop readDrop(const QMimeData& dragged) const;

    AxisRow* rowOf(const std::string& path) const;
    void addRow(const AxisText& axis);
    void removeRow(AxisRow* row);
    void followDocument(bool fresh); ///< now or, while hidden, when it is shown
    void catchUp();
    void takeDocument(bool fresh);
    void check();
    bool markPartsOfSystems(const engine::Study& study); ///< when systems are swept; true if there were any
    void leaveOutParts();
    void forecast();
    void checkArrivals(); ///< says so when axes change nothing by the design's arrivals

    Document* m_document;
    bool m_touched = false; ///< the user has set axes: they stay when the design changes
    bool m_behind = false;  ///< the design has changed while this was hidden
    bool m_fresh = false;   ///< of which by another one
    std::vector<AxisRow*> m_rows;
    std::optional<engine::Study> m_study;
    std::optional<PointList> m_list; ///< in the place of axes
    QVBoxLayout* m_axisColumn;
    TextLabel* m_listWords;
    QPushButton* m_listGone;
    AxisPicker* m_picker;
    QPushButton* m_add;
    QPushButton* m_openPoints;
    DropSlot* m_slot;
    TextLabel* m_design;
    TextLabel* m_points;
    TextLabel* m_forecast;
    TextLabel* m_error;
    TextLabel* m_idle;       ///< why axes change nothing
    QPushButton* m_leaveOut; ///< the axes that do not go with systems
    QPushButton* m_arrivals;
    const engine::ArrivalKind* m_proposed = nullptr; ///< arrivals that make the axes count, if only these do
    LimitList* m_limits;
    RunRow* m_run;
    StudyForecaster* m_forecaster;
};

} // namespace heteroscape::widgets

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/explore/loaded_study.h"
#include "widgets/jobs/job.h"
#include "widgets/plots/export_button.h"
#include "widgets/plots/surface.h"
#include "widgets/theme/text_label.h"

#include <QStackedWidget>

class QToolButton;
class QVBoxLayout;

namespace heteroscape::widgets {

class TimelineView;

/// The step of one point of a study, lane by lane, or why there is none. Scheduled on a thread of its own.
class StepPage : public QStackedWidget {
    Q_OBJECT
public:
    explicit StepPage(QWidget* parent);

    TimelineView* timeline() const { return m_timeline; }
    bool isBusy() const { return m_job.isBusy(); }
    /// `without`: the technique (id) that the step is compared without; empty: none.
    void showStep(const LoadedStudy& study, std::optional<std::size_t> row, const std::string& without);
    void drop() { m_job.drop(); }

private:
    void tell(const QString& reason); ///< empty: there is a step

    Job m_job{Job::Order::Patient};
    TimelineView* m_timeline;
    TextLabel* m_none;
};

/// A tile of the board: a head with a title, a note and buttons; what is plotted stands below.
class PlotTile : public Surface {
    Q_OBJECT
public:
    explicit PlotTile(QWidget* parent);

    ExportButton* exportButton() const { return m_export; }
    void setMaximised(bool maximised); ///< what its button says
    void setClosable(bool closable);

signals:
    void maximiseRequested();
    void closeRequested();
    void drawn(); ///< what takes its time is there

protected:
    QToolButton* makeButton(const QString& icon, const QString& name, const char* object = "");
    /// The tile's column, with the head on top: `own` buttons before those of every tile.
    QVBoxLayout* makeColumn(ExportButton* exports, std::initializer_list<QWidget*> own = {});

    TextLabel* m_title;
    TextLabel* m_note;

private:
    QToolButton* m_maximise = nullptr;
    QToolButton* m_close = nullptr;
    ExportButton* m_export = nullptr;
};

} // namespace heteroscape::widgets

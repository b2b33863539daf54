// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/document/document.h"
#include "widgets/explore/study_list.h"
#include "widgets/explore/study_runner.h"

#include <QWidget>

#include <functional>
#include <memory>
#include <optional>

class QStackedWidget;

namespace heteroscape::widgets {

class EmptyStudyPage;
class FrontierSetup;
class NoticeBar;
class PageSwitch;
class ScrubPanel;
class SelectedPanel;
class SourceForms;
class StudyBoard;
class StudyList;
class StudyMarks;
class StudySetup;

/// The result page: points of studies, read off linked plots and a table, from the store, or from memory
/// where nothing can be stored. Where they come from is a form at the left: a sweep over numbers and choices
/// of the open design, or a frontier. Keys: B pins the chosen point as baseline, Shift+B takes it away. UI
/// thread; the sweep runs on its own thread and is cancelled when this goes.
class ExploreWorkspace : public QWidget {
    Q_OBJECT
public:
    ExploreWorkspace(Document* document, const QString& storePath, QWidget* parent = nullptr);

public slots:
    void addAxis(const QString& path); ///< "sweep this"

    void run();
    void cancel();

public:
    /// Sets up a figure's axes over the open design, which must be the figure's, runs it and shows its plots.
    void openFigure(const engine::FigureStudy& figure);
    void start(engine::Study study); ///< one that was made elsewhere: its form is to be shown before
    const std::vector<engine::FigureStudy>& figures() const { return m_figures.all(); }
    NoticeBar* notice() const { return m_notice; } ///< above the plots
    PageSwitch* pages() const { return m_switch; } ///< studies are the first
    SourceForms* forms() const { return m_forms; }
    StudySetup* sweeps() const { return m_setup; }
    FrontierSetup* frontiers() const { return m_frontier; }

    /// What the tiles plot, for a report; nothing without a study of the open design, or of the one that the
    /// open design is a point of.
    std::vector<engine::StudyPlot> shownPlots() const;
    const std::shared_ptr<const LoadedStudy>& study() const { return m_study; }

    bool isRunning() const { return m_runner->isBusy(); }
    bool isBusy() const; ///< it runs, or the plots are not drawn yet
    StudyMarks* marks() const { return m_marks; }
    void selectRow(std::size_t row); ///< of the study's table: marks it in the plots and the table
    void openRow(std::size_t row);   ///< puts its design on the canvas
    void pinRow(std::size_t row);    ///< everything reads as ratio to it
    void pinDesign();                ///< to the open design
    void unpin();

signals:
    void quantityRequested(const std::string& path); ///< what stands there should be chosen
    void designOpened();                             ///< a point of the study is the open design now

protected:
    void showEvent(QShowEvent* event) override; ///< reopens the design's newest study

private:
    void layOut();
    void connectForms();
    void connectList();
    void connectBoard();
    void connectRunner();
    void showEmpty();
    void addShortcuts();
    void open(qint64 id);
    void keepLimits(); ///< of the marks: in the set-up and with the stored study
    void exportStored(qint64 id, const QString& format);
    void withStore(const std::function<void(engine::Store&)>& work); ///< tells what it refuses
    void openScenario(const engine::Scenario& scenario);
    void showPoint();
    void tellState(); ///< whether what is drawn is what a run would draw now
    void showStudy(const std::shared_ptr<const LoadedStudy>& study);

    Document* m_document;
    QString m_storePath;
    std::shared_ptr<const LoadedStudy> m_study;
    StudyMarks* m_marks;
    PageSwitch* m_switch;
    QWidget* m_studies; ///< the page of them
    QWidget* m_side;    ///< left in it
    StudySetup* m_setup;
    FrontierSetup* m_frontier;
    SourceForms* m_forms;
    StudyList* m_list;
    QStackedWidget* m_pages;
    EmptyStudyPage* m_empty;
    NoticeBar* m_notice;
    SelectedPanel* m_selected;
    StudyBoard* m_board;
    ScrubPanel* m_scrub;
    StudyRunner* m_runner;
    std::optional<engine::Study> m_started; ///< what runs, is paused or ran last
    std::string m_opened;                   ///< key of the point of the study that was put on the canvas
    bool m_drawing = false;                 ///< the table that came last is not drawn yet
    QString m_unkept;                       ///< why the study that is shown is not stored
    PaperFigures m_figures;
};

} // namespace heteroscape::widgets

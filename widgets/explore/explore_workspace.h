// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/claims/figure_study.h"
#include "widgets/document/document.h"
#include "widgets/explore/study_runner.h"

#include <QWidget>

#include <memory>
#include <optional>

class QPushButton;
class QStackedWidget;

namespace heteroscape::widgets {

class ExportButton;
class NoticeBar;
class PointsTable;
class TextLabel;
class StudyList;
class StudySetup;
class StudyTile;

/// Sweeps numbers and choices of the open design and reads the landscape off plots and a table, all from the
/// store. UI thread; the sweep runs on its own thread and is cancelled and joined when this goes.
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
    const std::vector<engine::FigureStudy>& figures() const { return m_figures; }
    void showDone(const QString& message); ///< in the bar above the plots

    bool isRunning() const { return m_runner->isBusy(); }
    void selectRow(std::size_t row); ///< of the study's table: marks it in the plots and the table
    void openRow(std::size_t row);   ///< puts its design on the canvas

signals:
    void figureRequested(const std::string& path); ///< what stands there should be chosen
    void designOpened();                           ///< a point of the study is the open design now

protected:
    void showEvent(QShowEvent* event) override; ///< reopens the design's newest study

private:
    void readFigures();
    QWidget* makeSidebar();
    QWidget* makeEmptyPage();
    QWidget* makeResults();
    void connectRunner();
    void showStudy(const std::shared_ptr<const LoadedStudy>& study);
    std::vector<engine::StudyPlot> figurePlots(const LoadedStudy& study) const;
    void updateEmptyPage();

    Document* m_document;
    QString m_storePath;
    std::shared_ptr<const LoadedStudy> m_study;
    std::optional<std::size_t> m_row;
    std::vector<std::string> m_leading; ///< metrics that come first in the table
    bool m_userSorted = false;          ///< a header was clicked: keep that order
    StudySetup* m_setup;
    StudyList* m_list;
    QStackedWidget* m_pages;
    TextLabel* m_emptyText = nullptr;
    QPushButton* m_emptyRun = nullptr;
    NoticeBar* m_notice;
    StudyTile* m_left;
    StudyTile* m_right;
    PointsTable* m_table;
    StudyRunner* m_runner;
    std::vector<engine::FigureStudy> m_figures; ///< of papers, as far as they can be read
};

} // namespace heteroscape::widgets

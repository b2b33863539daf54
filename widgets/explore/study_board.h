// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/claims/figure_study.h"
#include "widgets/explore/study_marks.h"

#include <QWidget>

#include <memory>
#include <optional>
#include <vector>

class QMenu;
class QPushButton;

namespace heteroscape::widgets {

class Document;
class PlotTile;
class PointsTable;
class StudyTile;
class TextLabel;
class TileGrid;
class TornadoTile;

/// What a study is read off: its plots in a grid, up to six, and the table of its points, all linked by the
/// marks.
class StudyBoard : public QWidget {
    Q_OBJECT
public:
    /// Notes on its plots are kept in the document.
    StudyBoard(StudyMarks* marks, Document& document, QWidget* parent = nullptr);

    StudyMarks* marks() const { return m_marks; }

    /// The study of the marks. `plots`: those of its figure; each gets a tile when the study is `another`.
    void showStudy(const std::vector<engine::StudyPlot>& plots, bool another);

    /// Why what is drawn is not what a run would draw now, or not all of it; empty: it is.
    void showState(const QString& state);

    StudyTile* addPlot(engine::PlotKind kind); ///< null when there is no room
    TornadoTile* addSensitivity();
    std::vector<StudyTile*> plots() const;
    std::vector<engine::StudyPlot> shownPlots() const;           ///< what they show
    void setPlots(const std::vector<engine::StudyPlot>& wanted); ///< of the first tiles
    void bringBack(); ///< the plot that was closed last, where it was
    PointsTable* table() const { return m_table; }
    /// The metrics that are shown: what a large study reads first.
    std::vector<std::string> metrics() const;
    /// The chosen point, else the best one.
    std::optional<std::size_t> point() const;
    std::optional<std::size_t> bestPoint() const; ///< of the kept ones, by the first plot's metric

signals:
    void rowActivated(std::size_t row);
    void scenarioActivated(const heteroscape::engine::Scenario& scenario);
    void pointChanged();                   ///< another point is chosen, or is the best
    void drawn();                          ///< a tile is done with what took its time
    void plotsChanged();                   ///< a tile came, went or shows something else
    void plotClosed(const QString& title); ///< by the user; empty: it cannot be brought back any more
    void arrivalsRequested();
    void sweepRequested(const QString& path);
    void unpinRequested();
    void done(const QString& message);
    void failed(const QString& message);

private:
    QWidget* makeBar();
    StudyTile* makeTile(const QString& metric);
    void addTile(PlotTile* tile);
    void addTile(PlotTile* tile, std::size_t place);
    void closeTile(QWidget* tile);
    void forgetClosed();
    void followTiles();
    void sortTable();
    void showPoint();

    StudyMarks* m_marks;
    Document& m_document;
    TileGrid* m_grid;
    PointsTable* m_table;
    QPushButton* m_add;
    QMenu* m_kinds;
    TextLabel* m_state;
    TextLabel* m_baseline;
    QPushButton* m_brush; ///< a drag in any plot selects
    QPushButton* m_unpin;
    struct Closed {
        engine::StudyPlot plot;
        std::size_t place;
    };
    std::optional<Closed> m_closed;   ///< last, of this study
    std::vector<QWidget*> m_ofFigure; ///< tiles that a figure brought: they go with it
};

} // namespace heteroscape::widgets

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/catalog.h"
#include "engine/claims/figure_study.h"
#include "widgets/explore/study_board.h"
#include "widgets/jobs/job.h"

#include <QPointer>
#include <QTimer>
#include <QWidget>

#include <memory>
#include <vector>

class QPushButton;
class QVBoxLayout;

namespace heteroscape::widgets {

class AxisPicker;
class ScrubSlider;
class TextLabel;

/// A slider for each axis of the study that is shown, and for parameters that are added. Moving one draws
/// what the board's plots show anew, of stored points or evaluated in memory on a thread of its own, the
/// newest position first; nothing is stored. While it moves, of so many points only that pictures keep up;
/// of all when it rests. UI thread only.
class ScrubPanel : public QWidget {
    Q_OBJECT
public:
    ScrubPanel(StudyBoard* board, std::shared_ptr<const engine::Catalog> catalog, QWidget* parent = nullptr);

    /// Another study: its sliders. The same one with more points: nothing changes.
    void showStudy(const std::shared_ptr<const LoadedStudy>& study);
    void addParameter(const QString& path);
    void reset(); ///< the stored points are shown again
    void scrub(); ///< draws the present positions anew, if one was moved

    const std::vector<ScrubSlider*>& sliders() const { return m_sliders; }
    bool isBusy() const { return m_job.isBusy() || m_shows.isBusy() || m_rest.isActive(); }

signals:
    void failed(const QString& message);

private:
    void draw(bool whole); ///< not only as many points as keep up
    void addSlider(ScrubSlider* slider);
    void removeSlider(ScrubSlider* slider);
    std::vector<engine::HeldAxis> moved() const;
    void showPositions(); ///< in plots, table and tornado: where the sliders are, and that they are moved
    void makeAxisSliders();
    void openPicker();
    bool isMoved() const;
    bool showNext(); ///< one of what was drawn; false: that was the last

    /// What a plot is to show. Without a study: these sliders move nothing of it.
    struct Shown {
        QPointer<StudyTile> tile;
        engine::StudyPlot plot;
        bool thinned = false;
        std::shared_ptr<const LoadedStudy> study;
    };
    StudyBoard* m_board;
    std::shared_ptr<const engine::Catalog> m_catalog;
    std::shared_ptr<const LoadedStudy> m_study;
    Job m_job{Job::Order::Patient};
    std::vector<Shown> m_shown; ///< still to be shown: a plot in each turn of the event loop
    Slices m_shows{[this] { return showNext(); }};
    bool m_whole = false;      ///< what was handed over last
    std::size_t m_pace = 1000; ///< points that a picture may have while sliders move
    QTimer m_rest;             ///< since a picture of some of its points only
    std::vector<ScrubSlider*> m_sliders;
    QVBoxLayout* m_column;
    AxisPicker* m_picker;
    QPushButton* m_add;
    QPushButton* m_reset;
};

} // namespace heteroscape::widgets

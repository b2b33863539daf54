// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/lanes/lanes_view.h"
#include "widgets/timeline/timeline_track.h"

#include <optional>

namespace heteroscape::widgets {

/// Timelines on the screen, all on one scale of time. A double click shows the layer under the cursor; Home
/// shows one layer, End the whole step. UI thread only.
class TimelineView : public LanesView {
    Q_OBJECT
public:
    explicit TimelineView(QWidget* parent = nullptr);

    /// Shows other timelines; `keepView`: over the same stretch of time as far as it is there, once the user
    /// has chosen one; else one layer.
    void setTracks(TimelineTracks tracks, bool keepView);
    const TimelineTracks& tracks() const { return m_tracks; }

    TimeSpan whole() const override { return {0.0, endOf(m_tracks)}; }
    void fitLayer(); ///< the first layer of the longest timeline; another design opens at its own
    void fitStep();

    const TimelineLayout& timelineLayout() const { return m_layout; }
    /// Where a segment stands, within this widget; may lie outside what is seen.
    QRectF rectOf(std::size_t track, engine::Lane lane, std::size_t index) const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    bool isEmpty() const override { return m_tracks.empty(); }
    double closest() const override;
    const LanesLayout& lanesLayout() const override { return m_layout; }
    void relayOut() override;
    void paintLanes(QPainter& painter) override;
    QRectF walkedRect() const override;
    void hover(QPointF at) override;
    void goHome() override { fitLayer(); }
    void goToEnd() override { fitStep(); }
    void walkLanes(int step) override;
    void walkSegments(int step) override;
    bool escape() override;
    void clickTwice(QPointF at) override; ///< shows the layer there

private:
    struct Place { ///< where the keyboard is
        std::size_t row;
        std::size_t segment;
    };

    void readOutSegment(const TimelineLayout::Row& row, std::size_t index, QPointF at);
    void showWalked(); ///< brings it into view and reads it out
    void updateName();

    TimelineTracks m_tracks;
    TimelineLayout m_layout;
    std::optional<Place> m_walked;
};

} // namespace heteroscape::widgets

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plots/read_out.h"
#include "widgets/timeline/timeline_layout.h"

#include <QWidget>

#include <optional>

namespace heteroscape::widgets {

/// Timelines on the screen, all on one scale of time. Wheel zooms at the cursor (with Shift: moves), drag
/// moves, a double click shows the layer under the cursor, the strip below shows the step and where one is in
/// it. Keys: left and right move, + and − zoom, Home shows one layer, End the whole step; up and down walk
/// through the lanes, Ctrl+left and Ctrl+right through a lane's segments; Esc puts the read-out away.
/// Hovering reads out. Follows the theme. UI thread only.
class TimelineView : public QWidget {
    Q_OBJECT
public:
    explicit TimelineView(QWidget* parent = nullptr);

    /// Shows other timelines; `keepView`: over the same stretch of time as far as it is there, once the user
    /// has chosen one; else one layer.
    void setTracks(TimelineTracks tracks, bool keepView);
    const TimelineTracks& tracks() const { return m_tracks; }

    TimeSpan view() const { return m_view; }
    void setView(TimeSpan view); ///< clamped to the step
    void fitLayer();             ///< the first layer of the longest timeline
    void fitStep();
    void zoom(double factor, double atSeconds); ///< below 1: closer
    bool isViewChosen() const { return m_chosen; }

    const TimelineLayout& timelineLayout() const { return m_layout; }
    const ReadOut& readOut() const { return *m_readOut; }
    /// Where a segment stands, within this widget; may lie outside what is seen.
    QRectF rectOf(std::size_t track, engine::Lane lane, std::size_t index) const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void viewChanged();

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    enum class Drag { None, Pan, Window };
    struct Place { ///< where the keyboard is
        std::size_t row;
        std::size_t segment;
    };

    void relayOut();
    void apply(TimeSpan view); ///< clamps, shows
    void chooseView(TimeSpan view);
    void hover(QPointF at);
    void readOutSegment(const TimelineLayout::Row& row, std::size_t index, QPointF at);
    void walkLanes(int step);
    void walkSegments(int step);
    void showWalked(); ///< brings it into view and reads it out
    void updateName();

    TimelineTracks m_tracks;
    TimelineLayout m_layout;
    TimeSpan m_view{0.0, 1.0};
    bool m_chosen = false; ///< by the user
    Drag m_drag = Drag::None;
    QPointF m_dragFrom;
    TimeSpan m_dragView;
    std::optional<Place> m_walked;
    ReadOut* m_readOut;
};

} // namespace heteroscape::widgets

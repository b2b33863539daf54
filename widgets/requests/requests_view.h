// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plots/read_out.h"
#include "widgets/requests/requests_painter.h"

#include <QWidget>

#include <memory>
#include <optional>

class QScrollBar;

namespace heteroscape::widgets {

/// Requests over lanes on the screen. Wheel zooms at the cursor (with Shift: moves; over the labels: scrolls
/// the lanes), drag moves, a click marks the request under the cursor and on empty ground unmarks, a double
/// click zooms to its segment; the strip below shows the whole run and where one is in it. Keys: left and
/// right move, + and − zoom, Home shows the whole run, End its end; up and down walk through the lanes,
/// Ctrl+left and Ctrl+right through a lane's segments, Page up and Page down scroll, Return marks the request
/// one is at and with Shift zooms to it; Esc unmarks. Hovering reads out. Follows the theme. UI thread only.
class RequestsView : public QWidget {
    Q_OBJECT
public:
    explicit RequestsView(QWidget* parent = nullptr);

    /// Shows another run, or nothing; `keepView`: the same stretch of time as far as it is there, once the
    /// user has chosen one, and the same mark; else all of it.
    void setLanes(std::shared_ptr<const RequestLanes> lanes, bool keepView);
    const RequestLanes* lanes() const { return m_lanes.get(); } ///< null: nothing is shown

    TimeSpan view() const { return m_view; }
    void setView(TimeSpan view); ///< clamped to the run
    void showAll();
    void zoom(double factor, double atSeconds); ///< below 1: closer

    /// Lets all segments of a request stand out; nothing: none. False when it has none.
    bool markRequest(std::optional<std::uint32_t> request);
    std::optional<std::uint32_t> markedRequest() const;
    const MarkedRequest* marked() const { return m_marked ? &*m_marked : nullptr; }
    /// Marks a request and brings it into view.
    bool showRequest(std::uint32_t request);

    void setDimmed(bool dimmed); ///< what is shown is about to be replaced
    bool isDimmed() const { return m_dimmed; }

    const RequestsLayout& requestsLayout() const { return m_layout; }
    const ReadOut& readOut() const { return *m_readOut; }
    QScrollBar* scrollBar() const { return m_scroll; }
    /// Where a segment stands, within this widget; may lie outside what is seen.
    QRectF rectOf(std::size_t index) const;
    std::size_t paintedRectangles() const { return m_rectangles; } ///< by the last paint, for segments

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void viewChanged();
    void requestMarked(std::optional<std::uint32_t> request);

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
    enum class Drag { None, Press, Pan, Window }; ///< Press: not moved yet, may be a click

    bool hasLanes() const { return m_lanes && !m_lanes->empty(); }
    void relayOut();
    void updateName();
    void apply(TimeSpan view); ///< clamps, shows
    void chooseView(TimeSpan view);
    void scrollTo(std::size_t lane);
    void zoomTo(const engine::ServingSegment& segment);
    void hover(QPointF at);
    void click(QPointF at);
    std::optional<std::size_t> segmentAt(QPointF at) const;
    void readOutSegment(std::size_t index, QPointF at);
    void walkLanes(int step);
    void walkSegments(int step);
    void showWalked(); ///< brings it into view and reads it out
    bool walkKey(QKeyEvent* event);

    std::shared_ptr<const RequestLanes> m_lanes;
    RequestsLayout m_layout;
    TimeSpan m_view{0.0, 1.0};
    bool m_chosen = false; ///< by the user
    bool m_dimmed = false;
    std::optional<MarkedRequest> m_marked;
    std::optional<std::size_t> m_walked; ///< segment at which the keyboard is
    QImage m_overview;                   ///< empty: to be made
    std::size_t m_rectangles = 0;
    Drag m_drag = Drag::None;
    QPointF m_dragFrom;
    TimeSpan m_dragView;
    int m_dragScroll = 0;
    QScrollBar* m_scroll;
    ReadOut* m_readOut;
};

} // namespace heteroscape::widgets

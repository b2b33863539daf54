// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/lanes/lanes_view.h"
#include "widgets/requests/requests_painter.h"

#include <memory>
#include <optional>

namespace heteroscape::widgets {

/// Requests over lanes on the screen. A click marks the request under the cursor and on empty ground unmarks,
/// a double click zooms to its segment; the strip below shows the whole run. Home shows it too, End its end;
/// Return marks the request one is at and with Shift zooms to it; Esc unmarks. UI thread only.
class RequestsView : public LanesView {
    Q_OBJECT
public:
    explicit RequestsView(QWidget* parent = nullptr);

    /// Shows another run, or nothing; `keepView`: the same stretch of time as far as it is there, once the
    /// user has chosen one, and the same mark; else all of it.
    void setLanes(std::shared_ptr<const RequestLanes> lanes, bool keepView);
    const RequestLanes* lanes() const { return m_lanes.get(); } ///< null: nothing is shown

    void showAll(); ///< another run is shown whole too

    /// Lets all segments of a request stand out; nothing: none. False when it has none.
    bool markRequest(std::optional<std::uint32_t> request);
    std::optional<std::uint32_t> markedRequest() const;
    const MarkedRequest* marked() const { return m_marked ? &*m_marked : nullptr; }
    /// Marks a request and brings it into view.
    bool showRequest(std::uint32_t request);

    void setDimmed(bool dimmed); ///< what is shown is about to be replaced
    bool isDimmed() const { return m_dimmed; }

    const RequestsLayout& requestsLayout() const { return m_layout; }
    /// Where a segment stands, within this widget; may lie outside what is seen.
    QRectF rectOf(std::size_t index) const;
    std::size_t paintedRectangles() const { return m_rectangles; } ///< by the last paint, for segments

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void requestMarked(std::optional<std::uint32_t> request);

protected:
    bool isEmpty() const override { return !m_lanes || m_lanes->empty(); }
    TimeSpan whole() const override { return m_lanes->whole(); }
    double closest() const override;
    const LanesLayout& lanesLayout() const override { return m_layout; }
    void relayOut() override;
    void paintLanes(QPainter& painter) override;
    QRectF walkedRect() const override;
    QScrollBar* scroller() const override { return m_scroll; }
    void hover(QPointF at) override;
    void click(QPointF at) override;
    void goHome() override { showAll(); }
    void goToEnd() override;
    void walkLanes(int step) override;
    void walkSegments(int step) override;
    bool enter(bool zooms) override;
    bool escape() override;
    void clickTwice(QPointF at) override;

private:
    void updateName();
    void scrollTo(std::size_t lane);
    void zoomTo(const engine::ServingSegment& segment);
    std::optional<std::size_t> segmentAt(QPointF at) const;
    void readOutSegment(std::size_t index, QPointF at);
    void showWalked(); ///< brings it into view and reads it out

    std::shared_ptr<const RequestLanes> m_lanes;
    RequestsLayout m_layout;
    bool m_dimmed = false;
    std::optional<MarkedRequest> m_marked;
    std::optional<std::size_t> m_walked; ///< segment at which the keyboard is
    QImage m_overview;                   ///< empty: to be made
    std::size_t m_rectangles = 0;
    QScrollBar* m_scroll;
};

} // namespace heteroscape::widgets

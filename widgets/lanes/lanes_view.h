// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/lanes/lanes_painter.h"
#include "widgets/plots/read_out.h"
#include "widgets/theme/seen_widget.h"

class QScrollBar;

namespace heteroscape::widgets {

/// Lanes over one axis of time on the screen; what is in them is of the classes made from it. Wheel zooms at
/// the cursor (with Shift: moves; over the labels: scrolls the lanes), drag moves, the strip below shows the
/// whole and where one is in it. Keys: left and right move, + and − zoom, Home and End go to the ends; up and
/// down walk through the lanes, Ctrl+left and Ctrl+right through a lane's segments, Page up and Page down
/// scroll; Esc puts marks and the read-out away. Hovering reads out. Follows the theme. UI thread only.
class LanesView : public DrawnWidget {
    Q_OBJECT
public:
    TimeSpan view() const { return m_view; }
    virtual TimeSpan whole() const = 0;
    void setView(TimeSpan view);                ///< chosen by the user; clamped to the whole
    void zoom(double factor, double atSeconds); ///< below 1: closer
    bool isViewChosen() const { return m_chosen; }
    const ReadOut& readOut() const { return *m_readOut; }

signals:
    void viewChanged();

protected:
    explicit LanesView(QWidget* parent);

    // What is shown.
    virtual bool isEmpty() const = 0;
    virtual double closest() const = 0; ///< the shortest stretch that can be looked at, s
    virtual const LanesLayout& lanesLayout() const = 0;
    virtual void relayOut() = 0; ///< for another size or theme
    virtual void paintLanes(QPainter& painter) = 0;
    virtual QRectF walkedRect() const = 0; ///< of the segment at which the keyboard is; null: none
    virtual QScrollBar* scroller() const { return nullptr; } ///< of the lanes, where they may be more

    // What is done with it.
    virtual void hover(QPointF at) = 0; ///< reads out what is there
    virtual void click(QPointF) {}
    virtual void clickTwice(QPointF) {}
    virtual void goHome() = 0;
    virtual void goToEnd() = 0;
    virtual void walkLanes(int step) = 0;
    virtual void walkSegments(int step) = 0;
    virtual bool enter(bool) { return false; } ///< Return, with Shift or without; false: it means nothing
    virtual bool escape() = 0;                 ///< puts marks away; false: there were none

    void lookAt(TimeSpan view); ///< not chosen by the user: what is shown next has a view of its own
    void keepSpan();            ///< as far as it is there
    void forgetView() { m_chosen = false; }
    void dropGesture() { m_drag = Drag::None; } ///< what is dragged
    void present(const QString& heading, std::vector<ReadOut::Row> rows, QPointF at);
    void clearReadOut() { m_readOut->clear(); }

    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void point(QMouseEvent& event) override;
    void pointAway() override { m_readOut->clear(); }
    void keyPressEvent(QKeyEvent* event) override;

private:
    enum class Drag { None, Press, Pan, Window }; ///< Press: not moved yet, may be a click

    void apply(TimeSpan view);
    void press(const QMouseEvent& event);
    void drag(QPointF at);
    bool walkKey(const QKeyEvent& event);

    TimeSpan m_view{0.0, 1.0};
    bool m_chosen = false; ///< by the user
    Drag m_drag = Drag::None;
    QPointF m_dragFrom;
    TimeSpan m_dragView;
    int m_dragScroll = 0;
    ReadOut* m_readOut;
};

} // namespace heteroscape::widgets
